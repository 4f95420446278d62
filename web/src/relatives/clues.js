/** The page that plays submarines or ashes. */

/** @import { Cell } from "../types.js" */
/** @import { GameMembers } from "./panes.js" */
/** @import { Entry, Sum } from "./sums.js" */

import { columnOf, rowOf } from "../board/cells.js";
import { findElements, readData, requireElement, setText } from "../page/elements.js";
import { describeCell, localize } from "../page/texts.js";
import { changeCells, chooseGame, praiseText, showValues, startPanes } from "./panes.js";
import { sumsAround, sumsOfLines, sumState, typedNumber } from "./sums.js";

/**
 * @typedef {object} ClueBoard
 * @property {number} rows
 * @property {number} columns
 * @property {Entry[]} values of submarines 1, and of water 0
 * @property {number[]} answer
 * @property {Cell[]} given cells that cannot be changed
 * @property {Sum[]} sums
 *
 * @typedef {ClueBoard & GameMembers} ClueGame
 *
 * The puzzles of the page.
 *
 * @typedef {object} Puzzles
 * @property {"submarines" | "ashes"} puzzle
 * @property {"sum" | "slope"} kind
 * @property {{ answer: number[][], given: [row: number, column: number][] }[]} puzzles
 */

const ui = findElements({
  window: HTMLElement,
  hint: HTMLButtonElement,
  solve: HTMLButtonElement,
  filled: HTMLElement,
  met: HTMLElement,
  status: HTMLElement,
});

/** @type {Puzzles} */
const data = readData("puzzles");
const isSubmarines = data.puzzle === "submarines";
const answers = data.puzzles.map(({ answer }) => answer.map((line) => [...line].map(Number)));
// Number of digits of the largest number.
const maxDigits = String(Math.max(...answers.flat(2).map(Math.abs))).length;

/** @param {string} choice @returns {ClueBoard} */
function newGame(choice) {
  const lines = answers[Number(choice) - 1];
  const places = data.puzzles[Number(choice) - 1].given;
  const columns = lines[0].length;
  const answer = lines.flat();
  const given = places.map(([row, column]) => row * columns + column);
  const sums = isSubmarines ? sumsOfLines(lines) : sumsAround(lines, data.kind);
  const values = answer.map((value, cell) => (given.includes(cell) ? value : null));
  return { rows: lines.length, columns, answer, given, sums, values };
}

// Playing

/**
 * Changes a cell, or says that it is given.
 *
 * @param {Cell} cell
 * @param {ClueBoard} game
 * @param {(value: Entry) => Entry} change
 */
function changeCell(cell, game, change) {
  const { given, values } = game;
  if (!given.includes(cell)) changeCells([[cell, change(values[cell])]]);
  else setText(ui.status, localize("clues_messages.given", { place: describeCell(game, cell) }));
}

/** @param {Cell} cell @param {ClueBoard} game */
function pressCell(cell, game) {
  if (!isSubmarines) return;
  changeCell(cell, game, (value) => (value === null ? 1 : value === 1 ? 0 : null));
}

/** @param {string} key @param {ClueGame} game */
const typeKey = (key, game) =>
  changeCell(game.cursor, game, (value) => typedNumber(value, key, maxDigits));

/**
 * Corrects a wrong cell, or fills a blank one.
 *
 * @param {ClueGame} game
 */
function showHint(game) {
  const { values, answer } = game;
  const cells = [...values.keys()];
  const wrong = cells.find((cell) => values[cell] !== null && values[cell] !== answer[cell]);
  const cell = wrong ?? values.indexOf(null);
  if (cell < 0) return;
  game.cursor = cell;
  changeCells([[cell, answer[cell]]], true);
  const words = { place: describeCell(game, cell), value: valueText(answer[cell]) };
  if (!ui.hint.disabled) setText(ui.status, localize("clues_messages.hint", words));
}

/** @param {ClueBoard} game */
const showSolution = ({ answer }) => showValues(answer);

// Drawing

/** @param {Entry} value */
function valueText(value) {
  if (value === null) return localize("clues_messages.blank");
  if (isSubmarines) return localize(`clues_messages.${value ? "submarine" : "water"}`);
  return String(value).replace("-", "\u2212");
}

/** @param {string} name @param {string} text */
const createTag = (name, text, className = "") =>
  Object.assign(document.createElement(name), { textContent: text, className });

/** @param {HTMLButtonElement} button @param {Cell} cell @param {ClueBoard} game */
function dressButton(button, cell, { given }) {
  if (given.includes(cell)) button.ariaDisabled = "true";
}

/** @param {ClueBoard} game @param {Cell} cell */
function cellText(game, cell) {
  const { values, sums, rows } = game;
  const words = { place: describeCell(game, cell), value: valueText(values[cell]) };
  if (!isSubmarines) return localize("clues_messages.sum", { ...words, sum: sums[cell].clue });
  const row = sums[rowOf(game, cell)].clue;
  const column = sums[rows + columnOf(game, cell)].clue;
  return localize("clues_messages.row_and_column", { ...words, row, column });
}

/**
 * @param {ClueBoard} game
 * @param {HTMLButtonElement[]} panes
 * @param {("met" | "wrong" | "")[]} states of the sums
 */
function showCells(game, panes, states) {
  const { values, sums, rows, given } = game;
  const labels = sums.map(({ clue }, i) =>
    createTag(isSubmarines ? "span" : "i", String(clue), states[i]),
  );
  if (isSubmarines) {
    requireElement("rows", HTMLElement).replaceChildren(...labels.slice(0, rows));
    requireElement("columns", HTMLElement).replaceChildren(...labels.slice(rows));
  }
  panes.forEach((button, cell) => {
    const value = values[cell];
    const kind = isSubmarines && value !== null ? ["water", "submarine"][value] : "";
    button.className = `${kind} ${given.includes(cell) ? "given" : ""}`;
    button.ariaLabel = cellText(game, cell);
    if (isSubmarines) return;
    button.replaceChildren(labels[cell], createTag("b", value === null ? "" : valueText(value)));
  });
}

/** @param {ClueGame} game @param {HTMLButtonElement[]} panes */
function showGame(game, panes) {
  const { values, sums, rows, columns, answer } = game;
  const states = sums.map((sum) => sumState(sum, values, isSubmarines));
  const isSolved =
    states.every((state) => state === "met") && (isSubmarines || !values.includes(null));
  showCells(game, panes, states);
  /** @template Item @param {Item[]} list @param {Item} item */
  const count = (list, item) => list.filter((other) => other === item).length;
  /** @param {number} n @param {number} total */
  const share = (n, total) => localize("clues_messages.of", { n, total });
  ui.filled.textContent = isSubmarines
    ? share(count(values, 1), count(answer, 1))
    : share(rows * columns - count(values, null), rows * columns);
  ui.met.textContent = share(count(states, "met"), sums.length);
  ui.window.className = isSolved ? "solved" : "";
  ui.hint.disabled = ui.solve.disabled = isSolved;
  const solvedText = () => localize("clues_messages.solved") + praiseText(game);
  setText(
    ui.status,
    isSolved ? solvedText() : wrongText(sums.filter((_, i) => states[i] === "wrong")),
  );
}

/** @param {Sum[]} wrong */
function wrongText(wrong) {
  if (!wrong.length) return "";
  const places = wrong.slice(0, 3).map(placeText).join("; ");
  const n = wrong.length - 3;
  return localize(`clues_messages.${n > 0 ? "wrong_and_more" : "wrong"}`, { places, n });
}

/** @param {Sum} sum */
function placeText({ row, column }) {
  if (row === undefined) return localize("clues_messages.column", { n: Number(column) + 1 });
  if (column === undefined) return localize("clues_messages.row", { n: row + 1 });
  return localize("messages.place", { row: row + 1, column: column + 1 });
}

const numberKeys = isSubmarines
  ? []
  : [..."0123456789-", "Backspace"].map((key) => [
      key,
      (/** @type {ClueGame} */ game) => typeKey(key, game),
    ]);

const currentGame = startPanes({
  newGame,
  dressButton,
  pressCell,
  showGame,
  buttons: { hint: showHint, solve: showSolution },
  keys: {
    h: showHint,
    s: showSolution,
    n: () => chooseGame(1),
    p: () => chooseGame(-1),
    ...Object.fromEntries(numberKeys),
  },
});
if (!isSubmarines)
  requireElement("pad", HTMLElement).onclick = ({ target }) =>
    target instanceof HTMLButtonElement && typeKey(target.value, currentGame());

window.lightsanim = Object.freeze({ values: () => [...currentGame().values] });
