/** Where a picture lies in its frame. */

/** @import { Box, PictureView } from "../types.js" */
/** @import { WorkPicture } from "./types.js" */

import { partOf, viewOfPart } from "../crop/view.js";
import { valueOf } from "./look.js";

/**
 * Returns whether the server chooses the visible part: by a focus, by a crop from the command line,
 * or by a part other than the middle, which keeps heads whole.
 *
 * @param {string} id
 * @param {Box | null} part the part that the server reports
 */
const isServerCrop = (id, part) =>
  Boolean(valueOf("focus", id) || valueOf("crop", id) || (part && isAwayFromMiddle(part)));

/** @param {Box} part */
const isAwayFromMiddle = ([, top, , bottom]) => top >= 0 && Math.abs(top + bottom - 100) > 0.1;

/**
 * Returns the view that a frame shows: the user's, or that of the server, or null, the default view.
 *
 * @param {WorkPicture} picture
 * @param {number} shape
 * @param {Box | null} part
 * @returns {PictureView | null}
 */
export const shownView = (picture, shape, part) =>
  !picture.view && part && isServerCrop(picture.id, part)
    ? viewOfPart(picture, shape, part)
    : picture.view;

/**
 * Returns how an image fits its frame, and the part that the frame shows: left, top, width and
 * height as shares of the picture's sides.
 *
 * @param {WorkPicture} picture
 * @param {number} shape
 * @param {Box | null} part
 */
export function placePicture(picture, shape, part) {
  const fit = valueOf("fit", picture.id);
  // With fit "auto", a part that extends beyond the edges shows the whole picture with padding.
  const isPadded = fit === "auto" && part !== null && Math.min(...part) < 0;
  const isContained = fit === "contain" || isPadded;
  const isWhole =
    !picture.view && !isServerCrop(picture.id, part) && (isContained || fit === "stretch");
  return {
    objectFit: isWhole && isContained ? "contain" : "fill",
    shares: isWhole ? [0, 0, 1, 1] : partOf(picture, shape, shownView(picture, shape, part)),
  };
}
