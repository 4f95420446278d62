/** Frames of a film as files show them, and the metadata of the files. */

/** @import { Film, FilmState } from "../../types.js" */
/** @import { FilmLook } from "../types.js" */

import { gapOf } from "../../board/paint.js";
import { packBits, packNumbers } from "../../bytes.js";
import { createState, goTo, pressesBetween } from "../../film/press.js";
import { roundHalfEven } from "../../numbers.js";
import { FORMATS, toJson } from "../../saved/json.js";
import { Sha256 } from "../../saved/sha256.js";

/** Approximate width of a frame in pixels, and its greatest height. */
const FRAME_WIDTH = 720;
const MAX_HEIGHT = 1440;

/**
 * @typedef {object} Geometry
 * @property {number} pitch pixels from one cell to the next; cells are squares
 * @property {number} gap pixels between two cells
 * @property {number} columns of the board, the gutter and the panel of clicks
 * @property {number} width pixels
 * @property {number} height
 *
 * @typedef {object} Frame
 * @property {number} start seconds
 * @property {number} end
 * @property {Int8Array} shades of all columns; -1 is the background
 * @property {number} pressed clicks since the frame before, on all planes together
 * @property {Uint8Array} lights shades of the board
 */

/**
 * Returns the columns of a frame: the film's, and a gutter and the panel of clicks, if it has one.
 *
 * @param {Film} film
 */
function countColumns({ rows, columns, clicks_panel }) {
  return clicks_panel
    ? 2 * columns + Math.max(2, roundHalfEven(Math.max(rows, columns) / 30))
    : columns;
}

/**
 * Returns where cells are in frames of about some width; their pitch is a multiple of `step`.
 *
 * @param {Film} film
 * @returns {Geometry}
 */
export function chooseGeometry(film, frameWidth = FRAME_WIDTH, step = 1) {
  const columns = countColumns(film);
  const highest = Math.min(roundHalfEven(frameWidth / columns), Math.floor(MAX_HEIGHT / film.rows));
  const pitch = Math.max(step, highest - (highest % step));
  const gap = gapOf(film, pitch);
  return { pitch, gap, columns, width: columns * pitch + gap, height: film.rows * pitch + gap };
}

/**
 * Returns the clicks done and the end of each frame.  As in Python, the hold at the end of a film with
 * a panel is a frame of its own.
 *
 * @param {Film} film
 */
function listFrames({ frames, starts, fps, clicks_panel }) {
  const listed = frames.map((done, i) => ({ done, start: starts[i], end: starts[i + 1] }));
  if (!clicks_panel) return listed;
  const last = listed[listed.length - 1];
  const middle = last.start + 1 / fps;
  return [...listed.slice(0, -1), { ...last, end: middle }, { ...last, start: middle }];
}

/** @param {Film} film */
export const countFrames = (film) => listFrames(film).length;

/** Number of bits that are 1 in the planes of a click. */
const BIT_COUNTS = [0, 1, 1, 2, 1, 2, 2, 3];

/**
 * Counts clicks on all colour planes together.
 *
 * @param {Film} film
 * @param {number} from
 * @param {number} to
 */
function countClicks({ primaries }, from, to) {
  let count = 0;
  for (let i = from; i < to; i++) count += BIT_COUNTS[primaries[i]];
  return count;
}

/**
 * Yields the frames of a film.
 *
 * @param {Film} film
 * @returns {Generator<Frame>}
 */
export function* playFrames(film) {
  const state = createState(film);
  for (const { done, start, end } of listFrames(film)) {
    const pressed = countClicks(film, state.done, done);
    goTo(film, state, done);
    state.touched = [];
    yield { start, end, shades: frameShades(film, state), pressed, lights: state.shades };
  }
}

/**
 * Returns the shades of a frame: of the board, and in its panel all clicks so far.
 *
 * @param {Film} film
 * @param {Pick<FilmState, "shades" | "done">} state
 */
function frameShades(film, { shades, done }) {
  if (!film.clicks_panel) return Int8Array.from(shades);
  const { rows, columns } = film;
  const wide = countColumns(film);
  const presses = pressesBetween(film, 0, done);
  return Int8Array.from({ length: rows * wide }, (_, i) => {
    const start = Math.floor(i / wide) * columns;
    const column = i % wide;
    const beside = column - wide + columns;
    if (column < columns) return shades[start + column];
    return beside < 0 ? -1 : presses[start + beside];
  });
}

/**
 * Returns the shades of the frame after some clicks.
 *
 * @param {Film} film
 * @param {number} done
 */
export function frameAt(film, done) {
  const state = createState(film);
  goTo(film, state, done);
  return frameShades(film, state);
}

/**
 * Draws cells as squares of a value each; the gaps stay.
 *
 * @param {Uint8Array} pixels
 * @param {number} width of the pixels
 * @param {Geometry} geometry
 * @param {Int8Array} shades
 * @param {object} part
 * @param {number} part.left first column of the pixels
 * @param {number} part.top first row
 * @param {Uint8Array} part.values of the background and of each shade
 * @param {Iterable<number>} [part.cells] that are drawn
 */
export function drawCells(pixels, width, geometry, shades, { left, top, values, cells }) {
  const { pitch, gap, columns } = geometry;
  const side = pitch - gap;
  for (const cell of cells ?? shades.keys()) {
    const row = Math.floor(cell / columns) - top;
    const place = (row * pitch + gap) * width + ((cell % columns) - left) * pitch + gap;
    pixels.fill(values[1 + shades[cell]], place, place + side);
  }
  for (let start = gap * width; start < pixels.length; start += pitch * width)
    for (let line = 1; line < side; line++)
      pixels.copyWithin(start + line * width, start, start + width);
}

/**
 * Returns the metadata of a file that shows a film; see lightsanim/output/formats/metadata.py.
 *
 * @param {Film} film
 * @param {FilmLook} look
 * @param {string} program
 * @param {Geometry} geometry
 */
export function buildMetadata(film, look, program, { pitch, gap }) {
  const { rows, columns, rule, wrap, levels, boards, pictures, count } = film;
  const hasColours = look.spot || (look.colours.length > 2 && levels > 2 && boards === 1);
  const ends = { lit: look.colours[look.colours.length - 1], unlit: look.colours[0] };
  return toJson(
    {
      format: "lightsanim frames",
      version: 2,
      program,
      board: { rows, columns, rule, wrap, ...(levels > 2 && { levels }), boards },
      look: {
        ...{ cell: pitch - gap, gap, shape: "square" },
        ...(!hasColours && ends),
        ...{ background: look.background, mark: null },
        ...(look.panel && { show_clicks: "right-total" }),
        ...(hasColours && { colours: look.colours.join() }),
      },
      frames: countFrames(film),
      clicks: countClicks(film, 0, count),
      ...digestFrames(film),
      pictures,
      origin: film.origin ?? null,
    },
    FORMATS.metadata,
  );
}

/**
 * Returns the number of clicks to each frame that differs from the one before, and the hash of these
 * frames.
 *
 * @param {Film} film
 */
function digestFrames(film) {
  const digest = new Sha256();
  const steps = [];
  let before = "";
  for (const { shades, pressed, lights } of playFrames(film)) {
    const text = `${shades}`;
    if (text === before) continue;
    digest.add(packLights(film, lights));
    if (before) steps.push(pressed);
    before = text;
  }
  return { steps: packNumbers(steps), sha256: digest.hex };
}

/**
 * Packs the lights of a frame, plane by plane: one bit per cell, the first bit highest in its byte, or
 * with more than two levels one byte per cell.
 *
 * @param {Film} film
 * @param {Uint8Array} shades
 */
function packLights({ cells, boards, levels }, shades) {
  const size = cells * boards;
  /** @param {number} i */
  const level = (i) => Math.floor(shades[i % cells] / levels ** Math.floor(i / cells)) % levels;
  if (levels > 2) return Uint8Array.from({ length: size }, (_, i) => level(i));
  return packBits(size, level);
}

/**
 * Returns the box of cells that changed, or the first cell if none did.
 *
 * @param {number} columns
 * @param {number[]} changed cells in ascending order
 */
export function findBox(columns, changed) {
  const places = (changed.length ? changed : [0]).map((cell) => cell % columns);
  return {
    left: Math.min(...places),
    right: Math.max(...places),
    top: Math.floor((changed[0] ?? 0) / columns),
    bottom: Math.floor((changed[changed.length - 1] ?? 0) / columns),
  };
}
