/**
 * Transitions, as lightsanim/film/transitions.  Each receives the targets of each picture, one for each
 * colour plane, and returns the moves between pictures.
 */

/** @import { Cell } from "../../types.js" */
/** @import { Board, Dither, OrderedDither, Report, SpotTarget, Target } from "../types.js" */
/** @import { OrderName } from "../choices.js" */

import { range, roundHalfEven, total } from "../../numbers.js";
import { isOrdered, roundingShare, thresholdOf } from "../targets/dither.js";
import { clip } from "../targets/grey.js";
import { fadeColours } from "../targets/spot.js";
import { clicksFor, clicksFromTo } from "./chase.js";
import { orderCells } from "./order.js";

/**
 * @typedef {object} FilmOptions
 * @property {OrderName} order
 * @property {number} spread
 * @property {number} fps
 * @property {number} duration seconds of a wipe or a dissolve
 * @property {number} hold_first seconds
 * @property {number} hold_last
 * @property {Dither} dither
 * @property {number} [steps] of the automaton, from each picture
 * @property {Report} [report]
 *
 * What leads from a picture to the next: clicks one by one, with the planes of each and the progress of
 * their front, or click sets of each plane that are pressed as a whole.  Rests are the extra seconds of
 * each frame, if not only the last is held.
 *
 * @typedef {object} Clicks
 * @property {number[]} clicks
 * @property {number[]} primaries
 * @property {number[] | null} front
 *
 * @typedef {{ steps: Uint8Array[][], rests?: number[] }} Steps
 *
 * @typedef {Clicks | Steps} Move
 *
 * @typedef {(board: Board, from: Target[], to: Target[], options: FilmOptions, draw: () => number) => Move} Transition
 */

/**
 * @template Item
 * @param {Item[]} items
 */
export const consecutivePairs = (items) =>
  items.slice(1).map((item, i) => /** @type {[Item, Item]} */ ([items[i], item]));

/** @param {Target[]} targets */
export const lightsOf = (targets) => targets.map(({ configuration }) => configuration);

/** @param {Pick<FilmOptions, "duration" | "fps">} options */
export const countFrames = ({ duration, fps }) => Math.max(1, roundHalfEven(duration * fps));

/**
 * Makes one click after the other.  Repeated clicks on a cell follow each other, and equal clicks on
 * several colour planes are combined.
 *
 * @type {Transition}
 */
export function wipe(board, from, to, options, draw) {
  const sets = clicksFromTo(board, lightsOf(from), lightsOf(to));
  /** @param {Cell} cell */
  const maxPresses = (cell) => Math.max(...sets.map((clicks) => clicks[cell]));
  const pressed = [...sets[0].keys()].filter(maxPresses);
  const { cells, front } = orderCells(board, pressed, options, draw);
  /** @type {Clicks} */
  const move = { clicks: [], primaries: [], front: front && [] };
  cells.forEach((cell, i) => {
    for (const time of range(maxPresses(cell))) {
      move.clicks.push(cell);
      move.primaries.push(total(sets.map((clicks, plane) => Number(clicks[cell] > time) << plane)));
      if (front) move.front?.push(front[i]);
    }
  });
  return move;
}

/**
 * Changes each cell's grey linearly; the cell flips when its grey crosses a threshold.
 *
 * @type {Transition}
 */
export function dissolve(board, from, to, options) {
  const count = countFrames(options);
  const dither = isOrdered(options.dither) ? options.dither : "blue-noise";
  const fades = from.map((start, plane) => createFade(board, start, to[plane], plane, dither));
  const frames = [lightsOf(from)];
  for (let frame = 1; frame < count; frame++) {
    frames.push(fades.map((fade) => fade(frame / count)));
    options.report?.((0.5 * frame) / count);
  }
  frames.push(lightsOf(to));
  const steps = consecutivePairs(frames).map(([before, after], frame) => {
    options.report?.(0.5 + (0.5 * frame) / count);
    return clicksFromTo(board, before, after);
  });
  return { steps };
}

/**
 * Returns a function of time (0 to 1) that returns the configuration between two targets.
 *
 * @param {Board} board
 * @param {Target} start
 * @param {Target} end
 * @param {number} plane
 * @param {OrderedDither} dither
 */
function createFade(board, start, end, plane, dither) {
  if ("lab" in start && "lab" in end) return fadeColours(board, start, end, dither);
  if ("grey" in start && "grey" in end) return fadeLights(board, start, end, plane, dither);
  throw Error("these pictures have no values between them");
}

/**
 * @param {Board} board
 * @param {Exclude<Target, SpotTarget> & { grey: Float32Array }} start
 * @param {Exclude<Target, SpotTarget> & { grey: Float32Array }} end
 * @param {number} plane
 * @param {OrderedDither} dither
 * @returns {(share: number) => Uint8Array}
 */
function fadeLights(board, start, end, plane, dither) {
  const { levels } = board;
  const times = range(levels - 1).map((i) =>
    Float64Array.from(start.grey, (grey, cell) => {
      const way = end.grey[cell] - grey;
      const level = i + 1;
      const turns = start.configuration[cell] >= level !== end.configuration[cell] >= level;
      const share = roundingShare(dither, board, cell, plane);
      return turns && way ? clip((thresholdOf(level, levels, share) - grey) / way) : Infinity;
    }),
  );
  return (share) =>
    start.configuration.map((level, cell) => {
      const falls = end.configuration[cell] < level; // exactly at the threshold, a cell is lit
      for (const time of times)
        if (falls ? time[cell] < share : time[cell] <= share) level += falls ? -1 : 1;
      return level;
    });
}

/** @param {Uint8Array} lights @param {number} levels */
const negateLights = (lights, levels) => lights.map((level) => (levels - level) % levels);

/**
 * Makes a step of the automaton, which presses every lit cell as often as would turn it dark: a cell's
 * new level is minus the sum of its neighbours.
 *
 * @param {Board} board
 * @param {Uint8Array} lights
 */
function stepForward({ columns, levels }, lights) {
  return lights.map((_, cell) => {
    const column = cell % columns;
    let sum = (lights[cell - columns] ?? 0) + (lights[cell + columns] ?? 0);
    if (column > 0) sum += lights[cell - 1];
    if (column < columns - 1) sum += lights[cell + 1];
    return (4 * levels - sum) % levels;
  });
}

/**
 * Undoes a step: clicks of the ring rule compute the step before.
 *
 * @param {Board} board
 * @param {Uint8Array} lights
 */
const stepBackward = (board, lights) =>
  clicksFor({ ...board, rule: "ring" }, negateLights(lights, board.levels));

/**
 * Returns a picture's configurations step by step, beginning with `lights`; one for each plane.
 *
 * @param {Board} board
 * @param {Uint8Array[]} lights
 * @param {number} count
 */
export function runAutomaton(board, lights, count, step = stepForward) {
  const frames = [lights];
  for (let made = 0; made < count; made++) frames.push(frames[made].map((one) => step(board, one)));
  return frames;
}

/** Steps after which a picture is noise, and longest side of a board that still needs less. */
const MAX_STEPS = 12;
const MAX_STEP_SIDE = 50;

/**
 * A power of the number of levels, minus 1, scrambles most.
 *
 * @param {Board} board
 */
function chooseStepCount({ rows, columns, levels }) {
  const power = Math.log(Math.min(MAX_STEP_SIDE, rows, columns)) / Math.log(levels);
  return Math.min(MAX_STEPS, levels ** Math.max(1, Math.floor(power + 1e-9)) - 1);
}

/**
 * Runs steps from a picture into noise, one computed click set to other noise, and as many steps from
 * there to the next picture.
 *
 * @type {Transition}
 */
export function automaton(board, from, to, options) {
  const { steps: count = chooseStepCount(board) } = options;
  const end = runAutomaton(board, lightsOf(to), count, stepBackward)[count];
  const runs = [lightsOf(from), end].map((lights) => runAutomaton(board, lights, count));
  const [there, back] = runs.map((frames) =>
    frames.slice(0, -1).map((lights) => lights.map((plane) => negateLights(plane, board.levels))),
  );
  const steps = [...there, clicksFromTo(board, runs[0][count], end), ...back];
  return { steps, rests: frameHolds(steps.length, options) };
}

/** Extra time of frames by their number of steps from a picture, as a multiple of a step's time. */
const HOLD_FACTORS = [0, 3, 1.5, 0.75, 0];

/** The same for the first frames, which show traces of the first picture. */
const TRACE_FACTORS = [0, 3, 2.5, 2, 1.75, 1.5, 1.25, 1, 0.75];

/**
 * Returns the extra seconds of each frame, from the first picture to the next; pictures are held.
 *
 * @param {number} count
 * @param {Pick<FilmOptions, "fps" | "hold_last">} options
 */
const frameHolds = (count, { fps, hold_last }) =>
  range(count + 1).map((frame) => {
    const away = Math.min(frame, count - frame);
    const factor = TRACE_FACTORS[frame] ?? HOLD_FACTORS[Math.min(away, HOLD_FACTORS.length - 1)];
    return away === 0 ? hold_last : factor / fps;
  });
