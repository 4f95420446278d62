// What only the bundler and the browsers know.

/** The script of a worker, bundled by itself; see web/build.js. */
declare module "worker:*" {
  const script: string;
  export default script;
}

/** The same, compressed by zlib and in base64. */
declare module "packed-worker:*" {
  const packed: string;
  export default packed;
}

interface Window {
  /** Read-only state of a page, for tests. */
  lightsanim: Readonly<Record<string, (...values: any[]) => unknown>>;

  /** The same of a gallery's page. */
  gallery: Readonly<Record<string, () => unknown>>;

  /** The cards of a gallery in their default order, set by its file animations.js. */
  animations: import("./gallery/cards.js").Card[];

  /** The films of a gallery by their slugs, each set by its file film.js. */
  films: Record<string, import("./types.js").WrittenFilm>;
}
