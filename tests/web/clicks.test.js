/** Clicks, orders, steps and searches are those of Python. */

import assert from "node:assert/strict";
import test from "node:test";
import { buildAnimation } from "../../web/src/maker/clicks/animation.js";
import { clicksFor, perfectBoard } from "../../web/src/maker/clicks/chase.js";
import { searchHalftones } from "../../web/src/maker/clicks/halftone.js";
import { automaton, dissolve, wipe } from "../../web/src/maker/clicks/transitions.js";
import { blur } from "../../web/src/maker/targets/blur.js";
import { ditherPlanes } from "../../web/src/maker/targets/dither.js";
import { packSteps } from "../../web/src/saved/pack.js";
import { readGrey, readLevels, readVectors } from "./vectors.js";

const OPTIONS = { order: "radial", spread: 0, hold_first: 1, hold_last: 3, dither: "blue-noise" };

test("the nearest size on which every configuration is accessible is that of Python", () => {
  for (const { board, rules, near } of readVectors("sizes").cases) {
    const { rows, columns } = perfectBoard(board, rules);
    assert.deepEqual([rows, columns], near, JSON.stringify(board));
  }
});

test("a wipe presses each cell as often as Python, in the order of the front, at its pace", () => {
  for (const [number, expected] of readVectors("clicks").cases.entries()) {
    const { board, order, fps, duration } = expected;
    const targets = [expected.start, expected.goal].map((planes) =>
      planes.map((packed) => ({ configuration: readLevels(packed) })),
    );
    const options = { ...OPTIONS, order, fps, duration };
    const film = buildAnimation(board, targets, ["one", "other"], wipe, options);
    const presses = expected.presses.map(readLevels);
    const pressed = presses.map((plane) => plane.map(() => 0));
    for (const [i, cell] of film.clicks.entries())
      for (const plane of presses.keys())
        pressed[plane][cell] += ((film.primaries?.[i] ?? 1) >> plane) & 1;
    assert.deepEqual(pressed, presses, `case ${number}`);
    const places = readLevels(expected.places);
    const clicked = film.clicks.map((cell) => places[cell]);
    assert.deepEqual(
      clicked,
      clicked.toSorted((one, other) => one - other),
      `case ${number}`,
    );
    const done = expected.done ? [...readLevels(expected.done)] : film.frames.slice(1);
    assert.deepEqual(film.frames, [0, ...done], `case ${number}`);
    assert.equal(film.frames.at(-1), film.clicks.length);
  }
});

test("a spread moves clicks by at most its share of the film", () => {
  const board = { rows: 21, columns: 34, levels: 2 };
  const dark = { configuration: new Uint8Array(714) };
  const lit = { configuration: new Uint8Array(714).fill(1) };
  const cellsBy = (spread) => {
    const options = { ...OPTIONS, fps: 25, duration: 1, spread };
    return buildAnimation(board, [[dark], [lit]], ["one", "other"], wipe, options).clicks;
  };
  const [sorted, mixed] = [0, 0.1].map(cellsBy);
  assert.deepEqual(cellsBy(0.1), mixed);
  const away = mixed.map((cell, place) => Math.abs(sorted.indexOf(cell) - place));
  assert.ok(Math.max(...away) <= (sorted.length * 0.1) / 0.9 + 1);
  assert.ok(away.reduce((sum, steps) => sum + steps) > 2 * away.length);
});

test("steps of dissolves and of the automaton, and their holds, are those of Python", () => {
  for (const [number, expected] of readVectors("steps").cases.entries()) {
    const { board, transition, dither, fps, duration = 6, steps } = expected;
    const targets = expected.greys.map((planes) =>
      ditherPlanes(
        planes.map((text) => readGrey(text, board)),
        board,
        dither,
      ),
    );
    const options = { ...OPTIONS, dither, fps, duration, ...(steps && { steps }) };
    const run = { dissolve, automaton }[transition];
    const film = buildAnimation(board, targets, ["one", "other"], run, options);
    assert.deepEqual(packSteps(film.steps, board.levels), expected.packed, `case ${number}`);
    assert.deepEqual(film.holds, expected.holds, `case ${number}`);
  }
});

test("pictures whose clicks draw a third one look as good as those of Python", () => {
  const aims = [
    { dark: 0.12, light: 0.88, weight: 1 },
    { dark: 0.12, light: 0.88, weight: 1 },
    { dark: 0.18, light: 0.8, weight: 1.2 },
  ];
  for (const { board, greys, error } of readVectors("halftones").cases) {
    const values = greys.map((text) => readGrey(text, board));
    const found = searchHalftones(board, values, () => {});
    const [from, to, clicks] = found;
    const flipped = to.map((level, cell) => level ^ from[cell]);
    assert.deepEqual(clicksFor(board, flipped), clicks);
    const errors = found.map((levels, i) => {
      const { dark, light, weight } = aims[i];
      const off = Float64Array.from(
        levels,
        (level, cell) => level - dark - (light - dark) * values[i][cell],
      );
      const blurred = blurOnDark(off, board);
      return (weight * blurred.reduce((sum, value) => sum + value ** 2, 0)) / levels.length;
    });
    const total = errors.reduce((sum, one) => sum + one);
    assert.ok(total < 1.1 * error, `${total} after ${error}`);
  }
});

/** Blurs as the eye does; a border of three cells stays zero. */
function blurOnDark(values, { rows, columns }) {
  const reach = 3;
  const wide = { rows: rows + 2 * reach, columns: columns + 2 * reach };
  const padded = new Float64Array(wide.rows * wide.columns);
  values.forEach((value, cell) => {
    const row = Math.floor(cell / columns) + reach;
    padded[row * wide.columns + (cell % columns) + reach] = value;
  });
  const clampToBorder = (place, side) => Math.min(Math.max(place, 0), side - 1);
  const blurred = blur(padded, wide, 1.2, reach, clampToBorder);
  return values.map((_, cell) => {
    const row = Math.floor(cell / columns) + reach;
    return blurred[row * wide.columns + (cell % columns) + reach];
  });
}

test("a board with quiet patterns is refused by its size", () => {
  // OEIS A159257: it has 4 of them.
  const board = { rows: 4, columns: 4, levels: 2 };
  assert.throws(() => clicksFor(board, new Uint8Array(16).fill(1)), /4x4/);
});
