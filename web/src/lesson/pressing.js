/** Part "press": clicking cells. */

/** @import { Cell } from "../types.js" */

import { neighbourhood } from "../film/press.js";
import { listenToButtons } from "../page/elements.js";
import { clicksText } from "../page/texts.js";
import { total } from "../numbers.js";
import { isDark, isEqual } from "./arithmetic.js";
import { announce, createBoard, raiseAndDot, restartBoard, runClicks } from "./live_board.js";
import { film, lesson, say, sayCount, STATES } from "./page.js";
import { easyStart, shuffle } from "./starts.js";

/** Sets up the part, and returns its board. */
export function setUpPressing() {
  const state = createBoard("press", film.first.slice(), click);
  /** @type {Cell[]} */
  let history = [];

  /** @param {Cell} cell */
  function make(cell) {
    raiseAndDot(state, cell);
    history.push(cell);
  }

  /** @param {Cell} cell */
  function click(cell) {
    make(cell);
    if (isDark(state.shades))
      announce(state, say("all_off", { clicks: clicksText(total(state.dots)) }));
    else if (!state.dots[cell]) announce(state, say(`nothing_${STATES}`));
    else announce(state, sayCount(`changed_${STATES}`, neighbourhood(film, cell).length));
  }

  /** @param {Uint8Array} shades */
  function begin(shades) {
    history = [];
    restartBoard(state, shades, say("click_any"));
  }

  function repeatReordered() {
    if (state.run) return;
    if (new Set(history).size < 2) return announce(state, say("click_two"));
    const before = state.shades.slice();
    const was = history;
    let order = was;
    while (isEqual(order, was)) order = shuffle(was);
    history = [];
    restartBoard(state, state.start, say("same_clicks", { clicks: clicksText(was.length) }));
    runClicks(state, order, make, () =>
      announce(state, isEqual(before, state.shades) ? say("same_lights") : ""),
    );
  }

  listenToButtons({
    "press-order": repeatReordered,
    "press-again": () => begin(state.start),
    "press-new": () => begin(easyStart(film, lesson.few)),
  });
  begin(state.start);
  return state;
}
