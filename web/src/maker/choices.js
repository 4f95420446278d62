/** What users choose from, and what it means. */

/** @import { Choices, Dither, Rule } from "./types.js" */

import { isOrdered } from "./targets/dither.js";

/**
 * @typedef {object} PictureOptions
 * @property {Dither} dither
 * @property {number} detail
 * @property {boolean} autocontrast
 * @property {number} levels
 * @property {boolean} rgb
 * @property {boolean} [spot] whether levels have spot colours
 */

/** @type {PictureOptions} */
const CLASSIC = {
  dither: "floyd-steinberg",
  detail: 1.5,
  autocontrast: true,
  levels: 2,
  rgb: false,
};

/**
 * Options of logos in spot colours.
 *
 * @type {Partial<PictureOptions>}
 */
const FLAT = { dither: "threshold", detail: 0, autocontrast: false };

/**
 * Picture options of each look: the presets of Python, without the searched dither.
 *
 * @satisfies {Record<string, PictureOptions>}
 */
export const LOOKS = {
  classic: CLASSIC,
  linocut: { ...CLASSIC, dither: "threshold", detail: 3 },
  levels: { ...CLASSIC, levels: 3 },
  colour: { ...CLASSIC, levels: 3, rgb: true, detail: 0.8 },
  spot: { ...CLASSIC, levels: 5, rgb: true, spot: true, detail: 0.5 },
};

/**
 * For each transition: rules under which every configuration must be accessible, and the frame rate.
 *
 * @satisfies {Record<string, { rules: Rule[], fps: number }>}
 */
export const TRANSITIONS = {
  wipe: { rules: ["plus"], fps: 25 },
  dissolve: { rules: ["plus"], fps: 12 },
  automaton: { rules: ["plus", "ring"], fps: 12 },
};

export const ORDER_NAMES = /** @type {const} */ ([
  "radial",
  "sweep",
  "diagonal",
  "spiral",
  "noise",
  "random",
]);

/** @typedef {typeof ORDER_NAMES[number]} OrderName */

/**
 * Returns the picture options.  Dissolves need a threshold for each cell.
 *
 * @param {boolean} isFlat whether a few colours fill most of the picture
 * @param {Pick<Choices, "look" | "transition">} choices
 */
export function chooseOptions(isFlat, { look, transition }) {
  /** @type {PictureOptions} */
  const needs = LOOKS[look];
  const options = { ...needs, ...(needs.spot && isFlat && FLAT) };
  if (transition === "dissolve" && !isOrdered(needs.dither)) options.dither = "blue-noise";
  return options;
}
