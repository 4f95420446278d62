/** A game on the board of a film: its goal, its clicks, and what is left to click. */

/** @import { Cell, Click, Film, FilmState, Lights } from "../types.js" */

import { columnOf } from "../board/cells.js";
import { goTo, litBoards, pressesBetween, turnNeighbourhood } from "../film/press.js";

/**
 * @typedef {object} Game
 * @property {number} start number of the film's clicks at the game's start
 * @property {number} end the same at its goal
 * @property {Uint8Array} goal shade of each cell
 * @property {boolean} off whether the goal is all dark
 * @property {Uint8Array} remaining remaining presses of each cell, as shades
 * @property {number} boards colour planes of the next click, as bits
 * @property {Click[][]} history lists of clicks that are undone together
 * @property {boolean} hinted whether a hint was shown
 * @property {boolean} helped whether a click was made for the player
 * @property {Run | null} running the animation of clicks that are made for the player
 *
 * @typedef {object} Run
 * @property {Click[]} clicks
 * @property {number} seconds
 * @property {(next: Click[]) => void} make
 * @property {number} time seconds since its start
 * @property {number} made number of clicks made
 *
 * Replaces presses by the fewest with the same effect, if these are known.
 *
 * @typedef {(presses: Uint8Array) => Uint8Array} Minimize
 */

// A film's game has only its last clicks if more than MAX_CLICKS, some minutes, are left.
const MAX_CLICKS = 200;
const LAST_CLICKS = 30;

/**
 * Starts a game from the clicks done, and goes to its start.
 *
 * @param {Film} film
 * @param {FilmState} state
 * @returns {Game}
 */
export function createGame(film, state) {
  /** @param {number} from @param {number} to */
  const hasClicks = (from, to) => pressesBetween(film, from, to).some(Boolean);
  let start = state.done;
  let end = findGoal(film, start, hasClicks);
  if (!hasClicks(start, end)) {
    start = 0; // the goal is already reached
    end = findGoal(film, start, hasClicks);
  }
  const isShortened = !film.puzzle && end - start > MAX_CLICKS && hasClicks(end - LAST_CLICKS, end);
  if (isShortened) start = end - LAST_CLICKS;
  goTo(film, state, end);
  const goal = state.shades.slice();
  goTo(film, state, start);
  return {
    start,
    end,
    goal,
    off: !goal.some(Boolean),
    remaining: pressesBetween(film, start, end),
    boards: 2 ** film.boards - 1,
    history: [],
    hinted: false,
    helped: false,
    running: null,
  };
}

/**
 * Returns the goal's click count: the film's end, or a picture on the way if the end equals the start.
 *
 * @param {Film} film
 * @param {number} start
 * @param {(from: number, to: number) => boolean} hasClicks
 */
function findGoal(film, start, hasClicks) {
  if (hasClicks(0, film.count)) return film.count;
  const stops = [...film.holds.map(([frame]) => film.frames[frame]), film.count >> 1];
  return stops.find((end) => end > start && hasClicks(start, end)) ?? film.count;
}

/**
 * Makes clicks, or with the film's tables swapped undoes them.
 *
 * @param {Film} film
 * @param {Lights} state
 * @param {Game} game
 * @param {Click[]} clicks
 * @param {Pick<Film, "raised" | "lowered">} [tables]
 */
export function applyClicks(film, state, game, clicks, { raised, lowered } = film) {
  for (const [cell, boards] of clicks) {
    turnNeighbourhood(film, state, cell, raised[boards]);
    game.remaining[cell] = lowered[boards][game.remaining[cell]];
  }
}

/**
 * Undoes the last clicks, and ends those that are made for the player.
 *
 * @param {Film} film
 * @param {Lights} state
 * @param {Game} game
 */
export function undoClicks(film, state, game) {
  const { raised, lowered } = film;
  game.running = null;
  applyClicks(film, state, game, game.history.pop() ?? [], { raised: lowered, lowered: raised });
}

/**
 * Goes back to the game's start.
 *
 * @param {Film} film
 * @param {Lights} state
 * @param {Game} game
 */
export function undoAllClicks(film, state, game) {
  while (game.history.length) undoClicks(film, state, game);
  Object.assign(game, { hinted: false, helped: false });
}

/** @param {Lights} state @param {Game} game */
export const differingCells = ({ shades }, { goal }) =>
  [...shades.keys()].filter((cell) => shades[cell] !== goal[cell]);

/** @param {Lights} state @param {Game} game */
export const isSolved = ({ shades }, { goal }) =>
  shades.every((shade, cell) => shade === goal[cell]);

/** @param {Game} game */
export const countClicks = ({ history }) => history.flat().length;

/**
 * Returns the cells that a visitor's click on a cell clicks: in a film of two halves, one in each.
 *
 * @param {Film} film
 * @param {Cell} cell
 */
export function cellsClickedWith(film, cell) {
  const half = film.origin?.settings.beside ? film.columns / 2 : 0;
  return half ? [cell, columnOf(film, cell) < half ? cell + half : cell - half] : [cell];
}

/**
 * Returns how often clicks press each cell, as shades.
 *
 * @param {Film} film
 * @param {Click[]} clicks
 */
export function pressesFromClicks({ cells, raised }, clicks) {
  const shades = new Uint8Array(cells);
  for (const [cell, boards] of clicks) shades[cell] = raised[boards][shades[cell]];
  return shades;
}

/**
 * Returns the clicks that make up presses, in the film's order, followed by those on other cells that
 * the player pressed.
 *
 * @param {Film} film
 * @param {Game} game
 * @param {Uint8Array} presses
 */
export function orderClicks(film, { start, end }, presses) {
  const all = [...film.clicks.slice(start, end), ...presses.keys()];
  const cells = [...new Set(all.filter((cell) => presses[cell]))];
  return cells.flatMap((cell) => clicksForCell(film, cell, presses[cell]));
}

/**
 * Returns the clicks that make up a cell's presses.
 *
 * @param {Film} film
 * @param {Cell} cell
 * @param {number} shade
 * @returns {Click[]}
 */
function clicksForCell(film, cell, shade) {
  if (!shade) return [];
  const boards = litBoards(film, shade);
  return [[cell, boards], ...clicksForCell(film, cell, film.lowered[boards][shade])];
}

/**
 * Returns the clicks that lead to the goal; none if it is reached, perhaps by other clicks than the
 * film's.  With `chases` they chase the lights row by row: after the first row, each click corrects
 * the cell above it, which no later click changes.
 *
 * @param {Film} film
 * @param {Lights} state
 * @param {Game} game
 * @param {Minimize} minimize
 * @param {boolean} chases
 */
export function remainingClicks(film, state, game, minimize, chases) {
  if (isSolved(state, game)) return [];
  const clicks = orderClicks(film, game, minimize(game.remaining));
  return chases ? clicks.sort(([one], [other]) => one - other) : clicks;
}

/**
 * Advances the clicks that are made for the player by some seconds.
 *
 * @param {Game} game
 * @param {number} seconds
 */
export function advanceClicks(game, seconds) {
  const { running } = game;
  if (!running) return;
  running.time += seconds;
  const share = Math.min(1, running.time / running.seconds);
  const next = running.clicks.slice(running.made, Math.ceil(share * running.clicks.length));
  running.made += next.length;
  if (share === 1) game.running = null;
  if (next.length) running.make(next);
}
