/** Marks over the lights of a board: dots, rings, frames, and what a click would change. */

/** @import { Cell } from "../types.js" */
/** @import { LiveBoard } from "./live_board.js" */

import { contextOf, squareOf } from "../board/paint.js";
import { neighbourhood } from "../film/press.js";

/**
 * Positions of the dots on a cell by their number, as on a die.
 *
 * @type {Record<number, [right: number, down: number][]>}
 */
const DOT_PLACES = {
  1: [[0, 0]],
  2: [
    [-1, 1],
    [1, -1],
  ],
};

/** @param {LiveBoard} state */
export function paintMarks(state) {
  const { film, marks, pitch, gap, pointed } = state;
  const context = contextOf(marks);
  const side = pitch - gap;
  /** @param {number} width @param {string} colour @param {() => void} draw */
  const stroke = (width, colour, draw) => {
    context.lineWidth = width * side;
    context.strokeStyle = colour;
    context.beginPath();
    draw();
    context.stroke();
  };
  /**
   * Draws a dark line around a light or coloured one, which is visible on any cell.
   *
   * @param {number} width
   * @param {string} colour
   * @param {() => void} draw
   */
  const strokeTwice = (width, colour, draw) => {
    stroke(width + 0.045, "#191919", draw);
    stroke(width, colour, draw);
  };
  /** @param {Cell} cell @param {number} radius */
  const round = (cell, radius, right = 0, down = 0) => {
    const [x, y] = squareOf(film, state, cell);
    context.arc(x + (0.5 + right) * side, y + (0.5 + down) * side, radius * side, 0, 7);
  };
  /** @param {Cell} cell @param {number} inset */
  const square = (cell, inset) => context.rect(...squareOf(film, state, cell, inset * side));
  context.clearRect(0, 0, marks.width, marks.height);
  if (pointed !== null) {
    context.globalAlpha = 0.35;
    context.fillStyle = film.accent;
    for (const cell of state.alone ? [pointed] : neighbourhood(film, pointed))
      context.fillRect(...squareOf(film, state, cell));
    context.globalAlpha = 1;
  }
  state.frames.forEach((cell, i, all) => {
    const inset = cell === all[i - 1] ? 0.2 : 0.08;
    strokeTwice(0.06, film.accent, () => square(cell, inset));
  });
  state.rings.forEach((cell, i, all) => {
    const radius = cell === all[i - 1] ? 0.2 : 0.34;
    strokeTwice(0.07, film.accent, () => round(cell, radius));
  });
  state.dots.forEach((count, cell) => {
    const radius = count > 1 ? 0.065 : 0.1; // a line twice as wide fills the disc
    for (const [right, down] of DOT_PLACES[count] ?? [])
      strokeTwice(2 * radius, film.accent, () => round(cell, radius, 0.2 * right, 0.2 * down));
  });
  if (pointed !== null) strokeTwice(0.035, "#fff", () => square(pointed, 0.03));
}
