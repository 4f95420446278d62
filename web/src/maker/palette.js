/** Colours of boards, as hex and as bytes. */

/** @import { Palette, Triple } from "./types.js" */

import { formatDigits } from "../bytes.js";
import { range, roundHalfEven, total } from "../numbers.js";

/** @param {string} hex @returns {Triple} red, green and blue */
export function parseChannels(hex) {
  const [red, green, blue] = (hex.match(/\w\w/g) ?? []).map((pair) => parseInt(pair, 16));
  return [red, green, blue];
}

/** @param {Triple} channels */
export const formatHex = (channels) => `#${formatDigits(channels)}`;

/**
 * Returns the colour of each shade, in even steps between the given colours.  With three planes, each
 * plane determines one of red, green and blue.
 *
 * @param {Triple[]} stops
 * @param {number} boards
 * @param {number} levels
 * @returns {Triple[]}
 */
export function buildShades(stops, boards, levels) {
  const used = boards === 1 ? stops : [stops[0], stops[stops.length - 1]];
  /** @param {number} shade @param {number} channel */
  const valueOf = (shade, channel) => {
    const level = Math.floor(shade / levels ** (channel % boards)) % levels;
    const position = (level * (used.length - 1)) / (levels - 1);
    const below = Math.floor(position);
    const from = used[below][channel];
    const to = (used[below + 1] ?? used[below])[channel];
    return roundHalfEven(from + (to - from) * (position - below));
  };
  return range(levels ** boards).map((shade) => [
    valueOf(shade, 0),
    valueOf(shade, 1),
    valueOf(shade, 2),
  ]);
}

/**
 * Returns the colours of the background and of each shade.
 *
 * @param {Palette} palette
 * @param {{ rgb: boolean, levels: number }} look
 * @param {string[]} [spot] spot colours, which replace those of the palette
 */
export const buildPalette = ({ background, colours }, { rgb, levels }, spot) => [
  background,
  ...(spot ?? buildShades(colours.map(parseChannels), rgb ? 3 : 1, levels).map(formatHex)),
];

/**
 * Returns the least distance of a colour from some others.
 *
 * @param {string} hex
 * @param {Triple[]} shades
 */
export function distanceFrom(hex, shades) {
  const channels = parseChannels(hex);
  /** @param {Triple} shade */
  const distance = (shade) => total(shade.map((value, i) => Math.abs(value - channels[i])));
  return Math.min(...shades.map(distance));
}
