/** Random starts. */

/** @import { Film } from "../types.js" */

import { range } from "../numbers.js";
import { listPresses } from "../solve/equations.js";
import { lightsAfterClicks } from "./arithmetic.js";

/** @param {number} number */
export const randomBelow = (number) => Math.floor(Math.random() * number);

/** @param {readonly number[]} list */
export function shuffle(list) {
  const left = [...list];
  return list.map(() => left.splice(randomBelow(left.length), 1)[0]);
}

/** @param {Film} film */
export const randomLights = ({ cells, levels }) =>
  Uint8Array.from({ length: cells }, () => randomBelow(levels));

/**
 * Draws a start that has a solution.
 *
 * @param {Film} film
 */
export const solvableStart = (film) => lightsAfterClicks(film, listPresses(randomLights(film)));

/**
 * Draws a start that clicks on `few` cells turn off.
 *
 * @param {Film} film
 * @param {number} few
 */
export function easyStart(film, few) {
  const clicked = shuffle(range(film.cells)).slice(0, few);
  const times = range(film.levels - 1);
  return lightsAfterClicks(
    film,
    clicked.flatMap((cell) => times.map(() => cell)),
  );
}
