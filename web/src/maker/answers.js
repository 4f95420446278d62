/** A worker's answers to the page. */

/** @import { Report } from "./types.js" */

/**
 * @typedef {[name: string, ...values: unknown[]]} Request
 *
 * @typedef {{ share: number } | { result: unknown } | { problem: string }} Answer
 */

/** The least share by which a report differs from the one before. */
const MIN_SHARE = 0.02;

/** @param {Answer} answer @param {Transferable[]} [transfer] */
const answer = (answer, transfer = []) => postMessage(answer, { transfer });

/**
 * Does what the page asks for by name; the last argument of a job is called with the share done.
 *
 * @template {string} Name
 * @param {Record<Name, unknown>} jobs
 */
export function answerPage(jobs) {
  addEventListener("message", async ({ data }) => {
    const [name, ...values] = /** @type {[Name, ...unknown[]]} */ (data);
    let last = 0;
    /** @type {Report} */
    const report = (share) => {
      if (share - last <= MIN_SHARE) return;
      last = share;
      answer({ share });
    };
    try {
      const job = /** @type {(...values: unknown[]) => unknown} */ (jobs[name]);
      const result = await job(...values, report);
      answer({ result }, result instanceof ImageBitmap ? [result] : []);
    } catch (error) {
      answer({ problem: error instanceof Error ? error.message : String(error) });
    }
  });
}
