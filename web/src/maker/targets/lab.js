/** CIELAB in whole units of 1/16, as lightsanim/pictures/lab.py. */

/** @import { Triple } from "../types.js" */

import { modulo, roundHalfEven } from "../../numbers.js";
import { clip } from "./grey.js";
import { decodeSrgb, encodeSrgb } from "./light.js";

/** @param {Triple} one @param {Triple} other */
export const dot = (one, other) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

/** @param {Triple} one @param {Triple} other @returns {Triple} */
export const subtract = (one, other) => [one[0] - other[0], one[1] - other[1], one[2] - other[2]];

/** @param {Triple} one @param {Triple} other */
export function squaredDistance(one, other) {
  const step = subtract(one, other);
  return dot(step, step);
}

/**
 * Replaces each of three numbers.
 *
 * @param {Triple} triple
 * @param {(value: number, axis: number) => number} change
 * @returns {Triple}
 */
export const mapTriple = ([one, two, three], change) => [
  change(one, 0),
  change(two, 1),
  change(three, 2),
];

/**
 * Linear sRGB to CIE XYZ.
 *
 * @type {[Triple, Triple, Triple]}
 */
const TO_XYZ = [
  [0.4124, 0.3576, 0.1805],
  [0.2126, 0.7152, 0.0722],
  [0.0193, 0.1192, 0.9505],
];

/** The white D65 in XYZ. */
const D65 = [0.9505, 1, 1.089];

/**
 * XYZ divided by this white to linear sRGB.
 *
 * @type {[Triple, Triple, Triple]}
 */
const FROM_XYZ = [
  [3.08021452, -1.53720797, -0.54300654],
  [-0.92096864, 1.87575606, 0.04521258],
  [0.05295247, -0.20402105, 1.15106858],
];

/** End of the linear part of Lab. */
const DARK = 6 / 29;

/** @param {Triple} rgb bytes */
export function rgbToLab(rgb) {
  const linear = mapTriple(rgb, (byte) => decodeSrgb(byte / 255));
  const [x, y, z] = TO_XYZ.map((row, i) => {
    const t = dot(row, linear) / D65[i];
    return t > DARK ** 3 ? Math.cbrt(t) : t / (3 * DARK ** 2) + 4 / 29;
  });
  return mapTriple([116 * y - 16, 500 * (x - y), 200 * (y - z)], (value) =>
    roundHalfEven(16 * value),
  );
}

/** @param {Triple} lab @returns {Triple} bytes */
export function labToRgb([lightness, a, b]) {
  const y = (lightness / 16 + 16) / 116;
  const xyz = mapTriple([y + a / 8000, y, y - b / 3200], (t) =>
    t > DARK ? t ** 3 : (t - 4 / 29) * 3 * DARK ** 2,
  );
  const [red, green, blue] = FROM_XYZ;
  /** @param {Triple} row */
  const channel = (row) => roundHalfEven(255 * encodeSrgb(clip(dot(row, xyz))));
  return [channel(red), channel(green), channel(blue)];
}

const DEGREE = Math.PI / 180;

/** @param {number} degrees */
const cosine = (degrees) => Math.cos(degrees * DEGREE);

/** @param {number} C chroma */
const blueTurn = (C) => Math.sqrt(C ** 7 / (C ** 7 + 25 ** 7));

/**
 * CIEDE2000, with the symbols of G. Sharma, W. Wu and E. N. Dalal, Color Research and Application 30
 * (2005) 21-30.
 *
 * @param {Triple} one
 * @param {Triple} other
 */
export function colourDifference(one, other) {
  const [L1, a1, b1] = mapTriple(one, (value) => value / 16);
  const [L2, a2, b2] = mapTriple(other, (value) => value / 16);
  const G = 1.5 - 0.5 * blueTurn((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2);
  /** @param {number} a @param {number} b */
  const hue = (a, b) => modulo(Math.atan2(b, a) / DEGREE, 360);
  const C1 = Math.hypot(a1 * G, b1);
  const C2 = Math.hypot(a2 * G, b2);
  const h1 = hue(a1 * G, b1);
  const h2 = hue(a2 * G, b2);
  const isGrey = C1 * C2 === 0;
  const C = (C1 + C2) / 2;
  const L = ((L1 + L2) / 2 - 50) ** 2;
  const turn = isGrey ? 0 : h2 - h1 === 180 ? 180 : modulo(h2 - h1 + 180, 360) - 180;
  const h = isGrey ? h1 + h2 : modulo(h1 + turn / 2, 360);
  const T =
    1 -
    0.17 * cosine(h - 30) +
    0.24 * cosine(2 * h) +
    0.32 * cosine(3 * h + 6) -
    0.2 * cosine(4 * h - 63);
  const dL = (L2 - L1) / (1 + (0.015 * L) / Math.sqrt(20 + L));
  const dC = (C2 - C1) / (1 + 0.045 * C);
  const dH = (2 * Math.sqrt(C1 * C2) * Math.sin((turn / 2) * DEGREE)) / (1 + 0.015 * C * T);
  const twist = -2 * blueTurn(C) * Math.sin(60 * DEGREE * Math.exp(-(((h - 275) / 25) ** 2)));
  return Math.sqrt(dL * dL + dC * dC + dH * dH + twist * dC * dH);
}
