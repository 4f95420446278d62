/** Texts and numbers in the page's language. */

/** @import { Cell, Size } from "../types.js" */

import { columnOf, rowOf } from "../board/cells.js";

/**
 * The texts of the page's language, by section and name; see lightsanim/options/page_words.py.
 *
 * @type {Record<string, Record<string, string>>}
 */
const texts = JSON.parse(document.getElementById("texts")?.textContent ?? "{}");
const language = document.documentElement.lang || "en";
const pluralRules = new Intl.PluralRules(language);
const numberFormat = new Intl.NumberFormat(language);
const listFormat = new Intl.ListFormat(language);

/** @param {number} number */
export const formatNumber = (number) => numberFormat.format(number);

/** @param {string[]} items */
export const formatList = (items) => listFormat.format(items);

/** @typedef {Record<string, string | number>} Values */

/**
 * Returns the text of a `section.name`, or undefined if the page has none.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function findText(name) {
  const [section, ...rest] = name.split(".");
  return texts[section]?.[rest.join(".")];
}

/**
 * Returns the text of a `section.name`, with values in place of its {placeholders}.
 *
 * @param {string} name
 * @param {Values} [values]
 */
export function localize(name, values = {}) {
  const text = findText(name);
  if (text === undefined) throw Error(`the page has no text ${name}`);
  return text.replace(/\{(\w+)\}/g, (_, value) => String(values[value]));
}

/**
 * Returns a text in the plural form of a number, which replaces {n}.
 *
 * @param {string} name
 * @param {number} number
 * @param {Values} [values]
 */
export function localizeCount(name, number, values = {}) {
  const form = `${name}.${pluralRules.select(number)}`;
  const known = findText(form) === undefined ? `${name}.other` : form;
  return localize(known, { ...values, n: formatNumber(number) });
}

/**
 * Returns a number with its word, on pages that exist in English alone.
 *
 * @param {number} number
 * @param {string} word
 */
export const plural = (number, word) => `${formatNumber(number)} ${word}${number === 1 ? "" : "s"}`;

/** @param {number} number */
export const clicksText = (number) => localizeCount("messages.clicks", number);

/** @param {Size} board @param {Cell} cell */
export const describeCell = (board, cell) =>
  localize("messages.place", { row: rowOf(board, cell) + 1, column: columnOf(board, cell) + 1 });
