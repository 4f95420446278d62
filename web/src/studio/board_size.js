/** The board's size and shape, before the server has chosen them. */

/** @import { Look, Work } from "./types.js" */

import { valueOf } from "./look.js";
import { current, look } from "./work.js";

export const DEFAULT_COLUMNS = 100; // columns of a square board if no size is set

/** @typedef {{ columns: number, rows: number | null }} BoardSize */

/**
 * Board sizes that the server chose, by the options on which they depend.
 *
 * @type {Map<string, BoardSize>}
 */
const drawnSizes = new Map();

const SIZE_OPTIONS = ["canvas", "show_clicks", "levels", "rule", "wrap", "perfect", "transition"];

/** @param {Look} of */
const sizeKey = (of) =>
  JSON.stringify([
    current().pictures[0]?.id,
    ...SIZE_OPTIONS.map((name) => valueOf(name, null, of)),
  ]);

/**
 * Records the board size that the server chose; returns whether it differs from the expected size.
 *
 * @param {number} columns
 * @param {number} rows
 */
export function recordBoardSize(columns, rows) {
  const before = sizeOf();
  drawnSizes.set(sizeKey(look()), { columns, rows });
  return before.columns !== columns || before.rows !== rows;
}

/**
 * Parses a value of the option size.
 *
 * @param {string} size
 * @returns {BoardSize}
 */
export function parseSize(size) {
  const [columns, rows] = size.split(/x/i).map(Number);
  return { columns, rows: rows || null };
}

/** @param {Look} [of] @returns {BoardSize} */
export function sizeOf(of = look()) {
  const size = valueOf("size", null, of);
  const known = size === null ? drawnSizes.get(sizeKey(of)) : parseSize(String(size));
  return known ?? { columns: DEFAULT_COLUMNS, rows: null };
}

/**
 * Returns the board's aspect ratio, width / height.
 *
 * @param {Work} [work]
 * @param {Look} [of]
 */
export function shapeOf(work = current(), of = look()) {
  const { columns, rows } = sizeOf(of);
  const [first] = work.pictures;
  const pictureShape = first ? first.width / first.height : 1;
  // If no size is set, use the picture's aspect ratio, which is not rounded to whole cells.
  const isFree = valueOf("size", null, of) === null && valueOf("canvas", null, of) === null;
  return columns > 0 && rows && !(first && isFree) ? columns / rows : pictureShape;
}

/**
 * Rounds a width down to whole screen pixels per column, unless that loses more than the share
 * `waste`.
 *
 * @param {number} width
 * @param {number} columns
 * @param {number} waste
 * @param {number} [gap]
 */
export function snapWidth(width, columns, waste, gap = 0) {
  const { devicePixelRatio = 1 } = globalThis;
  const snapped = (Math.floor((width * devicePixelRatio) / columns) * columns) / devicePixelRatio;
  return snapped < (1 - waste) * width ? width : snapped + gap;
}
