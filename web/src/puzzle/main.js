/** A page of puzzles: those in the page, those generated on it, and those opened by links. */

/** @import { Click, Film, Size } from "../types.js" */

import { drawBoardImage } from "../board/paint.js";
import { readFilm } from "../film/read.js";
import { turnNeighbourhood } from "../film/press.js";
import { countClicks } from "../game/game.js";
import { findElements } from "../page/elements.js";
import { clicksText, describeCell, formatNumber, localize, localizeCount } from "../page/texts.js";
import { total } from "../numbers.js";
import { seeded } from "../random.js";
import { findSolution, listPresses } from "../solve/equations.js";
import { equationsOf, findSmallestClicks, minimizeClicks } from "../solve/fewest.js";
import { describeFilm, listenToPlayer, startPlayer, toggleFullScreen } from "../player/controls.js";
import {
  animateClicks,
  clicksLeft,
  currentGame,
  makeClicks,
  restart,
  startGame,
  undo,
} from "../player/game_actions.js";
import { announce, goalText, showControls, sizeText } from "../player/show.js";
import { drawMarks, film, fit, replaceFilm, state, ui as stage, written } from "../player/stage.js";
import { drawPuzzle } from "./drawing.js";
import { decodeLink, encodeLink } from "./link.js";
import { countStars, loadBest, saveBest, storageKey } from "./results.js";

const ui = findElements({
  tools: HTMLElement,
  steps: HTMLElement,
  back: HTMLButtonElement,
  redo: HTMLButtonElement,
  step: HTMLButtonElement,
  run: HTMLButtonElement,
  next: HTMLButtonElement,
  hint: HTMLButtonElement,
  finish: HTMLButtonElement,
  wide: HTMLButtonElement,
  copy: HTMLButtonElement,
  status: HTMLElement,
  fewest: HTMLElement,
  wish: HTMLElement,
  extent: HTMLElement,
  best: HTMLElement,
  series: HTMLElement,
  which: HTMLElement,
  total: HTMLElement,
  levels: HTMLElement,
  sheet: HTMLElement,
  size: HTMLSelectElement,
  wanted: HTMLInputElement,
});

/** @type {Film[]} */
const puzzles = [{}, ...(written.series ?? [])].map((puzzle) =>
  readFilm({ ...written, ...puzzle }),
);
let chosenIndex = 0;

/**
 * Undone clicks, each with the clicks before it; they can be redone as long as these are the latest.
 *
 * @type {[clicks: Click[], before: Click[] | undefined][]}
 */
let undoneClicks = [];
let isSolving = false; // whether the solution is shown click by click

function onSolved() {
  const { helped, hinted } = currentGame();
  const puzzle = puzzles[chosenIndex];
  const clicks = countClicks(currentGame());
  const before = puzzles.length === 1 || puzzles.every(loadBest);
  if (!helped) saveBest(puzzle, { clicks, stars: countStars(clicks, puzzle.count, hinted) });
  if (!before && puzzles.every(loadBest)) {
    const solved = localize("puzzle.all_solved", { n: puzzles.length });
    announce(`${ui.status.textContent} ${solved}`);
  }
  showSeries();
}

/** @param {number} differing */
function showPuzzle(differing) {
  const { running, history } = currentGame();
  ui.tools.hidden = isSolving;
  ui.steps.hidden = !isSolving;
  ui.back.disabled = !history.length;
  ui.redo.disabled = !canRedo();
  ui.step.disabled = ui.run.disabled = !differing;
  ui.run.textContent = localize(running ? "player.pause" : "player.play");
  ui.next.hidden = differing > 0 || !puzzles[chosenIndex + 1];
  ui.hint.hidden = ui.finish.hidden = !ui.next.hidden;
}

// Undo and redo

const canRedo = () =>
  undoneClicks.length > 0 &&
  undoneClicks[undoneClicks.length - 1][1] === currentGame().history.at(-1);

function undoOne() {
  const { history } = currentGame();
  const undone = history.at(-1);
  if (undone) undoneClicks.push([undone, history.at(-2)]);
  undo();
}

function redo() {
  if (!canRedo() || currentGame().running) return;
  const [clicks] = undoneClicks.pop() ?? [[]];
  makeClicks(clicks);
}

function restartPuzzle() {
  undoneClicks = [];
  restart();
}

// Playing the solution click by click

function toggleSolution() {
  currentGame().running = null;
  isSolving = !isSolving;
  showControls();
  (isSolving ? ui.step : ui.finish).focus();
}

/** @param {Click} click @param {number} left */
function makeClick(click, left) {
  currentGame().helped = true;
  makeClicks([click]);
  [state.cursor] = click;
  Object.assign(state, { hint: state.cursor, pointed: null });
  const words = { place: describeCell(film, state.cursor), clicks: clicksText(left) };
  if (left) announce(localize("puzzle.clicked", words));
  drawMarks();
}

function makeStep() {
  currentGame().running = null;
  const [click, ...left] = clicksLeft();
  if (click) makeClick(click, left.length);
  showControls();
}

/** Plays the remaining clicks, 0.8 seconds each or ten seconds in total. */
function playSolution() {
  const game = currentGame();
  const clicks = clicksLeft();
  let left = clicks.length;
  if (game.running || !left) game.running = null;
  else
    animateClicks(clicks, Math.min(10, left * 0.8), (next) => {
      for (const click of next) makeClick(click, --left);
    });
  showControls();
}

// Choosing a puzzle

/** @param {number} number */
function choosePuzzle(number) {
  chosenIndex = number;
  replaceFilm(puzzles[number]);
  startGame();
  undoneClicks = [];
  isSolving = false;
  ui.extent.textContent = localize("player.cells", { size: sizeText(film) });
  ui.fewest.textContent = formatNumber(film.count);
  if (film.title !== localize("puzzle.title")) ui.wish.textContent = goalText();
  ui.copy.disabled = !encodeLink(film, film);
  showSeries();
  showControls();
  fit();
}

/**
 * Opens a puzzle that the player chose, and stores it in the page's address.
 *
 * @param {number} number
 */
function openPuzzle(number) {
  if (!puzzles[number]) return;
  choosePuzzle(number);
  stage.stage.scrollIntoView({ block: "nearest" });
  try {
    history.replaceState(null, "", encodeLink(film, film) ?? "#");
  } catch {
    // In a sandboxed frame.
  }
}

// Puzzles that are not part of the page

/**
 * Creates a board with the page's rule.  The rule "cross" has no fixed offsets: it flips whole lines.
 *
 * @param {Size} size
 * @returns {Film}
 */
function createBoard({ rows, columns }) {
  /** @param {number} side */
  const offsetsAlong = (side) => Array.from({ length: 2 * side - 1 }, (_, i) => i + 1 - side);
  /** @param {number} side */
  const otherOffsets = (side) => offsetsAlong(side).filter((by) => (film.wrap ? by > 0 : by));
  const crossOffsets = () => [
    [0, 0],
    ...otherOffsets(rows).map((by) => [by, 0]),
    ...otherOffsets(columns).map((by) => [0, by]),
  ];
  const offsets = JSON.parse(stage.main.dataset.offsets ?? "null") ?? crossOffsets();
  return { ...puzzles[0], rows, columns, cells: rows * columns, offsets };
}

/** @param {Film} puzzle */
const findPuzzle = (puzzle) =>
  puzzles.findIndex((known) => storageKey(known) === storageKey(puzzle));

/**
 * Adds a puzzle, solved by `presses`, unless the page has it already; returns its number.
 *
 * @param {Film} puzzle
 * @param {Uint8Array} presses
 */
function addPuzzle(puzzle, presses) {
  const known = findPuzzle(puzzle);
  if (known >= 0) return known;
  const clicks = Uint32Array.from(listPresses(presses));
  const count = clicks.length;
  puzzles.push({
    ...puzzle,
    clicks,
    primaries: clicks.map(() => 1),
    count,
    frames: [0],
    holds: [],
  });
  addLevel(puzzles[puzzles.length - 1], puzzles.length - 1);
  ui.sheet.replaceChildren();
  puzzles.forEach(addDrawing);
  return puzzles.length - 1;
}

/**
 * Scrolls to the message, as its button may be far from it.
 *
 * @param {string} text
 */
function announceInView(text) {
  announce(text);
  ui.status.scrollIntoView({ block: "nearest" });
}

/**
 * Opens a new puzzle that needs `clicks` clicks, or with `fewer` as many as were found.
 *
 * @param {string} size
 * @param {number} clicks
 * @param {{ seed: number, fewer?: boolean, name: string, date?: string }} options
 */
function posePuzzle(size, clicks, { seed, fewer, name, date = "" }) {
  const [columns, rows] = size.split("x").map(Number);
  const board = createBoard({ rows, columns });
  const presses = findSmallestClicks(board, clicks, seeded(seed));
  const count = total(presses);
  if (count < clicks && !fewer) {
    const facts = { size: sizeText(board), clicks: clicksText(clicks), n: formatNumber(count) };
    return announceInView(localize("puzzle.none_found", facts));
  }
  const lights = { shades: new Uint8Array(board.cells), touched: [] };
  for (const cell of listPresses(presses)) turnNeighbourhood(board, lights, cell, film.lowered[1]);
  openPuzzle(addPuzzle({ ...board, first: lights.shades }, presses));
  const facts = { size: sizeText(board), clicks: clicksText(count), date };
  announceInView(localize(`puzzle.${name}_posed`, facts));
}

function poseNew() {
  const clicks = ui.wanted.valueAsNumber;
  if (!(clicks >= 1 && clicks % 1 === 0)) return announceInView(localize("puzzle.whole_number"));
  posePuzzle(ui.size.value, clicks, { seed: Math.random() * 2 ** 32, name: "new" });
}

/** Poses the puzzle of the day: the page's size, and 5 clicks on Mondays to 11 on Sundays. */
function poseToday() {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const date = parts.map((part) => String(part).padStart(2, "0")).join("-");
  const { value } =
    [...ui.size.options].find((option) => option.defaultSelected) ?? ui.size.options[0];
  const seed = Number(date.replaceAll("-", ""));
  posePuzzle(value, 4 + (now.getDay() || 7), { seed, fewer: true, name: "today", date });
}

/** Opens the puzzle in the page's address, or returns a message about what is wrong with it. */
function openLink() {
  const link = decodeLink(film, location.hash);
  if ("flaw" in link) return link.flaw;
  const board = createBoard(link);
  const puzzle = { ...board, first: link.first };
  const known = findPuzzle(puzzle);
  if (known >= 0) return choosePuzzle(known);
  const equations = equationsOf(board);
  if (!equations) return localize("puzzle.too_large", { size: sizeText(board) });
  const solution = findSolution(equations, link.first, film.levels);
  if (!solution) return localize("puzzle.unsolvable");
  if (!total(solution)) return localize("puzzle.solved_already");
  choosePuzzle(addPuzzle(puzzle, minimizeClicks(board, solution)));
}

async function copyLink() {
  const link = location.href.replace(/#.*/, "") + encodeLink(film, film);
  try {
    await navigator.clipboard.writeText(link);
    announceInView(localize("puzzle.link_copied"));
  } catch {
    announceInView(link);
  }
}

// Words and stars

/** @param {number} count */
function createStars(count) {
  const stars = document.createElement("i");
  stars.className = "stars";
  stars.style.setProperty("--stars", String(count));
  stars.role = "img";
  stars.ariaLabel = count ? localizeCount("puzzle.stars", count) : localize("puzzle.not_solved");
  return stars;
}

/** Shows the best result of the puzzle, and the stars of all. */
function showSeries() {
  const best = loadBest(film);
  ui.best.replaceChildren(...(best ? [formatNumber(best.clicks), createStars(best.stars)] : ["–"]));
  ui.series.hidden = puzzles.length === 1;
  const bests = puzzles.map(loadBest);
  const stars = total(bests.map((result) => result?.stars ?? 0));
  ui.which.textContent = localize("puzzle.which", { n: chosenIndex + 1, total: puzzles.length });
  ui.total.textContent = localize("puzzle.total_stars", { n: stars, total: 3 * puzzles.length });
  Array.from(ui.levels.children, (button, number) => {
    button.ariaCurrent = String(number === chosenIndex);
    button.lastChild?.replaceWith(createStars(bests[number]?.stars ?? 0));
  });
}

/** @param {Film} puzzle @param {number} number */
function addLevel(puzzle, number) {
  const button = document.createElement("button");
  const canvas = document.createElement("canvas");
  canvas.style.cssText = `--columns:${puzzle.columns};--rows:${puzzle.rows}`;
  drawBoardImage(puzzle, canvas, puzzle.first);
  button.append(canvas, clicksText(puzzle.count), createStars(0));
  button.onclick = () => openPuzzle(number);
  ui.levels.append(button);
}

/** @param {Film} puzzle @param {number} number */
function addDrawing(puzzle, number) {
  const figure = document.createElement("figure");
  const heading = `${puzzles.length > 1 ? `${number + 1}. ` : ""}${clicksText(puzzle.count)}`;
  figure.innerHTML = `<figcaption>${heading}</figcaption>\n${drawPuzzle(puzzle)}`;
  ui.sheet.append(figure);
}

puzzles.forEach(addDrawing);
puzzles.forEach(addLevel);
describeFilm();
const next = () => openPuzzle(chosenIndex + 1);
listenToPlayer({
  keys: {
    u: undoOne,
    "ctrl z": undoOne,
    y: redo,
    "ctrl y": redo,
    "ctrl Z": redo,
    r: restartPuzzle,
    s: makeStep,
    n: next,
    p: () => openPuzzle(chosenIndex - 1),
  },
  buttons: {
    finish: toggleSolution,
    leave: toggleSolution,
    step: makeStep,
    run: playSolution,
    wide: toggleFullScreen,
    undo: undoOne,
    back: undoOne,
    redo,
    restart: restartPuzzle,
    next,
    make: poseNew,
    daily: poseToday,
    copy: copyLink,
  },
  minimize: (presses) => minimizeClicks(film, presses),
  onSolved,
  show: showPuzzle,
});
ui.wanted.addEventListener("keydown", (event) => {
  event.stopPropagation();
  if (event.key === "Enter") poseNew();
});
ui.wide.hidden = !document.fullscreenEnabled;
choosePuzzle(
  Math.max(
    0,
    puzzles.findIndex((puzzle) => !loadBest(puzzle)),
  ),
);
startPlayer();
if (location.hash) announce(openLink() ?? "");
addEventListener("hashchange", () => location.hash && announce(openLink() ?? ""));
