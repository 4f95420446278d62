/** Cards whose films play over their last stills. */

/** @import { Film, FilmState } from "../types.js" */
/** @import { HungBoard } from "./boards.js" */
/** @import { Card } from "./cards.js" */

import { paintState } from "../board/paint.js";
import { advance, animate } from "../film/play.js";
import { createState } from "../film/press.js";
import { readFilm } from "../film/read.js";
import { findAll, reducedMotion } from "../page/elements.js";
import { hangBoard, takeDown } from "./boards.js";
import { fileOf } from "./site.js";

/**
 * @typedef {object} Item
 * @property {Card} card
 * @property {HTMLElement} element the card on the wall, or the section of the exhibition
 * @property {number} longest seconds; longer films play faster
 * @property {HungBoard[]} boards the painted boards of the first and the last still, while near the
 *   screen
 * @property {boolean} awake whether the film should play
 * @property {Promise<Film | null>} [loading] is set once the film was requested,
 * @property {Film | null} [film] and once it was loaded
 *
 * @typedef {{ film: Film, state: FilmState, board: HungBoard }} Playing
 */

window.films = {};

/**
 * The films that play.
 *
 * @type {Map<Item, Playing>}
 */
const playing = new Map();
const run = {};

/**
 * @param {Card} card
 * @param {HTMLElement} element
 * @param {number} longest
 * @returns {Item}
 */
export const createItem = (card, element, longest) => ({
  card,
  element,
  longest,
  boards: [],
  awake: false,
});

/** @param {Item} item */
export function attachItem(item) {
  if (!item.boards.length) item.boards = findAll(".work", HTMLElement, item.element).map(hangBoard);
  startFilm(item);
}

/** @param {Item} item */
export function detachItem(item) {
  stopFilm(item);
  item.boards.forEach(takeDown);
  item.boards = [];
}

/**
 * Loads the film of a card by its script, because files may not be read.
 *
 * @param {Card} card
 * @returns {Promise<Film | null>}
 */
const loadFilm = (card) =>
  new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = fileOf(card, "film.js");
    script.onload = () => resolve(readFilm(window.films[card.slug]));
    script.onerror = () => resolve(null);
    document.head.append(script);
  });

/** @param {Item} item */
export async function wake(item) {
  if (item.awake || reducedMotion) return;
  item.awake = true;
  item.loading ??= loadFilm(item.card);
  item.film = await item.loading;
  startFilm(item);
}

/** @param {Item} item */
function startFilm(item) {
  const { awake, film, boards, element } = item;
  if (!awake || !film || film.flashes || !boards.length || playing.has(item)) return;
  playing.set(item, { film, state: createState(film), board: boards[boards.length - 1] });
  element.classList.add("awake");
  paintFilm(item);
  animate((seconds) => {
    for (const item of playing.keys()) playFor(item, seconds);
    return playing.size > 0;
  }, run);
}

/** @param {Item} item */
function stopFilm(item) {
  playing.delete(item);
  item.element.classList.remove("awake");
}

/** @param {Item} item */
export function rest(item) {
  item.awake = false;
  stopFilm(item);
}

/** @param {Item} item @param {number} seconds */
function playFor(item, seconds) {
  const { film, state } = /** @type {Playing} */ (playing.get(item));
  const speed = Math.max(1, film.starts[film.starts.length - 1] / item.longest);
  if (advance(film, state, seconds * speed)) paintFilm(item);
}

/** @param {Item} item */
function paintFilm(item) {
  const { film, state, board } = /** @type {Playing} */ (playing.get(item));
  paintState(film, board.view, state, board.canvas);
  item.element.style.setProperty("--share", String(film.count && state.done / film.count));
}

export const describePlaying = () =>
  Array.from(playing, ([{ card }, { state }]) => ({
    slug: card.slug,
    done: state.done,
    shades: [...state.shades],
  }));
