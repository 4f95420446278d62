/** Bytes, base64, and the packed numbers of films; see lightsanim/output/formats/bit_packing.py. */

/** @import { Packed } from "./types.js" */

/** @param {string} text */
export const charCodes = (text) => Array.from(text, (letter) => letter.charCodeAt(0));

/** @param {string} text */
export const decodeBase64 = (text) => Uint8Array.from(charCodes(atob(text)));

/** @param {Uint8Array} bytes */
export const encodeBase64 = (bytes) =>
  btoa(bytes.reduce((letters, byte) => letters + String.fromCharCode(byte), ""));

/** @param {Iterable<number>} bytes */
export const formatDigits = (bytes) =>
  Array.from(bytes, (value) => value.toString(16).padStart(2, "0")).join("");

/**
 * Packs bits into bytes, the first bit highest.
 *
 * @param {number} count
 * @param {(place: number) => number} bitAt
 */
export function packBits(count, bitAt) {
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (let i = 0; i < count; i++) bytes[i >> 3] |= (bitAt(i) & 1) << (7 - (i & 7));
  return bytes;
}

/**
 * Packs whole numbers: their count, the bits of each, and the bits in base64, highest first.
 *
 * @param {ArrayLike<number>} values
 * @returns {Packed}
 */
export function packNumbers(values) {
  let most = 1;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i]);
  const width = 32 - Math.clz32(most);
  /** @param {number} i */
  const bitAt = (i) => values[Math.floor(i / width)] >> (width - 1 - (i % width));
  return [values.length, width, encodeBase64(packBits(values.length * width, bitAt))];
}

/**
 * Unpacks the whole numbers of `packNumbers`.
 *
 * @param {Packed} packed
 */
export function unpackNumbers([count, width, text]) {
  const bytes = decodeBase64(text);
  return Uint32Array.from({ length: count }, (_, i) => {
    let value = 0;
    for (let bit = i * width; bit < (i + 1) * width; bit++)
      value = (value << 1) | ((bytes[bit >> 3] >> (7 - (bit & 7))) & 1);
    return value;
  });
}

/**
 * Decompresses a text in base64.
 *
 * @param {string} text
 */
export function inflate(text) {
  const packed = new Blob([decodeBase64(text)]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("deflate"))).text();
}
