/** Stars for puzzles, and the best results that a browser keeps. */

/** @import { Film } from "../types.js" */

/** @typedef {{ clicks: number, stars: number }} Result */

/**
 * Three stars for the fewest clicks without a hint, two for up to 1.5 times as many, else one.
 *
 * @param {number} clicks
 * @param {number} fewest
 * @param {boolean} hinted
 */
export function countStars(clicks, fewest, hinted) {
  if (clicks > Math.ceil(1.5 * fewest)) return 1;
  return clicks > fewest || hinted ? 2 : 3;
}

/**
 * Best results by puzzle.  If the browser cannot store them, as in a sandboxed frame, they last as
 * long as the page.
 *
 * @type {Map<string, string>}
 */
const results = new Map();

/** @param {Film} puzzle */
export const storageKey = ({ rule, wrap, levels, rows, columns, first }) =>
  ["lightsanim", rule, wrap, levels, `${columns}x${rows}`, first.join("")].join(" ");

/**
 * @param {Film} puzzle
 * @returns {Result | null}
 */
export function loadBest(puzzle) {
  const name = storageKey(puzzle);
  let text = results.get(name);
  try {
    text ??= localStorage.getItem(name) ?? undefined;
  } catch {
    // In a sandboxed frame.
  }
  const [clicks, stars] = (text ?? "").split(" ").map(Number);
  const isValid = clicks >= puzzle.count && [1, 2, 3].includes(stars);
  return isValid ? { clicks, stars } : null;
}

/** @param {Film} puzzle @param {Result} result */
export function saveBest(puzzle, { clicks, stars }) {
  const best = loadBest(puzzle);
  if (best && (best.stars - stars || clicks - best.clicks) >= 0) return;
  const name = storageKey(puzzle);
  const text = `${clicks} ${stars}`;
  results.set(name, text);
  try {
    localStorage.setItem(name, text);
  } catch {
    // In a sandboxed frame.
  }
}
