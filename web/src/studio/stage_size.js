/** Makes films as large as the window allows. */

/** @import { Stage } from "./stages.js" */

import { findElements } from "../page/elements.js";
import { shapeOf, sizeOf } from "./board_size.js";
import { sizeFilm } from "./film_size.js";
import { current, look } from "./work.js";

const { tabs } = findElements({ tabs: HTMLElement });
const main = /** @type {HTMLElement} */ (document.querySelector("main"));

/** Least width / height of a wide film: the pictures lie below it, else beside it. */
const MIN_WIDE_SHAPE = 1.4;

/** Height of a player's controls until it reports its own, in pixels. */
const USUAL_CONTROLS = 108;

/** @param {Stage} stage */
export function sizeStage({ slot, element, screen, controls = USUAL_CONTROLS }) {
  const room = screen.clientWidth;
  if (!room) return;
  const of = current().looks[slot] ?? look();
  const shape = shapeOf(current(), of);
  main.classList.toggle("wide", shape > MIN_WIDE_SHAPE);
  const size = sizeFilm({
    shape,
    columns: sizeOf(of).columns,
    room,
    top: screen.getBoundingClientRect().top + scrollY,
    controls,
    tabs: tabs.offsetHeight,
    windowHeight: innerHeight,
    isAbove: tabs.offsetHeight > 0 && document.body.dataset.tab !== "film",
  });
  Object.entries(size).forEach(([name, pixels]) =>
    element.style.setProperty(`--film-${name}`, `${pixels}px`),
  );
}
