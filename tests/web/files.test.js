/** Files are those that Python writes. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { decodeBase64, unpackNumbers } from "../../web/src/bytes.js";
import { createState, goTo } from "../../web/src/film/press.js";
import { readFilm } from "../../web/src/film/read.js";
import { encodeGif } from "../../web/src/maker/files/gif.js";
import { buildDocument } from "../../web/src/saved/document.js";
import { withDigest } from "../../web/src/saved/json.js";
import { buildFilm } from "../../web/src/saved/page_film.js";
import { decodeGif } from "./gif.js";
import { readVectors } from "./vectors.js";

const digestOf = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** Returns the animation of a saved one. */
function readDocument(text) {
  const { board, steps, first, targets, ...members } = JSON.parse(text);
  const read = { rows: board.rows, columns: board.columns, levels: board.levels ?? 2 };
  const lightsOf = (boards) => boards.map((rows) => Uint8Array.from(rows.join("")));
  return {
    ...members,
    board: read,
    first: lightsOf(first),
    targets: targets.map(lightsOf),
    steps: steps && steps.map((step) => readStep(step, read, first.length)),
  };
}

/** Returns the click set of each plane. */
function readStep(text, { rows, columns, levels }, planes) {
  const bytes = decodeBase64(text);
  const cells = rows * columns;
  const size = Math.ceil((cells * planes) / 8);
  const bits = 32 - Math.clz32(levels - 1);
  const bitAt = (place) => (bytes[place >> 3] >> (7 - (place & 7))) & 1;
  const pressesOf = (cell) =>
    Array.from({ length: bits }, (_, bit) => bitAt(8 * size * bit + cell) << bit).reduce(
      (sum, value) => sum + value,
    );
  return Array.from({ length: planes }, (_, plane) =>
    Uint8Array.from({ length: cells }, (_, cell) => pressesOf(plane * cells + cell)),
  );
}

for (const kind of ["documents", "gifs"]) {
  const { cases, program, palettes, accents } = readVectors(kind);

  test(`the saved animations and pages of ${kind} have the bytes of Python's`, () => {
    for (const [number, { document, palette, films, flashes }] of cases.entries()) {
      const animation = readDocument(document);
      assert.equal(buildDocument(animation, program), document, `case ${number}`);
      const written = buildFilm(animation, program, { ...palettes[palette], accents });
      const { sha256 } = withDigest(written);
      assert.equal(sha256.slice(0, 16), films[Number(written.flashes ?? false)], `case ${number}`);
      assert.ok(written.flashes || !flashes, `case ${number} flashes`);
    }
  });
}

test("a page plays its film to the last configuration", () => {
  const { cases, program, palettes, accents } = readVectors("documents");
  for (const { document, palette } of cases) {
    const animation = readDocument(document);
    const film = readFilm(buildFilm(animation, program, { ...palettes[palette], accents }));
    const state = createState(film);
    goTo(film, state, film.count);
    const goal = animation.targets[1];
    const { levels } = animation.board;
    const shades = goal[0].map((_, cell) =>
      goal.reduce((sum, plane, i) => sum + plane[cell] * levels ** i, 0),
    );
    assert.deepEqual(state.shades, shades);
  }
});

test("a GIF has the pixels, times and metadata of Python's", () => {
  const { cases, program, palettes, accents } = readVectors("gifs");
  for (const [number, expected] of cases.entries()) {
    const animation = readDocument(expected.document);
    const look = { ...palettes[expected.palette], accents };
    const film = readFilm(buildFilm(animation, program, look));
    const gif = decodeGif(Buffer.concat(encodeGif(film, look, program, () => {})));
    assert.equal(digestOf(gif.comment), expected.comment, `case ${number}`);
    assert.deepEqual(
      gif.frames.map(({ pixels }) => digestOf(pixels)),
      expected.frames,
      `case ${number}`,
    );
    assert.deepEqual(
      gif.frames.map(({ delay }) => 10 * delay),
      expected.delays,
      `case ${number}`,
    );
  }
});

test("packed numbers are read as they were written", () => {
  assert.deepEqual([...unpackNumbers([3, 2, "bA=="])], [1, 2, 3]);
});
