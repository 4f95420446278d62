/** Part "other": other rules, and three states. */

import { findAll, findElements, findFirst, listenToButtons } from "../page/elements.js";
import { isDark } from "./arithmetic.js";
import { announce, createBoard, fitBoard, raiseAndDot, restartBoard } from "./live_board.js";
import { film, films, lesson, say } from "./page.js";
import { easyStart } from "./starts.js";

/** @param {string} name */
const chosenNumber = (name) => Number(findFirst(`[name=${name}]:checked`, HTMLInputElement).value);

/** Sets up the part, and returns its board. */
export function setUpRules() {
  const ui = findElements({ ways: HTMLElement });
  const state = createBoard("other", film.first.slice(), (cell) => {
    raiseAndDot(state, cell);
    announce(state, isDark(state.shades) ? say("every_off") : "");
  });

  function begin() {
    const states = chosenNumber("states");
    const { offsets, ways } = lesson.games[chosenNumber("rule")];
    state.film = { ...films[states], offsets };
    restartBoard(state, easyStart(state.film, lesson.few), say("see_changes"));
    ui.ways.textContent = ways[states];
    fitBoard(state);
  }

  for (const input of findAll("[type=radio]", HTMLInputElement)) input.onchange = begin;
  announce(state, say("see_changes"));
  listenToButtons({ "other-new": begin, "other-again": () => restartBoard(state) });
  return state;
}
