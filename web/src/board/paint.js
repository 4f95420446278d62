/** Paints boards on canvases. */

/** @import { Cell, Lights, Look, Size, View } from "../types.js" */

import { columnOf, rowOf } from "./cells.js";

/**
 * @template {HTMLCanvasElement | OffscreenCanvas} Canvas
 * @param {Canvas} canvas
 */
export const contextOf = (canvas) =>
  /** @type {Canvas extends HTMLCanvasElement ? CanvasRenderingContext2D : OffscreenCanvasRenderingContext2D} */ (
    canvas.getContext("2d")
  );

/** @param {number} width @param {number} height */
export const createContext = (width, height) => contextOf(new OffscreenCanvas(width, height));

/**
 * Draws a board with one pixel for each cell; scaling that up is fast.
 *
 * @param {Size & { palette: string[] }} board
 * @param {ArrayLike<number>} shades
 */
export function boardImage({ rows, columns, palette }, shades) {
  const context = createContext(columns, rows);
  const image = context.createImageData(columns, rows);
  const inks = palette.map((hex) => {
    const [red, green, blue, alpha = "ff"] = hex.match(/\w\w/g) ?? [];
    return parseInt(alpha + blue + green + red, 16);
  });
  new Uint32Array(image.data.buffer).set(Uint32Array.from(shades, (shade) => inks[1 + shade]));
  context.putImageData(image, 0, 0);
  return context.canvas;
}

/**
 * Draws one pixel for each cell; CSS scales the canvas up.
 *
 * @param {Size & { palette: string[] }} board
 * @param {HTMLCanvasElement} canvas
 * @param {ArrayLike<number>} shades
 */
export function drawBoardImage(board, canvas, shades) {
  canvas.width = board.columns;
  canvas.height = board.rows;
  contextOf(canvas).drawImage(boardImage(board, shades), 0, 0);
}

/** Corner radius of a cell by its shape, as a share of its side. */
const CORNERS = { square: 0, rounded: 0.28, circle: 0.5 };

/**
 * Draws the cover of a cell: the gap and the background outside its shape.
 *
 * @param {Look} look
 * @param {Pick<View, "pitch" | "gap">} view
 * @param {string} colour
 */
function cellMask({ shape }, { pitch, gap }, colour) {
  const side = pitch - gap;
  const context = createContext(pitch, pitch);
  context.fillStyle = colour;
  context.roundRect(gap, gap, side, side, side < 4 ? 0 : CORNERS[shape] * side);
  context.rect(0, 0, pitch, pitch);
  context.fill("evenodd");
  return context.canvas;
}

/**
 * Returns the gap between two cells, in pixels.
 *
 * @param {Pick<Look, "gap">} look
 * @param {number} pitch
 */
export function gapOf(look, pitch) {
  if (look.gap === null) return pitch < 6 ? 0 : Math.max(1, Math.round(pitch / 14));
  return Math.min(Math.round(pitch * look.gap), pitch - 1);
}

/** Returns a view that has not been fitted to a canvas. */
export const createView = () =>
  /** @type {View} */ ({
    pitch: 1,
    gap: 0,
    covered: true,
    mask: new OffscreenCanvas(1, 1),
    hole: new OffscreenCanvas(1, 1),
  });

/**
 * Gives cells the largest whole number of device pixels that fits; the board is scaled down only if it
 * has more cells than pixels, or if more than `waste` of the space would stay empty.  Returns the scale.
 *
 * @param {number} width
 * @param {number} height
 * @param {Look} look
 * @param {View} view is changed
 * @param {HTMLCanvasElement[]} canvases
 */
export function fitCanvases(width, height, look, view, canvases, waste = 1) {
  const { rows, columns } = look;
  const ratio = devicePixelRatio;
  /** @param {number} pitch */
  const scaleFor = (pitch) => {
    const gap = gapOf(look, pitch);
    return ratio * Math.min(width / (columns * pitch + gap), height / (rows * pitch + gap));
  };
  let pitch = Math.floor(scaleFor(1)) + 1;
  while (pitch > 1 && scaleFor(pitch) < 1) pitch--;
  if (1 / scaleFor(pitch) < 1 - waste) pitch++;
  const gap = gapOf(look, pitch);
  const scale = Math.min(1, scaleFor(pitch)) / ratio;
  const mask = cellMask(look, { pitch, gap }, look.palette[0]);
  const hole = cellMask(look, { pitch, gap }, "#000");
  const covered = gap > 0 || look.shape !== "square";
  Object.assign(view, { pitch, gap, covered, mask, hole });
  for (const canvas of canvases) {
    canvas.width = columns * pitch + gap;
    canvas.height = rows * pitch + gap;
    canvas.style.width = `${canvas.width * scale}px`;
  }
  return scale;
}

/**
 * Paints a board from an image with one pixel for each cell.
 *
 * @param {Size} size
 * @param {View} view
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasImageSource} cells
 */
export function paintBoard({ rows, columns }, { pitch, covered, mask, hole }, canvas, cells) {
  const context = contextOf(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingEnabled = false;
  context.drawImage(cells, 0, 0, columns * pitch, rows * pitch);
  if (!covered) return;
  /** @param {OffscreenCanvas} sides */
  const cover = (sides) => {
    context.fillStyle = /** @type {CanvasPattern} */ (context.createPattern(sides, "repeat"));
    context.fillRect(0, 0, canvas.width, canvas.height);
  };
  replacePixels(
    context,
    () => cover(hole),
    () => cover(mask),
  );
}

/**
 * Paints all cells of a board.
 *
 * @param {Look} look
 * @param {View} view
 * @param {Lights} state
 * @param {HTMLCanvasElement} canvas
 */
export function paintState(look, view, state, canvas) {
  paintBoard(look, view, canvas, boardImage(look, state.shades));
  state.touched = [];
}

/**
 * Replaces the pixels, transparent ones too: cuts the old ones out first, then adds the new ones.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {() => void} cut
 * @param {() => void} draw
 */
export function replacePixels(context, cut, draw) {
  context.globalCompositeOperation = "destination-out";
  cut();
  context.globalCompositeOperation = "lighter";
  draw();
  context.globalCompositeOperation = "source-over";
}

/**
 * Returns the square of a cell on a canvas, reduced by `inset` on each side: x, y, width and height.
 *
 * @param {Pick<Size, "columns">} board
 * @param {Pick<View, "pitch" | "gap">} view
 * @param {Cell} cell
 * @returns {[x: number, y: number, width: number, height: number]}
 */
export function squareOf(board, { pitch, gap }, cell, inset = 0) {
  const side = pitch - gap - 2 * inset;
  /** @param {number} place */
  const at = (place) => place * pitch + gap + inset;
  return [at(columnOf(board, cell)), at(rowOf(board, cell)), side, side];
}

/**
 * Shows a ring around a cell, or hides it.
 *
 * @param {Size} board
 * @param {HTMLElement} ring
 * @param {Cell | null} cell
 */
export function showRing(board, ring, cell) {
  ring.hidden = cell === null;
  if (cell === null) return;
  /** @param {number} place @param {number} side */
  const share = (place, side) => `${((place + 0.5) / side) * 100}%`;
  const left = share(columnOf(board, cell), board.columns);
  ring.style.cssText = `left:${left};top:${share(rowOf(board, cell), board.rows)}`;
}
