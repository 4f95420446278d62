/**
 * From light to the grey value of each cell, as lightsanim/pictures/grey.py computes it: the crop is
 * resized and encoded, tones are stretched to reach from black to white, and local contrast is raised;
 * otherwise a face would be a grey blot.
 */

/** @import { Box, Size } from "../../types.js" */
/** @import { PictureOptions } from "../choices.js" */
/** @import { Light, Plane } from "../types.js" */

import { modulo, total } from "../../numbers.js";
import { blur } from "./blur.js";
import { encodeSrgb } from "./light.js";

/** @param {number} value */
export const clip = (value) => (value < 0 ? 0 : value > 1 ? 1 : value);

/** @param {number} x */
const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** Reach of Pillow's Lanczos filter and of its box filter, in cells. */
const LANCZOS = 3;
const BOX = 0.5;

/**
 * Returns, for each of `count` cells from `from` to `to`, the first pixel that contributes and the
 * weights from it on, by a filter of Pillow limited to pixels from `low` to below `high`.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} low
 * @param {number} high
 * @param {number} count
 * @param {number} reach
 */
function resizeWeights(from, to, low, high, count, reach) {
  const step = (to - from) / count;
  const scale = Math.max(1, step);
  return Array.from({ length: count }, (_, cell) => {
    const middle = from + (cell + 0.5) * step;
    const first = Math.max(low, Math.floor(middle - reach * scale + 0.5));
    const last = Math.min(high, Math.floor(middle + reach * scale + 0.5));
    const weights = Float64Array.from({ length: last - first }, (_, i) => {
      const distance = (first + i + 0.5 - middle) / scale;
      if (reach < LANCZOS) return Number(distance > -reach && distance <= reach);
      return Math.abs(distance) < reach ? sinc(distance) * sinc(distance / reach) : 0;
    });
    const sum = total(weights);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

/**
 * Resizes a part of a plane to one value for each cell, first across, then down.
 *
 * @param {Plane} plane
 * @param {number} width
 * @param {Box} box pixels that are read
 * @param {Box} part
 * @param {Size} size
 * @param {number} reach
 */
function resizePlane(plane, width, [left, top, right, bottom], part, { rows, columns }, reach) {
  const across = resizeWeights(part[0], part[2], left, right, columns, reach);
  const down = resizeWeights(part[1], part[3], top, bottom, rows, reach);
  const begin = down[0].first;
  const end = down[rows - 1].first + down[rows - 1].weights.length;
  const narrow = new Float32Array((end - begin) * columns);
  for (let line = begin, place = 0; line < end; line++)
    for (const { first, weights } of across) {
      let sum = 0;
      for (let i = 0, pixel = line * width + first; i < weights.length; i++)
        sum += weights[i] * plane[pixel + i];
      narrow[place++] = sum;
    }
  return Float32Array.from({ length: rows * columns }, (_, cell) => {
    const { first, weights } = down[Math.floor(cell / columns)];
    let sum = 0;
    let place = (first - begin) * columns + (cell % columns);
    for (let i = 0; i < weights.length; i++, place += columns) sum += weights[i] * narrow[place];
    return clip(sum);
  });
}

/**
 * Returns planes with the grey value, 0 to 1, of each cell.
 *
 * @param {Light} light
 * @param {Box} part the crop, which can begin and end between pixels
 * @param {Size} size
 * @param {Pick<PictureOptions, "detail" | "autocontrast" | "spot" | "dither">} options
 */
export function computeGrey(light, part, size, { detail, autocontrast, spot, dither }) {
  const [left, top, right, bottom] = part;
  /** @type {Box} */
  const box = [Math.floor(left), Math.floor(top), Math.ceil(right), Math.ceil(bottom)];
  const reach = spot && dither === "threshold" ? BOX : LANCZOS; // ringing would add colours
  const planes = light.planes.map((plane) =>
    Float64Array.from(resizePlane(plane, light.width, box, part, size, reach), encodeSrgb),
  );
  if (autocontrast) stretchTones(planes);
  // Sharpen large boards less: their dither shows detail by itself.
  const amount = detail / (1 + (Math.min(size.rows, size.columns) / 300) ** 2);
  return planes.map((plane) => sharpen(plane, size, amount));
}

/**
 * Stretches tones until 2 % are black and 2 % white; does nothing if they are almost equal.  All planes
 * are stretched alike, because otherwise colours would change.
 *
 * @param {Float64Array[]} planes
 */
function stretchTones(planes) {
  const values = Float64Array.from(planes.flatMap((plane) => [...plane])).sort();
  /** @param {number} share */
  const quantile = (share) => {
    const position = share * (values.length - 1);
    const below = Math.floor(position);
    const next = values[Math.min(below + 1, values.length - 1)];
    return values[below] + (next - values[below]) * (position - below);
  };
  const low = quantile(0.02);
  const high = quantile(0.98);
  if (high - low < 0.02) return;
  for (const plane of planes)
    plane.forEach((value, cell) => (plane[cell] = clip((value - low) / (high - low))));
}

/**
 * Raises local contrast: an unsharp mask with a deviation of 2.5 cells, mirrored at the edges.
 *
 * @param {Float64Array} plane
 * @param {Size} size
 * @param {number} amount
 */
function sharpen(plane, size, amount) {
  if (amount <= 0) return plane;
  const halo = blur(plane, size, 2.5, 8, mirrorIndex);
  return plane.map((value, cell) => clip(value + (value - halo[cell]) * amount));
}

/**
 * Maps an index outside a side into it, mirrored at the ends.
 *
 * @param {number} place
 * @param {number} side
 */
const mirrorIndex = (place, side) =>
  Math.min(modulo(place, 2 * side), modulo(-1 - place, 2 * side));
