/** Puts an animation together: moves divided into frames, and holds. */

/** @import { Animation, Board, OriginRecord, Target } from "../types.js" */
/** @import { FilmOptions, Move, Transition } from "./transitions.js" */

import { range } from "../../numbers.js";
import { seeded } from "../../random.js";
import { consecutivePairs, countFrames, lightsOf } from "./transitions.js";

/**
 * Options that the page does not offer: the same defaults as in Python, except that the order and the
 * pace do not depend on the pictures.
 */
export const FILM_OPTIONS = Object.freeze({
  spread: 0.02,
  fps: 25,
  duration: 6,
  hold_first: 1,
  hold_last: 3,
});

/**
 * Returns the number of clicks, or steps, of a move that are done at the end of each of its frames.
 *
 * @param {Move} move
 * @param {FilmOptions} options
 */
function clicksDoneByFrame(move, options) {
  if ("steps" in move) return move.steps.map((_, i) => i + 1);
  const { clicks, front } = move;
  const frames = Math.min(clicks.length, countFrames(options));
  return range(frames).map((i) => {
    const share = (i + 1) / frames;
    if (!front) return Math.floor(share * clicks.length + 1e-9);
    const index = front.findIndex((time) => time > share + 1e-9);
    return index < 0 ? front.length : index;
  });
}

/**
 * Returns the animation of some pictures' targets.
 *
 * @param {Board} board
 * @param {Target[][]} targets
 * @param {string[]} pictures
 * @param {Transition} transition
 * @param {FilmOptions} options
 * @param {OriginRecord | null} [origin]
 * @returns {Animation}
 */
export function buildAnimation(board, targets, pictures, transition, options, origin = null) {
  const { fps, hold_first, hold_last } = options;
  const draw = seeded(0);
  const moves = consecutivePairs(targets).map(([from, to]) =>
    transition(board, from, to, options, draw),
  );
  const frames = [0];
  /** @type {Animation["holds"]} */
  const holds = [[0, Math.max(0, hold_first - 1 / fps)]];
  for (const move of moves) {
    const before = frames[frames.length - 1];
    frames.push(...clicksDoneByFrame(move, options).map((done) => before + done));
    const rests = ("steps" in move && move.rests?.slice(1)) || [hold_last];
    rests.forEach((seconds, i) => holds.push([frames.length - rests.length + i, seconds]));
  }
  const clicks = moves.flatMap((move) => ("steps" in move ? [] : [move]));
  const steps = moves.flatMap((move) => ("steps" in move ? move.steps : []));
  const inColour = targets[0].length > 1;
  return {
    ...{ board, frames, fps, pictures, origin },
    loop: 0,
    first: lightsOf(targets[0]),
    clicks: clicks.flatMap((move) => move.clicks),
    primaries: inColour ? clicks.flatMap((move) => move.primaries) : null,
    steps: steps.length ? steps : null,
    holds: holds.filter(([, seconds]) => seconds > 0),
    targets: targets.map(lightsOf),
  };
}
