/** Pointers and keys on a board. */

/** @import { Cell } from "../types.js" */

import { ARROWS } from "./cells.js";

/**
 * Returns handlers of the arrow keys by their names, for `listenToKeys`.
 *
 * @param {(down: number, right: number) => void} move
 * @returns {Record<string, () => void>}
 */
export const arrowKeys = (move) =>
  Object.fromEntries(
    Object.entries(ARROWS).map(([key, [down, right]]) => [key, () => move(down, right)]),
  );

/**
 * @typedef {object} BoardActs
 * @property {(event: MouseEvent) => Cell} cellAt returns the cell under a pointer
 * @property {() => Cell} cursor returns the cell selected with the keyboard
 * @property {(down: number, right: number) => void} moveCursor
 * @property {(cell: Cell | null) => void} pointAt shows what a click on a cell would change
 * @property {(cell: Cell) => void} press
 */

/**
 * Makes a board point at cells and press them.  Fingers press without pointing.
 *
 * @param {HTMLElement} board
 * @param {BoardActs} acts
 */
export function listenToBoard(board, { cellAt, cursor, moveCursor, pointAt, press }) {
  board.onclick = (event) => press(cellAt(event));
  board.onpointermove = (event) => event.pointerType !== "touch" && pointAt(cellAt(event));
  board.onpointerleave = board.onblur = () => pointAt(null);
  board.onfocus = () => board.matches(":focus-visible") && pointAt(cursor());
  board.onkeydown = (event) => {
    const { key } = event;
    const move = ARROWS[key];
    const isOurs = move || key === "Enter" || key === " ";
    if (event.altKey || event.ctrlKey || event.metaKey || !isOurs) return;
    event.preventDefault();
    if (move) moveCursor(...move);
    else press(cursor());
  };
}
