/** Runs the newest of many calls. */

const MAX_RUN_TIME = 1000; // milliseconds

/**
 * Returns a function that runs `act(signal)`, and once more if it is called during the run, so that
 * dragging shows intermediate results.  A call aborts a run that takes longer than MAX_RUN_TIME.
 *
 * @param {(signal: AbortSignal) => Promise<void>} act
 */
export function latestOnly(act) {
  /** @type {{ abort: AbortController, start: number } | null} */
  let running = null;
  let isCalledAgain = false;
  const isSlow = () => running !== null && performance.now() - running.start > MAX_RUN_TIME;
  const abortSlowRun = () => isCalledAgain && isSlow() && running?.abort.abort();
  return async function run() {
    isCalledAgain = Boolean(running);
    if (running) return abortSlowRun();
    running = { abort: new AbortController(), start: performance.now() };
    const timer = setInterval(abortSlowRun, MAX_RUN_TIME / 4);
    await act(running.abort.signal);
    clearInterval(timer);
    running = null;
    if (isCalledAgain) run();
  };
}
