/** Parts "chase" and "mend": chasing the lights, and correcting the bottom row. */

/** @import { Cell } from "../types.js" */
/** @import { LiveBoard } from "./live_board.js" */

import { listenToButtons, reducedMotion, requireElement, findAll } from "../page/elements.js";
import { formatList } from "../page/texts.js";
import { range } from "../numbers.js";
import { listPresses } from "../solve/equations.js";
import { isDark, parseDigits } from "./arithmetic.js";
import { chaseDown, findCards, nextRow } from "./chase.js";
import {
  announce,
  createBoard,
  raiseCell,
  restartBoard,
  runClicks,
  showBoard,
} from "./live_board.js";
import { columns, film, lesson, levels, LOOKS, say, sayCount, STATES } from "./page.js";
import { randomBelow, randomLights, solvableStart } from "./starts.js";

/**
 * Sets up a board on which lights are chased.
 *
 * @param {string} name
 * @param {Uint8Array} start
 * @param {() => Uint8Array} drawStart
 * @param {(state: LiveBoard, bottom: number[] | null) => void} showBottom is called after each change,
 *   with the bottom row once the rows above it are dark
 */
function setUpChasing(name, start, drawStart, showBottom) {
  /** @param {Cell} cell */
  const raise = (cell) => raiseCell(state, cell);
  const state = createBoard(name, start, (cell) => {
    raise(cell);
    look();
  });
  const nextButton = requireElement(`${name}-next`, HTMLButtonElement);

  function look() {
    const next = nextRow(film, state.shades);
    state.rings = next ? next.clicks : [];
    nextButton.disabled = !next;
    if (next) {
      const count = new Set(next.clicks).size;
      announce(state, sayCount(`row_${STATES}`, count, { row: next.row + 1, above: next.row }));
    }
    showBottom(state, next ? null : [...state.shades.slice(-columns)]);
  }

  /** @param {Uint8Array} shades */
  function begin(shades) {
    restartBoard(state, shades);
    look();
    showBoard(state);
  }

  /** @param {Cell[]} clicks */
  function run(clicks) {
    if (!state.run) runClicks(state, clicks, raise, look);
  }

  listenToButtons({
    [`${name}-next`]: () => run(state.rings),
    [`${name}-again`]: () => begin(state.start),
    [`${name}-new`]: () => begin(drawStart()),
  });
  look();
  showBoard(state);
  return { state, run };
}

/**
 * Returns a message about the columns in which a bottom row is lit.
 *
 * @param {string} name
 * @param {number[]} bottom
 */
function sayColumns(name, bottom) {
  const lit = range(columns).filter((column) => bottom[column]);
  /** @param {number} column */
  const columnText = (column) =>
    levels > 2
      ? say("column", { n: column + 1, state: say(LOOKS[levels][bottom[column]]) })
      : String(column + 1);
  return sayCount(name, lit.length, { columns: formatList(lit.map(columnText)) });
}

/** @param {number[]} cards */
function sayCards(cards) {
  /** @param {number} card */
  const isTwice = (card) => cards.filter((other) => other === card).length > 1;
  /** @param {number} card */
  const cardText = (card) =>
    isTwice(card) ? say("card_twice", { n: card + 1 }) : String(card + 1);
  const cardTexts = [...new Set(cards)].map(cardText);
  return sayCount("cards", cardTexts.length, { cards: formatList(cardTexts) });
}

/** Sets up the part on chasing, and returns its board. */
export function setUpChaseBoard() {
  const start = parseDigits(lesson.chased);
  const { state } = setUpChasing(
    "chase",
    start,
    () => solvableStart(film),
    (state, bottom) => {
      if (!bottom) return;
      announce(state, isDark(bottom) ? say("rows_dark") : sayColumns("bottom_left", bottom));
    },
  );
  return state;
}

/** Sets up the part on the bottom row, and returns its board. */
export function setUpMending() {
  const cards = findAll("#cards > button", HTMLButtonElement);
  const drawStart = () => (randomBelow(3) ? solvableStart(film) : randomLights(film));
  const first = lesson.cards.length
    ? chaseDown(film, parseDigits(lesson.chased))
    : randomLights(film);
  const { state, run } = setUpChasing("mend", first, drawStart, (state, bottom) => {
    const { cards: rows, listed } = lesson;
    const fitting = bottom && findCards(rows, Boolean(listed), bottom, levels);
    cards.forEach((card, i) => card.classList.toggle("fits", Boolean(fitting?.includes(i))));
    if (!bottom) return;
    if (isDark(bottom)) return announce(state, say("every_off"));
    const help = fitting ? sayCards(fitting) : say("nobody");
    announce(state, `${sayColumns("lights_remain", bottom)} ${help}`);
  });
  cards.forEach((card, i) => {
    card.onclick = () => {
      // On phones the board is below the cards, so scroll to it.
      const behavior = reducedMotion ? "auto" : "smooth";
      state.figure.scrollIntoView({ block: "nearest", behavior });
      run(listPresses(lesson.cards[i][1]));
    };
  });
  return state;
}
