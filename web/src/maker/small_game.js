/** The game on a small board: three seconds of clicks; with reduced motion the first of them. */

/** @import { Look } from "../types.js" */

import { boardImage, createView, fitCanvases, paintBoard } from "../board/paint.js";
import { animate } from "../film/play.js";
import { turnNeighbourhood } from "../film/press.js";
import { findElements, reducedMotion } from "../page/elements.js";

const CLICKS = [12, 6, 8, 18, 16];
const CLICK_SECONDS = 0.6;

/** Share of a click's time for which its cell is marked. */
const MARKED_SHARE = 0.5;

/** CSS pixels. */
const WIDTH = 80;

/** @type {Look} */
const LOOK = {
  rows: 5,
  columns: 5,
  gap: null,
  shape: "square",
  palette: ["#1d1d1b", "#42423f", "#f6f6f2", "#e8940c"], // unlit, lit, just clicked
};
const MARKED = 2;

/** @type {[down: number, right: number][]} */
const OFFSETS = [
  [0, 0],
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];

/** Plays the game once. */
export function playSmallGame() {
  const { game } = findElements({ game: HTMLCanvasElement });
  const view = createView();
  const state = { shades: new Uint8Array(LOOK.rows * LOOK.columns), touched: [] };
  let done = 0;
  fitCanvases(WIDTH, WIDTH, LOOK, view, [game]);
  animate((_, passed) => {
    const due = reducedMotion ? 1 : passed / CLICK_SECONDS;
    if (due >= done + 1)
      turnNeighbourhood({ ...LOOK, offsets: OFFSETS }, state, CLICKS[done++], [1, 0]);
    const marked = due - done < MARKED_SHARE ? CLICKS[done - 1] : null;
    const shades = state.shades.map((shade, cell) => (cell === marked ? MARKED : shade));
    paintBoard(LOOK, view, game, boardImage(LOOK, shades));
    return !reducedMotion && due < CLICKS.length + CLICK_SECONDS;
  });
}
