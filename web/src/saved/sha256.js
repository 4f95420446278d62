/** SHA-256 (FIPS 180-4); the browser's own is available only to pages from secure addresses. */

import { formatDigits } from "../bytes.js";

/** @type {number[]} */
const PRIMES = [];
for (let number = 2; PRIMES.length < 64; number++)
  if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);

/**
 * Computes the first 32 fractional bits of a root of each of the first 64 primes.
 *
 * @param {number} power
 */
const fractionBits = (power) => Uint32Array.from(PRIMES, (prime) => (prime ** power % 1) * 2 ** 32);
const KEYS = fractionBits(1 / 3);

/** @param {number} x @param {number} n */
const rotateRight = (x, n) => (x >>> n) | (x << (32 - n));

/** @param {number} x @param {number} m @param {number} n @param {number} by */
const mixBits = (x, m, n, by) => rotateRight(x, m) ^ rotateRight(x, n) ^ by;

/** An incremental hash; reading `hex` finishes it. */
export class Sha256 {
  hash = fractionBits(1 / 2).slice(0, 8);
  block = new DataView(new ArrayBuffer(64));
  size = 0;

  /** @param {Iterable<number>} bytes */
  add(bytes) {
    for (const byte of bytes) {
      this.block.setUint8(this.size++ % 64, byte);
      if (this.size % 64 === 0) this.mix();
    }
    return this;
  }

  get hex() {
    const bits = BigInt(this.size) * 8n;
    this.add([0x80]);
    while (this.size % 64 !== 56) this.add([0]);
    this.block.setBigUint64(56, bits);
    this.mix();
    const bytes = new DataView(new ArrayBuffer(32));
    this.hash.forEach((word, i) => bytes.setUint32(4 * i, word));
    return formatDigits(new Uint8Array(bytes.buffer));
  }

  mix() {
    const { hash, block } = this;
    const w = new Uint32Array(64);
    for (let i = 0; i < 64; i++) {
      const [x, y] = [w[i - 2], w[i - 15]];
      const nextWord = mixBits(x, 17, 19, x >>> 10) + mixBits(y, 7, 18, y >>> 3);
      w[i] = i < 16 ? block.getUint32(4 * i) : w[i - 7] + w[i - 16] + nextWord;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const chosen = (e & f) ^ (~e & g);
      const firstSum = h + mixBits(e, 6, 11, rotateRight(e, 25)) + chosen + KEYS[i] + w[i];
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const secondSum = mixBits(a, 2, 13, rotateRight(a, 22)) + majority;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + firstSum) | 0, c, b, a, (firstSum + secondSum) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((more, i) => (hash[i] += more));
  }
}

/** @param {string} text */
export const sha256 = (text) => new Sha256().add(new TextEncoder().encode(text)).hex;
