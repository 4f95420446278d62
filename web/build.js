/**
 * Bundles the scripts and styles of pages into lightsanim/web/bundles: `make web`.
 *
 * Pages are single files, so each entry point becomes one script or style sheet.  The first line of
 * each has the hash of all sources: a bundle that was not built again is noticed without Node.
 */

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { strToU8, zlibSync } from "fflate";

const ROOT = path.resolve(import.meta.dirname, "..");
const BUNDLES = path.join(ROOT, "lightsanim/web/bundles");

/** Entry points by the name of their bundle. */
const SCRIPTS = {
  player: "player/main.js",
  embedded: "player/embedded.js",
  puzzle: "puzzle/main.js",
  exhibit: "exhibit/main.js",
  lesson: "lesson/main.js",
  abbott: "relatives/abbott.js",
  clues: "relatives/clues.js",
  gallery: "gallery/main.js",
  studio: "studio/main.js",
  maker: "maker/main.js",
};
const STYLES = [
  "player",
  "embedded",
  "puzzle",
  "exhibit",
  "maker",
  "lesson",
  "abbott",
  "clues",
  "gallery",
  "studio",
];

/** Browsers of three years ago. */
const TARGET = ["chrome119", "firefox115", "safari17"];

const OPTIONS = {
  bundle: true,
  minify: true,
  write: false,
  target: TARGET,
  charset: "utf8",
  legalComments: "inline",
  absWorkingDir: ROOT,
};

/**
 * An import of "worker:./x.js" is the text of that entry point's bundle, and one of "packed-worker:./x.js"
 * the same, compressed and in base64.  Node's own compression differs from machine to machine.
 */
const workers = {
  name: "workers",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(packed-)?worker:/ }, ({ path: name, resolveDir }) => {
      const [kind, file] = name.split(":");
      return { path: path.resolve(resolveDir, file), namespace: kind };
    });
    onLoad({ filter: /./, namespace: "worker" }, async ({ path: file }) => ({
      contents: await bundle(file),
      loader: "text",
    }));
    onLoad({ filter: /./, namespace: "packed-worker" }, async ({ path: file }) => ({
      contents: Buffer.from(zlibSync(strToU8(await bundle(file)), { level: 9 })).toString("base64"),
      loader: "text",
    }));
  },
};

/** Returns the bundle of an entry point. */
async function bundle(file) {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [file],
    format: "iife",
    plugins: [workers],
  });
  return outputFiles[0].text;
}

/** Returns the sources of bundles: all that can change them, in the order of their names. */
async function listSources() {
  const folders = await Promise.all(
    ["web/src", "web/styles"].map(async (folder) => {
      const files = await readdir(path.join(ROOT, folder), {
        recursive: true,
        withFileTypes: true,
      });
      return files
        .filter((file) => file.isFile())
        .map((file) => path.join(file.parentPath, file.name));
    }),
  );
  const others = ["package-lock.json", "web/build.js"].map((file) => path.join(ROOT, file));
  return [...folders.flat(), ...others]
    .map((file) => path.relative(ROOT, file).split(path.sep).join("/"))
    .sort();
}

const digest = createHash("sha256");
for (const file of await listSources()) {
  const content = await readFile(path.join(ROOT, file));
  digest.update(`${file} ${content.length}\n`).update(content);
}
const heading = `/* sources ${digest.digest("hex").slice(0, 16)} */\n`;

const entries = [
  ...Object.entries(SCRIPTS).map(([name, file]) => [`${name}.js`, `web/src/${file}`]),
  ...STYLES.map((name) => [`${name}.css`, `web/styles/${name}.css`]),
];
await rm(BUNDLES, { recursive: true, force: true });
await mkdir(BUNDLES, { recursive: true });
await Promise.all(
  entries.map(async ([name, file]) =>
    writeFile(path.join(BUNDLES, name), heading + (await bundle(path.join(ROOT, file)))),
  ),
);
