/** Plays the film that was made. */

/** @import { FilmState, View } from "../types.js" */
/** @import { Choices, MadeFilm } from "./types.js" */
/** @import { OwnPicture } from "./page.js" */

import { boardImage, createView, fitCanvases, paintBoard, paintState } from "../board/paint.js";
import { advance, animate } from "../film/play.js";
import { createState, pressesBetween } from "../film/press.js";
import { reducedMotion, setText } from "../page/elements.js";
import { plural } from "../page/texts.js";
import { ui } from "./page.js";

/**
 * @typedef {object} ShownMembers
 * @property {FilmState & View} state
 * @property {Choices} choices
 * @property {OwnPicture | null} drawn the picture that the clicks draw
 *
 * @typedef {MadeFilm & ShownMembers} ShownFilm
 */

export const playback = {
  shown: /** @type {ShownFilm | null} */ (null),
  playing: !reducedMotion,
  ticking: false,
  isNew: false, // whether the next film begins at its start
};

/** Height of the film as a share of the window; in narrow ones, where it stays in view. */
const MAX_HEIGHT_SHARE = 0.68;
const STICKY_HEIGHT_SHARE = 0.4;

/** CSS pixels between the board and the panel of clicks. */
const PANEL_GAP = 12;

/** Share of the width of both that may stay empty. */
const MAX_WASTE = 0.1;

/** Steps of the slider in a round: more would be painted, but hardly seen. */
const SLIDER_STEPS = 100;

/** Highest time of a round, as a share: its end is the start of the next. */
const LAST_SHARE = 0.9999;

/**
 * Shows a film, where the last one stood if its pictures are the same.
 *
 * @param {MadeFilm} made
 * @param {Choices} choices
 * @param {OwnPicture | null} drawn
 */
export function showFilm(made, choices, drawn) {
  const { film, board } = made;
  const before = playback.shown;
  const share = before && !playback.isNew ? before.state.time / lengthOf(before) : 0;
  const state = { ...createState(film), ...createView() };
  advance(film, state, share * lengthOf(made));
  playback.shown = { ...made, state, choices, drawn };
  playback.isNew = false;
  const cells = `${board.columns} × ${board.rows} cells`;
  setText(ui.facts, `${plural(film.count, "click")} on ${cells}, each a move of Lights Out.`);
  ui.board.ariaLabel = `${film.title}: ${board.columns} by ${board.rows} cells`;
  ui.presses.hidden = !film.clicks_panel;
  fit();
  showTime();
  setPlaying(playback.playing);
}

/** @param {Pick<MadeFilm, "film">} made */
const lengthOf = ({ film }) => film.starts[film.starts.length - 1];

/** Fits the film to the width; the height is limited so that the buttons stay visible. */
export function fit() {
  if (!playback.shown) return;
  const { film, state } = playback.shown;
  const isSticky = getComputedStyle(ui.screen).position === "sticky";
  const highest = (isSticky ? STICKY_HEIGHT_SHARE : MAX_HEIGHT_SHARE) * innerHeight;
  const { clientWidth: wide } = ui.stage;
  const canvases = [ui.board, ui.pressed];
  if (film.clicks_panel)
    fitCanvases((wide - PANEL_GAP) / 2, highest, film, state, canvases, MAX_WASTE);
  else fitCanvases(wide, highest, film, state, canvases);
  paint();
}

/** Paints the board. */
function paint() {
  if (!playback.shown) return;
  const { film, state } = playback.shown;
  paintState(film, state, state, ui.board);
  if (film.clicks_panel)
    paintBoard(film, state, ui.pressed, boardImage(film, pressesBetween(film, 0, state.done)));
  ui.scrub.ariaValueText = plural(state.done, "click");
}

/** Moves the slider, in steps that are just seen. */
function showTime() {
  if (!playback.shown) return;
  const share = playback.shown.state.time / lengthOf(playback.shown);
  const value = Number(ui.scrub.max) * share;
  const step = Number(ui.scrub.max) / SLIDER_STEPS;
  if (Math.abs(value - Number(ui.scrub.value)) >= step) ui.scrub.value = String(value);
}

function run() {
  animate((seconds) => {
    if (playback.playing) playFor(seconds);
    return playback.playing;
  }, playback);
}

/** @param {number} seconds */
function playFor(seconds) {
  if (playback.shown && advance(playback.shown.film, playback.shown.state, seconds)) paint();
  showTime();
}

/** @param {boolean} plays */
function setPlaying(plays) {
  playback.playing = plays;
  setText(ui.play, plays ? "Pause" : "Play");
  run();
}

/** Plays a film that pauses, or pauses it. */
export const playOrPause = () => setPlaying(!playback.playing);

/** Goes to the time of the slider. */
export function seek() {
  if (!playback.shown) return;
  setPlaying(false);
  const { film, state } = playback.shown;
  const share = Number(ui.scrub.value) / Number(ui.scrub.max);
  state.time = share * lengthOf(playback.shown) * LAST_SHARE;
  advance(film, state, 0);
  paint();
}
