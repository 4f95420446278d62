/** The worker that writes videos, whose library is larger than all else. */

import { answerPage } from "./answers.js";
import { encodeVideo } from "./files/video.js";

const JOBS = { video: encodeVideo };

/** @typedef {typeof JOBS} VideoJobs */

answerPage(JOBS);
