/**
 * Requests of low priority (presets, examples) wait until no urgent request is running.
 */

/** @type {Set<Promise<unknown>>} */
const urgentRequests = new Set();

/** Milliseconds after which an urgent request no longer blocks others. */
const MAX_PRIORITY_TIME = 1500;

/** Milliseconds between two looks whether an urgent request is running. */
const IDLE_TIME = 120;

/**
 * Makes requests of low priority wait for a promise.
 *
 * @template Answer
 * @param {Promise<Answer>} promise
 */
export function prioritize(promise) {
  urgentRequests.add(promise);
  const forget = () => urgentRequests.delete(promise);
  setTimeout(forget, MAX_PRIORITY_TIME);
  return promise.finally(forget);
}

/** Waits until no urgent request is running. */
export async function waitUntilIdle() {
  do await new Promise((done) => setTimeout(done, IDLE_TIME));
  while (urgentRequests.size);
}
