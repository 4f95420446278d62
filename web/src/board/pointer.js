/** Cells under a pointer. */

/** @import { Size, View } from "../types.js" */

import { columnOf, nearestCell, rowOf } from "./cells.js";

/**
 * Returns the row and the column of an event as fractional numbers of cells.
 *
 * @param {{ clientX: number, clientY: number }} event
 * @param {HTMLCanvasElement} canvas
 * @param {Pick<View, "pitch" | "gap">} view
 * @returns {[row: number, column: number]}
 */
export function pointerPosition({ clientX, clientY }, canvas, { pitch, gap }) {
  const { left, top, width } = canvas.getBoundingClientRect();
  /** @param {number} place */
  const toCells = (place) => ((place / width) * canvas.width - gap / 2) / pitch;
  return [toCells(clientY - top), toCells(clientX - left)];
}

/**
 * Returns the cell at such a position, or null outside the board.
 *
 * @param {Size} board
 * @param {[row: number, column: number]} position
 */
export function cellAtPosition(board, [y, x]) {
  const row = Math.floor(y);
  const column = Math.floor(x);
  const cell = nearestCell(board, row, column);
  return row === rowOf(board, cell) && column === columnOf(board, cell) ? cell : null;
}
