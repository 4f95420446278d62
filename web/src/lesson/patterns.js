/** Part "quiet": clicks that change nothing. */

/** @import { Cell } from "../types.js" */

import { findAll, listenToButtons } from "../page/elements.js";
import { clicksText } from "../page/texts.js";
import { range, total } from "../numbers.js";
import { listPresses } from "../solve/equations.js";
import { addLists, isDark, isEqual, parseDigits } from "./arithmetic.js";
import {
  announce,
  createBoard,
  raiseAndDot,
  restartBoard,
  runClicks,
  showBoard,
} from "./live_board.js";
import { cells, lesson, levels, PATTERN_NAMES, patterns, say } from "./page.js";

/**
 * Says what the sum of some patterns is.
 *
 * @param {number[]} chosen
 * @param {number[]} sum
 */
function sumText(chosen, sum) {
  if (!chosen.length) return say("choose");
  const letters = chosen.map((i) => PATTERN_NAMES[i]);
  const terms = { sum: letters.join(" + "), clicks: clicksText(total(sum)) };
  if (isDark(sum)) return say("sum_nothing", terms);
  if (chosen.length === 1) return say("sum_alone", terms);
  const equal = patterns.findIndex((pattern) => isEqual(pattern, sum));
  return equal < 0
    ? say("sum_new", terms)
    : say("sum_known", { ...terms, name: PATTERN_NAMES[equal] });
}

/** Sets up the part, and returns its board. */
export function setUpPatterns() {
  const buttons = findAll("#patterns > button", HTMLButtonElement);
  /**
   * Makes a click.  Dots are the clicks still to be made, so each click removes one.
   *
   * @param {Cell} cell
   */
  const make = (cell) => raiseAndDot(state, cell, levels - 1);
  const state = createBoard("quiet", parseDigits(lesson.chased), (cell) => {
    make(cell);
    if (isDark(state.dots)) announce(state, say("no_dot"));
  });

  function look() {
    const chosen = range(buttons.length).filter((i) => buttons[i].ariaPressed === "true");
    const sum = addLists(
      chosen.map((i) => patterns[i]),
      cells,
      levels,
    );
    restartBoard(state);
    state.dots.set(sum);
    announce(state, sumText(chosen, sum));
    showBoard(state);
  }

  function clickDots() {
    if (state.run) return;
    const clicks = listPresses(state.dots);
    if (!clicks.length) return announce(state, say("choose_first"));
    const text = say("nothing_changed", { clicks: clicksText(clicks.length) });
    runClicks(state, clicks, make, () => announce(state, text));
  }

  for (const button of buttons)
    button.onclick = () => {
      button.ariaPressed = String(button.ariaPressed !== "true");
      look();
    };
  listenToButtons({
    "quiet-run": clickDots,
    "quiet-clear": () => {
      for (const button of buttons) button.ariaPressed = "false";
      look();
    },
  });
  look();
  return state;
}
