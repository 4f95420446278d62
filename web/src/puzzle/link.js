/** Puzzles as fragments of addresses, in the format described in lightsanim/game/puzzle_link.py. */

/** @import { Film, Size } from "../types.js" */

import { charCodes } from "../bytes.js";
import { localize } from "../page/texts.js";

const LINK_VERSION = 1;
const MAX_LINK_LENGTH = 190;
const MAX_LINK_SIDE = 20;

/** @typedef {Pick<Film, "rule" | "wrap" | "levels">} GameOfPage */

/**
 * Rule, wrap and levels of a page's game, as written in links.
 *
 * @param {GameOfPage} game
 */
const suffixOf = ({ rule, wrap, levels }) =>
  [rule === "plus" ? "" : `.${rule}`, wrap ? ".wrap" : "", levels > 2 ? `.${levels}` : ""].join("");

/** @param {number} cells @param {number} levels */
const countBytes = (cells, levels) =>
  Math.ceil((BigInt(levels) ** BigInt(cells) - 1n).toString(16).length / 2);

/**
 * CRC-32, as in PNG and zip files.
 *
 * @param {number[]} bytes
 */
function checksum(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 && 0xedb88320);
  }
  return [24, 16, 8, 0].map((shift) => (~sum >>> shift) & 255);
}

/**
 * Returns the link to a puzzle, or null if the puzzle is too large.
 *
 * @param {GameOfPage} game
 * @param {Size & { first: Uint8Array }} puzzle
 */
export function encodeLink(game, { rows, columns, first }) {
  if (Math.max(rows, columns) > MAX_LINK_SIDE) return null;
  const levels = BigInt(game.levels);
  let number = 0n;
  for (const level of first) number = number * levels + BigInt(level);
  const digits = number.toString(16).padStart(2 * countBytes(first.length, game.levels), "0");
  const bytes = [LINK_VERSION, ...(digits.match(/../g) ?? []).map((byte) => parseInt(byte, 16))];
  const size = `${columns}x${rows}${suffixOf(game)}-`;
  bytes.push(...checksum([...charCodes(size), ...bytes]));
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  const link = `#${size}${text.replaceAll("=", "")}`;
  return link.length > MAX_LINK_LENGTH ? null : link;
}

/**
 * Returns the columns, rows and start of a link, or what is wrong with it.
 *
 * @param {GameOfPage} game
 * @param {string} link
 * @returns {(Size & { first: Uint8Array }) | { flaw: string }}
 */
export function decodeLink(game, link) {
  const damaged = { flaw: localize("puzzle.link_damaged") };
  const [, size = "", across, down, ruleText = "", text = ""] =
    link.match(/^#((\d\d?)x(\d\d?)((?:\.[\w/]+)*)-)([\w-]+)$/) ?? [];
  /** @type {number[]} */
  let bytes;
  try {
    bytes = charCodes(atob(text.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return damaged;
  }
  const sum = bytes.splice(-4);
  const expectedSum = checksum([...charCodes(size), ...bytes]);
  const differs = expectedSum.some((byte, i) => byte !== sum[i]);
  if (differs || !bytes.length || link.length > MAX_LINK_LENGTH) return damaged;
  if (bytes[0] > LINK_VERSION) return { flaw: localize("puzzle.link_later") };
  if (ruleText !== suffixOf(game)) {
    const other = ruleText.slice(1).replaceAll(".", ", ") || "plus";
    return { flaw: localize("puzzle.link_other", { game: other }) };
  }
  const [rows, columns] = [Number(down), Number(across)];
  const hex = bytes.slice(1).map((byte) => byte.toString(16).padStart(2, "0"));
  const levels = BigInt(`0x0${hex.join("")}`)
    .toString(game.levels)
    .padStart(rows * columns, "0");
  const puzzle = { rows, columns, first: Uint8Array.from(levels, Number) };
  const isWhole = puzzle.first.length === rows * columns;
  return isWhole && encodeLink(game, puzzle) === link ? puzzle : damaged;
}
