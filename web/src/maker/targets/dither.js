/**
 * From grey to levels, as lightsanim/pictures/dither.py.  Floyd-Steinberg gives each cell the nearest
 * level and distributes the error to the next cells, in rows of alternating direction.  An ordered
 * dither uses a fixed threshold for each cell instead.
 */

/** @import { Cell, Size } from "../../types.js" */
/** @import { Board, Dither, GreyTarget, OrderedDither, Plane } from "../types.js" */

import { total } from "../../numbers.js";
import { blueNoiseAt } from "./blue_noise.js";

/** @param {Dither} dither @returns {dither is OrderedDither} */
export const isOrdered = (dither) => dither !== "floyd-steinberg";

/**
 * Returns the share of the way to the next level at which a cell's value is rounded up.
 *
 * @param {OrderedDither} dither
 * @param {Pick<Size, "columns">} board
 * @param {Cell} cell
 * @param {number} plane
 */
export const roundingShare = (dither, board, cell, plane) =>
  dither === "threshold" ? 0.5 : blueNoiseAt(board, cell, plane);

/**
 * Returns the level of a value.  Levels are evenly spaced; a value is rounded up to the next level if
 * it lies at least `share` of the way to it.
 *
 * @param {number} value
 * @param {number} levels
 * @param {number} share
 */
function quantizeLevel(value, levels, share) {
  let level = 0;
  while (level < levels - 1 && value >= thresholdOf(level + 1, levels, share)) level++;
  return level;
}

/**
 * Returns the value from which on a cell has a level.
 *
 * @param {number} level
 * @param {number} levels
 * @param {number} share
 */
export function thresholdOf(level, levels, share) {
  const low = (level - 1) / (levels - 1);
  return low + share * (level / (levels - 1) - low);
}

/** Weights in 16ths, by rows down and cells on: R. W. Floyd, L. Steinberg, Proc. SID 17 (1976) 75-77. */
const DIFFUSION = [
  { down: 0, on: 1, weight: 7 },
  { down: 1, on: -1, weight: 3 },
  { down: 1, on: 0, weight: 5 },
  { down: 1, on: 1, weight: 1 },
];

/** Cells; on larger boards all rows run in the same direction, as in Python, where that is faster. */
const MAX_SERPENTINE = 20_000;

/**
 * Rows; smaller boards keep all error.  Larger ones drop the error below the last row; otherwise cells
 * in the last row would be lit by the error of plain areas above.
 */
const MIN_DEEP_ROWS = 8;

/**
 * Diffuses error.  A cell with missing neighbours distributes all its error to the others.  In areas of
 * pure black or white no cell changes, and error that arrives there is dropped.
 *
 * @param {Plane} grey
 * @param {Board} board
 */
function diffuseError(grey, board) {
  const { rows, columns, levels } = board;
  const values = Float64Array.from(grey);
  const configuration = new Uint8Array(grey.length);
  const isPure = findPureCells(grey, board);
  for (let row = 0; row < rows; row++) {
    const onward = row % 2 && grey.length <= MAX_SERPENTINE ? -1 : 1;
    for (let i = 0; i < columns; i++) {
      const column = onward > 0 ? i : columns - 1 - i;
      const cell = row * columns + column;
      if (isPure[cell]) {
        configuration[cell] = grey[cell] < 0.5 ? 0 : levels - 1;
        continue;
      }
      const level = (configuration[cell] = quantizeLevel(values[cell], levels, 0.5));
      const error = values[cell] - level / (levels - 1);
      for (const { step, gain, share } of findReceivers(row, column, board, onward))
        values[cell + step] += error * gain * share;
    }
  }
  return configuration;
}

/**
 * Returns the cells that share a cell's error: how far on, the factor of all error, and each one's
 * share.
 *
 * @param {number} row
 * @param {number} column
 * @param {Size} size
 * @param {number} onward 1 if the row runs to the right, -1 to the left
 */
export function findReceivers(row, column, { rows, columns }, onward = 1) {
  const line = rows < MIN_DEEP_ROWS ? row : 0; // treat each row like row 0, which has rows below
  const there = DIFFUSION.filter(({ down, on }) => {
    const place = column + onward * on;
    return line + down < rows && place >= 0 && place < columns;
  });
  const gain = 16 / total(there.map(({ weight }) => weight));
  return there
    .filter(({ down }) => row + down < rows)
    .map(({ down, on, weight }) => ({
      step: down * columns + onward * on,
      gain,
      share: weight / 16,
    }));
}

/**
 * Returns 1 for each cell that is pure black or white like all its neighbours, up to rounding.
 *
 * @param {Plane} grey
 * @param {Size} size
 */
function findPureCells(grey, { rows, columns }) {
  const kind = Int8Array.from(grey, (value) => Number(value >= 1 - 1e-6) - Number(value <= 1e-6));
  return kind.map((own, cell) => {
    if (!own) return 0;
    const row = Math.floor(cell / columns);
    const column = cell % columns;
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++)
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++)
        if (kind[y * columns + x] !== own) return 0;
    return 1;
  });
}

/**
 * Returns the target of each plane.
 *
 * @param {Plane[]} planes
 * @param {Board} board
 * @param {Dither} dither
 * @returns {GreyTarget[]}
 */
export const ditherPlanes = (planes, board, dither) =>
  planes.map((grey, plane) => ({
    grey: Float32Array.from(grey),
    configuration: isOrdered(dither)
      ? Uint8Array.from(grey, (value, cell) =>
          quantizeLevel(value, board.levels, roundingShare(dither, board, cell, plane)),
        )
      : diffuseError(grey, board),
  }));
