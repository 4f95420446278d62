/**
 * Writes a film as a GIF with the same frames, times and metadata as the Python program (see gif.py and
 * metadata.py in lightsanim/output/formats); only the compressed codes of equal pixels can differ.
 * Source: the GIF89a specification, CompuServe 1990; the looping extension is Netscape's.
 */

/** @import { Film } from "../../types.js" */
/** @import { FilmLook, Report } from "../types.js" */
/** @import { Frame, Geometry } from "./frames.js" */

import { charCodes } from "../../bytes.js";
import { parseChannels } from "../palette.js";
import {
  buildMetadata,
  chooseGeometry,
  countFrames,
  drawCells,
  findBox,
  playFrames,
} from "./frames.js";
import { compressLzw } from "./lzw.js";

/**
 * Returns the pieces of the GIF file.
 *
 * @param {Film} film
 * @param {FilmLook} look
 * @param {string} program
 * @param {Report} report
 */
export function encodeGif(film, look, program, report) {
  const geometry = chooseGeometry(film);
  const bits = 32 - Math.clz32(film.palette.length);
  const comment = new TextEncoder().encode(buildMetadata(film, look, program, geometry));
  const pieces = [
    encodeHeader(film, geometry, bits),
    Uint8Array.of(0x21, 0xfe),
    splitBlocks(comment),
  ];
  const count = countFrames(film);
  let number = 0;
  /** @type {Frame | null} */
  let before = null;
  for (const frame of playFrames(film)) {
    const delay = toHundredths(frame.end) - toHundredths(frame.start);
    const patch = drawPatch(film, geometry, before?.shades ?? null, frame.shades);
    pieces.push(...encodeImage(patch, delay, film.palette.length, bits));
    before = frame;
    report(++number / count);
  }
  return [...pieces, Uint8Array.of(0x3b)];
}

/** @param {number} seconds */
const toHundredths = (seconds) => Math.floor(seconds * 100 + 0.5 + 1e-6);

/**
 * @typedef {object} Patch pixels that a frame draws, as indices into the palette
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {Uint8Array} pixels
 */

/**
 * Returns the rectangle around the cells that changed.  Unchanged pixels in it are transparent.  The
 * first frame is drawn completely.
 *
 * @param {Film} film
 * @param {Geometry} geometry
 * @param {Int8Array | null} before
 * @param {Int8Array} shades
 * @returns {Patch}
 */
function drawPatch({ palette }, geometry, before, shades) {
  const { pitch, gap, columns } = geometry;
  const changed = [...shades.keys()].filter((cell) => shades[cell] !== before?.[cell]);
  const { left, right, top, bottom } = findBox(columns, changed);
  const width = (right - left + 1) * pitch + gap;
  const height = (bottom - top + 1) * pitch + gap;
  const pixels = new Uint8Array(width * height).fill(before ? palette.length : 0);
  const values = Uint8Array.from(palette.keys());
  drawCells(pixels, width, geometry, shades, { left, top, values, cells: changed });
  return { x: left * pitch, y: top * pitch, width, height, pixels };
}

/** @param {number[]} numbers */
const toLittleEndian = (...numbers) => numbers.flatMap((number) => [number & 255, number >> 8]);

/**
 * Returns the header with the table of colours, and the number of plays.  The index after the last
 * colour is transparent.
 *
 * @param {Film} film
 * @param {Geometry} geometry
 * @param {number} bits
 */
function encodeHeader({ palette, loop }, { width, height }, bits) {
  const table = new Uint8Array(3 << bits);
  table.set(palette.flatMap(parseChannels));
  const repeats = [3, 1, ...toLittleEndian(Math.max(loop - 1, 0)), 0];
  return Uint8Array.of(
    ...charCodes("GIF89a"),
    ...toLittleEndian(width, height),
    ...[0xf0 | (bits - 1), 0, 0],
    ...table,
    ...(loop === 1 ? [] : [0x21, 0xff, 11, ...charCodes("NETSCAPE2.0"), ...repeats]),
  );
}

/**
 * Returns the blocks of a frame: its delay, transparent index, position, size and compressed pixels.
 *
 * @param {Patch} patch
 * @param {number} delay
 * @param {number} clear
 * @param {number} bits
 */
function encodeImage({ x, y, width, height, pixels }, delay, clear, bits) {
  const control = [0x21, 0xf9, 4, 0b101, ...toLittleEndian(delay), clear, 0];
  const descriptor = [0x2c, ...toLittleEndian(x, y, width, height), 0, bits];
  return [Uint8Array.of(...control, ...descriptor), splitBlocks(compressLzw(pixels, bits))];
}

/**
 * Splits bytes into blocks of at most 255, each preceded by its size; an empty block ends them.
 *
 * @param {Uint8Array} bytes
 */
function splitBlocks(bytes) {
  const count = Math.ceil(bytes.length / 255);
  const blocks = new Uint8Array(bytes.length + count + 1);
  for (let block = 0; block < count; block++) {
    const part = bytes.subarray(255 * block, 255 * (block + 1));
    blocks[256 * block] = part.length;
    blocks.set(part, 256 * block + 1);
  }
  return blocks;
}
