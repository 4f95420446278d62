// The film, in the player; A and B are two looks of it, side by side and in step.

import { isGone, isStale, playerOf, solveFilm } from "./api.js";
import { h, quiet } from "./dom.js";
import { filmBody, shapeOf, sizeOf } from "./frame.js";
import { showReport } from "./pictures.js";
import { clearProblem, problem, sayIn } from "./problems.js";
import { choose, compare, current, isEnough, keep, look, slots } from "./work.js";

const QUIET = 150; // milliseconds without a change, before a film is solved
const PAINTED = 100; // until a player that is loaded is seen
const stages = document.getElementById("stages"), compared = document.getElementById("compare");
const all = new Map();

function stageOf(slot) {
  const screen = h("div", { class: "screen" }), summary = h("p", { class: "soft summary", role: "status" });
  const notes = h("ul", { class: "notes soft" }), says = h("p", { class: "problem", role: "alert" });
  const pick = h("button", { type: "button", class: "letter", "aria-label": `Change look ${slot}`, onclick: () => choose(slot) }, slot);
  const only = h("button", { type: "button", onclick: () => keep(slot) }, `Keep ${slot} alone`);
  const bar = h("div", { class: "slot" }, pick, h("span", { class: "soft which" }), only);
  const element = h("div", { class: "stage", "data-slot": slot }, bar, screen, summary, says, notes);
  const stage = { slot, element, screen, summary, notes, bar, pick, frame: null, wants: null, abort: null, ready: false };
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
  document.getElementById("more").hidden = enough;
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

async function solve(stage) {
  const abort = (stage.abort = new AbortController());
  stage.element.classList.add("busy");
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
    if (stage.abort === abort) stage.element.classList.remove("busy");
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
  const from = [...all.values()].find(({ frame }) => frame?.contentWindow === source)
    ?? [...all.values()].find(({ screen }) => [...screen.children].some((each) => each.contentWindow === source));
  if (!from || typeof data !== "object" || data === null) return;
  if (Number.isFinite(data.controls)) {
    from.controls = Math.min(Math.max(data.controls, 0), 400);
    size(from);
  }
  if (data.did && slots().length > 1)
    for (const other of all.values()) if (other !== from) tell(other, { do: data.did, share: data.share });
}

// Pixels: a board's least height, what stands below its controls, the least width of those, the
// player's own edge, and a gap between cells at most.
const LOWEST = 340, BELOW = 56, NARROW = 460, EDGE = 3, GAP = 2;

// Cells are whole pixels of the screen, as the player has them.
function inWholes(width, of) {
  const { columns } = sizeOf(of), pixels = Math.floor((width * devicePixelRatio) / columns);
  return pixels ? (pixels * columns) / devicePixelRatio + GAP : width;
}

// As wide as the board and its controls need.
function size(stage) {
  const room = stage.screen.clientWidth, controls = stage.controls ?? 108;
  if (!room) return;
  const of = current().looks[stage.slot] ?? look(), shape = shapeOf(current(), of);
  const top = stage.screen.getBoundingClientRect().top + scrollY;
  const highest = Math.max(LOWEST, innerHeight - top - controls - BELOW);
  const board = inWholes(Math.min(room - 2 * EDGE, highest * shape), of);
  const width = Math.min(room, Math.max(board, NARROW) + 2 * EDGE);
  stage.screen.style.setProperty("--film-width", `${width}px`);
  stage.screen.style.setProperty("--film-height", `${board / shape + controls + 2 * EDGE}px`);
}

addEventListener("resize", () => all.forEach(size));
