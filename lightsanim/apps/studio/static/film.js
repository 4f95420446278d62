// The film in the player; looks A and B are shown side by side and play in sync.

import { getProgress, isGone, isStale, playerAddress, solveFilm } from "./api.js";
import { $, debounce, h } from "./dom.js";
import { filmBody, shapeOf, sizeOf, snapWidth } from "./part.js";
import { showReport } from "./pictures.js";
import { clearProblem, setProblemPlace, showProblem } from "./problems.js";
import { choose, compare, current, isEnough, keepSlot, look, slots } from "./work.js";

const SOLVE_DELAY = 100; // milliseconds without a change before a film is solved
const PAINT_DELAY = 100; // milliseconds until a loaded player has painted
const FINAL_DELAY = 400; // milliseconds from the appearance of a draft, whose seam is not searched, to the request for its film
const REPORT_DELAY = 1000, REPORT_INTERVAL = 500; // milliseconds before the first progress text, and between two texts
const MIN_FORECAST_SHARE = 0.04; // share of a stage; the remaining time is shown only after it
const stages = $("stages"), compared = $("compare");
const allStages = new Map();

function createStage(slot) {
  const screen = h("div", { class: "screen" }), summary = h("p", { class: "soft summary", role: "status" });
  const notes = h("ul", { class: "notes soft" }), says = h("p", { class: "problem", role: "alert" });
  const pick = h("button", { type: "button", class: "letter", "aria-label": `Edit look ${slot}`, onclick: () => choose(slot) }, slot);
  const only = h("button", { type: "button", onclick: () => keepSlot(slot) }, `Keep only ${slot}`);
  const bar = h("div", { class: "slot" }, pick, h("span", { class: "soft which" }), only);
  const progressText = h("span", { class: "soft" }), button = h("button", { type: "button" });
  const waits = h("p", { class: "waits", hidden: true }, progressText, button);
  const element = h("div", { class: "stage", "data-slot": slot }, bar, screen, waits, summary, says, notes);
  const stage = { slot, element, screen, summary, notes, bar, pick, waits, said: progressText, button, frame: null, wants: null, abort: null, ready: false };
  stage.solve = debounce(SOLVE_DELAY, () => solveStage(stage));
  setProblemPlace(`film ${slot}`, says);
  stages.append(element);
  new ResizeObserver(() => sizeStage(stage)).observe(screen);
  return stage;
}

export function buildFilm() {
  for (const slot of ["A", "B"]) allStages.set(slot, createStage(slot));
  compared.onclick = () => compare();
  addEventListener("message", listenToPlayers);
}

export function showFilms() {
  const visibleSlots = slots(), enough = isEnough();
  stages.dataset.count = visibleSlots.length;
  compared.hidden = visibleSlots.length > 1 || !enough;
  $("more").hidden = enough;
  stages.hidden = !enough;
  for (const [slot, stage] of allStages) {
    stage.element.hidden = !visibleSlots.includes(slot);
    stage.bar.hidden = visibleSlots.length < 2;
    stage.pick.setAttribute("aria-pressed", String(slot === current().slot));
    stage.bar.querySelector(".which").textContent = slot === current().slot ? "options apply to this look" : "";
    if (stage.element.hidden || !enough) clearStage(stage);
    else if (requestKey(stage) !== stage.wants) startStage(stage);
    sizeStage(stage);
  }
}

const requestKey = ({ slot }) => JSON.stringify({ ...filmBody(current(), current().looks[slot]), slot });

function startStage(stage) {
  stage.abort?.abort();
  stage.wants = requestKey(stage);
  stage.solve();
}

function clearStage(stage) {
  stage.solve.cancel();
  stage.abort?.abort();
  stage.frame?.remove();
  Object.assign(stage, { frame: null, wants: null, ready: false });
  stage.summary.textContent = "";
  stage.notes.replaceChildren();
  clearProblem(`film ${stage.slot}`);
}

// Shows the progress of a slow search, with a button to cancel it; the previous film stays visible.
function watchProgress(stage, abort) {
  const began = performance.now();
  let of = null, since = began, over = false, at = 0, left = null;
  const report = async () => {
    if (performance.now() - began < REPORT_DELAY) return;
    const { stage: name, share, note } = (await getProgress().catch(() => ({})))[stage.slot] ?? {}, now = performance.now();
    if (over || abort.signal.aborted) return;
    if (name !== of) [of, since] = [name, now];
    if (share !== at) left = share > MIN_FORECAST_SHARE && share < 1 ? ((now - since) * (1 - share)) / share : null;
    at = share;
    const parts = [name && [name, note].filter(Boolean).join(": "), share > 0 && `${Math.round(100 * share)} %`];
    stage.said.textContent = [...parts, `${formatTime(now - began)} so far`, left && `about ${formatTime(left)} left`].filter(Boolean).join(", ");
    offerAction(stage, "Cancel", () => {
      abort.abort();
      stage.cancelled = abort;
      stage.said.textContent = "Cancelled.";
      offerAction(stage, "Solve", () => startStage(stage));
    });
  };
  const timer = setInterval(report, REPORT_INTERVAL);
  return () => {
    over = true;
    clearInterval(timer);
  };
}

function offerAction(stage, word, act) {
  stage.button.onclick = act;
  stage.button.textContent = word;
  stage.waits.hidden = false;
}

const formatTime = (milliseconds) => {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

async function solveStage(stage) {
  const abort = (stage.abort = new AbortController()), unwatch = watchProgress(stage, abort);
  stage.element.classList.add("busy");
  stage.waits.hidden = true;
  try {
    const body = JSON.parse(stage.wants), answer = await solveFilm({ ...body, draft: true }, abort.signal);
    const isShown = showAnswer(stage, answer);
    unwatch();
    if (!answer.draft) return;
    await isShown;
    await new Promise((done) => setTimeout(done, FINAL_DELAY));
    if (!abort.signal.aborted) showAnswer(stage, await solveFilm(body, abort.signal), true);
  } catch (error) {
    if (isGone(error)) stage.wants = null; // so that the film is solved again once the server responds
    else if (!isStale(error)) showProblem(`film ${stage.slot}`, error);
  } finally {
    unwatch();
    if (stage.abort === abort) {
      stage.element.classList.remove("busy");
      stage.waits.hidden = stage.cancelled !== abort;
    }
  }
}

function showAnswer(stage, { film, summary, notes, report }, continues = false) {
  clearProblem(`film ${stage.slot}`);
  stage.summary.textContent = summary;
  stage.notes.replaceChildren(...(notes ?? []).map((note) => h("li", {}, note)));
  if (stage.slot === current().slot) showReport(report);
  return new Promise((done) => showPlayer(stage, film, continues, done));
}

// Loads the next player behind the visible one, then replaces it and calls `onShown`; if it
// `continues` the film of the visible one, from the same frame.
function showPlayer(stage, film, continues, onShown) {
  const frame = h("iframe", {
    title: `Film ${slots().length > 1 ? stage.slot : ""}`.trim(), sandbox: "allow-scripts", allow: "fullscreen",
    src: playerAddress(film), class: "coming",
  });
  stage.screen.querySelectorAll(".coming").forEach((each) => each.remove());
  stage.screen.append(frame);
  const before = stage.frame;
  const reveal = () => {
    Object.assign(stage, { frame, ready: true });
    frame.classList.remove("coming");
    if (before) setTimeout(() => before.remove(), PAINT_DELAY);
    sizeStage(stage);
    onShown();
    const visibleStages = slots().map((slot) => allStages.get(slot));
    if (!continues && visibleStages.length > 1 && visibleStages.every(({ ready }) => ready)) for (const visible of visibleStages) sendMessage(visible, { do: "start" });
  };
  frame.onload = () => {
    if (!continues || !before) return reveal();
    stage.onReport = ({ did, share }) => {
      frame.contentWindow.postMessage({ do: did, share }, "*");
      setTimeout(reveal, PAINT_DELAY);
    };
    sendMessage(stage, { do: "report" });
  };
}

const sendMessage = (stage, message) => stage.frame?.contentWindow?.postMessage(message, "*");

// Players report the height of their controls, and user actions, which the other player repeats.
function listenToPlayers({ source, data }) {
  const isIn = ({ screen }) => [...screen.children].some((each) => each.contentWindow === source);
  const from = [...allStages.values()].find(isIn);
  if (!from || typeof data !== "object" || data === null) return;
  if (Number.isFinite(data.controls)) {
    from.controls = Math.min(Math.max(data.controls, 0), 400);
    sizeStage(from);
  }
  if (data.did && from.onReport) {
    from.onReport(data);
    from.onReport = null;
  } else if (data.did && slots().length > 1)
    for (const otherStage of allStages.values()) if (otherStage !== from) sendMessage(otherStage, { do: data.did, share: data.share });
}

// Lengths in pixels; BOTTOM_MARGIN stays free below the film, MAX_GAP is the widest gap of cells.
const MIN_BOARD_HEIGHT = 200, BOTTOM_MARGIN = 8, MIN_CONTROLS_WIDTH = 460, PLAYER_EDGE = 3, MAX_GAP = 2;

const MIN_WIDE_SHAPE = 1.4; // width / height; pictures lie below a wider film, else beside it
const NARROW_HEIGHT_SHARE = 0.34; // share of the window's height for a film above other parts (narrow screens)
const MAX_WASTE = 0.1; // share of the width that may stay empty so that cells have whole pixels

const tabs = $("tabs");

// Makes a film as large as the window allows: with its controls, or above other parts without them.
function sizeStage(stage) {
  const room = stage.screen.clientWidth, controls = stage.controls ?? 108;
  if (!room) return;
  const of = current().looks[stage.slot] ?? look(), shape = shapeOf(current(), of);
  const above = tabs.offsetHeight > 0 && document.body.dataset.tab !== "film";
  const top = stage.screen.getBoundingClientRect().top + scrollY;
  const highest = above ? NARROW_HEIGHT_SHARE * innerHeight : Math.max(MIN_BOARD_HEIGHT, innerHeight - top - controls - tabs.offsetHeight - BOTTOM_MARGIN);
  const board = snapWidth(Math.min(room - 2 * PLAYER_EDGE, highest * shape), sizeOf(of).columns, MAX_WASTE, MAX_GAP);
  const width = Math.min(room, Math.max(board, MIN_CONTROLS_WIDTH) + 2 * PLAYER_EDGE);
  document.querySelector("main").classList.toggle("wide", shape > MIN_WIDE_SHAPE);
  const { style } = stage.element;
  style.setProperty("--film-width", `${width}px`);
  style.setProperty("--film-left", above ? `${(room - board) / 2 - PLAYER_EDGE}px` : 0);
  style.setProperty("--film-height", `${board / shape + controls + 2 * PLAYER_EDGE}px`);
  style.setProperty("--screen-height", above ? `${board / shape + PLAYER_EDGE}px` : "var(--film-height)");
}

export const sizeFilms = () => allStages.forEach(sizeStage);
addEventListener("resize", sizeFilms);
