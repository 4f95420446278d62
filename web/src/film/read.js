/*! A film is JSON. Its numbers are packed: [count, bits per number, the bits in base64,
   highest first].
   rows, columns  size of the board; a cell is the number row * columns + column
   levels         number of states of a cell; 0 is dark. A click raises each cell that it flips by
                  1, and the brightest level to 0
   first          levels of the first configuration, row by row, plane by plane
   clicks         cells in click order; with more than two levels, repeated clicks on a cell are
                  listed once
   again          optional: 1 for each click that repeats the cell before, else 0
   primaries      in colour: planes of each click, a sum of 1 red, 2 green, 4 blue
   steps          optional, instead of clicks (then empty): click sets, each pressed as a whole.
                  Each is base64: the lowest bit of the presses of each cell, plane by plane,
                  padded to whole bytes, then the next bit, ...
   frames         number of clicks, or steps, that each frame after frame 0 adds */
/** Reads the film of a page; `WrittenFilm` describes its further members. */

/** @import { Film, WrittenFilm } from "../types.js" */

import { decodeBase64, unpackNumbers } from "../bytes.js";

/**
 * Unpacks a film, and computes what playing it needs.
 *
 * @param {WrittenFilm} film
 * @returns {Film}
 */
export function readFilm(film) {
  const cells = film.rows * film.columns;
  const { clicks, primaries, ends } = film.steps ? readSteps(film, film.steps) : readClicks(film);
  const first = new Uint8Array(cells);
  unpackNumbers(film.first).forEach((level, i) => {
    first[i % cells] += level * film.levels ** Math.floor(i / cells);
  });
  const frames = [0];
  let done = 0;
  for (const added of unpackNumbers(film.frames)) {
    done += added;
    frames.push(ends ? ends[done] : done);
  }
  const lasting = frames.map(() => 1 / film.fps);
  for (const [frame, seconds] of film.holds) lasting[frame] += seconds;
  const starts = [0];
  for (const seconds of lasting) starts.push(starts[starts.length - 1] + seconds);
  const count = clicks.length;
  return {
    ...film,
    ...{ cells, first, frames, starts, clicks, primaries, ends, count },
    ...tabulateShades(film),
  };
}

/**
 * Returns the cell and the colour planes of each click.
 *
 * @param {WrittenFilm} film
 */
function readClicks(film) {
  let cells = unpackNumbers(film.clicks);
  let place = -1;
  if (film.again) cells = unpackNumbers(film.again).map((again) => cells[(place += 1 - again)]);
  const primaries = film.primaries ? unpackNumbers(film.primaries) : cells.map(() => 1);
  return { clicks: cells, primaries, ends: undefined };
}

/**
 * Returns the same for steps, and the number of clicks done after each.
 *
 * @param {WrittenFilm} film
 * @param {string[]} steps
 */
function readSteps({ boards, rows, columns }, steps) {
  const cells = rows * columns;
  const size = Math.ceil((cells * boards) / 8);
  /** @type {number[]} */
  const clicks = [];
  /** @type {number[]} */
  const primaries = [];
  const ends = [0];
  for (const bytes of steps.map(decodeBase64)) {
    const presses = new Uint8Array(8 * size);
    for (let place = 0; place < bytes.length; place++)
      for (let rest = bytes[place], cell = 8 * (place % size); rest; rest = (2 * rest) & 255)
        presses[cell++] |= (rest >> 7) << (place / size);
    for (let cell = 0; cell < cells; cell++)
      for (let time = 0, pressed = -1; pressed; time++) {
        pressed = 0;
        for (let board = 0; board < boards; board++)
          pressed |= Number(presses[board * cells + cell] > time) << board;
        if (!pressed) continue;
        clicks.push(cell);
        primaries.push(pressed);
      }
    ends.push(clicks.length);
  }
  return { clicks: Uint32Array.from(clicks), primaries: Uint8Array.from(primaries), ends };
}

/**
 * Returns tables of shades: `sums`, `raised` and `lowered` of a film.
 *
 * @param {Pick<WrittenFilm, "boards" | "levels">} film
 */
function tabulateShades({ boards, levels }) {
  const shades = Array.from({ length: levels ** boards }, (_, shade) => shade);
  /** @param {number} one @param {number} other */
  const add = (one, other) => {
    let sum = 0;
    for (let place = 1; place < shades.length; place *= levels)
      sum += ((Math.floor(one / place) + Math.floor(other / place)) % levels) * place;
    return sum;
  };
  const sums = shades.map((one) => Uint8Array.from(shades, (other) => add(one, other)));
  // The bits of some planes, read as digits of a shade, are one level on each.
  /** @param {number} by */
  const tablesFor = (by) =>
    Array.from(
      { length: 2 ** boards },
      (_, planes) => sums[by * parseInt(planes.toString(2), levels)],
    );
  return { sums, raised: tablesFor(1), lowered: tablesFor(levels - 1) };
}
