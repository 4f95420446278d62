/** Workers: one for what is quick, one for the film, and one for each file. */

/** @import { Report } from "./types.js" */
/** @import { Answer, Jobs } from "./worker.js" */

import workerScript from "worker:./worker.js";

const address = URL.createObjectURL(new Blob([workerScript], { type: "text/javascript" }));

export const startWorker = () => new Worker(address);

/**
 * @template {keyof Jobs} Name
 * @typedef {Parameters<Jobs[Name]> extends [...infer Values, Report] ? Values : Parameters<Jobs[Name]>} Values
 */

/**
 * Asks a worker that does nothing else for the result of a job; `report` is called with the share done.
 *
 * @template {keyof Jobs} Name
 * @param {Worker} worker
 * @param {Report} report
 * @param {Name} name
 * @param {Values<Name>} values
 * @returns {Promise<ReturnType<Jobs[Name]>>}
 */
export const ask = (worker, report, name, ...values) =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      const answer = /** @type {Answer} */ (data);
      if ("share" in answer) report(answer.share);
      else if ("problem" in answer) reject(Error(answer.problem));
      else resolve(/** @type {ReturnType<Jobs[Name]>} */ (answer.result));
    };
    worker.onerror = ({ message }) => reject(Error(message));
    const bitmaps = [...values].flatMap((value) => (value instanceof ImageBitmap ? [value] : []));
    worker.postMessage([name, ...values], bitmaps);
  });

const desk = startWorker();

/** @type {Promise<unknown>} */
let lastJob = Promise.resolve();

/**
 * Asks the desk, which has the pictures and does one quick job after the other.
 *
 * @template {keyof Jobs} Name
 * @param {Name} name
 * @param {Values<Name>} values
 */
export function askDesk(name, ...values) {
  const job = lastJob.catch(() => {}).then(() => ask(desk, () => {}, name, ...values));
  lastJob = job;
  return job;
}
