/** Light chasing: each row of clicks turns the row above it dark. */

/** @import { Film } from "../types.js" */

import { rowOf } from "../board/cells.js";
import { listPresses } from "../solve/equations.js";
import { addLists, isEqual, lightsAfterClicks } from "./arithmetic.js";

/**
 * A bottom row that can be corrected, and the clicks on each cell of the top row that do it.
 *
 * @typedef {[bottom: number[], top: number[]]} Card
 */

/**
 * Returns the row to click next when chasing, and its clicks; null if only the bottom row is lit.
 *
 * @param {Film} film
 * @param {Uint8Array} shades
 */
export function nextRow({ rows, columns, levels }, shades) {
  const first = shades.findIndex(Boolean);
  const row = rowOf({ columns }, first) + 1;
  if (first < 0 || row === rows) return null;
  const above = shades.slice((row - 1) * columns, row * columns);
  const clicksToDark = above.map((level) => (levels - level) % levels);
  return { row, clicks: listPresses(clicksToDark).map((column) => row * columns + column) };
}

/**
 * Returns the lights after chasing: only the bottom row can still be lit.
 *
 * @param {Film} film
 * @param {Uint8Array} shades
 * @returns {Uint8Array}
 */
export function chaseDown(film, shades) {
  const next = nextRow(film, shades);
  return next ? chaseDown(film, lightsAfterClicks(film, next.clicks, shades)) : shades;
}

/**
 * Returns the numbers of the cards that correct a bottom row, repeated as needed, or null.
 *
 * @param {Card[]} cards
 * @param {boolean} listed whether there is a card for each row that can be corrected; if not, the
 *   others are sums, and the first lit cell of each card has level 1 and is dark on the other cards
 * @param {number[]} bottom
 * @param {number} levels
 */
export function findCards(cards, listed, bottom, levels) {
  /** @param {Card} card */
  const timesNeeded = ([lit]) =>
    listed ? Number(isEqual(lit, bottom)) : bottom[lit.findIndex(Boolean)];
  const chosen = listPresses(cards.map(timesNeeded));
  const rows = chosen.map((card) => cards[card][0]);
  return isEqual(addLists(rows, bottom.length, levels), bottom) ? chosen : null;
}
