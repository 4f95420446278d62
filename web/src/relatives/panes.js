/** A playable board of buttons, with undo, keys and a choice of boards. */

/** @import { Cell, Size } from "../types.js" */

import { cellBeside } from "../board/cells.js";
import { arrowKeys } from "../board/listen.js";
import { findElements, listenToButtons, listenToKeys } from "../page/elements.js";
import { localize } from "../page/texts.js";

/**
 * What a cell has; null if it is blank.
 *
 * @typedef {boolean | number | null} Value
 *
 * @typedef {[cell: Cell, value: Value]} Change
 *
 * @typedef {Size & { values: Value[] }} Board
 *
 * @typedef {object} GameMembers what a game adds to its board
 * @property {string} choice
 * @property {{ before: Change[], helped: boolean }[]} history earlier values of each step's cells,
 *   and whether the page made the step
 * @property {Cell} cursor the cell that has, or will get, the keyboard focus
 */

/**
 * What a page adds to the game.
 *
 * @template {Board} Own
 * @typedef {object} Hooks
 * @property {(choice: string) => Own} newGame returns a board, and what else the page keeps of it
 * @property {(button: HTMLButtonElement, cell: Cell, game: Own) => void} dressButton changes a button
 *   of a new board
 * @property {(cell: Cell, game: Own) => void} pressCell
 * @property {(game: Own & GameMembers, panes: HTMLButtonElement[]) => void} showGame shows the values
 *   on the buttons, which are in the order of cells
 * @property {Record<string, (game: Own & GameMembers) => void>} buttons acts of further buttons, by
 *   their ids
 * @property {Record<string, (game: Own & GameMembers) => void>} keys the same of further keys
 */

const ui = findElements({
  frame: HTMLElement,
  window: HTMLElement,
  choice: HTMLSelectElement,
  undo: HTMLButtonElement,
  restart: HTMLButtonElement,
  help: HTMLDialogElement,
});

/** @type {Board & GameMembers} */
let game;

/**
 * The games by choice.
 *
 * @type {Map<string, Board & GameMembers>}
 */
const games = new Map();

/** @type {Hooks<Board>} */
let page;

/** @type {HTMLButtonElement[]} */
let panes = [];

// Playing

/**
 * Opens a game, with the cursor where it was.
 *
 * @param {string} choice
 * @param {Cell} [cursor]
 */
function openGame(choice, cursor = 0) {
  game = { ...page.newGame(choice), choice, history: [], cursor };
  games.set(choice, game);
  return game;
}

/** @param {Change[]} changes */
function setValues(changes) {
  for (const [cell, value] of changes) game.values[cell] = value;
  showGame();
}

/** @param {Change[]} changes */
export function changeCells(changes, helped = false) {
  /** @type {Change[]} */
  const before = changes.map(([cell]) => [cell, game.values[cell]]);
  if (before.length) game.history.push({ before, helped });
  setValues(changes);
}

/**
 * Changes all cells to those of a solution.
 *
 * @param {Value[]} values
 */
export const showValues = (values) =>
  changeCells(
    [...values.entries()].filter(([cell, value]) => value !== game.values[cell]),
    true,
  );

const undo = () => setValues(game.history.pop()?.before ?? []);

/**
 * Returns praise after a sentence, or nothing if the page helped.
 *
 * @param {GameMembers} game
 */
export const praiseText = ({ history }) =>
  history.some(({ helped }) => helped) ? "" : ` ${localize("messages.well_done")}`;

function restart() {
  openGame(game.choice, game.cursor);
  showGame();
}

/** @param {string} choice */
function playGame(choice) {
  game = games.get(choice) ?? openGame(choice);
  ui.choice.value = choice;
  buildPanes();
  showGame();
}

/** @param {number} by */
export function chooseGame(by) {
  const next = ui.choice.options[ui.choice.selectedIndex + by];
  if (next) playGame(next.value);
}

// Drawing

function buildPanes() {
  const { rows, columns } = game;
  ui.frame.style.cssText = `--rows:${rows};--columns:${columns}`;
  panes = Array.from({ length: rows * columns }, (_, cell) => {
    const button = document.createElement("button");
    page.dressButton(button, cell, game);
    return button;
  });
  ui.window.replaceChildren(...panes);
}

function showGame() {
  page.showGame(game, panes);
  showPanes();
}

function showPanes() {
  panes.forEach((button, cell) => (button.tabIndex = cell === game.cursor ? 0 : -1));
  ui.undo.disabled = ui.restart.disabled = !game.history.length;
}

// Mouse, fingers and keys

/** @param {Cell} cell */
function focusCell(cell) {
  game.cursor = cell;
  showPanes();
  panes[cell].focus();
}

/**
 * Returns the cell of an event, or null outside the board.
 *
 * @param {Event} event
 */
export function cellOf({ target }) {
  const cell = panes.findIndex((button) => button.contains(/** @type {Node} */ (target)));
  return cell < 0 ? null : cell;
}

/**
 * Lets visitors play, first the game that is chosen.  Returns a function that returns the game that is
 * played.
 *
 * @template {Board} Own
 * @param {Hooks<Own>} hooks
 */
export function startPanes(hooks) {
  page = /** @type {Hooks<Board>} */ (/** @type {unknown} */ (hooks));
  ui.window.onclick = (event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    focusCell(cell);
    page.pressCell(cell, game);
  };
  const moves = arrowKeys((down, right) => focusCell(cellBeside(game, game.cursor, down, right)));
  const openHelp = () => ui.help.showModal();
  /** @param {Hooks<Board>["keys"]} acts @returns {Record<string, () => void>} */
  const onGame = (acts) =>
    Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, () => act(game)]));
  const keys = { u: undo, "ctrl z": undo, r: restart, "?": openHelp, ...onGame(page.keys) };
  listenToKeys(() => ({ ...moves, ...keys }));
  listenToButtons({ undo, restart, keys: openHelp, ...onGame(page.buttons) });
  ui.choice.onchange = () => playGame(ui.choice.value);
  playGame(ui.choice.value);
  return () => /** @type {Own & GameMembers} */ (game);
}
