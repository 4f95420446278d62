/** The maker's worker: does what is slow, one job after the other. */

/** @import { Board, Choices, CroppedPicture, Report } from "./types.js" */

import { encodeGif } from "./files/gif.js";
import { chooseBoard, computeTargets, makeFilm, prepareGreys } from "./film.js";
import { closePicture, openPicture } from "./opened.js";
import { drawTile } from "./tiles.js";

/** What the page can ask for, by name; the last argument of long jobs is called with the share done. */
const JOBS = {
  open: openPicture,
  close: closePicture,
  /** @param {CroppedPicture[]} pictures @param {Choices} choices */
  greys: (pictures, choices) => prepareGreys(pictures, chooseBoard(pictures, choices), choices),
  /** @param {CroppedPicture[]} pictures @param {Board} board @param {Choices} choices */
  targets: (pictures, board, choices) =>
    computeTargets(prepareGreys(pictures, board, choices), board, choices),
  tile: drawTile,
  film: makeFilm,
  gif: encodeGif,
};

/**
 * @typedef {typeof JOBS} Jobs
 *
 * @typedef {[name: keyof Jobs, ...values: unknown[]]} Request
 *
 * @typedef {{ share: number } | { result: unknown } | { problem: string }} Answer
 */

/** The least share by which a report differs from the one before. */
const MIN_SHARE = 0.02;

/** @param {Answer} answer @param {Transferable[]} [transfer] */
const answer = (answer, transfer = []) => postMessage(answer, { transfer });

addEventListener("message", ({ data }) => {
  const [name, ...values] = /** @type {Request} */ (data);
  let last = 0;
  /** @type {Report} */
  const report = (share) => {
    if (share - last <= MIN_SHARE) return;
    last = share;
    answer({ share });
  };
  try {
    const job = /** @type {(...values: unknown[]) => unknown} */ (JOBS[name]);
    const result = job(...values, report);
    answer({ result }, result instanceof ImageBitmap ? [result] : []);
  } catch (error) {
    answer({ problem: error instanceof Error ? error.message : String(error) });
  }
});
