/** Part "count": the number of solutions of a start. */

import { findAll, listenToButtons, requireElement } from "../page/elements.js";
import { clicksText, formatList, formatNumber } from "../page/texts.js";
import { total } from "../numbers.js";
import { eliminate, findSolution, listPresses, raisedByClicks } from "../solve/equations.js";
import { parseDigits } from "./arithmetic.js";
import { announce, createBoard, restartBoard, showBoard } from "./live_board.js";
import { film, lesson, levels, PATTERN_NAMES, patterns, say, sayCount, STATES } from "./page.js";
import { randomBelow, randomLights, solvableStart } from "./starts.js";

/** Sets up the part, and returns its board. */
export function setUpCounting() {
  const equations = /** @type {NonNullable<ReturnType<typeof eliminate>>} */ (
    eliminate(raisedByClicks(film), levels)
  );
  const buttons = findAll("#count .pattern", HTMLButtonElement);
  const solveButton = requireElement("count-solve", HTMLButtonElement);
  let shownPattern = 0;
  let solved = !buttons.length;
  const state = createBoard("count", parseDigits(lesson.counted), (cell) => {
    state.shades[cell] = (state.shades[cell] + 1) % levels;
    look();
  });
  state.alone = true;

  function look(pattern = shownPattern, isSolved = solved) {
    shownPattern = pattern;
    solved = isSolved;
    const counts = buttons.map((_, i) =>
      total(patterns[i].map((dots, cell) => dots * state.shades[cell])),
    );
    const clicks = findSolution(equations, state.shades, levels);
    buttons.forEach((button, i) => {
      button.textContent = `${PATTERN_NAMES[i]}: ${counts[i]}`;
      button.ariaPressed = String(i === shownPattern && !solved);
    });
    state.frames = solved ? [] : listPresses(patterns[shownPattern] ?? []);
    state.dots.fill(0);
    if (solved && clicks) state.dots.set(clicks);
    solveButton.disabled = !clicks;
    solveButton.ariaPressed = String(solved && clicks !== null);
    announce(state, clicks ? solutionsText(total(clicks)) : oddText(counts));
    showBoard(state);
  }

  /** @param {number[]} counts */
  function oddText(counts) {
    const odd = counts.flatMap((count, i) => (count % levels ? [PATTERN_NAMES[i]] : []));
    return say(`odd_${STATES}`, { patterns: formatList(odd) });
  }

  /** @param {number} count */
  function solutionsText(count) {
    if (!buttons.length) return sayCount("only", count);
    const all = say(`even_${STATES}`, { n: formatNumber(levels ** buttons.length) });
    return solved ? `${all} ${say("this_solution", { clicks: clicksText(count) })}` : all;
  }

  buttons.forEach((button, i) => {
    button.onclick = () => look(i, false);
  });
  listenToButtons({
    "count-solve": () => look(shownPattern, !solved),
    "count-new": () => {
      restartBoard(state, randomBelow(2) ? solvableStart(film) : randomLights(film));
      look();
    },
  });
  look();
  return state;
}
