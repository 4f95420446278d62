/** Pictures become the same targets as in Python. */

import assert from "node:assert/strict";
import test from "node:test";
import { decodeBase64 } from "../../web/src/bytes.js";
import { ditherPlanes } from "../../web/src/maker/targets/dither.js";
import { computeGrey } from "../../web/src/maker/targets/grey.js";
import { colourDifference } from "../../web/src/maker/targets/lab.js";
import { computeLight } from "../../web/src/maker/targets/light.js";
import { ditherToSpot, fadeColours } from "../../web/src/maker/targets/spot.js";
import { readGrey, readLevels, readVectors } from "./vectors.js";

/** A part of all greys. */
const SAME_GREY = 1e-3;

test("each dither gives every cell the level that Python gives it", () => {
  for (const [number, { board, dither, greys, levels }] of readVectors("targets").cases.entries()) {
    const planes = greys.map((text) => readGrey(text, board));
    const targets = ditherPlanes(planes, board, dither);
    const expected = levels.map(readLevels);
    assert.deepEqual(
      targets.map(({ configuration }) => configuration),
      expected,
      `case ${number}`,
    );
  }
});

test("spot colours, their levels and their mixtures are those of Python", () => {
  for (const [number, spot] of readVectors("spots").cases.entries()) {
    const size = { rows: spot.size[0], columns: spot.size[1] };
    const planes = spot.pictures.map((text) => {
      const bytes = decodeBase64(text);
      return [0, 1, 2].map((channel) =>
        Float64Array.from({ length: bytes.length / 3 }, (_, i) => bytes[3 * i + channel] / 255),
      );
    });
    const found = ditherToSpot(planes, size, spot.count, spot.dithers);
    const [[one], [other]] = found.targets;
    const quarter = fadeColours(size, one, other, "blue-noise")(0.25);
    assert.equal(found.spot.join(), spot.colours, `case ${number}`);
    assert.deepEqual(
      [one.configuration, other.configuration, quarter],
      [...spot.levels, spot.quarter].map(readLevels),
      `case ${number}`,
    );
  }
});

test("the difference of two colours is that of Sharma, Wu and Dalal", () => {
  // Table 1 of their paper, CIEDE2000: five of its pairs.
  const pairs = [
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 3.1571, -77.2803], [50, 0, -82.7485], 2.8615],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
  ];
  for (const [one, other, expected] of pairs) {
    const [first, second] = [one, other].map((lab) => lab.map((value) => 16 * value));
    assert.ok(Math.abs(colourDifference(first, second) - expected) < 1e-4, `${expected}`);
  }
});

test("grey values of a crop differ from Python's by less than one in a thousand", () => {
  for (const [number, case_] of readVectors("greys").cases.entries()) {
    const { size, width, height, pixels, rgb, part, grey, ...options } = case_;
    const data = new Uint8ClampedArray(decodeBase64(pixels));
    const light = computeLight({ data, width, height }, { rgb });
    const board = { rows: size[0], columns: size[1] };
    const planes = computeGrey(light, part, board, { ...options, dither: "floyd-steinberg" });
    const expected = new Uint16Array(decodeBase64(grey).buffer);
    const values = planes.flatMap((plane) => [...plane]);
    assert.equal(values.length, expected.length);
    const difference = Math.max(...values.map((value, i) => Math.abs(value - expected[i] / 65535)));
    assert.ok(difference < SAME_GREY, `case ${number}: ${difference}`);
  }
});

test("squares of pixels are averaged as light, and those left over are cut off", () => {
  // Black and white pixels by turns, three by two.
  const data = Uint8ClampedArray.from({ length: 24 }, (_, i) => (i % 4 < 3 && i % 8 < 4 ? 0 : 255));
  const { planes } = computeLight({ data, width: 3, height: 2 }, { factor: 2 });
  assert.equal(planes[0].length, 1);
  assert.ok(Math.abs(planes[0][0] - 0.5) < 1e-6);
});
