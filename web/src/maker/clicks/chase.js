/**
 * Computes clicks, as lightsanim/game does in Python, but only on boards on which every configuration
 * is accessible.
 *
 * A click raises its cell and the four neighbours by one level, and the brightest level to dark.  Let
 * x[i] be the clicks in row i, and d[i] the levels by which the cells of row i must be raised.  Each
 * row of clicks follows from the two rows above it (light chasing),
 *
 *     x[i+1] = d[i] - T x[i] - x[i-1],
 *
 * where T maps the clicks of a row to what they flip in the same row.  So a whole click set follows
 * from its first row z.  It is correct if the row after the last row is empty.  That row is M z + r,
 * where r is its value for an empty first row.  If M is invertible, z = -r / M is the only solution.
 * Sizes for which M is not invertible are not used, so no search or proof is needed.
 *
 * M is a polynomial in T, so it commutes with S, which maps clicks to the neighbours in their row.
 * Hence each column of M follows from the two before, M e[j+1] = S M e[j] - M e[j-1].  The same holds
 * for the inverse of M, so elimination has to find only its first column.
 *
 * All arithmetic is modulo the number of levels, a prime.
 */

/** @import { Board, Rule } from "../types.js" */

import { range, roundHalfEven } from "../../numbers.js";
import { eliminate, findSolution } from "../../solve/equations.js";

/**
 * Returns the clicks that follow from a first row, and one more row: what remains uncorrected.
 *
 * @param {Board} board
 * @param {ArrayLike<number>} first
 * @param {ArrayLike<number>} [raised]
 */
function chaseLights({ rows, columns, levels, rule }, first, raised) {
  const own = rule === "ring" ? 0 : 1;
  const clicks = new Uint8Array((rows + 1) * columns);
  clicks.set(first);
  for (let row = 0, cell = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, cell++) {
      let flipped = own * clicks[cell];
      if (row > 0) flipped += clicks[cell - columns];
      if (column > 0) flipped += clicks[cell - 1];
      if (column < columns - 1) flipped += clicks[cell + 1];
      clicks[cell + columns] = ((raised ? raised[cell] : 0) + 4 * levels - flipped) % levels;
    }
  return clicks;
}

/**
 * Returns all columns of a polynomial in T, given its first column.
 *
 * @param {Uint8Array} first
 * @param {number} levels
 */
function polynomialColumns(first, levels) {
  const columns = [first];
  for (let j = 1; j < first.length; j++) {
    const [before, last] = [columns[j - 2], columns[j - 1]];
    const next = last.map((_, i) => {
      const beside = (last[i - 1] ?? 0) + (last[i + 1] ?? 0);
      return (beside - (before?.[i] ?? 0) + levels) % levels;
    });
    columns.push(next);
  }
  return columns;
}

/**
 * Columns of the inverse of M by size, levels and rule of the board.
 *
 * @type {Map<string, Uint8Array[] | null>}
 */
const knownInverses = new Map();

/**
 * Returns the columns of the inverse of M, or null if M is not invertible.
 *
 * @param {Board} board
 */
function inverseOf(board) {
  const { rows, columns, levels, rule = "plus" } = board;
  const key = [rows, columns, levels, rule].join();
  const known = knownInverses.get(key);
  if (known !== undefined) return known;
  const matrix = polynomialColumns(chaseLights(board, [1]).slice(-columns), levels);
  const equations = eliminate(matrix, levels, 1);
  const unit = Uint8Array.from(matrix, (_, i) => (i ? 0 : levels - 1)); // M e[1] turns it dark
  const first = equations && findSolution(equations, unit, levels);
  const inverse = first && polynomialColumns(first, levels);
  knownInverses.set(key, inverse);
  return inverse;
}

/**
 * Returns the only click set that raises each cell by the given number of levels.
 *
 * @param {Board} board
 * @param {Uint8Array} raised
 */
export function clicksFor(board, raised) {
  const { rows, columns, levels } = board;
  const inverse = inverseOf(board);
  if (!inverse) throw Error(`${columns}x${rows} boards have quiet patterns; choose another size`);
  const left = chaseLights(board, [], raised).slice(-columns);
  const first = new Uint32Array(columns);
  inverse.forEach((column, j) => {
    const times = (levels - left[j]) % levels;
    if (times) column.forEach((value, i) => (first[i] += times * value));
  });
  const clicks = chaseLights(
    board,
    first.map((sum) => sum % levels),
    raised,
  );
  if (clicks.slice(-columns).some(Boolean))
    throw Error("the clicks leave lights on; please report this");
  return clicks.slice(0, -columns);
}

/**
 * Returns the click set of each colour plane that leads from some lights to others.
 *
 * @param {Board} board
 * @param {Uint8Array[]} from
 * @param {Uint8Array[]} to
 */
export const clicksFromTo = (board, from, to) =>
  to.map((lights, plane) =>
    clicksFor(
      board,
      lights.map((level, cell) => (level + board.levels - from[plane][cell]) % board.levels),
    ),
  );

/** Cells by which a side may at least differ from the wanted one, and share of it. */
const MIN_CHANGE = 10;
const CHANGE_SHARE = 4;

/**
 * Returns the board of the nearest size and about the same shape on which, with each of these rules, M
 * is invertible.  The automaton also needs "ring", whose clicks undo its steps.
 *
 * @param {Board} board
 * @param {Rule[]} [rules]
 */
export function perfectBoard(board, rules = ["plus"]) {
  const longer = Math.max(board.rows, board.columns);
  const shorter = Math.min(board.rows, board.columns);
  const changes = range(Math.max(MIN_CHANGE, Math.floor(longer / CHANGE_SHARE)) + 1);
  for (const stray of [0, 1, -1])
    for (const side of changes.flatMap((change) => [longer + change, longer - change])) {
      const other = Math.max(1, roundHalfEven((side * shorter) / longer)) + stray;
      if (side <= 0 || other <= 0) continue;
      const [rows, columns] = board.rows === longer ? [side, other] : [other, side];
      const near = { ...board, rows, columns };
      if (rules.every((rule) => inverseOf({ ...near, rule }))) return near;
    }
  throw Error(`no size near ${board.columns} × ${board.rows} reaches every picture`);
}
