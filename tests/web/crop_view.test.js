import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { clampView, cropOf, partOf, viewOfPart } from "../../web/src/crop/view.js";
import { rounded } from "./studio_table.js";

const picture = { width: 40, height: 30 };

describe("the part that a frame shows", () => {
  test("is at first the largest of the frame's shape, in the middle", () => {
    assert.deepEqual(rounded([1, 2, 4 / 3].map((shape) => partOf(picture, shape, null))), [
      [0.125, 0, 0.75, 1],
      [0, 0.167, 1, 0.667],
      [0, 0, 1, 1],
    ]);
  });

  test("lies inside the picture", () => {
    assert.deepEqual(partOf(picture, 4 / 3, { x: 0.9, y: 0.1, zoom: 2 }), [0.5, 0, 0.5, 0.5]);
  });
});

describe("a view", () => {
  test("shows a part given in percent; all of the picture is the default view", () => {
    assert.deepEqual(viewOfPart(picture, 4 / 3, [25, 0, 75, 50]), { x: 0.5, y: 0.25, zoom: 2 });
    assert.equal(viewOfPart(picture, 4 / 3, [0, 0, 100, 100]), null);
    assert.equal(viewOfPart(picture, 4 / 3, [0, 0, 50, 100]), null);
  });

  test("zooms 20 times at most, and is moved into the picture", () => {
    /** @param {number} zoom @param {number} x */
    const clamped = (zoom, x) => rounded(clampView(picture, 4 / 3, { x, y: 0.5, zoom }));
    assert.deepEqual(clamped(30, 0.5), { x: 0.5, y: 0.5, zoom: 20 });
    assert.deepEqual(clamped(2, 1), { x: 0.75, y: 0.5, zoom: 2 });
  });

  test("is the default view if it is hardly zoomed and in the middle", () => {
    /** @param {number} zoom */
    const clamped = (zoom) => rounded(clampView(picture, 4 / 3, { x: 0.5, y: 0.5, zoom }));
    assert.deepEqual([clamped(0.5), clamped(1.0004)], [null, null]);
    assert.deepEqual(clamped(1.001), { x: 0.5, y: 0.5, zoom: 1.001 });
  });

  test("moves along the longer side of a picture that is not zoomed", () => {
    /** @param {number} y */
    const clamped = (y) => rounded(clampView(picture, 2, { x: 0.5, y, zoom: 1 }));
    assert.deepEqual([clamped(0.9), clamped(0.5)], [{ x: 0.5, y: 0.667, zoom: 1 }, null]);
  });
});

test("crops are written as edges in percent; the default view has none", () => {
  const crop = (/** @type {Parameters<typeof cropOf>[2]} */ view) => cropOf(picture, 4 / 3, view);
  assert.equal(crop(null), null);
  assert.equal(crop({ x: 0.5, y: 0.5, zoom: 3 }), "33.33%,33.33%,66.67%,66.67%");
  assert.equal(crop({ x: 0.2, y: 0.9, zoom: 2 }), "0%,50%,50%,100%");
  assert.equal(cropOf(picture, 1, { x: 1, y: 0.5, zoom: 1 }), "25%,0%,100%,100%");
});
