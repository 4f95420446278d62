/**
 * Error messages of one line, shown beside the option or picture at fault.
 *
 * Each source (a picture's target, a film, an upload) has at most one problem.  `about` is the
 * option and `picture` the picture at fault; if neither is known, the film shows the message.
 */

/** @import { Problem } from "./types.js" */

import { setText } from "../page/elements.js";
import { toSentence } from "./sentences.js";

/** @type {Map<string, { message: string, place: string | null }>} */
const problems = new Map();
/** @type {Map<string | null, HTMLElement>} */
const places = new Map();
/** @type {(place: string | null) => void} */
let revealPlace = () => {};

/**
 * Sets the element that shows the problems of an option, a picture or a source.
 *
 * @param {string} place
 * @param {HTMLElement} element
 */
export const setProblemPlace = (place, element) => places.set(place, element);

/**
 * Sets the element that shows all other problems, and what makes a place visible.
 *
 * @param {HTMLElement} element
 * @param {(place: string | null) => void} reveal
 */
export function setDefaultPlace(element, reveal) {
  places.set(null, element);
  revealPlace = reveal;
}

/**
 * @param {string} source
 * @param {Problem} problem
 */
export function showProblem(source, { message, about, picture }) {
  const place = [picture, about, source].find((each) => each && places.has(each)) ?? null;
  const sentence = toSentence(message);
  const before = problems.get(source);
  problems.set(source, { message: sentence, place });
  if (before?.message !== sentence) revealPlace(place);
  showProblems();
}

/** @param {string} source */
export function clearProblem(source) {
  if (problems.delete(source)) showProblems();
}

function showProblems() {
  for (const [place, element] of places) {
    const here = [...problems.values()].filter((each) => each.place === place);
    setText(element, [...new Set(here.map(({ message }) => message))].join(" "));
  }
}
