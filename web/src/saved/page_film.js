/** The film of a page, as lightsanim/output/formats/page.py builds it, without its digest. */

/** @import { WrittenFilm } from "../types.js" */
/** @import { Animation, FilmLook } from "../maker/types.js" */

import { packNumbers } from "../bytes.js";
import { createState, goTo } from "../film/press.js";
import { readFilm } from "../film/read.js";
import { buildShades, distanceFrom, formatHex, parseChannels } from "../maker/palette.js";
import { firstMax } from "../numbers.js";
import { toReal } from "./json.js";
import { packSteps } from "./pack.js";

/** Longest side, in cells, of boards that are drawn with gaps. */
const MAX_GAP_SIDE = 30;

/**
 * Returns the film of a page.
 *
 * @param {Animation} animation
 * @param {string} program
 * @param {FilmLook} look
 * @returns {WrittenFilm}
 */
export function buildFilm(animation, program, look) {
  const { first, clicks, primaries, steps, frames, pictures, origin } = animation;
  const { rows, columns, levels } = animation.board;
  const boards = first.length;
  const shades = buildShades(look.colours.map(parseChannels), boards, levels);
  const isAgain = clicks.map((cell, i) => Number(cell === clicks[i - 1]));
  /** @type {WrittenFilm} */
  const film = {
    ...{ program, rows, columns, boards, levels },
    offsets: [
      [-1, 0],
      [0, -1],
      [0, 0],
      [0, 1],
      [1, 0],
    ],
    wrap: false,
    first: packNumbers(first.flatMap((lights) => [...lights])),
    clicks: packNumbers(levels === 2 ? clicks : clicks.filter((_, i) => !isAgain[i])),
    again: levels === 2 ? null : packNumbers(isAgain),
    ...(steps && { steps: packSteps(steps, levels) }),
    primaries: primaries && packNumbers(primaries),
    fps: toReal(animation.fps),
    frames: packNumbers(frames.slice(1).map((done, i) => done - frames[i])),
    holds: animation.holds.map(([frame, seconds]) => [frame, toReal(seconds)]),
    loop: animation.loop,
    palette: [look.background, ...shades.map(formatHex)],
    accent: firstMax(look.accents, (accent) => distanceFrom(accent, shades)),
    dot: look.dot ?? null,
    ...look.panel,
    shape: look.shape ?? "square",
    gap: Math.max(rows, columns) <= MAX_GAP_SIDE ? null : toReal(0),
    rule: "plus",
    title: pictures.join(" → ") || "Lights Out",
    pictures,
    framed: false,
    puzzle: false,
  };
  return { ...film, ...(mightFlash(film) && { flashes: true }), ...(origin && { origin }) };
}

/** Changes of a cell within a second that are too many, by WCAG 2.3.1: three flashes, and one change. */
const FAST_CHANGES = 7;

/**
 * Returns whether more than a quarter of the cells may flash more than three times within a second, as
 * WCAG 2.3.1 forbids.  Each change of a cell counts, even if it is hard to see.
 *
 * @param {WrittenFilm} written
 */
function mightFlash(written) {
  const film = readFilm(written);
  const state = createState(film);
  const { cells, frames, starts, loop } = film;
  const length = starts[starts.length - 1];
  const rounds = loop === 1 ? 1 : 1 + Math.ceil(1 / length);
  const times = new Float64Array(FAST_CHANGES * cells).fill(-Infinity); // of each cell's latest changes
  let before = film.first;
  for (let step = 0; step < rounds * frames.length; step++) {
    const frame = step % frames.length;
    const time = Math.floor(step / frames.length) * length + starts[frame];
    goTo(film, state, frames[frame]);
    let fastCells = 0;
    state.shades.forEach((shade, cell) => {
      const at = FAST_CHANGES * cell;
      const end = at + FAST_CHANGES;
      if (shade !== before[cell]) times.copyWithin(at, at + 1, end)[end - 1] = time;
      fastCells += Number(time - times[at] < 1 - 1e-6);
    });
    if (fastCells > cells / 4) return true;
    before = state.shades.slice();
  }
  return false;
}
