/** How far a search is, and when it may end. */

/** @import { Progress } from "./types.js" */

import { formatTime } from "./sentences.js";

/** Share of a stage before which its remaining time is not shown. */
const MIN_FORECAST_SHARE = 0.04;

/**
 * Returns a function that says how far a search is, given its progress and the time.
 *
 * @param {number} start milliseconds
 */
export function createForecast(start) {
  /** @type {string | undefined} */
  let stage;
  let stageStart = start;
  let lastShare = 0;
  /** @type {number | null} */
  let left = null;

  /**
   * @param {Partial<Progress>} progress
   * @param {number} now milliseconds
   */
  return function describe({ stage: name, share = 0, note }, now) {
    if (name !== stage) [stage, stageStart] = [name, now];
    if (share !== lastShare) {
      const isForecast = share > MIN_FORECAST_SHARE && share < 1;
      left = isForecast ? ((now - stageStart) * (1 - share)) / share : null;
    }
    lastShare = share;
    return [
      name && [name, note].filter(Boolean).join(": "),
      share > 0 && `${Math.round(100 * share)} %`,
      `${formatTime(now - start)} so far`,
      left && `about ${formatTime(left)} left`,
    ]
      .filter(Boolean)
      .join(", ");
  };
}
