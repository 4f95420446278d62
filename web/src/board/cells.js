/** Cells of a board by row and column. */

/** @import { Cell, Size } from "../types.js" */

import { clampIndex } from "../numbers.js";

/** @param {Pick<Size, "columns">} board @param {Cell} cell */
export const rowOf = ({ columns }, cell) => Math.floor(cell / columns);

/** @param {Pick<Size, "columns">} board @param {Cell} cell */
export const columnOf = ({ columns }, cell) => cell % columns;

/**
 * Returns the cell at a row and a column, or the nearest cell of the board.
 *
 * @param {Size} board
 * @param {number} row
 * @param {number} column
 */
export const nearestCell = ({ rows, columns }, row, column) =>
  clampIndex(row, rows) * columns + clampIndex(column, columns);

/**
 * Returns the cell in the middle of a board, or right below or beside it.
 *
 * @param {Size} board
 */
export const middleCell = (board) => nearestCell(board, board.rows >> 1, board.columns >> 1);

/**
 * Returns the cell some rows below another and some columns beside it, within the board.
 *
 * @param {Size} board
 * @param {Cell} cell
 * @param {number} down
 * @param {number} right
 */
export const cellBeside = (board, cell, down, right) =>
  nearestCell(board, rowOf(board, cell) + down, columnOf(board, cell) + right);

/** Rows down and columns right by the name of an arrow key. */
export const ARROWS = Object.freeze(
  /** @type {Record<string, [down: number, right: number]>} */ ({
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  }),
);
