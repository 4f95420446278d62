/** Lights and clicks of a lesson, without its page. */

/** @import { Cell, Film } from "../types.js" */

import { turnNeighbourhood } from "../film/press.js";
import { range, total } from "../numbers.js";

/**
 * Reads the level of each cell, or the number of clicks on it, from digits.
 *
 * @param {string} digits
 */
export const parseDigits = (digits) => Uint8Array.from(digits, Number);

/** @param {ArrayLike<number>} levels */
export const isDark = (levels) => !Array.from(levels).some(Boolean);

/** @param {ArrayLike<number>} one @param {ArrayLike<number>} other */
export const isEqual = (one, other) =>
  one.length === other.length && Array.from(one).every((value, i) => value === other[i]);

/**
 * Adds lists of levels place by place.
 *
 * @param {ArrayLike<number>[]} lists
 * @param {number} length
 * @param {number} levels
 */
export const addLists = (lists, length, levels) =>
  range(length).map((i) => total(lists.map((list) => list[i])) % levels);

/**
 * Returns the lights after some clicks on `shades`; all are dark by default.
 *
 * @param {Film} film
 * @param {Iterable<Cell>} clicks
 * @param {Uint8Array} [shades]
 */
export function lightsAfterClicks(film, clicks, shades = new Uint8Array(film.cells)) {
  const state = { shades: shades.slice(), touched: [] };
  for (const cell of clicks) turnNeighbourhood(film, state, cell, film.raised[1]);
  return state.shades;
}
