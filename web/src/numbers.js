/** Numbers as pages and workers need them. */

/**
 * The nearest index of a list or a side.
 *
 * @param {number} place
 * @param {number} side
 */
export const clampIndex = (place, side) => Math.min(Math.max(place, 0), side - 1);

/**
 * The remainder from 0 to below `side`, as around a torus.
 *
 * @param {number} place
 * @param {number} side
 */
export const modulo = (place, side) => ((place % side) + side) % side;

/**
 * The nearest number within limits.
 *
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * Rounds half-way cases to the even number, as Python does.
 *
 * @param {number} value
 */
export const roundHalfEven = (value) =>
  Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value);

/**
 * The whole numbers from 0 to below `count`.
 *
 * @param {number} count
 */
export const range = (count) => Array.from({ length: count }, (_, i) => i);

/**
 * The sum of some numbers.
 *
 * @param {Iterable<number>} numbers
 */
export function total(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/**
 * Returns the first of the items with the highest score.
 *
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => number} score
 */
export const firstMax = (items, score) =>
  items.reduce((best, item) => (score(item) > score(best) ? item : best));
