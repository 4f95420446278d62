/** Writes a frame of a film as PNG. */

/** @import { Film } from "../../types.js" */

import { createContext } from "../../board/paint.js";
import { parseChannels } from "../palette.js";
import { chooseGeometry, drawCells, frameAt } from "./frames.js";

/**
 * Resolves to the pieces of the PNG file.
 *
 * @param {Film} film
 * @param {number} done number of clicks that are done
 */
export async function encodeStill(film, done) {
  const geometry = chooseGeometry(film);
  const { width, height } = geometry;
  const context = createContext(width, height);
  const image = context.createImageData(width, height);
  const colours = film.palette.map(parseChannels);
  const indices = new Uint8Array(width * height);
  const values = Uint8Array.from(colours.keys());
  drawCells(indices, width, geometry, frameAt(film, done), { left: 0, top: 0, values });
  indices.forEach((index, pixel) => image.data.set([...colours[index], 255], 4 * pixel));
  context.putImageData(image, 0, 0);
  return [await context.canvas.convertToBlob({ type: "image/png" })];
}
