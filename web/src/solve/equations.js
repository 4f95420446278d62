/** Linear equations modulo the number of levels, a prime; a column holds what one click raises. */

/** @import { Board } from "../types.js" */

import { neighbourhood } from "../film/press.js";

/**
 * A pivot is a position and a row with a 1 there; later rows have a 0 there.
 *
 * @typedef {[place: number, row: Uint8Array]} Pivot
 *
 * @typedef {object} Equations
 * @property {Pivot[]} pivots
 * @property {Uint8Array[]} patterns quiet patterns: number of clicks on each cell
 */

/**
 * Returns the pivots and the quiet patterns, or null if the patterns have more sums than `maxSums`.
 *
 * A row holds what a click set raises, followed by the click set.  The click set of a row that raises
 * nothing is quiet.
 *
 * @param {Uint8Array[]} columns
 * @param {number} levels
 * @returns {Equations | null}
 */
export function eliminate(columns, levels, maxSums = Infinity) {
  /** @type {Pivot[]} */
  const pivots = [];
  /** @type {Uint8Array[]} */
  const patterns = [];
  for (const [click, column] of columns.entries()) {
    const row = Uint8Array.of(...column, ...columns.map((_, other) => Number(other === click)));
    reduceRow(row, pivots, levels);
    const pivotCell = row.subarray(0, column.length).findLastIndex(Boolean);
    const inverse = row[pivotCell] ** (levels - 2); // by Fermat's little theorem
    if (pivotCell < 0) patterns.push(row.subarray(column.length));
    else pivots.push([pivotCell, row.map((value) => (value * inverse) % levels)]);
    if (levels ** patterns.length > maxSums) return null;
  }
  return { pivots, patterns };
}

/**
 * @param {Uint8Array} row
 * @param {Pivot[]} pivots
 * @param {number} levels
 */
function reduceRow(row, pivots, levels) {
  for (const [place, other] of pivots) {
    if (!row[place]) continue;
    const times = levels - row[place];
    for (let i = 0; i < row.length; i++) row[i] = (row[i] + times * other[i]) % levels;
  }
}

/**
 * Returns a click set that turns lights dark, or null if there is none.
 *
 * @param {Equations} equations
 * @param {Uint8Array} lights
 * @param {number} levels
 */
export function findSolution({ pivots, patterns }, lights, levels) {
  const row = new Uint8Array(lights.length + pivots.length + patterns.length);
  row.set(lights);
  reduceRow(row, pivots, levels);
  return row.subarray(0, lights.length).some(Boolean) ? null : row.slice(lights.length);
}

/**
 * Returns a list of cells, or columns, with each as often as it is pressed.
 *
 * @param {Iterable<number>} presses
 */
export const listPresses = (presses) =>
  Array.from(presses).flatMap((times, cell) => Array.from({ length: times }, () => cell));

/**
 * Returns for each cell the levels by which a click on it raises all cells.
 *
 * @param {Board} board
 */
export function raisedByClicks(board) {
  return Array.from({ length: board.cells }, (_, cell) => {
    const raised = new Uint8Array(board.cells);
    for (const neighbour of neighbourhood(board, cell))
      raised[neighbour] = (raised[neighbour] + 1) % board.levels;
    return raised;
  });
}
