/** The lines of a window of N x N panes: its rows, columns and diagonals. */

/** @import { Cell } from "../types.js" */

import { range } from "../numbers.js";

/**
 * @typedef {[x: number, y: number, right: number, down: number]} End an end, and the direction in which
 *   the line leaves the window there
 *
 * @typedef {"row" | "column" | "diagonal"} LineKind
 *
 * @typedef {{ kind: LineKind, panes: Cell[], ends: [End, End] }} Line
 */

/**
 * @param {number} n
 * @returns {Line[]}
 */
export function linesOf(n) {
  const side = range(n);
  /** @type {Line[]} */
  const lines = [];
  /** @param {LineKind} kind @param {number[][]} cells @param {End} from @param {End} to */
  const add = (kind, cells, from, to) =>
    lines.push({ kind, panes: cells.map(([row, column]) => row * n + column), ends: [from, to] });
  for (const i of side) {
    const across = side.map((j) => [i, j]);
    add("row", across, [0, i + 0.5, -1, 0], [n, i + 0.5, 1, 0]);
    const down = side.map((j) => [j, i]);
    add("column", down, [i + 0.5, 0, 0, -1], [i + 0.5, n, 0, 1]);
  }
  for (let k = 2 - n; k <= n - 2; k++) {
    const falling = side.filter((j) => j >= k && j - k < n).map((j) => [j - k, j]);
    const [top, left] = falling[0];
    const [bottom, right] = falling[falling.length - 1];
    add("diagonal", falling, [left, top, -1, -1], [right + 1, bottom + 1, 1, 1]);
    const rising = falling.map(([i, j]) => [i, n - 1 - j]);
    add("diagonal", rising, [n - left, top, 1, -1], [n - right - 1, bottom + 1, -1, 1]);
  }
  return lines;
}

/**
 * Returns the lines through which light falls from an odd number of panes.
 *
 * @param {Line[]} lines
 * @param {boolean[]} values whether each pane lets light in
 */
export const oddLines = (lines, values) =>
  lines.filter(({ panes }) => panes.filter((pane) => values[pane]).length % 2 === 1);
