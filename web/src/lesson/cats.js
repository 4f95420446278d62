/** A board that plays by itself: each step presses all lit cells. */

import { range } from "../numbers.js";

const CAT = ["#.....#", "##...##", "#######", "#.###.#", "#######", ".##.##.", "..###.."];

/** Number of cells along each side of the board. */
export const SIDE = 63;

const EDGE = (SIDE - CAT.length) / 2;

/** Levels of a cat in the middle of the board, row by row. */
export const FIRST_LIGHTS = range(SIDE).map((row) =>
  range(SIDE).map((column) => Number(CAT[row - EDGE]?.[column - EDGE] === "#")),
);

/** Steps after which the board shows whole cats, and the names of the texts that say how many. */
export const WHOLE_PICTURES = new Map([
  [0, "cat"],
  [8, "four_cats"],
  [16, "four_far"],
  [24, "sixteen_cats"],
]);

export const LAST_STEP = Math.max(...WHOLE_PICTURES.keys());

/**
 * Presses all lit cells.  A cell becomes lit if an odd number of its neighbours were lit; cells beyond
 * the edge are dark.
 *
 * @param {number[][]} lights
 */
export function pressLitCells(lights) {
  /** @param {number} row @param {number} column */
  const at = (row, column) => lights[row]?.[column] ?? 0;
  return lights.map((line, row) =>
    line.map(
      (_, column) =>
        at(row - 1, column) ^ at(row + 1, column) ^ at(row, column - 1) ^ at(row, column + 1),
    ),
  );
}
