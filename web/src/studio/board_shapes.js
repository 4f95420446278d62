/** The size of a board that has a shape: rows that follow from its columns. */

/** @import { BoardSize } from "./board_size.js" */

/** Shapes by name, width / height; the first one's rows are left to the server. */
const SHAPES = {
  "first picture's": null,
  square: 1,
  "4:5": 4 / 5,
  "3:4": 3 / 4,
  "9:16": 9 / 16,
  "4:3": 4 / 3,
  "16:9": 16 / 9,
};

/** @typedef {keyof typeof SHAPES | "other"} ShapeName */

const KNOWN_SHAPES = /** @type {(keyof typeof SHAPES)[]} */ (Object.keys(SHAPES));

/** @type {ShapeName[]} */
export const SHAPE_NAMES = [...KNOWN_SHAPES, "other"];

/**
 * Returns the rows of a board in a shape, given its columns; in another shape, in that of the board
 * so far.
 *
 * @param {ShapeName} name
 * @param {number} columns
 * @param {BoardSize} now
 */
export function rowsOfShape(name, columns, now) {
  const shape = name === "other" ? now.rows && now.columns / now.rows : SHAPES[name];
  return shape ? Math.max(1, Math.round(columns / shape)) : null;
}

/**
 * Returns the shape of a board: the chosen one if the board has it, else the first that it has.
 *
 * @param {BoardSize} size
 * @param {ShapeName | null} chosen
 * @returns {ShapeName}
 */
export function shapeName(size, chosen) {
  /** @param {ShapeName} name */
  const fits = (name) => rowsOfShape(name, size.columns, size) === size.rows;
  if (chosen && chosen !== "other" && fits(chosen)) return chosen;
  return KNOWN_SHAPES.find(fits) ?? "other";
}
