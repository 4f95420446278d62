/**
 * Finds the fewest clicks, and new starts that need a given number, as lightsanim/game/solve does: two
 * click sets with the same effect differ by a sum of quiet patterns, clicks that flip nothing.
 */

/** @import { Board } from "../types.js" */
/** @import { Equations } from "./equations.js" */

import { total } from "../numbers.js";
import { eliminate, listPresses, raisedByClicks } from "./equations.js";

/** @typedef {Board & { boards?: number }} BoardOfPlanes */

// Maximum numbers of cells and of sums of patterns that are searched: about 60 million steps.
const MAX_CELLS = 900;
const MAX_SUMS = 2 ** 16;

/**
 * Pivots and quiet patterns by the size of the board.
 *
 * @type {Map<string, Equations | null>}
 */
const knownEquations = new Map();

/**
 * Returns the pivots and the quiet patterns of a board, or null if the search would take too long.
 *
 * @param {BoardOfPlanes} board
 */
export function equationsOf(board) {
  const { rows, columns, cells, levels, boards = 1 } = board;
  const size = `${columns}x${rows}`;
  if (!knownEquations.has(size)) {
    const tooLarge = cells > MAX_CELLS || boards > 1;
    knownEquations.set(size, tooLarge ? null : eliminate(raisedByClicks(board), levels, MAX_SUMS));
  }
  return knownEquations.get(size) ?? null;
}

/**
 * Returns the fewest presses with the same effect, or `presses` if the board is too large.  Goes
 * through the sums of patterns in Gray code order: each adds one pattern to the sum before.
 *
 * @param {BoardOfPlanes} board
 * @param {Uint8Array} presses
 */
export function minimizeClicks(board, presses) {
  const { patterns = [] } = equationsOf(board) ?? {};
  const { cells, levels } = board;
  const sum = presses.slice();
  let best = presses;
  let fewest = total(presses);
  for (let number = 1; number < levels ** patterns.length; number++) {
    let patternIndex = 0;
    let count = 0;
    for (let rest = number; rest % levels === 0; rest /= levels) patternIndex++;
    const pattern = patterns[patternIndex];
    for (let cell = 0; cell < cells; cell++) {
      const times = sum[cell] + pattern[cell];
      count += sum[cell] = times < levels ? times : times - levels;
    }
    if (count >= fewest) continue;
    fewest = count;
    best = sum.slice();
  }
  return best;
}

// Limits of the search for large click sets: steps without progress, and cells computed in total.
const MAX_FAILURES = 300;
const MAX_STEPS = 20_000;
const MAX_WORK = 2e8;

/**
 * Returns a click set that no smaller one can replace, with `targetCount` clicks or the most found.
 * Searches for a large one click by click; every subset of one cannot be replaced by fewer either.
 *
 * @param {BoardOfPlanes} board
 * @param {number} targetCount
 * @param {() => number} draw
 */
export function findSmallestClicks(board, targetCount, draw) {
  const { cells, levels } = board;
  const { patterns = [] } = equationsOf(board) ?? {};
  /** @param {number} most */
  const drawBelow = (most) => Math.floor(draw() * most);
  let largest = minimizeClicks(
    board,
    new Uint8Array(cells).map(() => drawBelow(levels)),
  );
  let current = largest;
  let left = Math.min(MAX_STEPS, MAX_WORK / (levels ** patterns.length * cells));
  for (let failures = 0; total(largest) < targetCount && left > 0; left--, failures++) {
    if (failures > MAX_FAILURES) current = new Uint8Array(cells);
    const candidate = current.slice();
    const cell = drawBelow(cells);
    const before = total(current);
    if (candidate[cell]++ === levels - 1) continue;
    const fewest = minimizeClicks(board, candidate);
    if (failures > MAX_FAILURES || total(fewest) > before) failures = 0;
    if (total(fewest) >= before) current = fewest;
    if (total(current) > total(largest)) largest = current;
  }
  const clicks = listPresses(largest);
  const chosen = new Uint8Array(cells);
  for (let left = Math.min(targetCount, clicks.length); left; left--)
    chosen[clicks.splice(drawBelow(clicks.length), 1)[0]]++;
  return chosen;
}
