/** Pictures that a worker has opened, by number. */

/** @import { Size } from "../types.js" */
/** @import { CroppedPicture, Light, Plane } from "./types.js" */
/** @import { PictureOptions } from "./choices.js" */

import { createContext } from "../board/paint.js";
import { boxOf } from "../crop/view.js";
import { computeGrey } from "./targets/grey.js";
import { computeLight } from "./targets/light.js";
import { hasFewColours } from "./targets/spot.js";

/** Longer side of the stored part of a picture, in pixels. */
const MAX_KEPT_SIDE = 640;

/** Largest area and side that are read; canvases fail above these. */
const MAX_PIXELS = 4_000_000;
const MAX_SIDE = 16_384;

/**
 * @typedef {object} OpenedPicture
 * @property {(rgb: boolean) => Light} light is computed on first use
 * @property {boolean} isFlat whether a few colours fill most of the picture
 * @property {{ key: string, greys: Plane[] }} last its last greys, for crops of the other picture
 */

/** @type {Map<number, OpenedPicture>} */
const opened = new Map();

/** @param {number} number */
export const closePicture = (number) => opened.delete(number);

/** @param {CroppedPicture} picture */
export function findOpened({ number, name }) {
  const picture = opened.get(number);
  if (!picture) throw Error(`the picture ${name} is not open; please report this`);
  return picture;
}

/**
 * Keeps a picture; returns a small copy for the page.
 *
 * @param {number} number
 * @param {ImageBitmap} source
 */
export function openPicture(number, source) {
  const context = drawLimited(source, source.width, source.height);
  const { width, height } = context.canvas;
  const visibleSide = Math.min(Math.max(width, height), 2 * Math.min(width, height));
  const factor = Math.max(1, Math.floor(visibleSide / MAX_KEPT_SIDE));
  /** @type {Map<boolean, Light>} */
  const lights = new Map();
  /** @param {boolean} rgb */
  const light = (rgb) => {
    const pixels = () => context.getImageData(0, 0, width, height);
    const found = lights.get(rgb) ?? computeLight(pixels(), { rgb, factor });
    lights.set(rgb, found);
    return found;
  };
  const small = drawResized(source, Math.floor(width / factor), Math.floor(height / factor));
  const { canvas } = small;
  const pixels = small.getImageData(0, 0, canvas.width, canvas.height);
  /** @type {boolean | undefined} */
  let isFlat;
  opened.set(number, {
    light,
    get isFlat() {
      return (isFlat ??= hasFewColours(pixels));
    },
    last: { key: "", greys: [] },
  });
  return canvas.transferToImageBitmap();
}

/**
 * Draws a picture, smaller if it is too large for canvases.
 *
 * @param {CanvasImageSource} source
 * @param {number} width
 * @param {number} height
 */
export function drawLimited(source, width, height) {
  const shrunk = Math.sqrt(MAX_PIXELS / (width * height));
  const scale = Math.min(1, shrunk, MAX_SIDE / Math.max(width, height));
  /** @param {number} side */
  const scaled = (side) => Math.max(1, Math.round(side * scale));
  return drawResized(source, scaled(width), scaled(height));
}

/** @param {CanvasImageSource} source @param {number} width @param {number} height */
function drawResized(source, width, height) {
  const context = createContext(width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(source, 0, 0, width, height);
  return context;
}

/**
 * Returns the greys of a picture's cells on each plane.
 *
 * @param {CroppedPicture} picture
 * @param {Size} size
 * @param {PictureOptions} options
 */
export function computeGreys(picture, size, options) {
  const { light, last } = findOpened(picture);
  const part = boxOf(picture, size.columns / size.rows, picture.view);
  const key = JSON.stringify([part, size, options]);
  if (last.key !== key)
    Object.assign(last, { key, greys: computeGrey(light(options.rgb), part, size, options) });
  return last.greys;
}
