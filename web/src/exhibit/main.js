/**
 * An exhibit repeats its film until a visitor touches the screen.  Then it moves to the last clicks,
 * which the visitor makes.  If the visitor leaves, it makes them itself and starts again.
 */

/** @import { Cell, FilmState, View } from "../types.js" */

import { columnOf, rowOf } from "../board/cells.js";
import {
  contextOf,
  createView,
  fitCanvases,
  paintState,
  showRing,
  squareOf,
} from "../board/paint.js";
import { cellAtPosition, pointerPosition } from "../board/pointer.js";
import { advance, animate } from "../film/play.js";
import {
  clicksBeforeFrame,
  createState,
  goTo,
  levelsOf,
  litBoards,
  pressesBetween,
  startTimeOf,
  turnNeighbourhood,
} from "../film/press.js";
import { readFilm } from "../film/read.js";
import { cellsClickedWith } from "../game/game.js";
import { findElements, readData, reducedMotion, setText } from "../page/elements.js";
import { localize, localizeCount } from "../page/texts.js";

const ui = findElements({
  main: HTMLElement,
  stage: HTMLElement,
  board: HTMLCanvasElement,
  marks: HTMLCanvasElement,
  ring: HTMLElement,
  line: HTMLElement,
});
const film = readFilm(readData("film"));
const { rows, columns, cells, raised, lowered, count } = film;
const calm = reducedMotion || film.flashes; // a film that may flash is shown as with reduced motion

// Milliseconds: without a touch until the film continues, and until a hint is shown; of the ripple
// after a win, and of the whole win scene; to move to the visitor's clicks; and, with reduced
// motion, that each picture is shown.
const IDLE_TIMEOUT = 45_000;
const HINT_DELAY = 8000;
const RIPPLE_TIME = 2500;
const WIN_TIME = 9000;
const HURRY_TIME = 1500;
const PICTURE_TIME = 6000;
const DOUBLE_TOUCH_TIME = 400; // milliseconds; ignore a faster second touch as unintended
const FINGER_RADIUS = 28; // CSS pixels; a touch this near to a marked light counts for it

/**
 * Widths and colours of outlines: dark around light, visible on any colour.
 *
 * @type {[width: number, colour: string][]}
 */
const OUTLINES = [
  [5, "#000"],
  [3, "#fff"],
];

/**
 * @typedef {"attract" | "hurry" | "play" | "won"} Scene
 *
 * @typedef {object} ExhibitMembers
 * @property {Scene} scene
 * @property {Uint8Array} left remaining presses of each cell, as a shade
 * @property {number} made number of this visitor's clicks
 * @property {Cell} last cell of the last click,
 * @property {number} when and its time
 * @property {Cell | null} hint the cell marked as a hint
 */

const state = /** @type {FilmState & View & ExhibitMembers} */ ({
  ...createState(film),
  ...createView(),
  scene: "attract",
  left: new Uint8Array(cells),
  made: 0,
  last: 0,
  when: 0,
  hint: null,
});
if (film.ends) scatterClicks(film.ends.at(-2) ?? 0);

/** @param {Uint8Array} presses */
const isPaired = (presses) =>
  presses.every((shade, cell) =>
    cellsClickedWith(film, cell).every((other) => presses[other] === shade),
  );
let start = Math.max(0, count - (film.exhibit ?? 0));
while (start > 0 && !isPaired(pressesBetween(film, start, count))) start--; // visitors click both halves at once
goTo(film, state, count);
const goal = state.shades.slice();
goTo(film, state, 0);

/**
 * Reorders the clicks of the last step, so that the visitor's clicks are spread over the board.
 *
 * @param {number} from
 */
function scatterClicks(from) {
  /** @param {number} n */
  const share = (n) => (n * 0.618034) % 1;
  const order = Array.from({ length: count - from }, (_, n) => n);
  order.sort((one, other) => share(one) - share(other));
  for (const list of [film.clicks, /** @type {Uint8Array} */ (film.primaries)])
    order.map((n) => list[from + n]).forEach((value, n) => (list[from + n] = value));
}

const remainingCells = () => [...state.left.keys()].filter((cell) => state.left[cell]);
const remainingPresses = () =>
  remainingCells().flatMap((cell) => {
    const times = Math.max(...levelsOf(film, state.left[cell]));
    return Array.from({ length: times }, () => cell);
  });

// Painting

const paint = () => paintState(film, state, state, ui.board);

/** Draws a mark on each light that the visitor should touch, or the dots of the film's clicks. */
function drawMarks() {
  const { pitch, gap, hint, scene } = state;
  const context = contextOf(ui.marks);
  const ratio = devicePixelRatio;
  context.clearRect(0, 0, ui.marks.width, ui.marks.height);
  const side = pitch - gap;
  /** @param {number} place */
  const middle = (place) => place * pitch + gap + side / 2;
  const marked = remainingCells();
  const free = (smallestDistance(marked) * pitch) / 2.2 - OUTLINES[0][0];
  const most = Math.max(Math.min(30 * ratio, free), 2 * ratio);
  const radius = Math.min(Math.max(side * 0.3, 6 * ratio), most);
  /** @param {Cell} cell @param {number} radius @param {string} colour */
  const dot = (cell, radius, colour, outlines = OUTLINES) => {
    context.beginPath();
    context.arc(middle(columnOf(film, cell)), middle(rowOf(film, cell)), radius, 0, 7);
    for (const [width, colour] of outlines) {
      context.lineWidth = width * ratio;
      context.strokeStyle = colour;
      context.stroke();
    }
    context.fillStyle = colour;
    context.fill();
  };
  if (scene === "play") for (const cell of marked) dot(cell, radius, film.accent);
  else if (film.dot && scene === "attract")
    for (const cell of film.clicks.slice(clicksBeforeFrame(film, state), state.done))
      dot(cell, side * 0.24, film.dot, []);
  showRing(film, ui.ring, hint);
}

/**
 * Returns the smallest distance between two of some sorted cells, in cells, so that their marks do not
 * overlap.
 *
 * @param {Cell[]} marked
 */
const smallestDistance = (marked) =>
  marked.reduce((smallest, one, i) => {
    for (let j = i + 1; j < marked.length && down(marked[j], one) < smallest; j++)
      smallest = Math.min(smallest, distance(marked[j], one));
    return smallest;
  }, Infinity);

/** @param {Cell} one @param {Cell} other */
const down = (one, other) => rowOf(film, one) - rowOf(film, other);

/** @param {Cell} one @param {Cell} other */
const distance = (one, other) =>
  Math.hypot(down(one, other), columnOf(film, one) - columnOf(film, other));

/**
 * Draws a ripple that runs over the board from the cell touched last.
 *
 * @param {number} share its progress
 */
function drawRipple(share) {
  const context = contextOf(ui.marks);
  context.clearRect(0, 0, ui.marks.width, ui.marks.height);
  const reach = Math.hypot(rows, columns);
  const front = share * 1.3 * reach;
  const wide = reach / 5;
  context.fillStyle = film.accent;
  for (let cell = 0; cell < cells && share < 1; cell++) {
    const lag = front - distance(cell, state.last);
    if (lag < 0 || lag > wide) continue;
    context.globalAlpha = 0.85 * (1 - lag / wide);
    context.fillRect(...squareOf(film, state, cell));
  }
  context.globalAlpha = 1;
}

function fit() {
  const { width, height } = ui.stage.getBoundingClientRect();
  fitCanvases(width, height, film, state, [ui.board, ui.marks], 0.03);
  paint();
  drawMarks();
}

// Scenes

/** @type {Record<Scene, (few: number) => string>} */
const MESSAGES = {
  // Once there is something to finish.
  attract: () => (hasVisitorClicks && 2 * state.done >= count ? localize("exhibit.attract") : ""),
  hurry: () => "",
  play: (few) => localizeCount("exhibit.play", few),
  won: () => localize("exhibit.won"),
};

function showScene() {
  const { scene } = state;
  ui.main.className = scene;
  const few = remainingPresses().length / cellsClickedWith(film, 0).length;
  setText(ui.line, MESSAGES[scene](few));
  paint();
  drawMarks();
}

/** @type {Map<string, ReturnType<typeof setTimeout>>} */
const timers = new Map();

/** @param {string} name @param {number} milliseconds @param {() => void} act */
function schedule(name, milliseconds, act) {
  clearTimeout(timers.get(name));
  timers.set(name, setTimeout(act, milliseconds));
}

/** @param {Scene} scene */
function enterScene(scene) {
  for (const timer of timers.values()) clearTimeout(timer);
  Object.assign(state, { scene, hint: null });
  showScene();
}

/** Continues the film from its current position. */
function startAttracting() {
  state.time = startTimeOf(film, state.done);
  enterScene("attract");
  if (calm) schedule("next", PICTURE_TIME, showNextPicture);
  else
    animate((seconds) => {
      if (state.scene === "attract") playFor(seconds);
      return state.scene === "attract";
    });
}

/** @param {number} seconds */
function playFor(seconds) {
  const moved = advance(film, state, seconds);
  setText(ui.line, MESSAGES.attract(0));
  if (!moved) return;
  paint();
  if (film.dot) drawMarks();
}

/** With reduced motion: shows one picture after the other. */
function showNextPicture() {
  const held = film.holds.map(([frame]) => film.frames[frame]);
  const pictureStops = [...new Set([0, ...held, count])];
  const next = (pictureStops.indexOf(state.done) + 1) % pictureStops.length;
  goTo(film, state, pictureStops[next]);
  startAttracting();
}

/**
 * Runs a number of steps within HURRY_TIME, with the numbers made and due, then calls `then`.
 *
 * @param {number} steps
 * @param {(made: number, due: number) => void} act
 * @param {() => void} then
 */
function runSteps(steps, act, then) {
  enterScene("hurry");
  let stepsMade = 0;
  animate((_, passed) => {
    const share = calm ? 1 : Math.min(1, (passed * 1000) / HURRY_TIME);
    const due = Math.ceil(share * steps);
    act(stepsMade, due);
    stepsMade = due;
    paint();
    if (share === 1) then();
    return share < 1;
  });
}

function startVisit() {
  const from = state.done;
  const way = Math.sign(start - from);
  runSteps(
    Math.abs(start - from),
    (_, due) => goTo(film, state, from + way * due),
    () => {
      state.left = pressesBetween(film, start, count);
      state.made = 0;
      enterScene("play");
      restartTimers();
    },
  );
}

// False if the last clicks cancel out, so that nothing is left for visitors.
const hasVisitorClicks = pressesBetween(film, start, count).some(Boolean);

/** Makes the remaining clicks after a time without touches. */
function finishVisit() {
  const all = remainingPresses();
  runSteps(all.length, (made, due) => all.slice(made, due).forEach(pressCell), endVisit);
}

function endVisit() {
  state.done = count;
  startAttracting();
}

function restartTimers() {
  schedule("idle", IDLE_TIMEOUT, finishVisit);
  schedule("hint", HINT_DELAY, () => {
    state.hint = findNearest(columnOf(film, state.last), rowOf(film, state.last));
    drawMarks();
  });
}

function celebrate() {
  state.left.fill(0);
  enterScene("won");
  schedule("won", WIN_TIME, endVisit);
  if (calm) return;
  animate((_, passed) => {
    const share = (passed * 1000) / RIPPLE_TIME;
    if (state.scene === "won") drawRipple(share);
    return state.scene === "won" && share < 1;
  });
}

// Clicks

/**
 * Presses a cell.  If it has no remaining clicks, the press must be undone later.
 *
 * @param {Cell} cell
 */
function pressCell(cell) {
  const pressed = litBoards(film, state.left[cell]) || 2 ** film.boards - 1;
  turnNeighbourhood(film, state, cell, raised[pressed]);
  state.left[cell] = lowered[pressed][state.left[cell]];
}

/**
 * Returns the remaining cell nearest to a column and a row.
 *
 * @param {number} x
 * @param {number} y
 */
function findNearest(x, y) {
  /** @param {Cell} cell */
  const distanceOf = (cell) => Math.hypot(columnOf(film, cell) - x, rowOf(film, cell) - y);
  return remainingCells().reduce(
    (/** @type {Cell | null} */ best, cell) =>
      best === null || distanceOf(cell) < distanceOf(best) ? cell : best,
    null,
  );
}

/**
 * Returns the cell that a touch is meant for: the nearest marked one if it is near, or the one below.
 *
 * @param {PointerEvent} event
 */
function cellAt(event) {
  const position = pointerPosition(event, ui.board, state);
  const [y, x] = position.map((along) => along - 0.5);
  const cell = findNearest(x, y);
  const { width } = ui.board.getBoundingClientRect();
  const finger = ((FINGER_RADIUS / width) * ui.board.width) / state.pitch;
  const away = cell === null ? 0 : Math.hypot(columnOf(film, cell) - x, rowOf(film, cell) - y);
  if (cell !== null && away <= Math.max(finger, 0.5)) return cell;
  return cellAtPosition(film, position);
}

/** @param {PointerEvent} event */
function handleTouch(event) {
  if (state.scene === "attract" && hasVisitorClicks) startVisit();
  if (state.scene !== "play") return;
  const cell = cellAt(event);
  restartTimers();
  const when = event.timeStamp;
  const twice = cell === state.last && when - state.when < DOUBLE_TOUCH_TIME;
  if (cell === null || (twice && !state.left[cell])) return;
  const isMarked = Boolean(state.left[cell]);
  cellsClickedWith(film, cell).forEach(pressCell);
  Object.assign(state, { last: cell, when, made: state.made + 1, hint: null });
  if (state.shades.every((shade, place) => shade === goal[place])) celebrate();
  else showScene();
  if (!isMarked) setText(ui.line, localize("exhibit.missed")); // the click counts, and can be undone
}

// Only touches: disable menus and zoom, use the full screen, and keep it on.

for (const type of ["contextmenu", "selectstart", "dragstart", "gesturestart"])
  addEventListener(type, (event) => event.preventDefault());
addEventListener("wheel", (event) => event.preventDefault(), { passive: false });
addEventListener("pointerdown", handleTouch);
addEventListener("pointerup", () => {
  if (document.fullscreenEnabled && !document.fullscreenElement)
    document.documentElement.requestFullscreen().catch(() => {});
});
const keepScreenOn = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
addEventListener("visibilitychange", keepScreenOn);

window.lightsanim = Object.freeze({
  configuration: () => [...state.shades],
  goal: () => [...goal],
  clicksDone: () => state.done,
  left: remainingCells,
  look: () => {
    const { scene, hint, made, pitch, gap } = state;
    return { scene, hint, made, pitch, gap };
  },
});

new ResizeObserver(fit).observe(ui.stage);
addEventListener("resize", fit);
fit();
keepScreenOn();
startAttracting();
