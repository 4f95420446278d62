/** Pointers, keys and buttons of a film's page. */

/** @import { Minimize } from "../game/game.js" */

import { cellBeside } from "../board/cells.js";
import { arrowKeys } from "../board/listen.js";
import { contextOf } from "../board/paint.js";
import { cellAtPosition, pointerPosition } from "../board/pointer.js";
import { clampIndex } from "../numbers.js";
import { countClicks } from "../game/game.js";
import { findElements, listenToButtons, listenToKeys, reducedMotion } from "../page/elements.js";
import { clicksText, findText, formatNumber, localize } from "../page/texts.js";
import { play, playOrPause, seek, seekBy, toggleLoop } from "./film_actions.js";
import {
  clicksLeft,
  finishGame,
  pressCell,
  restart,
  showHint,
  toggleBoard,
  toggleGame,
  undo,
  usePuzzles,
} from "./game_actions.js";
import {
  labelBoard,
  planeButtons,
  PRIMARY_NAMES,
  showControls,
  sizeText,
  showMoreOfGames,
} from "./show.js";
import { film, fit, hasSmallCells, keepFitting, pointAt, state, ui } from "./stage.js";

const controls = findElements({
  scrub: HTMLInputElement,
  speed: HTMLSelectElement,
  full: HTMLButtonElement,
  play: HTMLButtonElement,
  help: HTMLDialogElement,
  all: HTMLElement,
  number: HTMLDataElement,
  extent: HTMLElement,
  planes: HTMLElement,
  flips: HTMLElement,
  panel_text: HTMLElement,
  levels_text: HTMLElement,
});

// Mouse, pen and fingers

/** @param {PointerEvent} event */
const cellAt = (event) => cellAtPosition(film, pointerPosition(event, ui.board, state));

const LOUPE_CELLS = 6; // cells along each side of the magnified part

/**
 * Magnifies the small cells around a finger, above it if there is room.
 *
 * @param {PointerEvent} event
 */
function showLoupe(event) {
  const isFinger = event.pointerType === "touch" && event.buttons > 0;
  ui.loupe.hidden = !(state.game && isFinger && hasSmallCells());
  if (ui.loupe.hidden) return;
  const context = contextOf(ui.loupe);
  const { width } = ui.loupe;
  const side = LOUPE_CELLS * state.pitch;
  const position = pointerPosition(event, ui.board, state);
  const [y, x] = position.map((place) => place * state.pitch - side / 2);
  const { left, top } = ui.board.getBoundingClientRect();
  context.imageSmoothingEnabled = false;
  context.fillStyle = film.palette[0];
  context.fillRect(0, 0, width, width);
  for (const canvas of [ui.board, ui.marks])
    context.drawImage(canvas, x, y, side, side, 0, 0, width, width);
  ui.loupe.className = event.clientY < 200 ? "below" : "";
  ui.loupe.style.cssText = `left:${event.clientX - left}px;top:${event.clientY - top}px`;
}

/**
 * Plays or pauses, or clicks a cell.  A click counts where the pointer is released, so a finger can
 * slide to the right cell.
 *
 * @param {PointerEvent} event
 */
function handleRelease(event) {
  const cell = cellAt(event);
  if (event.button || cell === null) return;
  if (!state.game) return playOrPause();
  pressCell(cell);
  if (event.pointerType === "touch") pointAt(null);
}

function listenToPointers() {
  /** @param {string} types @param {(event: PointerEvent) => void} act */
  const on = (types, act) => {
    for (const type of types.split(" "))
      ui.board.addEventListener(type, (event) => act(/** @type {PointerEvent} */ (event)));
  };
  on("pointermove pointerdown", (event) => state.game && pointAt(cellAt(event)));
  on("pointermove pointerdown pointerup pointercancel", showLoupe);
  on("pointerleave pointercancel blur", () => pointAt(null));
  on("pointerup", handleRelease);
  // With keyboard focus, mark the cell under the cursor.
  on("focus", () => {
    if (ui.board.matches(":focus-visible") && state.hint === null) pointAt(state.cursor);
  });
}

// Keys and buttons

/** @param {number} down @param {number} right */
function moveCursor(down, right) {
  state.cursor = cellBeside(film, state.cursor, down, right);
  ui.board.focus();
  pointAt(state.cursor);
  labelBoard();
}

/** @param {number} by */
function changeSpeed(by) {
  const { speed } = controls;
  speed.selectedIndex = clampIndex(speed.selectedIndex + by, speed.length);
  state.speed = parseFloat(speed.value);
}

function toggleClicks() {
  state.clicks = !state.clicks;
  fit();
  showControls();
}

export function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else if (document.fullscreenEnabled) document.documentElement.requestFullscreen();
}

const openHelp = () => controls.help.showModal();
const pressCursor = () => pressCell(state.cursor);

/** @typedef {Record<string, () => void>} Keys */

/** @param {number} step @returns {Keys} */
const filmKeys = (step) => ({
  " ": playOrPause,
  ArrowLeft: () => seekBy(-step),
  ArrowRight: () => seekBy(step),
  Home: () => seek(0),
  End: () => seek(film.count),
  "-": () => changeSpeed(-1),
  "+": () => changeSpeed(1),
  l: toggleLoop,
});

/** @param {number} step @returns {Keys} */
const gameKeys = (step) => ({
  " ": pressCursor,
  Enter: pressCursor,
  ...arrowKeys((down, right) => moveCursor(step * down, step * right)),
  u: undo,
  "ctrl z": undo,
  r: restart,
  h: showHint,
  ...(film.boards > 1 && {
    1: () => toggleBoard(1),
    2: () => toggleBoard(2),
    3: () => toggleBoard(4),
  }),
});

/**
 * What a page of puzzles adds: its keys and buttons, and what it shows.
 *
 * @typedef {object} Additions
 * @property {Keys} keys
 * @property {Keys} buttons
 * @property {Minimize} minimize
 * @property {() => void} onSolved
 * @property {(differing: number) => void} show
 */

/**
 * Sets up what all films' pages have.
 *
 * @param {Additions} [puzzles]
 */
export function listenToPlayer(puzzles) {
  /** @type {Keys} */
  const toggles = puzzles ? {} : { g: toggleGame };
  const keysOfGame = puzzles?.keys ?? { Escape: toggleGame };
  listenToKeys((step) => ({
    ...toggles,
    c: toggleClicks,
    f: toggleFullScreen,
    "?": openHelp,
    ...(state.game ? { ...gameKeys(step), ...keysOfGame } : filmKeys(step)),
  }));
  listenToButtons({
    play: playOrPause,
    loop: toggleLoop,
    clicks: toggleClicks,
    full: toggleFullScreen,
    switch: toggleGame,
    undo,
    restart,
    hint: showHint,
    finish: finishGame,
    keys: openHelp,
    ...puzzles?.buttons,
  });
  controls.scrub.oninput = () => seek(Number(controls.scrub.value));
  controls.speed.onchange = () => changeSpeed(0);
  controls.full.hidden = !document.fullscreenEnabled;
  listenToPointers();
  if (!puzzles) return;
  usePuzzles(puzzles);
  showMoreOfGames(puzzles.show);
}

/** Says what is known of the film, and offers its colour planes. */
export function describeFilm() {
  const { boards, levels, count } = film;
  const raises = levels === 2 ? "flips" : "raises";
  const cells = findText(`rules.${film.rule}`) ?? localize("rules.stencil");
  const sentences = [localize(`page.${raises}`, { cells })];
  if (boards > 1) sentences.push(localize("player.in_colour"));
  controls.flips.textContent = sentences.join(" ");
  document.querySelector(".rule")?.setAttribute("aria-label", localize(`page.${raises}_diagram`));
  const panel = film.clicks_panel ? "player.pressed_so_far" : "player.pressed";
  ui.pressed.ariaLabel = controls.panel_text.textContent = localize(panel);
  if (levels > 2)
    controls.levels_text.textContent = ` · ${localize("player.levels", { n: levels })}`;
  controls.scrub.max = String(count);
  controls.all.textContent = clicksText(count);
  controls.number.textContent = formatNumber(count);
  controls.extent.textContent = localize("player.cells", { size: sizeText(film) });
  for (let board = 0; board < boards && boards > 1; board++) {
    const button = document.createElement("button");
    button.value = String(2 ** board);
    button.ariaLabel = PRIMARY_NAMES[board];
    button.style.setProperty("--swatch", film.palette[1 + (levels - 1) * levels ** board]);
    controls.planes.append(button);
  }
  controls.planes.hidden = boards === 1;
  document.documentElement.classList.toggle("grey", boards === 1);
  for (const button of planeButtons()) button.onclick = () => toggleBoard(Number(button.value));
}

/** Shows the film, and plays it if nothing speaks against that. */
export function startPlayer() {
  keepFitting();
  showControls();
  if (film.flashes) controls.play.dataset.waits = ""; // for scripts of a page around this one
  if (!reducedMotion && !film.puzzle && !film.flashes) play();
}

window.lightsanim = Object.freeze({
  configuration: () => [...state.shades],
  goal: () => state.game && [...state.game.goal],
  clicksDone: () => state.done,
  remaining: () => (state.game ? clicksLeft() : []),
  made: () => (state.game ? countClicks(state.game) : 0),
  presses: () => state.pressed && [...state.pressed],
  look: () => ({ ...state, shades: 0, game: 0, painted: 0, pressed: 0, touched: 0 }),
});
