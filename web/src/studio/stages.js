/** The film in the player; looks A and B are shown side by side. */

/** @import { FilmAnswer, Slot } from "./types.js" */

import { h } from "../page/create.js";
import { debounce } from "../page/debounce.js";
import { findElements, setText } from "../page/elements.js";
import { getProgress, isGone, isStale, problemOf, solveFilm } from "./api.js";
import { filmBody } from "./bodies.js";
import { showReport } from "./cards.js";
import { isEnough } from "./look.js";
import { listenToPlayers, requestPlace, showPlayer } from "./players.js";
import { clearProblem, setProblemPlace, showProblem } from "./problems.js";
import { createForecast } from "./search_progress.js";
import { sizeStage } from "./stage_size.js";
import { choose, compare, current, keepSlot, look, slots } from "./work.js";

const ui = findElements({
  stages: HTMLElement,
  compare: HTMLButtonElement,
  more: HTMLElement,
});

const SOLVE_DELAY = 100; // milliseconds without a change before a film is solved
/** Milliseconds from the appearance of a draft, whose seam is not searched, to the request for its film. */
const FINAL_DELAY = 400;
const REPORT_DELAY = 1000; // milliseconds before the first text of a search's progress,
const REPORT_INTERVAL = 500; // and between two texts
const PLACE_INTERVAL = 1000; // milliseconds between two questions where the player is

/**
 * @typedef {{ did: string, share: number }} FilmPlace whether a film plays ("play", "pause"), and
 *   where it is: share of its frames
 *
 * @typedef {object} Stage of the film of a look
 * @property {Slot} slot
 * @property {HTMLElement} element
 * @property {HTMLElement} bar
 * @property {HTMLButtonElement} pick
 * @property {HTMLElement} which
 * @property {HTMLElement} screen
 * @property {HTMLElement} waits
 * @property {HTMLElement} said how far a search is
 * @property {HTMLButtonElement} button cancels the search
 * @property {HTMLElement} summary
 * @property {HTMLElement} notes
 * @property {HTMLIFrameElement | null} frame with the player
 * @property {boolean} isReady whether the player is there
 * @property {string | null} wants request of the film that is shown or solved, as JSON
 * @property {AbortController | null} abort of the request
 * @property {AbortController | null} cancelled request that the user has ended
 * @property {number} [controls] height of the player's controls in pixels
 * @property {FilmPlace & { film: string } | null} place where the player is, in which film
 * @property {FilmPlace & { film: string } | null} resume where the next player begins
 * @property {ReturnType<typeof debounce>} solve
 * @property {((place: FilmPlace) => void)[]} onReports called when the player says where it is
 */

/** @param {Slot} slot @returns {Stage} */
function createStage(slot) {
  const pick = h(
    "button",
    {
      type: "button",
      class: "letter",
      "aria-label": `Edit look ${slot}`,
      onclick: () => choose(slot),
    },
    slot,
  );
  const which = h("span", { class: "soft which" });
  const bar = h(
    "div",
    { class: "slot" },
    pick,
    which,
    h("button", { type: "button", onclick: () => keepSlot(slot) }, `Keep only ${slot}`),
  );
  const screen = h("div", { class: "screen" });
  const said = h("span", { class: "soft" });
  const button = h("button", { type: "button" });
  const waits = h("p", { class: "waits", hidden: true }, said, button);
  const summary = h("p", { class: "soft summary", role: "status" });
  const problem = h("p", { class: "problem", role: "alert" });
  const notes = h("ul", { class: "notes soft" });
  const element = h(
    "div",
    { class: "stage", "data-slot": slot },
    ...[bar, screen, waits, summary, problem, notes],
  );
  setProblemPlace(`film ${slot}`, problem);
  /** @type {Stage} */
  const stage = {
    ...{ slot, element, bar, pick, which, screen, waits, said, button, summary, notes },
    ...{ frame: null, isReady: false, wants: null, abort: null, cancelled: null },
    ...{ place: null, resume: null, onReports: [] },
    solve: debounce(SOLVE_DELAY, () => solveStage(stage)),
  };
  return stage;
}

/** @type {Stage[]} */
const stages = [];

const visibleStages = () => stages.filter(({ slot }) => slots().includes(slot));

export function buildFilm() {
  stages.push(createStage("A"), createStage("B"));
  ui.stages.append(...stages.map(({ element }) => element));
  stages.forEach((stage) => new ResizeObserver(() => sizeStage(stage)).observe(stage.screen));
  ui.compare.onclick = compare;
  listenToPlayers(stages);
  addEventListener("resize", sizeFilms);
  setInterval(followPlayers, PLACE_INTERVAL);
}

export const sizeFilms = () => stages.forEach(sizeStage);

/** Shows the film of each look, and solves those that have changed. */
export function showFilms() {
  const visible = visibleStages();
  const enough = isEnough();
  ui.stages.dataset.count = String(visible.length);
  ui.compare.hidden = visible.length > 1 || !enough;
  ui.more.hidden = enough;
  ui.stages.hidden = !enough;
  for (const stage of stages) {
    const isEdited = stage.slot === current().slot;
    stage.element.hidden = !visible.includes(stage);
    stage.bar.hidden = visible.length < 2;
    stage.pick.setAttribute("aria-pressed", String(isEdited));
    setText(stage.which, isEdited ? "options apply to this look" : "");
    if (stage.element.hidden || !enough) clearStage(stage);
    else if (requestOf(stage) !== stage.wants) startStage(stage);
    sizeStage(stage);
  }
}

/** @param {Stage} stage */
const requestOf = ({ slot }) =>
  JSON.stringify({ ...filmBody(current(), current().looks[slot] ?? look()), slot });

/** @param {Stage} stage */
function startStage(stage) {
  stage.abort?.abort();
  stage.wants = requestOf(stage);
  stage.solve();
}

/** @param {Stage} stage */
function clearStage(stage) {
  stage.solve.cancel();
  stage.abort?.abort();
  stage.frame?.remove();
  Object.assign(stage, { frame: null, wants: null, isReady: false });
  for (const part of [stage.summary, stage.notes]) part.replaceChildren();
  clearProblem(`film ${stage.slot}`);
}

/** @param {Stage} stage */
async function solveStage(stage) {
  const abort = new AbortController();
  const body = JSON.parse(stage.wants ?? "null");
  stage.abort = abort;
  stage.waits.hidden = true;
  stage.element.classList.add("busy");
  const stopWatching = watchProgress(stage, abort);
  try {
    const answer = await solveFilm({ ...body, draft: true }, abort.signal);
    const isShown = showAnswer(stage, answer);
    stopWatching();
    if (!answer.draft) return;
    await isShown;
    await new Promise((done) => setTimeout(done, FINAL_DELAY));
    if (!abort.signal.aborted) showAnswer(stage, await solveFilm(body, abort.signal), true);
  } catch (error) {
    if (isGone(error))
      stage.wants = null; // so that the film is solved again once the server responds
    else if (!isStale(error)) showProblem(`film ${stage.slot}`, problemOf(error));
  } finally {
    stopWatching();
    if (stage.abort === abort) {
      stage.element.classList.remove("busy");
      stage.waits.hidden = stage.cancelled !== abort;
    }
  }
}

/**
 * @param {Stage} stage
 * @param {FilmAnswer} answer
 * @param {boolean} [continues] whether the film goes on from the frame that is shown
 */
function showAnswer(stage, { film, summary, notes = [], report }, continues = false) {
  clearProblem(`film ${stage.slot}`);
  setText(stage.summary, summary);
  stage.notes.replaceChildren(...notes.map((note) => h("li", {}, note)));
  if (stage.slot === current().slot) showReport(report);
  return showPlayer(stage, film, { continues, together: visibleStages() });
}

/**
 * Shows the progress of a slow search, with a button to cancel it; the previous film stays visible.
 * Returns a function that stops this.
 *
 * @param {Stage} stage
 * @param {AbortController} abort
 */
function watchProgress(stage, abort) {
  const start = performance.now();
  const describe = createForecast(start);
  let isOver = false;
  async function report() {
    if (performance.now() - start < REPORT_DELAY) return;
    /** @type {Awaited<ReturnType<typeof getProgress>>} */
    const progress = await getProgress().catch(() => ({}));
    if (isOver || abort.signal.aborted) return;
    setText(stage.said, describe(progress[stage.slot] ?? {}, performance.now()));
    offerAction(stage, "Cancel", () => cancelSearch(stage, abort));
  }
  const timer = setInterval(report, REPORT_INTERVAL);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

/** @param {Stage} stage @param {AbortController} abort */
function cancelSearch(stage, abort) {
  abort.abort();
  stage.cancelled = abort;
  setText(stage.said, "Cancelled.");
  offerAction(stage, "Solve", () => startStage(stage));
}

/** @param {Stage} stage @param {string} word @param {() => void} onclick */
function offerAction({ button, waits }, word, onclick) {
  Object.assign(button, { onclick, textContent: word });
  waits.hidden = false;
}

// Where the players are, so that a page that is opened again goes on from there

/** Asks the players where they are. */
function followPlayers() {
  for (const stage of visibleStages()) {
    const { wants } = stage;
    if (stage.isReady && wants && !document.hidden)
      requestPlace(stage, (place) => (stage.place = { ...place, film: wants }));
  }
}

/** Returns where the player of each look is. */
export const filmPlaces = () => stages.map(({ place }) => place);

/**
 * Lets the next films, if they are the same, begin where they were.
 *
 * @param {ReturnType<typeof filmPlaces>} places
 */
export function resumeFilms(places) {
  stages.forEach((stage, i) => (stage.resume = places[i] ?? null));
}
