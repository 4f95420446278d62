/** JSON as Python writes it. */

import { sha256 } from "./sha256.js";

/**
 * Marks a number that is a float in Python, and is written like one: 25.0, 1e-05.  It is an object,
 * which stays one on its way from the worker, and computes like a number.
 *
 * @param {number} value
 */
export const toReal = (value) => /** @type {number} */ (/** @type {unknown} */ (new Number(value)));

/** @param {number} value */
function formatReal(value) {
  if (value !== 0 && value < 1e-4) return value.toExponential().replace(/-(\d)$/, "-0$1");
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

/** @param {string} unit */
const unicodeEscape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** @param {string} text */
const escapeUnicode = (text) => text.replace(/[^ -~]/g, unicodeEscape);

/**
 * @typedef {object} Format
 * @property {string} [comma]
 * @property {string} [colon]
 * @property {boolean} [sorted] whether members are in the order of their names
 * @property {(text: string) => string} [text] changes the text of a string
 */

/**
 * Formats of pages, of saved animations, of metadata, and of the text that is hashed.
 *
 * @satisfies {Record<string, Format>}
 */
export const FORMATS = {
  page: {
    text: (/** @type {string} */ text) => escapeUnicode(text).replace(/[<>&']/g, unicodeEscape),
  },
  file: { comma: ", ", colon: ": ", text: escapeUnicode },
  metadata: { text: escapeUnicode },
  digest: { sorted: true },
};

/**
 * @param {unknown} value
 * @param {Format} format
 */
export function toJson(value, { comma = ",", colon = ":", sorted = false, text = String }) {
  /** @param {unknown} value @returns {string} */
  const write = (value) => {
    if (value instanceof Number) return formatReal(value.valueOf());
    if (typeof value === "string") return text(JSON.stringify(value));
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(write).join(comma)}]`;
    const members = Object.entries(value).map(
      ([name, member]) => /** @type {const} */ ([name, write(name) + colon + write(member)]),
    );
    if (sorted) members.sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([, member]) => member).join(comma)}}`;
  };
  return write(value);
}

/**
 * Adds the hash of all members.
 *
 * @template {object} Members
 * @param {Members} members
 */
export const withDigest = (members) => ({
  ...members,
  sha256: sha256(toJson(members, FORMATS.digest)),
});
