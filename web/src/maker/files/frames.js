/** Frames of a film as files show them, and the metadata of the files. */

/** @import { Film } from "../../types.js" */
/** @import { FilmLook } from "../types.js" */

import { gapOf } from "../../board/paint.js";
import { packBits, packNumbers } from "../../bytes.js";
import { createState, goTo, pressesBetween } from "../../film/press.js";
import { roundHalfEven } from "../../numbers.js";
import { FORMATS, toJson } from "../../saved/json.js";
import { Sha256 } from "../../saved/sha256.js";

/** Approximate width of a frame in pixels; the height is at most twice this. */
const FRAME_WIDTH = 720;

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
 * @param {Film} film
 * @returns {Geometry}
 */
export function chooseGeometry(film) {
  const columns = countColumns(film);
  const highest = Math.floor((2 * FRAME_WIDTH) / film.rows);
  const pitch = Math.max(1, Math.min(roundHalfEven(FRAME_WIDTH / columns), highest));
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
    const shades = frameShades(film, state.shades, done);
    yield { start, end, shades, pressed, lights: state.shades };
  }
}

/**
 * Returns the shades of a frame: of the board, and in its panel all clicks so far.
 *
 * @param {Film} film
 * @param {Uint8Array} lights
 * @param {number} done
 */
function frameShades(film, lights, done) {
  if (!film.clicks_panel) return Int8Array.from(lights);
  const { rows, columns } = film;
  const wide = countColumns(film);
  const presses = pressesBetween(film, 0, done);
  return Int8Array.from({ length: rows * wide }, (_, i) => {
    const start = Math.floor(i / wide) * columns;
    const column = i % wide;
    const beside = column - wide + columns;
    if (column < columns) return lights[start + column];
    return beside < 0 ? -1 : presses[start + beside];
  });
}

/**
 * Returns the metadata of a file that shows a film; see lightsanim/output/formats/metadata.py.
 *
 * @param {Film} film
 * @param {FilmLook} look
 * @param {string} program
 */
export function buildMetadata(film, look, program) {
  const { rows, columns, rule, wrap, levels, boards, pictures, count } = film;
  const { pitch, gap } = chooseGeometry(film);
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
