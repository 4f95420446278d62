/** Plays, pauses and seeks the film of a page. */

import { clampIndex } from "../numbers.js";
import { advance, animate } from "../film/play.js";
import { goTo, startTimeOf } from "../film/press.js";
import { advanceClicks } from "../game/game.js";
import { showControls } from "./show.js";
import { film, state } from "./stage.js";

export function play() {
  const over = state.rounds === 1 && state.done === film.count;
  Object.assign(state, { playing: true, time: over ? 0 : startTimeOf(film, state.done) });
  run();
  showControls();
}

function pause() {
  state.playing = false;
  showControls();
}

export const playOrPause = () => (state.playing ? pause() : play());

/** Runs the film, or the clicks that are made for the player, until both rest. */
export function run() {
  animate((seconds) => {
    if (state.game) advanceClicks(state.game, seconds);
    else if (state.playing) playFor(seconds * state.speed);
    return state.playing || Boolean(state.game?.running);
  }, state);
}

/** @param {number} seconds */
function playFor(seconds) {
  const { resting } = state;
  if (state.time + seconds >= film.starts[film.starts.length - 1] && state.rounds-- === 1) {
    state.rounds = 1;
    return seek(film.count);
  }
  const moved = advance(film, state, seconds);
  const start = film.starts.findLast((time) => time <= state.time) ?? 0;
  state.resting = state.time - start > 1 / film.fps;
  if (moved || state.resting !== resting) showControls();
}

// The number of clicks done after each step; a step is pressed as a whole.
const stepEnds = film.ends && [...new Set(film.ends)];

/**
 * Goes to a number of clicks done, or to the nearest end of a step.
 *
 * @param {number} done
 */
export function seek(done) {
  /** @param {number} one @param {number} other */
  const nearest = (one, other) => (Math.abs(other - done) < Math.abs(one - done) ? other : one);
  goTo(film, state, stepEnds ? stepEnds.reduce(nearest) : clampIndex(done, film.count + 1));
  state.resting = false;
  pause();
}

/**
 * Seeks by a number of clicks, or of steps if the film has steps.
 *
 * @param {number} count
 */
export function seekBy(count) {
  if (!stepEnds) return seek(state.done + count);
  seek(stepEnds[clampIndex(stepEnds.indexOf(state.done) + count, stepEnds.length)]);
}

export function toggleLoop() {
  state.rounds = state.rounds > 1 ? 1 : Infinity;
  showControls();
}
