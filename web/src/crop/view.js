/** The part of a picture that is shown in a frame of some aspect ratio. */

/** @import { Box, Picture, PictureView } from "../types.js" */

import { clamp } from "../numbers.js";

export const MAX_ZOOM = 20;

/** @type {PictureView} */
const DEFAULT_VIEW = { x: 0.5, y: 0.5, zoom: 1 };

/**
 * Returns the largest centred part of a box that has the aspect ratio `shape`, width / height.
 *
 * @param {Box} box
 * @param {number} shape
 * @returns {Box}
 */
export function centreBox([left, top, right, bottom], shape) {
  const width = right - left;
  const height = bottom - top;
  const wide = Math.min(width, height * shape);
  const high = Math.min(height, width / shape);
  const x = left + (width - wide) / 2;
  const y = top + (height - high) / 2;
  return [x, y, Math.min(right, x + wide), Math.min(bottom, y + high)];
}

/**
 * Returns the part that a view shows, in pixels; null is the default view.
 *
 * @param {Picture} picture
 * @param {number} shape
 * @param {PictureView | null} view
 * @returns {Box}
 */
export function boxOf({ width, height }, shape, view) {
  const { x, y, zoom } = view ?? DEFAULT_VIEW;
  const [left, top, right, bottom] = centreBox([0, 0, width, height], shape);
  const wide = (right - left) / zoom;
  const high = (bottom - top) / zoom;
  const startX = clamp(x * width - wide / 2, 0, width - wide);
  const startY = clamp(y * height - high / 2, 0, height - high);
  return [startX, startY, startX + wide, startY + high];
}

/**
 * Returns the same as shares of the picture's sides.
 *
 * @param {Picture} picture
 * @param {number} shape
 * @param {PictureView | null} view
 * @returns {[left: number, top: number, width: number, height: number]}
 */
export function partOf(picture, shape, view) {
  const { width, height } = picture;
  const [left, top, right, bottom] = boxOf(picture, shape, view);
  return [left / width, top / height, (right - left) / width, (bottom - top) / height];
}

/**
 * Returns the view that shows a part of the picture, given by its edges in percent.
 *
 * @param {Picture} picture
 * @param {number} shape
 * @param {Box} edges
 */
export function viewOfPart(picture, shape, [left, top, right, bottom]) {
  const [, , width, height] = partOf(picture, shape, null);
  const zoom = Math.min((100 * width) / (right - left), (100 * height) / (bottom - top));
  return clampView(picture, shape, { x: (left + right) / 200, y: (top + bottom) / 200, zoom });
}

/**
 * Moves a view so that it lies inside the picture; returns null for the default view.
 *
 * @param {Picture} picture
 * @param {number} shape
 * @param {PictureView} view
 * @returns {PictureView | null}
 */
export function clampView(picture, shape, view) {
  const zoom = clamp(view.zoom, 1, MAX_ZOOM);
  const [left, top, width, height] = partOf(picture, shape, { ...view, zoom });
  const x = left + width / 2;
  const y = top + height / 2;
  const isDefault = zoom < 1.0005 && Math.abs(x - 0.5) < 1e-4 && Math.abs(y - 0.5) < 1e-4;
  return isDefault ? null : { x, y, zoom };
}

/**
 * Returns a view moved by shares of the frame's sides, and zoomed around a point of the frame.
 *
 * @param {Picture} picture
 * @param {number} shape
 * @param {PictureView | null} view
 * @param {Move} move
 *
 * @typedef {object} Move
 * @property {number} [right] shares of the frame's sides by which the picture moves
 * @property {number} [down]
 * @property {number} [times] factor of the zoom
 * @property {[x: number, y: number]} [around] the point that stays, as shares of the frame's sides
 */
export function moveView(
  picture,
  shape,
  view,
  { right = 0, down = 0, times = 1, around = [0.5, 0.5] },
) {
  const [left, top, width, height] = partOf(picture, shape, view);
  const before = view?.zoom ?? 1;
  const zoom = clamp(before * times, 1, MAX_ZOOM);
  const grown = before / zoom;
  /** @param {number} start @param {number} side @param {number} share @param {number} by */
  const newMiddle = (start, side, share, by) =>
    start + side * (share - by * grown + (0.5 - share) * grown);
  const x = newMiddle(left, width, around[0], right);
  const y = newMiddle(top, height, around[1], down);
  return clampView(picture, shape, { x, y, zoom });
}

/**
 * Returns the part that a view shows as a value of `--crop`, or null for the default view.
 *
 * @param {Picture} picture
 * @param {number} shape
 * @param {PictureView | null} view
 */
export function cropOf(picture, shape, view) {
  if (!view) return null;
  const [left, top, width, height] = partOf(picture, shape, view);
  /** @param {number} share */
  const percent = (share) => `${Number((100 * clamp(share, 0, 1)).toFixed(2))}%`;
  return [left, top, left + width, top + height].map(percent).join(",");
}
