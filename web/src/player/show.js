/** What a film's page says and shows around its board. */

import { clicksText, describeCell, formatNumber, localize } from "../page/texts.js";
import { findElements, setText } from "../page/elements.js";
import { levelsOf } from "../film/press.js";
import { countClicks, differingCells, isSolved } from "../game/game.js";
import { film, paint, state, ui } from "./stage.js";

/** @import { Size } from "../types.js" */

const controls = findElements({
  player: HTMLElement,
  tools: HTMLElement,
  panel: HTMLElement,
  status: HTMLElement,
  unlike: HTMLElement,
  differing: HTMLElement,
  made: HTMLElement,
  count: HTMLElement,
  scrub: HTMLInputElement,
  play: HTMLButtonElement,
  loop: HTMLButtonElement,
  switch: HTMLButtonElement,
  clicks: HTMLButtonElement,
  undo: HTMLButtonElement,
  restart: HTMLButtonElement,
  hint: HTMLButtonElement,
  finish: HTMLButtonElement,
});

export const PRIMARY_NAMES = ["red", "green", "blue"].map((name) => localize(`player.${name}`));

/** @param {Size} board */
export const sizeText = ({ rows, columns }) => `${columns} × ${rows}`;

/** @param {string} text */
export const announce = (text) => setText(controls.status, text);

/** @type {(differing: number) => void} */
let showMore = () => {};

/**
 * Shows of games also what a page of puzzles adds; `more` gets the number of cells that differ from
 * the goal.
 *
 * @param {(differing: number) => void} more
 */
export const showMoreOfGames = (more) => (showMore = more);

/** Shows the state of the film or of the game. */
export function showControls() {
  paint();
  const { game, playing, done } = state;
  const isGame = Boolean(game);
  controls.player.hidden = isGame;
  controls.switch.ariaChecked = String(isGame);
  controls.clicks.ariaChecked = String(state.clicks);
  controls.tools.hidden = controls.panel.hidden = !isGame;
  ui.frame.className = !game ? "" : isSolved(state, game) ? "game solved" : "game";
  controls.play.ariaLabel = localize(playing ? "player.pause" : "player.play");
  controls.play.dataset.playing = String(playing);
  controls.loop.ariaPressed = String(state.rounds > 1);
  controls.scrub.value = String(done);
  controls.scrub.style.setProperty("--share", String(film.count && done / film.count));
  controls.count.textContent = formatNumber(done);
  if (game) showGame();
  if (!playing) labelBoard();
}

function showGame() {
  const { game } = state;
  if (!game) return;
  const differing = differingCells(state, game).length;
  controls.differing.textContent = formatNumber(differing);
  controls.made.textContent = formatNumber(countClicks(game));
  controls.undo.disabled = controls.restart.disabled = !game.history.length;
  controls.hint.disabled = controls.finish.disabled = !differing;
  for (const button of planeButtons())
    button.ariaPressed = String(Boolean(game.boards & Number(button.value)));
  showMore(differing);
}

export const planeButtons = () =>
  /** @type {NodeListOf<HTMLButtonElement>} */ (controls.tools.querySelectorAll("[value]"));

/** Shows what the game asks for, and the goal if it is a picture. */
export function showGoalText() {
  const off = Boolean(state.game?.off);
  /** @type {HTMLElement} */ (ui.goal.parentElement).hidden = off;
  controls.unlike.textContent = localize(off ? "player.still_lit" : "player.differing");
}

export const goalText = () => localize(state.game?.off ? "player.turn_off" : "player.match_goal");

/** @param {number} shade */
function shadeText(shade) {
  const { boards, levels } = film;
  if (boards > 1 && levels === 2) return localize("player.shade", { n: shade });
  if (levels === 2) return localize(shade ? "player.lit" : "player.unlit");
  /** @param {number} level */
  const levelText = (level) => localize("player.level", { n: level, most: levels - 1 });
  if (boards === 1) return levelText(shade);
  const planes = levelsOf(film, shade);
  return planes.map((level, board) => `${PRIMARY_NAMES[board]} ${levelText(level)}`).join(", ");
}

/** Sets the texts with which screen readers describe the board. */
export function labelBoard() {
  const { game, cursor, done, shades } = state;
  const { columns, rows, count } = film;
  const title = film.origin?.label?.alt ?? document.title;
  const facts = { title, columns, rows, done: formatNumber(done), clicks: clicksText(count) };
  const place = { place: describeCell(film, cursor), state: shadeText(shades[cursor]) };
  ui.board.role = game ? "application" : "img";
  ui.board.tabIndex = game ? 0 : -1;
  ui.board.ariaLabel = game
    ? localize("player.board_label", place)
    : localize("player.film_label", facts);
  controls.scrub.ariaValueText = clicksText(done);
}
