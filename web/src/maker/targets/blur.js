/** Gaussian blur of planes. */

/** @import { Size } from "../../types.js" */
/** @import { Plane } from "../types.js" */

import { range, total } from "../../numbers.js";

/**
 * Blurs a plane with a Gaussian that is cut off after `reach` cells, first across, then down.
 *
 * @param {Plane} plane
 * @param {Size} size
 * @param {number} deviation cells
 * @param {number} reach
 * @param {(place: number, side: number) => number} wrapIndex maps an index outside a side into it
 */
export function blur(plane, { rows, columns }, deviation, reach, wrapIndex) {
  const offsets = range(2 * reach + 1).map((i) => i - reach);
  const weights = offsets.map((away) => Math.exp(-0.5 * (away / deviation) ** 2));
  const sum = total(weights);
  /** @param {Plane} values @param {number} side @param {number} step @param {number} lines @param {number} lineStep */
  const blurAlong = (values, side, step, lines, lineStep) => {
    const smooth = new Float64Array(values.length);
    for (let position = 0; position < side; position++)
      offsets.forEach((away, i) => {
        const weight = weights[i] / sum;
        const from = wrapIndex(position + away, side) * step;
        for (let at = 0; at < lines * lineStep; at += lineStep)
          smooth[position * step + at] += weight * values[from + at];
      });
    return smooth;
  };
  return blurAlong(blurAlong(plane, columns, 1, rows, columns), rows, columns, columns, 1);
}
