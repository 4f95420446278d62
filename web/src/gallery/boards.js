/** Boards: stills with one pixel for each cell, painted as in the player. */

/** @import { Look, View } from "../types.js" */

import { createView, fitCanvases, paintBoard } from "../board/paint.js";
import { findFirst } from "../page/elements.js";

/**
 * @typedef {object} HungBoard
 * @property {HTMLCanvasElement} canvas
 * @property {View} view
 * @property {() => void} paint paints the still
 */

const MAX_WASTE = 0.18; // share of its box that a board may leave empty so that cells have whole pixels

/**
 * Canvases by the elements over whose stills they lie.
 *
 * @type {WeakMap<HTMLElement, HTMLCanvasElement>}
 */
const canvases = new WeakMap();

/**
 * Paints the cells of a still over it.
 *
 * @param {HTMLElement} work
 * @returns {HungBoard}
 */
export function hangBoard(work) {
  const owner = /** @type {HTMLElement} */ (work.closest("[data-look]"));
  /** @type {Look} */
  const look = JSON.parse(owner.dataset.look ?? "");
  const image = findFirst("img", HTMLImageElement, work);
  const canvas = canvases.get(work) ?? document.createElement("canvas");
  canvases.set(work, canvas);
  const view = createView();
  const { width, height } = work.getBoundingClientRect();
  fitCanvases(width, height, look, view, [canvas], MAX_WASTE);
  canvas.ariaHidden = "true";
  const paint = () => paintBoard(look, view, canvas, image);
  const show = () => {
    if (!canvas.width) return; // taken down before the image loaded
    work.append(canvas);
    work.parentElement?.style.setProperty("--shown", canvas.style.width);
    paint();
  };
  // The width may be known before the image has loaded.
  if (image.complete && image.naturalWidth) show();
  else image.addEventListener("load", show, { once: true });
  return { canvas, view, paint };
}

/**
 * Removes a board, and its memory at once.
 *
 * @param {HungBoard} board
 */
export function takeDown({ canvas }) {
  canvas.width = 0;
  canvas.remove();
}
