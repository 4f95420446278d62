/** Clues of submarines and ashes: sums of the numbers in some cells. */

/** @import { Cell } from "../types.js" */

import { range } from "../numbers.js";

/**
 * A sum of submarines has the cells of a row or of a column; one of ashes those around a cell.
 *
 * @typedef {object} Sum
 * @property {number} [row]
 * @property {number} [column]
 * @property {[cell: Cell, factor: number][]} terms
 * @property {number} clue
 *
 * A cell's number, or null if it is blank.
 *
 * @typedef {number | null} Entry
 */

/**
 * Factors of the neighbours' numbers in a clue of ashes.
 *
 * @type {Record<string, [down: number, right: number, factor: number][]>}
 */
const NEIGHBOUR_FACTORS = {
  sum: [-1, 0, 1].flatMap((down) =>
    [-1, 0, 1].map((right) => /** @type {[number, number, number]} */ ([down, right, 1])),
  ),
  slope: [
    [-1, 0, 1],
    [0, 1, 1],
    [1, 0, -1],
    [0, -1, -1],
  ],
};

/** @param {Sum["terms"]} terms @param {Entry[]} values blank cells count as 0 */
const addUp = (terms, values) =>
  terms.reduce((sum, [cell, factor]) => sum + factor * (values[cell] ?? 0), 0);

/**
 * Returns the sums of submarines: of each row, then of each column.
 *
 * @param {number[][]} answer
 * @returns {Sum[]}
 */
export function sumsOfLines(answer) {
  const columns = answer[0].length;
  /** @param {Cell[]} cells */
  const sumOver = (cells) => {
    const terms = cells.map((cell) => /** @type {[Cell, number]} */ ([cell, 1]));
    return { terms, clue: addUp(terms, answer.flat()) };
  };
  return [
    ...answer.map((_, row) => ({ row, ...sumOver(range(columns).map((j) => row * columns + j)) })),
    ...range(columns).map((column) => ({
      column,
      ...sumOver(answer.map((_, i) => i * columns + column)),
    })),
  ];
}

/**
 * Returns the sum of ashes around each cell.
 *
 * @param {number[][]} answer
 * @param {string} kind "sum" or "slope"
 * @returns {Sum[]}
 */
export function sumsAround(answer, kind) {
  const columns = answer[0].length;
  return answer.flatMap((line, row) =>
    line.map((_, column) => {
      const terms = NEIGHBOUR_FACTORS[kind]
        .map(([down, right, factor]) => ({ i: row + down, j: column + right, factor }))
        .filter(({ i, j }) => answer[i]?.[j] !== undefined)
        .map(({ i, j, factor }) => /** @type {[Cell, number]} */ ([i * columns + j, factor]));
      return { row, column, terms, clue: addUp(terms, answer.flat()) };
    }),
  );
}

/**
 * Returns "met", "wrong" or "" for a sum.  Blank cells of submarines count as possible water; sums of
 * ashes are met or wrong only without blank cells.
 *
 * @param {Sum} sum
 * @param {Entry[]} values
 * @param {boolean} isSubmarines
 */
export function sumState({ terms, clue }, values, isSubmarines) {
  const blank = terms.filter(([cell]) => values[cell] === null).length;
  const sum = addUp(terms, values);
  if (sum === clue && (isSubmarines || !blank)) return "met";
  return (isSubmarines ? sum > clue || sum + blank < clue : !blank) ? "wrong" : "";
}

/**
 * Returns the number of a cell after a key: a digit, "-" for the other sign, or "Backspace".
 *
 * @param {Entry} value
 * @param {string} key
 * @param {number} maxDigits typing more digits starts a new number
 */
export function typedNumber(value, key, maxDigits) {
  if (key === "Backspace") return null;
  if (key === "-") return value && -value;
  const digits = value === null ? "" : String(Math.abs(value));
  const size = Number(digits.length < maxDigits ? digits + key : key);
  return value !== null && value < 0 ? -size : size;
}
