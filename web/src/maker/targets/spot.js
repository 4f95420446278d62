/**
 * Finds spot colours and dithers to them, with the same results as lightsanim/pictures/spot.py: sums
 * are of whole numbers, or in the same order.  Each level of a cell has a colour: the mean of a cluster
 * of the pictures' colours (k-means), in which rare saturated colours weigh more.
 */

/** @import { Size } from "../../types.js" */
/** @import { Dither, Plane, SpotTarget, Triple } from "../types.js" */

import { columnOf, rowOf } from "../../board/cells.js";
import { clamp, firstMax, range, roundHalfEven } from "../../numbers.js";
import { formatHex } from "../palette.js";
import { findReceivers, isOrdered, roundingShare } from "./dither.js";
import { clip } from "./grey.js";
import {
  colourDifference,
  dot,
  labToRgb,
  mapTriple,
  rgbToLab,
  squaredDistance,
  subtract,
} from "./lab.js";
import { coverWhite } from "./light.js";

/**
 * @typedef {object} Point
 * @property {Triple} lab
 * @property {number} mass weight in sums
 *
 * @typedef {Point & { rgb: Triple }} Colour
 */

/** CIEDE2000 below which two colours are too similar. */
const MIN_DIFFERENCE = 12;

/** @param {Triple} lab @param {Triple[]} palette */
const nearestLevel = (lab, palette) =>
  palette.reduce(
    (best, colour, level) =>
      squaredDistance(lab, colour) < squaredDistance(lab, palette[best]) ? level : best,
    0,
  );

/**
 * Groups items by a whole number; the groups are in the order of the numbers.
 *
 * @template Item
 * @param {Iterable<Item>} items
 * @param {(item: Item) => number} keyOf
 */
function groupBy(items, keyOf) {
  /** @type {Record<number, Item[]>} */
  const groups = {}; // objects sort such keys
  for (const item of items) (groups[keyOf(item)] ??= []).push(item);
  return Object.values(groups);
}

/**
 * @template {Point} Item
 * @param {Item[]} colours
 * @param {Triple[]} palette
 */
function groupByNearest(colours, palette) {
  const groups = palette.map(() => /** @type {Item[]} */ ([]));
  for (const colour of colours) groups[nearestLevel(colour.lab, palette)].push(colour);
  return groups;
}

/** @param {Triple} lab @param {Triple[]} palette */
const distanceTo = (lab, palette) => squaredDistance(lab, palette[nearestLevel(lab, palette)]);

/** @param {Triple} lab @param {Triple[]} palette */
const isDistinct = (lab, palette) =>
  palette.every((other) => colourDifference(lab, other) >= MIN_DIFFERENCE);

/** @param {{ mass: number }} one @param {{ mass: number }} other */
const byMass = (one, other) => other.mass - one.mass;

/**
 * @template {{ mass: number }} Item
 * @param {Item[]} colours
 * @param {(colour: Item) => number} value
 */
const sumOf = (colours, value = () => 1) =>
  colours.reduce((sum, colour) => sum + colour.mass * value(colour), 0);

/** @param {Point[]} colours @returns {Triple} */
function meanOf(colours) {
  const mass = sumOf(colours);
  return mapTriple([0, 1, 2], (axis) =>
    Math.floor((2 * sumOf(colours, ({ lab }) => lab[axis]) + mass) / (2 * mass)),
  );
}

/**
 * Returns spot colours in the order of the levels, given the colours of all cells; there are less than
 * `count` if too few of them differ enough.
 *
 * @param {Triple[]} cells
 * @param {number} count
 */
export function findSpotColours(cells, count) {
  const alike = groupBy(cells, ([red, green, blue]) => (red << 16) | (green << 8) | blue);
  const colours = alike.map((group) => {
    const [rgb] = group;
    const lab = rgbToLab(rgb);
    const chroma = Math.sqrt(lab[1] * lab[1] + lab[2] * lab[2]);
    return { rgb, lab, mass: group.length * (32 + roundHalfEven(chroma / 16)) };
  });
  /** @param {Point} colour */
  const boxOf = ({ lab }) => lab.reduce((key, value) => 128 * key + Math.floor(value / 64) + 64, 0);
  const points = groupBy(colours, boxOf).map((box) => ({ lab: meanOf(box), mass: sumOf(box) }));
  const clusters = range(6).map((start) => findClusters(points, start, count));
  /** @param {Triple[]} centres */
  const fit = (centres) => -sumOf(points, ({ lab }) => Math.floor(distanceTo(lab, centres) / 64));
  const chosen = pickColours(colours, firstMax(clusters, fit));
  return orderInRing(separateColours(chosen, points, count));
}

/**
 * Returns the centres of clusters; the first is seeded by a heavy point.
 *
 * @param {Point[]} points
 * @param {number} start
 * @param {number} count
 */
function findClusters(points, start, count) {
  let centres = [[...points].sort(byMass)[Math.min(start, points.length - 1)].lab];
  while (centres.length < count)
    centres.push(firstMax(points, ({ lab, mass }) => mass * distanceTo(lab, centres)).lab);
  let before = "";
  for (let round = 0; round < 60 && `${centres}` !== before; round++) {
    before = `${centres}`;
    const old = centres;
    centres = groupByNearest(points, old).map((group, i) =>
      group.length ? meanOf(group) : old[i],
    );
  }
  return centres;
}

/**
 * Returns the colour of each cluster: that of its largest area, if this fills a third of it, as in
 * logos; or else its mean, pushed outwards so that dithering reaches the pictures' extremes.
 *
 * @param {Colour[]} colours
 * @param {Triple[]} centres
 */
function pickColours(colours, centres) {
  const middle = meanOf(centres.map((lab) => ({ lab, mass: 1 })));
  return groupByNearest(colours, centres).map((group, i) => {
    const [light, a, b] = mapTriple(centres[i], (value, axis) =>
      Math.floor(middle[axis] + ((value - middle[axis]) * 9) / 8),
    );
    const mean = labToRgb([clamp(light, 48, 1552), a, b]);
    if (!group.length) return mean;
    const top = firstMax(group, ({ mass }) => mass).rgb;
    const area = group.filter(({ rgb }) =>
      rgb.every((value, channel) => Math.abs(value - top[channel]) <= 4),
    );
    return sumOf(area) >= 0.3 * sumOf(group) ? top : mean;
  });
}

/**
 * Replaces colours too similar to another by the commonest colour that differs from all others.
 *
 * @param {Triple[]} colours
 * @param {Point[]} points
 * @param {number} count
 */
function separateColours(colours, points, count) {
  const groups = groupByNearest(points, colours.map(rgbToLab));
  const ranked = groups.map((group, i) => ({ rgb: colours[i], mass: sumOf(group) })).sort(byMass);
  /** @type {Triple[]} */
  const kept = [];
  for (const { rgb } of ranked) if (isDistinct(rgbToLab(rgb), kept.map(rgbToLab))) kept.push(rgb);
  while (kept.length < count) {
    const palette = kept.map(rgbToLab);
    const others = points.filter(({ lab }) => isDistinct(lab, palette));
    if (!others.length) break;
    kept.push(labToRgb(firstMax(others, ({ lab, mass }) => mass * distanceTo(lab, palette)).lab));
  }
  return kept;
}

/** @param {Triple[]} items @returns {Triple[][]} */
const permute = (items) =>
  items.length
    ? items.flatMap((item) =>
        permute(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      )
    : [[]];

/**
 * Returns colours in the order of the shortest ring through all of them; the darkest is first.
 *
 * @param {Triple[]} colours
 */
function orderInRing(colours) {
  const labs = colours.map(rgbToLab);
  /** @param {Triple} one @param {Triple} other */
  const compare = (one, other) => subtract(one, other).find(Boolean) ?? 0;
  const [first, ...others] = [...labs].sort(compare);
  /** @param {Triple[]} ring */
  const length = (ring) =>
    ring.reduce((sum, lab, i) => sum + Math.sqrt(squaredDistance(lab, ring[i + 1] ?? first)), 0);
  const rings = permute(others)
    .filter((ring) => ring.length < 2 || compare(ring[0], ring[ring.length - 1]) < 0)
    .map((ring) => [first, ...ring]);
  return firstMax(rings, (ring) => -length(ring)).map((lab) => colours[labs.indexOf(lab)]);
}

/**
 * Dithers Lab colours to a palette.  An ordered dither shows the nearest level, or that whose mixture
 * with it comes closest.  Error diffusion spreads 0.8 of the error, because all of it makes coarse
 * patterns.
 *
 * @param {Triple[]} lab
 * @param {Triple[]} palette
 * @param {Size} size
 * @param {Dither} dither
 */
function ditherToPalette(lab, palette, size, dither) {
  const values = lab.map((colour) => mapTriple(colour, (value) => value));
  return Uint8Array.from(values, (value, cell) => {
    const level = nearestLevel(value, palette);
    const left = subtract(value, palette[level]);
    if (dither === "threshold") return level;
    if (isOrdered(dither)) {
      const steps = palette.map((colour) => subtract(colour, palette[level]));
      const shares = steps.map((step) => clip(dot(step, left) / Math.max(1, dot(step, step))));
      const mixtures = steps.map((step, i) => mapTriple(step, (by) => by * shares[i]));
      const second = nearestLevel(left, mixtures);
      return shares[second] > roundingShare(dither, size, cell, 0) ? second : level;
    }
    for (const { step, gain, share } of findReceivers(
      rowOf(size, cell),
      columnOf(size, cell),
      size,
    ))
      left.forEach((error, axis) => (values[cell + step][axis] += error * (0.8 * gain) * share));
    return level;
  });
}

/**
 * Returns a function of time (0 to 1) that returns the dithered mixture of two pictures' colours.
 *
 * @param {Size} size
 * @param {SpotTarget} start
 * @param {SpotTarget} end
 * @param {Dither} dither
 * @returns {(time: number) => Uint8Array}
 */
export const fadeColours =
  (size, { lab, palette }, end, dither) =>
  (time) => {
    const mixture = lab.map((colour, cell) =>
      mapTriple(colour, (value, axis) =>
        roundHalfEven((1 - time) * value + time * end.lab[cell][axis]),
      ),
    );
    return ditherToPalette(mixture, palette, size, dither);
  };

/**
 * Returns the target of each picture and the spot colours of all, given planes of their cells' values
 * from 0 to 1.
 *
 * @param {Plane[][]} pictures
 * @param {Size} size
 * @param {number} levels
 * @param {Dither[]} dithers
 */
export function ditherToSpot(pictures, size, levels, dithers) {
  const cells = pictures.map(([reds, greens, blues]) =>
    Array.from(reds, (red, cell) =>
      mapTriple([red, greens[cell], blues[cell]], (value) => roundHalfEven(255 * value)),
    ),
  );
  const colours = findSpotColours(cells.flat(), levels);
  const palette = colours.map(rgbToLab);
  const targets = cells.map((rgbs, i) => {
    const lab = rgbs.map(rgbToLab);
    return [{ lab, palette, configuration: ditherToPalette(lab, palette, size, dithers[i]) }];
  });
  return { targets, spot: colours.map(formatHex) };
}

/** Pixels, times 4, of which `hasFewColours` takes a sample. */
const MAX_SAMPLE = 400_000;

/**
 * Returns whether a dozen colours fill most of a picture, as in logos.
 *
 * @param {Pick<ImageData, "data">} image
 */
export function hasFewColours({ data }) {
  coverWhite(data);
  const step = Math.ceil(data.length / MAX_SAMPLE);
  const pixels = new Uint32Array(data.buffer).filter((_, i) => i % step === 0);
  const colours = groupBy(pixels, (pixel) => pixel).map(({ length: mass }) => ({ mass }));
  return sumOf(colours.sort(byMass).slice(0, 12)) >= 0.8 * pixels.length;
}
