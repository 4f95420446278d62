/*! Mediabunny, Copyright (c) 2026-present, Vanilagy and contributors: its source, subject to the Mozilla
   Public License, v. 2.0 (https://mozilla.org/MPL/2.0/), is at https://github.com/Vanilagy/mediabunny. */
/** Workers: one for what is quick, one for the film, and one for each file. */

/** @import { Report } from "./types.js" */
/** @import { Answer } from "./answers.js" */
/** @import { VideoJobs } from "./video_worker.js" */
/** @import { WorkerJobs } from "./worker.js" */

import videoScript from "packed-worker:./video_worker.js";
import workerScript from "worker:./worker.js";
import { inflate } from "../bytes.js";

/** @param {string} script */
const addressOf = (script) => URL.createObjectURL(new Blob([script], { type: "text/javascript" }));

const workerAddress = addressOf(workerScript);

export const startWorker = () => new Worker(workerAddress);

/** @type {Promise<string> | null} */
let videoAddress = null;

/** Starts a worker that writes a video. */
export async function startVideoWorker() {
  videoAddress ??= inflate(videoScript).then(addressOf);
  return new Worker(await videoAddress);
}

/** @typedef {WorkerJobs & VideoJobs} Jobs */

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
 * @returns {Promise<Awaited<ReturnType<Jobs[Name]>>>}
 */
export const ask = (worker, report, name, ...values) =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      const answer = /** @type {Answer} */ (data);
      if ("share" in answer) report(answer.share);
      else if ("problem" in answer) reject(Error(answer.problem));
      else resolve(/** @type {Awaited<ReturnType<Jobs[Name]>>} */ (answer.result));
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
