// What only the bundler and the browsers know.

/** The script of a worker, bundled by itself; see web/build.js. */
declare module "worker:*" {
  const script: string;
  export default script;
}

interface Window {
  /** Read-only state of a page, for tests. */
  lightsanim: Readonly<Record<string, (...values: any[]) => unknown>>;
}
