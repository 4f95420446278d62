/** Reads what Python computed; see tests/tools/vectors.py. */

import { readFileSync } from "node:fs";
import { decodeBase64, unpackNumbers } from "../../web/src/bytes.js";

/** Returns the cases of a kind, and what they share. */
export const readVectors = (kind) =>
  JSON.parse(readFileSync(new URL(`../vectors/${kind}.json`, import.meta.url), "utf8"));

/** Returns grey values: bytes, or where these are as many as all cells of an edge case, floats. */
export function readGrey(text, { rows, columns }) {
  const bytes = decodeBase64(text);
  if (bytes.length === rows * columns) return Float64Array.from(bytes, (byte) => byte / 255);
  return new Float64Array(bytes.buffer);
}

export const readLevels = (packed) => Uint8Array.from(unpackNumbers(packed));
