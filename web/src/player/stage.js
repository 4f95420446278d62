/** The stage of a film's page: its board, its marks, and the panel of clicks. */

/** @import { Cell, Film, FilmState, View } from "../types.js" */
/** @import { Game } from "../game/game.js" */

import { columnOf, middleCell, rowOf } from "../board/cells.js";
import {
  boardImage,
  contextOf,
  createView,
  drawBoardImage,
  fitCanvases,
  paintBoard,
  paintState,
  replacePixels,
  showRing,
  squareOf,
} from "../board/paint.js";
import { readFilm } from "../film/read.js";
import { clicksBeforeFrame, createState, neighbourhood, pressesBetween } from "../film/press.js";
import { differingCells, pressesFromClicks } from "../game/game.js";
import { findElements, readData } from "../page/elements.js";

export const ui = findElements({
  main: HTMLElement,
  stage: HTMLElement,
  frame: HTMLElement,
  board: HTMLCanvasElement,
  marks: HTMLCanvasElement,
  ring: HTMLElement,
  loupe: HTMLCanvasElement,
  columns: HTMLElement,
  rows: HTMLElement,
  presses: HTMLElement,
  pressed: HTMLCanvasElement,
  text: HTMLElement,
  goal: HTMLCanvasElement,
});

export const written = readData("film");

/** The film that the page plays; pages of several puzzles have one for each. */
export let film = readFilm(written);

/**
 * @typedef {object} PlayerMembers
 * @property {Cell[]} dots cells that are marked as just clicked
 * @property {boolean} playing
 * @property {boolean} [ticking] whether frames of the screen are asked for
 * @property {number} speed
 * @property {number} rounds remaining plays, including the current one
 * @property {Game | null} game the game in progress
 * @property {Cell} cursor the cell selected with the keyboard
 * @property {Cell | null} pointed the cell whose neighbourhood is shown
 * @property {Cell | null} hint the cell of the last hint
 * @property {boolean} clicks whether the panel of clicks is open
 * @property {boolean} resting whether a held frame is shown, after the time of its clicks
 * @property {Uint8Array | null} pressed presses shown in the panel, as shades
 * @property {Uint8Array} painted shade and dot of each cell on the canvas
 *
 * @typedef {FilmState & View & PlayerMembers} Player
 */

export const state = /** @type {Player} */ ({
  ...createState(film),
  ...createView(),
  dots: [],
  playing: false,
  speed: 1,
  rounds: film.loop || Infinity,
  game: null,
  cursor: middleCell(film),
  pointed: null,
  hint: null,
  clicks: Boolean(film.show_clicks),
  resting: false,
  pressed: null,
  painted: new Uint8Array(film.cells),
});

/**
 * Shows another film of the page, at its start.
 *
 * @param {Film} other
 */
export function replaceFilm(other) {
  film = other;
  Object.assign(state, createState(film), {
    dots: [],
    cursor: middleCell(film),
    painted: new Uint8Array(film.cells),
  });
  const { style } = document.documentElement;
  style.setProperty("--columns", String(film.columns));
  style.setProperty("--rows", String(film.rows));
}

const DOT_FLAG = 128; // added to the shade of a cell with a dot; shades are below 125
const DOT_RADIUS = 0.24; // as a share of a cell's side

/** Paints all cells. */
function paintAll() {
  paintState(film, state, state, ui.board);
  state.painted.set(state.shades);
  state.pressed = null;
  paint();
}

/** Paints the cells that have changed, and the clicks in the panel. */
export function paint() {
  if (state.touched.length > film.cells) return paintAll();
  const context = contextOf(ui.board);
  const shown = film.dot && !state.game;
  const dots = new Set(shown ? film.clicks.slice(clicksBeforeFrame(film, state), state.done) : []);
  for (const cell of [...state.touched, ...state.dots, ...dots]) {
    const look = state.shades[cell] + (dots.has(cell) ? DOT_FLAG : 0);
    if (look === state.painted[cell]) continue;
    state.painted[cell] = look;
    paintCell(context, cell);
    if (dots.has(cell)) paintDot(context, cell);
  }
  Object.assign(state, { dots: [...dots], touched: [] });
  paintClicks();
}

/** @param {CanvasRenderingContext2D} context @param {Cell} cell */
function paintCell(context, cell) {
  const { pitch, mask, hole } = state;
  const square = squareOf(film, state, cell);
  context.fillStyle = film.palette[1 + state.shades[cell]];
  context.clearRect(...square);
  context.fillRect(...square);
  if (film.shape === "square") return;
  /** @param {OffscreenCanvas} sides */
  const cover = (sides) =>
    context.drawImage(sides, columnOf(film, cell) * pitch, rowOf(film, cell) * pitch);
  replacePixels(
    context,
    () => cover(hole),
    () => cover(mask),
  );
}

/** @param {CanvasRenderingContext2D} context @param {Cell} cell */
function paintDot(context, cell) {
  const [x, y, side] = squareOf(film, state, cell);
  /** @param {string} colour */
  const fill = (colour) => {
    context.fillStyle = colour;
    context.fill();
  };
  context.beginPath();
  context.arc(x + side / 2, y + side / 2, side * DOT_RADIUS, 0, 7);
  replacePixels(
    context,
    () => fill("#000"),
    () => fill(film.dot ?? ""),
  );
}

/** Returns the presses that the panel shows: of the current frame, all so far, or the game's. */
function panelPresses() {
  if (state.game) return pressesFromClicks(film, state.game.history.flat());
  if (film.clicks_panel === "total") return pressesBetween(film, 0, state.done);
  const from = state.resting ? state.done : clicksBeforeFrame(film, state);
  return pressesBetween(film, from, state.done);
}

function paintClicks() {
  const shades = state.clicks ? panelPresses() : null;
  if (!shades || state.pressed?.every((shade, cell) => shade === shades[cell])) return;
  state.pressed = shades;
  paintBoard(film, state, ui.pressed, boardImage(film, shades));
}

/** Places the panel beside the board, or below it if both are then larger. */
function arrangeBoards() {
  const { rows, columns } = film;
  const wide = (0.7 * innerWidth) / columns;
  const high = (0.85 * innerHeight) / rows;
  const stacked = Math.min(wide, high / 2) > Math.min(wide / 2, high);
  // In a narrow window it follows the controls, which stay where they are.
  const isNarrow = innerWidth <= innerHeight;
  if (isNarrow !== ui.text.contains(ui.presses)) (isNarrow ? ui.text : ui.stage).append(ui.presses);
  const boards = !state.clicks || isNarrow ? [1, 1] : stacked ? [1, 2] : [2, 1];
  const { style } = document.documentElement;
  style.setProperty("--across", String(boards[0] * columns));
  style.setProperty("--down", String(boards[1] * rows));
  ui.stage.className = boards[1] > 1 ? "stacked" : "";
  ui.presses.hidden = !state.clicks;
  return boards;
}

let fittedSize = ""; // of the stage

function stageSize() {
  const { width, height } = ui.stage.getBoundingClientRect();
  return [width, height];
}

/** Fits the boards into the stage. */
export function fit() {
  const { rows, columns } = film;
  const [across, down] = arrangeBoards();
  const [width, height] = stageSize();
  fittedSize = `${[width, height]}`;
  const gutter = parseFloat(getComputedStyle(ui.stage).gap) || 0; // Firefox has no style where the page is hidden
  /** @param {number} side @param {number} boards */
  const spaceForBoard = (side, boards) => (side - (boards - 1) * gutter) / boards;
  const note = across + down > 2 ? 28 : 0; // of the panel
  const spaces = [spaceForBoard(width, across), spaceForBoard(height - note, down)];
  const edge = showEdgeNumbers(Math.min(spaces[0] / columns, spaces[1] / rows));
  const canvases = [ui.board, ui.marks, ui.pressed];
  const waste = film.framed ? 0.1 : 1;
  const scale = fitCanvases(spaces[0] - edge, spaces[1] - edge, film, state, canvases, waste);
  /** @param {number} side @param {number} boards */
  const sizeOfAll = (side, boards) => boards * (side * scale + edge) + (boards - 1) * gutter;
  const slack = (sizeOfAll(ui.board.height, down) - height) / 2;
  const shown = sizeOfAll(ui.board.width, across);
  ui.main.style.cssText = `--shown:${shown}px;--slack:${slack}px;--edge:${edge}px`;
  paintAll();
  drawMarks();
}

/** Fits the boards when the stage changes its size, and after zooms, which may change only pixels. */
export function keepFitting() {
  new ResizeObserver(() => fittedSize !== `${stageSize()}` && fit()).observe(ui.stage);
  addEventListener("resize", fit);
  fit();
}

/**
 * Shows the numbers of rows and columns during a game if cells are large enough; hints refer to them.
 * Returns their width in CSS pixels.
 *
 * @param {number} side
 */
function showEdgeNumbers(side) {
  const edge = state.game && side > 21 ? Math.min(Math.max(20, side * 0.28), 40) : 0;
  /** @param {number} count */
  const numbers = (count) =>
    Array.from({ length: edge && count }, (_, i) => `<span>${i + 1}</span>`);
  ui.columns.innerHTML = numbers(film.columns).join("");
  ui.rows.innerHTML = numbers(film.rows).join("");
  return edge;
}

// Cells narrower than this, in CSS pixels, are too small to find what differs: wrong cells are marked,
// and fingers get a magnifier.
const SMALL_CELL = 16;

export const hasSmallCells = () => ui.board.clientWidth < SMALL_CELL * film.columns;

/** Marks the neighbourhood of the cell under the pointer, and the cell of the hint. */
export function drawMarks() {
  const { pitch, gap, pointed, hint, game } = state;
  const context = contextOf(ui.marks);
  const side = pitch - gap;
  /** @param {Cell} cell @param {number} [inset] */
  const square = (cell, inset) => squareOf(film, state, cell, side < 12 ? 0 : inset);
  context.clearRect(0, 0, ui.marks.width, ui.marks.height);
  showRing(film, ui.ring, hint === pointed ? null : hint);
  context.fillStyle = film.accent;
  if (game && hasSmallCells())
    for (const cell of differingCells(state, game)) context.fillRect(...square(cell));
  if (pointed === null) return;
  // Inset, so that the colour of the cell stays visible.
  for (const cell of new Set(neighbourhood(film, pointed)))
    context.fillRect(...square(cell, side * 0.32));
  // A dark line around a light one is visible on any colour.
  const width = Math.max(devicePixelRatio, Math.round(side / 36));
  for (const [times, colour] of /** @type {const} */ ([
    [3, "#000"],
    [1, "#fff"],
  ])) {
    context.lineWidth = times * width;
    context.strokeStyle = colour;
    context.strokeRect(...square(pointed, 1.5 * width));
  }
}

/**
 * Marks a cell as the one under the pointer or the cursor.
 *
 * @param {Cell | null} cell
 */
export function pointAt(cell) {
  if (cell === state.pointed) return;
  state.pointed = cell;
  drawMarks();
}

/** Shows the goal of the game, with whole device pixels for each cell if there are enough. */
export function showGoal() {
  if (!state.game) return;
  drawBoardImage(film, ui.goal, state.game.goal);
  const scale = (136 * devicePixelRatio) / Math.max(film.rows, film.columns);
  ui.goal.style.width = `${(film.columns * (Math.floor(scale) || scale)) / devicePixelRatio}px`;
}
