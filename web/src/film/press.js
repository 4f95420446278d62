/** Presses cells, and goes to any click of a film. */

/** @import { Board, Cell, Film, FilmState, Lights } from "../types.js" */

import { clampIndex, modulo } from "../numbers.js";

/**
 * Returns the cells that a click flips; on a small torus it may flip the same cell twice.
 *
 * @param {Pick<Board, "rows" | "columns" | "offsets" | "wrap">} board
 * @param {Cell} cell
 */
export function neighbourhood({ rows, columns, offsets, wrap }, cell) {
  const neighbours = [];
  for (const [down, right] of offsets) {
    const y = Math.floor(cell / columns) + down;
    const x = (cell % columns) + right;
    const row = wrap ? modulo(y, rows) : y;
    const column = wrap ? modulo(x, columns) : x;
    if (row === clampIndex(row, rows) && column === clampIndex(column, columns))
      neighbours.push(row * columns + column);
  }
  return neighbours;
}

/**
 * Changes a cell and its neighbours: makes a click with a table of `film.raised`, undoes it with one
 * of `film.lowered`.
 *
 * @param {Pick<Board, "rows" | "columns" | "offsets" | "wrap">} board
 * @param {Lights} state
 * @param {Cell} cell
 * @param {ArrayLike<number>} nextShades
 */
export function turnNeighbourhood(board, state, cell, nextShades) {
  for (const neighbour of neighbourhood(board, cell)) {
    state.shades[neighbour] = nextShades[state.shades[neighbour]];
    state.touched.push(neighbour);
  }
}

/**
 * Returns how often the film presses each cell between two counts of clicks, as shades.
 *
 * @param {Film} film
 * @param {number} from
 * @param {number} to
 * @param {ArrayLike<number>[]} [nextShades]
 */
export function pressesBetween(film, from, to, nextShades = film.raised) {
  const { cells, clicks, primaries } = film;
  const presses = new Uint8Array(cells);
  for (let i = from; i < to; i++) presses[clicks[i]] = nextShades[primaries[i]][presses[clicks[i]]];
  return presses;
}

/**
 * Makes or undoes all clicks on a cell at once, because their order does not matter.
 *
 * @param {Film} film
 * @param {FilmState} state
 * @param {number} done
 */
export function goTo(film, state, done) {
  const presses =
    done < state.done
      ? pressesBetween(film, done, state.done, film.lowered)
      : pressesBetween(film, state.done, done);
  presses.forEach((times, cell) => {
    if (times) turnNeighbourhood(film, state, cell, film.sums[times]);
  });
  state.done = done;
}

/**
 * Returns the state of a film at its start.
 *
 * @param {Film} film
 * @returns {FilmState}
 */
export const createState = (film) => ({
  shades: film.first.slice(),
  done: 0,
  touched: [],
  time: 0,
});

/**
 * Returns the number of clicks done in the frame before the current one.
 *
 * @param {Film} film
 * @param {FilmState} state
 */
export const clicksBeforeFrame = (film, state) =>
  film.frames.findLast((done) => done < state.done) ?? 0;

/**
 * Returns the start time of the first frame with at least `done` clicks.
 *
 * @param {Film} film
 * @param {number} done
 */
export const startTimeOf = (film, done) =>
  film.starts[film.frames.findIndex((count) => count >= done)];

/**
 * Levels of a shade on each colour plane.
 *
 * @param {Pick<Film, "boards" | "levels">} film
 * @param {number} shade
 */
export const levelsOf = ({ boards, levels }, shade) =>
  Array.from({ length: boards }, (_, board) => Math.floor(shade / levels ** board) % levels);

/**
 * The planes on which a shade is not dark, as bits.
 *
 * @param {Pick<Film, "boards" | "levels">} film
 * @param {number} shade
 */
export const litBoards = (film, shade) =>
  levelsOf(film, shade).reduce((sum, level, board) => sum + (Number(level > 0) << board), 0);
