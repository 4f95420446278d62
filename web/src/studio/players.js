/** The players of films, which are pages in frames; those of two looks play in sync. */

/** @import { FilmPlace, Stage } from "./stages.js" */

import { clamp } from "../numbers.js";
import { h } from "../page/create.js";
import { playerAddress } from "./api.js";
import { sizeStage } from "./stage_size.js";
import { slots } from "./work.js";

const PAINT_DELAY = 100; // milliseconds until a loaded player has painted
const MAX_CONTROLS = 400; // pixels

/** @param {Stage} stage @param {object} message */
const sendMessage = (stage, message) => stage.frame?.contentWindow?.postMessage(message, "*");

/** @param {Stage} stage @param {FilmPlace} place */
const sendPlace = (stage, { did, share }) => sendMessage(stage, { do: did, share });

/**
 * Asks the player where it is in the film.
 *
 * @param {Stage} stage
 * @param {(place: FilmPlace) => void} onReport
 */
export function requestPlace(stage, onReport) {
  stage.onReports.push(onReport);
  sendMessage(stage, { do: "report" });
}

/**
 * Loads the next player of a stage behind the visible one, then replaces it.
 *
 * @param {Stage} stage
 * @param {string} film
 * @param {object} options
 * @param {boolean} options.continues whether it goes on from the frame of the visible one
 * @param {Stage[]} options.together all stages that are visible
 * @returns {Promise<void>} until it is shown
 */
export function showPlayer(stage, film, { continues, together }) {
  const frame = h("iframe", {
    title: `Film ${slots().length > 1 ? stage.slot : ""}`.trim(),
    sandbox: "allow-scripts",
    allow: "fullscreen",
    src: playerAddress(film),
    class: "coming",
  });
  stage.screen.querySelectorAll(".coming").forEach((each) => each.remove());
  stage.screen.append(frame);
  const before = stage.frame;
  return new Promise((done) => {
    function reveal() {
      Object.assign(stage, { frame, isReady: true });
      frame.classList.remove("coming");
      if (before) setTimeout(() => before.remove(), PAINT_DELAY);
      sizeStage(stage);
      done();
      if (!continues) startPlayers(together);
    }
    frame.onload = () => {
      if (!continues || !before) return reveal();
      requestPlace(stage, ({ did, share }) => {
        frame.contentWindow?.postMessage({ do: did, share }, "*");
        setTimeout(reveal, PAINT_DELAY);
      });
    };
  });
}

/**
 * Starts two films together, once both are there; a film that was seen before goes on where it was.
 *
 * @param {Stage[]} stages
 */
function startPlayers(stages) {
  if (!stages.every(({ isReady }) => isReady)) return;
  for (const stage of stages) {
    const { resume, wants } = stage;
    stage.resume = null;
    if (resume?.film === wants) sendPlace(stage, resume);
    else if (stages.length > 1) sendMessage(stage, { do: "start" });
  }
}

/**
 * Handles what players say: the height of their controls, where they are in the film, and what the
 * user did, which the other player repeats.
 *
 * @param {Stage[]} stages
 */
export function listenToPlayers(stages) {
  addEventListener("message", ({ source, data }) => {
    const from = stages.find(({ screen }) =>
      [...screen.querySelectorAll("iframe")].some((each) => each.contentWindow === source),
    );
    if (!from || typeof data !== "object" || data === null) return;
    const { controls, did, share } = data;
    if (Number.isFinite(controls)) {
      from.controls = clamp(controls, 0, MAX_CONTROLS);
      sizeStage(from);
    }
    if (!did) return;
    const listeners = from.onReports.splice(0);
    listeners.forEach((act) => act({ did, share }));
    if (!listeners.length && slots().length > 1)
      stages.forEach((stage) => stage === from || sendPlace(stage, { did, share }));
  });
}
