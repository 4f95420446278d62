/** Clicks, help and the end of the game on the board of a film's page. */

/** @import { Cell, Click, Film } from "../types.js" */
/** @import { Game, Minimize } from "../game/game.js" */

import { pressesBetween } from "../film/press.js";
import {
  applyClicks,
  cellsClickedWith,
  countClicks,
  createGame,
  isSolved,
  orderClicks,
  remainingClicks,
  undoAllClicks,
  undoClicks,
} from "../game/game.js";
import { reducedMotion } from "../page/elements.js";
import { clicksText, describeCell, formatList, formatNumber, localize } from "../page/texts.js";
import { run } from "./film_actions.js";
import { announce, goalText, PRIMARY_NAMES, showControls, showGoalText } from "./show.js";
import { drawMarks, film, fit, showGoal, state, ui } from "./stage.js";

/**
 * What a page of puzzles adds to the game.
 *
 * @typedef {object} Puzzles
 * @property {Minimize} minimize
 * @property {() => void} onSolved
 */

/** @type {Puzzles} */
let puzzles = { minimize: (presses) => presses, onSolved: () => {} };

/** @param {Puzzles} more */
export const usePuzzles = (more) => (puzzles = more);

/** Returns the game in progress. */
export const currentGame = () => /** @type {Game} */ (state.game);

// If the fewest clicks are unknown, hints chase the lights row by row.
const hintsByChasing = "chase" in ui.main.dataset;

export const clicksLeft = () =>
  remainingClicks(film, state, currentGame(), puzzles.minimize, hintsByChasing);

/** Starts a game from the clicks done. */
export function startGame() {
  Object.assign(state, {
    game: createGame(film, state),
    playing: false,
    pointed: null,
    hint: null,
  });
  showGoal();
  showGoalText();
  const clicks = clicksText(clicksLeft().length);
  announce(film.puzzle ? "" : `${goalText()} ${localize("player.clicks_to_go", { clicks })}`);
}

/** Starts a game, or ends it and shows the film again. */
export function toggleGame() {
  if (!state.game) startGame();
  else {
    undoAllClicks(film, state, state.game);
    Object.assign(state, { game: null, pointed: null, hint: null });
    announce("");
  }
  showControls();
  fit();
}

/** @param {Cell} cell */
export function pressCell(cell) {
  const game = currentGame();
  if (game.running) return;
  state.cursor = cell;
  makeClicks(cellsClickedWith(film, cell).map((clicked) => [clicked, game.boards]));
}

/** @param {Click[]} clicks undone together */
export function makeClicks(clicks) {
  const game = currentGame();
  game.history.push(clicks);
  applyClicks(film, state, game, clicks);
  showAfterClicks();
}

/** Shows the board after clicks, and says that the goal is reached if it is. */
function showAfterClicks() {
  const game = currentGame();
  const solved = isSolved(state, game);
  announce(solved ? solvedText(film, game) : "");
  state.hint = null;
  if (solved) {
    state.pointed = null;
    puzzles.onSolved();
  }
  showControls();
  drawMarks();
}

/** @param {Film} film @param {Game} game */
function solvedText(film, game) {
  const { start, end, off, helped } = game;
  const clicks = clicksText(countClicks(game));
  if (helped) return localize(off ? "player.all_off_after" : "player.goal_after", { clicks });
  const fewest = orderClicks(film, game, pressesBetween(film, start, end)).length;
  const [longer, shortest] = film.puzzle
    ? ["solved_puzzle", "solved_fewest"]
    : ["solved_film", "solved"];
  const key = countClicks(game) === fewest ? shortest : longer;
  return localize(`player.${key}`, { clicks, fewest: formatNumber(fewest) });
}

export function undo() {
  undoClicks(film, state, currentGame());
  showAfterClicks();
}

export function restart() {
  undoAllClicks(film, state, currentGame());
  showAfterClicks();
}

// What the name of a hint's text adds for clicks that are made once and twice; more are "_often".
const TIMES = ["", "", "_twice"];

/** Marks the next cell to click, and says it. */
export function showHint() {
  const game = currentGame();
  const clicks = clicksLeft();
  if (!clicks.length || game.running) return;
  const [cell, boards] = clicks[0];
  const names = PRIMARY_NAMES.filter((_, board) => (boards >> board) & 1);
  const n = clicks.filter((click) => click[0] === cell && click[1] === boards).length;
  Object.assign(state, { hint: cell, cursor: cell, pointed: null });
  Object.assign(game, { boards, hinted: true });
  const place = describeCell(film, cell);
  const sentences = [localize(`player.hint_click${TIMES[n] ?? "_often"}`, { place, n })];
  if (film.boards > 1)
    sentences.push(localize("player.hint_colours", { colours: formatList(names) }));
  if (hintsByChasing && cell >= film.columns)
    sentences.push(localize(`player.hint_${game.off ? "lit" : "wrong"}_above`));
  announce(sentences.join(" "));
  showControls();
  drawMarks();
}

/** Makes the remaining clicks for the player, in at most one and a half seconds. */
export function finishGame() {
  const game = currentGame();
  const clicks = clicksLeft();
  if (!clicks.length || game.running) return;
  /** @type {Click[]} */
  const undone = [];
  game.history.push(undone);
  animateClicks(clicks, reducedMotion ? 0.001 : Math.min(1.5, clicks.length * 0.06), (next) => {
    undone.push(...next);
    applyClicks(film, state, game, next);
    showAfterClicks();
  });
}

/**
 * Makes clicks for the player within some seconds.
 *
 * @param {Click[]} clicks
 * @param {number} seconds
 * @param {(next: Click[]) => void} make
 */
export function animateClicks(clicks, seconds, make) {
  const running = { clicks, seconds, make, time: 0, made: 0 };
  Object.assign(currentGame(), { helped: true, running });
  run();
}

/**
 * Switches a colour plane for the next click; at least one plane stays selected.
 *
 * @param {number} board
 */
export function toggleBoard(board) {
  const game = currentGame();
  game.boards = game.boards ^ board || board;
  showControls();
}
