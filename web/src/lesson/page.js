/** What a lesson teaches, its texts and its buttons. */

/** @import { Film, WrittenFilm } from "../types.js" */
/** @import { Values } from "../page/texts.js" */
/** @import { Card } from "./chase.js" */

import { readFilm } from "../film/read.js";
import { readData } from "../page/elements.js";
import { localize, localizeCount } from "../page/texts.js";
import { parseDigits } from "./arithmetic.js";

/**
 * The data of a lesson, as lightsanim/apps/teaching/lesson.py writes it.  Lights are digits, one for
 * each cell.
 *
 * @typedef {object} Lesson
 * @property {WrittenFilm[]} films films without clicks, for two and for three states; they show the
 *   first start
 * @property {number} states index of the film that this page teaches
 * @property {{ offsets: Film["offsets"], ways: string[] }[]} games for each rule, the cells that a
 *   click flips, and a sentence on solvability for two states and for three
 * @property {number} few maximum number of cells to click in a new start
 * @property {string} chased lights to chase
 * @property {string} counted lights of the part on solutions
 * @property {Card[]} cards bottom rows that can be corrected
 * @property {boolean | null} listed whether `cards` has all such rows
 * @property {string[]} patterns quiet patterns: number of clicks on each cell
 */

/** @type {Lesson} */
export const lesson = readData("lesson");
export const films = lesson.films.map(readFilm);
export const film = films[lesson.states];
export const { columns, cells, levels } = film;
export const patterns = lesson.patterns.map(parseDigits);

export const PATTERN_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The number of states, in the names of texts. */
export const STATES = levels === 2 ? "two" : "three";

/**
 * Names of texts for each state of a cell, by the number of states.
 *
 * @type {Record<number, string[]>}
 */
export const LOOKS = { 2: ["dark", "lit"], 3: ["dark", "grey", "bright"] };

/** @param {string} name @param {Values} [values] */
export const say = (name, values) => localize(`lesson_messages.${name}`, values);

/** @param {string} name @param {number} number @param {Values} [values] */
export const sayCount = (name, number, values) =>
  localizeCount(`lesson_messages.${name}`, number, values);
