/** The maker's worker: does what is slow, one job after the other. */

/** @import { Board, Choices, CroppedPicture } from "./types.js" */

import { answerPage } from "./answers.js";
import { encodeGif } from "./files/gif.js";
import { encodeStill } from "./files/still.js";
import { chooseBoard, computeTargets, makeFilm, prepareGreys } from "./film.js";
import { closePicture, openPicture } from "./opened.js";
import { drawTile } from "./tiles.js";

/** What the page can ask for, by name. */
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
  still: encodeStill,
};

/** @typedef {typeof JOBS} WorkerJobs */

answerPage(JOBS);
