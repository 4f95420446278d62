/** What the form says of options, and by which words the search finds them. */

/** @import { Option } from "./types.js" */

/**
 * Help texts that differ from the command line's, where the form has other fields.
 *
 * @type {Record<string, string>}
 */
const HELP = {
  size: "Columns and rows of the board, in cells.",
  canvas:
    "Exact size of a frame in pixels, such as 1920x1080 or square; replaces width. " +
    "Videos round odd sides up.",
  panels: "Number of lamp panels across and down, such as 2x1.",
};

/**
 * Returns the help text without its list of choices, which the form shows, and with the form's names
 * of options.
 *
 * @param {Pick<Option, "name" | "help" | "unset" | "choices">} option
 */
export function helpText({ name, help, unset, choices }) {
  const own = (HELP[name] ?? help).replace(/--([\w-]+)/g, "“$1”");
  const text = choices.length && !HELP[name] ? own.replace(/: [^:]*\.$/, ".") : own;
  return text + (unset ? ` Default: ${unset}.` : "");
}

/**
 * Additional words by which the search finds an option.
 *
 * @type {Record<string, string>}
 */
const SYNONYMS = {
  palette: "color",
  colours: "color palette",
  rgb: "color colours",
  lit: "color",
  unlit: "color",
  background: "color",
  fps: "speed",
  duration: "speed length",
  total: "speed length time",
  clicks_per_frame: "speed length",
  focus: "crop",
  fit: "crop",
  mute: "sound audio music",
  gap: "grid lines",
  loop: "repeat again",
  ending: "repeat back loop cycle boomerang",
  size: "resolution cells",
  canvas: "resolution",
  width: "resolution",
  cell: "resolution",
  levels: "grey gray shades",
  dither: "halftone",
  transition: "morph effect",
  seed: "random",
};

/** @param {string} text */
const normalizeText = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, " ");

/**
 * Returns the words of an option, between spaces.
 *
 * @param {Pick<Option, "name" | "help" | "choices">} option
 */
export const searchText = ({ name, help, choices }) =>
  ` ${normalizeText(`${name} ${SYNONYMS[name] ?? ""} ${help} ${choices.join(" ")}`)}`;

/** @param {string} text */
export const searchWords = (text) => normalizeText(text).split(" ").filter(Boolean);

/**
 * Returns whether a search text has words that begin with each of some words.
 *
 * @param {string} text
 * @param {string[]} words
 */
export const isFound = (text, words) => words.every((word) => text.includes(` ${word}`));
