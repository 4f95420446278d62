/** A board of a lesson that can be clicked, with its message. */

/** @import { Cell, Film, Lights, View } from "../types.js" */

import { cellBeside, middleCell, nearestCell } from "../board/cells.js";
import { listenToBoard } from "../board/listen.js";
import { createView, fitCanvases, paintState } from "../board/paint.js";
import { pointerPosition } from "../board/pointer.js";
import { turnNeighbourhood } from "../film/press.js";
import { findAll, findFirst, reducedMotion, requireElement, setText } from "../page/elements.js";
import { describeCell } from "../page/texts.js";
import { paintMarks } from "./marks.js";
import { cells, film, LOOKS, say } from "./page.js";

/**
 * @typedef {object} LiveMembers
 * @property {HTMLElement} figure
 * @property {HTMLCanvasElement} board
 * @property {HTMLCanvasElement} marks
 * @property {HTMLElement} said the message
 * @property {Film} film
 * @property {(cell: Cell) => void} click
 * @property {Uint8Array} start
 * @property {Uint8Array} dots number of dots on each cell, one per click
 * @property {Cell[]} rings cells to click, listed once for each click
 * @property {Cell[]} frames cells to frame; a cell listed twice gets two frames
 * @property {boolean} alone whether a click changes only the clicked cell
 * @property {Cell} cursor the cell selected with the keyboard
 * @property {Cell | null} pointed the cell under the pointer
 * @property {number} runs number of series of clicks that the page has started
 * @property {number} run number of the series in progress, or 0
 *
 * @typedef {Lights & View & LiveMembers} LiveBoard
 */

const CLICK_TIME = 350; // milliseconds from click to click
const MAX_RUN_TIME = 3000; // milliseconds of all clicks of a series

/**
 * Sets up the board in a figure.
 *
 * @param {string} name id of the figure
 * @param {Uint8Array} shades
 * @param {(cell: Cell) => void} click is called when a visitor clicks a cell
 */
export function createBoard(name, shades, click) {
  const figure = requireElement(name, HTMLElement);
  const [board, marks] = findAll("canvas", HTMLCanvasElement, figure);
  /** @type {LiveBoard} */
  const state = {
    ...createView(),
    figure,
    board,
    marks,
    said: findFirst(".said", HTMLElement, figure),
    film,
    click,
    shades,
    touched: [],
    start: shades.slice(),
    dots: new Uint8Array(cells),
    rings: [],
    frames: [],
    alone: false,
    cursor: middleCell(film),
    pointed: null,
    runs: 0,
    run: 0,
  };
  listen(state);
  new ResizeObserver(() => requestAnimationFrame(() => fitBoard(state))).observe(figure);
  fitBoard(state);
  return state;
}

/** @param {LiveBoard} state */
export function fitBoard(state) {
  const { figure, board, marks } = state;
  const height = Math.max(240, 0.66 * screen.height);
  fitCanvases(figure.clientWidth, height, state.film, state, [board, marks]);
  showBoard(state);
}

/** @param {LiveBoard} state */
export function showBoard(state) {
  paintState(state.film, state, state, state.board);
  paintMarks(state);
  const name = state.rings.includes(state.cursor) ? "board_label_ring" : "board_label";
  state.board.ariaLabel = say(name, {
    board: state.figure.ariaLabel ?? "",
    place: describeCell(film, state.cursor),
    state: say(LOOKS[state.film.levels][state.shades[state.cursor]]),
  });
}

/** @param {LiveBoard} state @param {string} text */
export const announce = (state, text) => setText(state.said, text);

/** @param {LiveBoard} state @param {Cell} cell */
export const raiseCell = (state, cell) =>
  turnNeighbourhood(state.film, state, cell, state.film.raised[1]);

/** @param {LiveBoard} state @param {Cell} cell */
export function raiseAndDot(state, cell, by = 1) {
  raiseCell(state, cell);
  state.dots[cell] = (state.dots[cell] + by) % state.film.levels;
}

/**
 * Makes clicks one after the other; `restartBoard` or another run stops it after the current click.
 *
 * @param {LiveBoard} state
 * @param {Cell[]} clicks
 * @param {(cell: Cell) => void} make
 * @param {() => void} done
 */
export function runClicks(state, clicks, make, done) {
  const number = (state.run = ++state.runs);
  const wait = Math.min(CLICK_TIME, MAX_RUN_TIME / clicks.length);
  const left = [...clicks];
  const step = () => {
    if (number !== state.run) return;
    state.pointed = left.shift() ?? null;
    if (state.pointed === null) {
      state.run = 0;
      done();
    } else {
      make(state.pointed);
      setTimeout(step, wait);
    }
    showBoard(state);
  };
  if (reducedMotion) left.splice(0).forEach(make);
  step();
}

/** @param {LiveBoard} state */
export function restartBoard(state, shades = state.start, text = "") {
  Object.assign(state, { start: shades.slice(), shades: shades.slice(), run: 0, rings: [] });
  state.dots.fill(0);
  announce(state, text);
  showBoard(state);
}

/** @param {LiveBoard} state */
function listen(state) {
  /** @param {Cell | null} cell */
  const pointAt = (cell) => {
    if (state.run || state.pointed === cell) return;
    state.pointed = cell;
    paintMarks(state);
  };
  listenToBoard(state.board, {
    cellAt: (event) => {
      const [y, x] = pointerPosition(event, state.board, state);
      return nearestCell(film, Math.floor(y), Math.floor(x));
    },
    cursor: () => state.cursor,
    moveCursor: (down, right) => {
      state.cursor = cellBeside(film, state.cursor, down, right);
      pointAt(state.cursor);
      showBoard(state);
    },
    pointAt,
    press: (cell) => {
      if (state.run) return;
      state.cursor = cell;
      state.click(cell);
      showBoard(state);
    },
  });
}
