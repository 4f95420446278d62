/** Time of a film, and acts repeated in each frame of the screen. */

/** @import { Film, FilmState } from "../types.js" */

import { goTo } from "./press.js";

/**
 * Advances the film by some seconds, in a loop; returns whether the clicks done changed.
 *
 * @param {Film} film
 * @param {FilmState} state
 * @param {number} seconds
 */
export function advance(film, state, seconds) {
  const { done } = state;
  const { frames, starts } = film;
  state.time = (state.time + seconds) % starts[starts.length - 1];
  goTo(film, state, frames[starts.findLastIndex((start) => start <= state.time)]);
  return state.done !== done;
}

/**
 * The longest time that one act may cover, in seconds: a film does not skip the time in which its page
 * was suspended.
 */
const LONGEST_ACT = 0.25;

/**
 * Calls `act` in each frame of the screen while it returns true, with the seconds since the last one
 * and since the first.  A `run` that is in progress is not started again.
 *
 * @param {(seconds: number, passed: number) => boolean} act
 * @param {{ ticking?: boolean }} [run]
 */
export function animate(act, run = {}) {
  if (run.ticking) return;
  run.ticking = true;
  /** @type {number | null} */
  let before = null;
  let passed = 0;
  /** @param {number} now */
  const tick = (now) => {
    const seconds = Math.min((now - (before ?? now)) / 1000, LONGEST_ACT);
    before = now;
    passed += seconds;
    run.ticking = act(seconds, passed);
    if (run.ticking) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
