// The film, in the player; A and B are two looks of it, side by side and in step.

import { getProgress, isGone, isStale, playerOf, solveFilm } from "./api.js";
import { $, h, quiet } from "./dom.js";
import { filmBody, inWholes, shapeOf, sizeOf } from "./frame.js";
import { showReport } from "./pictures.js";
import { clearProblem, problem, sayIn } from "./problems.js";
import { choose, compare, current, isEnough, keep, look, slots } from "./work.js";

const QUIET = 150; // milliseconds without a change, before a film is solved
const PAINTED = 100; // until a player that is loaded is seen
const LONG = 1000, TOLD = 500; // until it is told how far a search is, and told again
const FORESEEN = 0.04; // the share of a stage from which on it is told how long it takes
const stages = $("stages"), compared = $("compare");
const all = new Map();

function stageOf(slot) {
  const screen = h("div", { class: "screen" }), summary = h("p", { class: "soft summary", role: "status" });
  const notes = h("ul", { class: "notes soft" }), says = h("p", { class: "problem", role: "alert" });
  const pick = h("button", { type: "button", class: "letter", "aria-label": `Change look ${slot}`, onclick: () => choose(slot) }, slot);
  const only = h("button", { type: "button", onclick: () => keep(slot) }, `Keep ${slot} alone`);
  const bar = h("div", { class: "slot" }, pick, h("span", { class: "soft which" }), only);
  const said = h("span", { class: "soft" }), stop = h("button", { type: "button", onclick: () => stage.stop() });
  const waits = h("p", { class: "waits", hidden: true }, said, stop);
  const element = h("div", { class: "stage", "data-slot": slot }, bar, screen, waits, summary, says, notes);
  const stage = { slot, element, screen, summary, notes, bar, pick, waits, said, stop: null, button: stop, frame: null, wants: null, abort: null, ready: false };
  stage.solve = quiet(QUIET, () => solve(stage));
  sayIn(`film ${slot}`, says);
  stages.append(element);
  new ResizeObserver(() => size(stage)).observe(screen);
  return stage;
}

export function buildFilm() {
  for (const slot of ["A", "B"]) all.set(slot, stageOf(slot));
  compared.onclick = () => compare();
  addEventListener("message", listenToPlayers);
}

export function showFilms() {
  const shown = slots(), enough = isEnough();
  stages.dataset.count = shown.length;
  compared.hidden = shown.length > 1 || !enough;
  $("more").hidden = enough;
  stages.hidden = !enough;
  for (const [slot, stage] of all) {
    stage.element.hidden = !shown.includes(slot);
    stage.bar.hidden = shown.length < 2;
    stage.pick.setAttribute("aria-pressed", String(slot === current().slot));
    stage.bar.querySelector(".which").textContent = slot === current().slot ? "the options change this one" : "";
    if (stage.element.hidden || !enough) leave(stage);
    else if (wanted(stage) !== stage.wants) start(stage);
    size(stage);
  }
}

const wanted = ({ slot }) => JSON.stringify({ ...filmBody(current(), current().looks[slot]), slot });

function start(stage) {
  stage.abort?.abort();
  stage.wants = wanted(stage);
  stage.solve();
}

function leave(stage) {
  stage.solve.cancel();
  stage.abort?.abort();
  stage.frame?.remove();
  Object.assign(stage, { frame: null, wants: null, ready: false });
  stage.summary.textContent = "";
  stage.notes.replaceChildren();
  clearProblem(`film ${stage.slot}`);
}

// What takes long tells how far it is, and can be cancelled: the film of before stays.
function watch(stage, abort) {
  const began = performance.now();
  let of = null, since = began, over = false, at = 0, left = null;
  const tell = async () => {
    if (performance.now() - began < LONG) return;
    const { stage: name, share, note } = (await getProgress().catch(() => ({})))[stage.slot] ?? {}, now = performance.now();
    if (over || abort.signal.aborted) return;
    if (name !== of) [of, since] = [name, now];
    if (share !== at) left = share > FORESEEN && share < 1 ? ((now - since) * (1 - share)) / share : null;
    at = share;
    const parts = [name && [name, note].filter(Boolean).join(": "), share > 0 && `${Math.round(100 * share)} %`];
    stage.said.textContent = [...parts, `${inSeconds(now - began)} so far`, left && `about ${inSeconds(left)} still`].filter(Boolean).join(", ");
    ask(stage, "Cancel", () => {
      abort.abort();
      stage.cancelled = abort;
      stage.said.textContent = "Cancelled.";
      ask(stage, "Solve it", () => start(stage));
    });
  };
  const timer = setInterval(tell, TOLD);
  return () => {
    over = true;
    clearInterval(timer);
  };
}

function ask(stage, word, act) {
  Object.assign(stage, { stop: act });
  stage.button.textContent = word;
  stage.waits.hidden = false;
}

const inSeconds = (milliseconds) => {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

async function solve(stage) {
  const abort = (stage.abort = new AbortController()), unwatch = watch(stage, abort);
  stage.element.classList.add("busy");
  stage.waits.hidden = true;
  try {
    const { film, summary, notes, report } = await solveFilm(JSON.parse(stage.wants), abort.signal);
    clearProblem(`film ${stage.slot}`);
    stage.summary.textContent = summary;
    stage.notes.replaceChildren(...(notes ?? []).map((note) => h("li", {}, note)));
    if (stage.slot === current().slot) showReport(report);
    play(stage, film);
  } catch (error) {
    if (isGone(error)) stage.wants = null; // again, once there are answers
    else if (!isStale(error)) problem(`film ${stage.slot}`, error);
  } finally {
    unwatch();
    if (stage.abort === abort) {
      stage.element.classList.remove("busy");
      stage.waits.hidden = stage.cancelled !== abort;
    }
  }
}

// The next player is loaded behind the one that is shown.
function play(stage, film) {
  const frame = h("iframe", {
    title: `Film ${slots().length > 1 ? stage.slot : ""}`.trim(), sandbox: "allow-scripts", allow: "fullscreen",
    src: playerOf(film), class: "coming",
  });
  stage.screen.querySelectorAll(".coming").forEach((each) => each.remove());
  stage.screen.append(frame);
  frame.onload = () => {
    const before = stage.frame;
    Object.assign(stage, { frame, ready: true });
    frame.classList.remove("coming");
    if (before) setTimeout(() => before.remove(), PAINTED);
    size(stage);
    const shown = slots().map((slot) => all.get(slot));
    if (shown.length > 1 && shown.every(({ ready }) => ready)) for (const each of shown) tell(each, { do: "start" });
  };
}

const tell = (stage, message) => stage.frame?.contentWindow?.postMessage(message, "*");

// A player tells how high its controls are, and what one does with it: the other does the same.
function listenToPlayers({ source, data }) {
  const isIn = ({ screen }) => [...screen.children].some((each) => each.contentWindow === source);
  const from = [...all.values()].find(isIn);
  if (!from || typeof data !== "object" || data === null) return;
  if (Number.isFinite(data.controls)) {
    from.controls = Math.min(Math.max(data.controls, 0), 400);
    size(from);
  }
  if (data.did && slots().length > 1)
    for (const other of all.values()) if (other !== from) tell(other, { do: data.did, share: data.share });
}

// Pixels: a board's least height, what stays free below, the least width of the controls, the
// player's own edge, and a gap between cells at most.
const LOWEST = 200, BELOW = 8, NARROW = 460, EDGE = 3, GAP = 2;

// Shapes from which on there is more room for a film above its pictures than beside them.
const WIDE = 1.4;

// The share of the window's height that a board has on a narrow screen, above other parts.
const ABOVE = 0.34;

const WASTE = 0.1; // the share of a board's room that stays empty at most

const tabs = $("tabs");
const isAbove = () => tabs.offsetHeight > 0 && document.body.dataset.tab !== "film";

// As large as the window lets it be, with its controls; above other parts without these.
function size(stage) {
  const room = stage.screen.clientWidth, controls = stage.controls ?? 108;
  if (!room) return;
  const of = current().looks[stage.slot] ?? look(), shape = shapeOf(current(), of), above = isAbove();
  const top = stage.screen.getBoundingClientRect().top + scrollY;
  const highest = above ? ABOVE * innerHeight : Math.max(LOWEST, innerHeight - top - controls - tabs.offsetHeight - BELOW);
  const board = inWholes(Math.min(room - 2 * EDGE, highest * shape), sizeOf(of).columns, WASTE, GAP);
  const width = Math.min(room, Math.max(board, NARROW) + 2 * EDGE);
  document.querySelector("main").classList.toggle("wide", shape > WIDE);
  const { style } = stage.element;
  style.setProperty("--film-width", `${width}px`);
  style.setProperty("--film-left", above ? `${(room - board) / 2 - EDGE}px` : 0);
  style.setProperty("--film-height", `${board / shape + controls + 2 * EDGE}px`);
  style.setProperty("--screen-height", above ? `${board / shape + EDGE}px` : "var(--film-height)");
}

export const sizeFilms = () => all.forEach(size);
addEventListener("resize", sizeFilms);
