import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { moveHandle } from "../../web/src/studio/clip_span.js";
import { placePicture, shownView } from "../../web/src/studio/placement.js";
import { nameUpload } from "../../web/src/studio/upload_names.js";
import { a, begin, rounded } from "./studio_table.js";

/** @import { Box } from "../../web/src/types.js" */

describe("a picture in its frame", () => {
  const shape = 1;
  /** @param {Box | null} [part] */
  const place = (part = null) => rounded(placePicture(a, shape, part));
  const whole = [0, 0, 1, 1];

  test("shows its largest part in the middle", () => {
    begin([a]);
    assert.deepEqual(place(), { objectFit: "fill", shares: [0.125, 0, 0.75, 1] });
  });

  test("is shown whole with the fit contain and stretch", () => {
    begin([a], { fit: "contain" });
    assert.deepEqual(place(), { objectFit: "contain", shares: whole });
    begin([a], { fit: "stretch" });
    assert.deepEqual(place(), { objectFit: "fill", shares: whole });
  });

  test("is shown whole if the server's part goes beyond its edges", () => {
    begin([a]);
    assert.deepEqual(place([0, -50, 100, 150]), { objectFit: "contain", shares: whole });
  });

  test("shows the part that the server has chosen by a focus, a crop or for a head", () => {
    const part = /** @type {Box} */ ([50, 50, 87.5, 100]);
    begin([a], {}, { a: { focus: "face" } });
    assert.deepEqual(place(part).shares, [0.5, 0.5, 0.375, 0.5]);
    begin([a], {}, { a: { crop: "50%" } });
    assert.deepEqual(place(part).shares, [0.5, 0.5, 0.375, 0.5]);
    begin([a]);
    assert.deepEqual(rounded(placePicture(a, 2, [0, 0, 100, 66.7]).shares), [0, 0, 1, 0.667]);
    assert.equal(shownView(a, shape, null), null);
  });

  test("shows the user's view before all else", () => {
    const view = { x: 0.75, y: 0.5, zoom: 2 };
    begin([a], { fit: "contain" });
    const viewed = { ...a, view };
    assert.deepEqual(placePicture(viewed, 4 / 3, [0, 0, 100, 50]), {
      objectFit: "fill",
      shares: [0.5, 0.25, 0.5, 0.5],
    });
    assert.equal(shownView(viewed, 4 / 3, [0, 0, 100, 50]), view);
  });
});

test("the handles of a clip keep apart, and stay in it", () => {
  const span = { start: null, end: null, seconds: 10 };
  assert.equal(moveHandle("start", 4, span), 4);
  assert.equal(moveHandle("end", 2, { ...span, start: 4 }), 4.1);
  assert.equal(moveHandle("start", 9, { ...span, end: 5 }), 4.9);
  assert.equal(moveHandle("start", 9, { ...span, end: 0.05 }), 0);
});

test("pasted pictures that have no name get one, and a number", () => {
  assert.equal(nameUpload({ name: "image.png", type: "image/png" }, false), "image.png");
  assert.equal(nameUpload({ name: "x.png", type: "image/png" }, true), "x.png");
  assert.equal(nameUpload({ name: "image.png", type: "image/jpeg" }, true), "pasted.jpg");
  assert.equal(nameUpload({ name: "", type: "image/tiff" }, true), "pasted-2.png");
});
