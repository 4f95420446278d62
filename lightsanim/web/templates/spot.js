/* Finds spot colours and dithers to them, with the same results as lab.py and spot.py in
   lightsanim/pictures: sums are of whole numbers, or in the same order.  Each level of a cell has a colour: the mean of
   a cluster of the pictures' colours (k-means), in which rare saturated colours weigh more.  Colours are
   { rgb, lab, mass }: bytes, CIELAB in whole units of 1/16, and weight in sums. */

const dot = (one, other) => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
const subtract = (one, other) => [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
const squaredDistance = (one, other, step = subtract(one, other)) => dot(step, step);

// Linear sRGB to CIE XYZ, the white D65, and back from XYZ divided by this white; end of the linear part of Lab.
const TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], D65 = [0.9505, 1, 1.089];
const FROM_XYZ = [[3.08021452, -1.53720797, -0.54300654], [-0.92096864, 1.87575606, 0.04521258],
  [0.05295247, -0.20402105, 1.15106858]], DARK = 6 / 29;

function rgbToLab(rgb) {
  const linear = rgb.map((byte) => decodeSrgb(byte / 255)), xyz = TO_XYZ.map((row, i) => dot(row, linear) / D65[i]);
  const [x, y, z] = xyz.map((t) => (t > DARK ** 3 ? Math.cbrt(t) : t / (3 * DARK ** 2) + 4 / 29));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)].map((value) => roundHalfEven(16 * value));
}

function labToRgb([lightness, a, b]) {
  const y = (lightness / 16 + 16) / 116, roots = [y + a / 8000, y, y - b / 3200];
  const xyz = roots.map((t) => (t > DARK ? t ** 3 : (t - 4 / 29) * 3 * DARK ** 2));
  return FROM_XYZ.map((row) => roundHalfEven(255 * encodeSrgb(clip(dot(row, xyz)))));
}

// CIEDE2000, with the symbols of G. Sharma, W. Wu and E. N. Dalal, Color Research and Application 30 (2005) 21-30.
function colourDifference(...labs) {
  const [[L1, a1, b1], [L2, a2, b2]] = labs.map((lab) => lab.map((value) => value / 16)), degree = Math.PI / 180;
  const R = (C) => Math.sqrt(C ** 7 / (C ** 7 + 25 ** 7)), G = 1.5 - 0.5 * R((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2);
  const [[C1, h1], [C2, h2]] = [[a1 * G, b1], [a2 * G, b2]].map(([a, b]) =>
    [Math.hypot(a, b), modulo(Math.atan2(b, a) / degree, 360)]);
  const isGrey = C1 * C2 === 0, C = (C1 + C2) / 2, L = ((L1 + L2) / 2 - 50) ** 2;
  const turn = isGrey ? 0 : h2 - h1 === 180 ? 180 : modulo(h2 - h1 + 180, 360) - 180;
  const h = isGrey ? h1 + h2 : modulo(h1 + turn / 2, 360), cos = (angle) => Math.cos(angle * degree);
  const T = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const dL = (L2 - L1) / (1 + (0.015 * L) / Math.sqrt(20 + L)), dC = (C2 - C1) / (1 + 0.045 * C);
  const dH = (2 * Math.sqrt(C1 * C2) * Math.sin((turn / 2) * degree)) / (1 + 0.015 * C * T);
  const twist = -2 * R(C) * Math.sin(60 * degree * Math.exp(-(((h - 275) / 25) ** 2)));
  return Math.sqrt(dL * dL + dC * dC + dH * dH + twist * dC * dH);
}

// Returns the first of the items with the highest score.
const firstMax = (items, score) => items.reduce((best, item) => (score(item) > score(best) ? item : best));
const nearestLevel = (lab, palette) => palette.reduce((best, colour, level) =>
  (squaredDistance(lab, colour) < squaredDistance(lab, palette[best]) ? level : best), 0);

// Groups items by a whole number; the groups are in the order of the numbers, as objects sort such keys.
function groupBy(items, keyOf, groups = {}) {
  for (const item of items) (groups[keyOf(item)] ??= []).push(item);
  return Object.values(groups);
}

const groupByNearest = (colours, palette) => groupBy(colours, ({ lab }) => nearestLevel(lab, palette), palette.map(() => []));
const distanceTo = (lab, palette) => squaredDistance(lab, palette[nearestLevel(lab, palette)]);
const isDistinct = (lab, palette) => palette.every((other) => colourDifference(lab, other) >= 12);
const byMass = (one, other) => other.mass - one.mass;
const sumOf = (colours, value = () => 1) => colours.reduce((sum, colour) => sum + colour.mass * value(colour), 0);
const meanOf = (colours, mass = sumOf(colours)) =>
  [0, 1, 2].map((axis) => Math.floor((2 * sumOf(colours, ({ lab }) => lab[axis]) + mass) / (2 * mass)));

// Returns spot colours, [red, green, blue], in the order of the levels, given the colours of all cells; there are less
// than `count` if too few of them differ enough.
function findSpotColours(cells, count) {
  const colours = groupBy(cells, ([red, green, blue]) => (red << 16) | (green << 8) | blue).map((group) => {
    const [rgb] = group, lab = rgbToLab(rgb), chroma = Math.sqrt(lab[1] * lab[1] + lab[2] * lab[2]);
    return { rgb, lab, mass: group.length * (32 + roundHalfEven(chroma / 16)) };
  });
  const boxOf = ({ lab }) => lab.reduce((key, value) => 128 * key + Math.floor(value / 64) + 64, 0);
  const points = groupBy(colours, boxOf).map((box) => ({ lab: meanOf(box), mass: sumOf(box) }));
  const clusters = [0, 1, 2, 3, 4, 5].map((start) => findClusters(points, start, count));
  const fit = (centres) => -sumOf(points, ({ lab }) => Math.floor(distanceTo(lab, centres) / 64));
  return orderInRing(separateColours(pickColours(colours, firstMax(clusters, fit)), points, count));
}

// Returns the centres of clusters; the first is seeded by a heavy point.
function findClusters(points, start, count) {
  let centres = [[...points].sort(byMass)[Math.min(start, points.length - 1)].lab], before = "";
  while (centres.length < count) centres.push(firstMax(points, ({ lab, mass }) => mass * distanceTo(lab, centres)).lab);
  for (let round = 0; round < 60 && `${centres}` !== before; round++) {
    before = `${centres}`;
    centres = groupByNearest(points, centres).map((group, i) => (group.length ? meanOf(group) : centres[i]));
  }
  return centres;
}

// Returns the colour of each cluster: that of its largest area, if this fills a third of it, as in logos; or else its mean,
// pushed outwards so that dithering reaches the pictures' extremes.
function pickColours(colours, centres) {
  const middle = meanOf(centres.map((lab) => ({ lab, mass: 1 })));
  return groupByNearest(colours, centres).map((group, i) => {
    const [light, a, b] = centres[i].map((value, axis) => Math.floor(middle[axis] + ((value - middle[axis]) * 9) / 8));
    const top = group.length && firstMax(group, ({ mass }) => mass).rgb;
    const area = group.filter(({ rgb }) => rgb.every((value, channel) => Math.abs(value - top[channel]) <= 4));
    return top && sumOf(area) >= 0.3 * sumOf(group) ? top : labToRgb([Math.min(Math.max(light, 48), 1552), a, b]);
  });
}

// Replaces colours too similar to another by the commonest colour that differs from all others.
function separateColours(colours, points, count) {
  const groups = groupByNearest(points, colours.map(rgbToLab)), kept = [];
  const ranked = groups.map((group, i) => ({ rgb: colours[i], mass: sumOf(group) })).sort(byMass);
  for (const { rgb } of ranked) if (isDistinct(rgbToLab(rgb), kept.map(rgbToLab))) kept.push(rgb);
  while (kept.length < count) {
    const palette = kept.map(rgbToLab), others = points.filter(({ lab }) => isDistinct(lab, palette));
    if (!others.length) break;
    kept.push(labToRgb(firstMax(others, ({ lab, mass }) => mass * distanceTo(lab, palette)).lab));
  }
  return kept;
}

const permute = (items) => (items.length ? items.flatMap((item) =>
  permute(items.filter((other) => other !== item)).map((rest) => [item, ...rest])) : [[]]);

// Returns colours in the order of the shortest ring through all of them; the darkest is first.
function orderInRing(colours) {
  const labs = colours.map(rgbToLab), compare = (one, other) => subtract(one, other).find(Boolean) ?? 0;
  const [first, ...others] = [...labs].sort(compare);
  const length = (ring) => ring.reduce((sum, lab, i) => sum + Math.sqrt(squaredDistance(lab, ring[i + 1] ?? first)), 0);
  const rings = permute(others).filter((ring) => ring.length < 2 || compare(ring[0], ring.at(-1)) < 0);
  return firstMax(rings.map((ring) => [first, ...ring]), (ring) => -length(ring)).map((lab) => colours[labs.indexOf(lab)]);
}

// Dithers Lab colours to a palette.  An ordered dither shows the nearest level, or that whose mixture with it comes
// closest.  Error diffusion spreads 0.8 of the error, because all of it makes coarse patterns.
function ditherToPalette(lab, palette, { rows, columns }, dither) {
  const values = lab.map((colour) => [...colour]);
  return Uint8Array.from(values, (value, cell) => {
    const level = nearestLevel(value, palette), row = Math.floor(cell / columns), column = cell % columns;
    const left = subtract(value, palette[level]);
    if (dither === "threshold") return level;
    if (dither in ORDERED) {
      const steps = palette.map((colour) => subtract(colour, palette[level]));
      const shares = steps.map((step) => clip(dot(step, left) / Math.max(1, dot(step, step))));
      const second = nearestLevel(left, steps.map((step, level) => step.map((value) => value * shares[level])));
      return shares[second] > ORDERED[dither](row, column, 0) ? second : level;
    }
    for (const { step, gain, share } of findReceivers(row, column, rows, columns))
      left.forEach((error, axis) => (values[cell + step][axis] += error * (0.8 * gain) * share));
    return level;
  });
}

// Returns a function of time (0 to 1) that returns the dithered mixture of two pictures' colours.
const fadeColours = (board, { lab, palette }, end, { dither }) => (time) =>
  ditherToPalette(lab.map((colour, cell) => colour.map((value, axis) =>
    roundHalfEven((1 - time) * value + time * end.lab[cell][axis]))), palette, board, dither);

// Returns the target of each picture and the spot colours of all, given planes of their cells' values from 0 to 1.
function ditherToSpot(pictures, board, levels, dithers) {
  const cells = pictures.map(([reds, greens, blues]) =>
    Array.from(reds, (red, cell) => [red, greens[cell], blues[cell]].map((value) => roundHalfEven(255 * value))));
  const colours = findSpotColours(cells.flat(), levels), palette = colours.map(rgbToLab);
  const dither = (lab, i) => [{ lab, palette, configuration: ditherToPalette(lab, palette, board, dithers[i]) }];
  return { targets: cells.map((rgbs) => rgbs.map(rgbToLab)).map(dither), spot: colours.map(formatHex) };
}

// Returns whether a dozen colours fill most of a picture, as in logos.
function hasFewColours({ data }) {
  coverWhite(data);
  const step = Math.ceil(data.length / 400_000), pixels = new Uint32Array(data.buffer).filter((_, i) => i % step === 0);
  const colours = groupBy(pixels, (pixel) => pixel).map(({ length: mass }) => ({ mass })).sort(byMass);
  return sumOf(colours.slice(0, 12)) >= 0.8 * pixels.length;
}
