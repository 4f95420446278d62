import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { listenToGestures } from "../../web/src/crop/gestures.js";
import { rounded } from "./studio_table.js";

/** @import { PictureView } from "../../web/src/types.js" */

/** @type {PictureView | null} */
let view = null;
/** @type {EventTarget} */
let frame;
/** @type {ReturnType<typeof listenToGestures>} */
let gestures;

beforeEach(() => {
  view = null;
  frame = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 100, top: 100, width: 100, height: 100 }),
    setPointerCapture: () => {},
  });
  const read = () => ({ picture: { width: 40, height: 30 }, shape: 4 / 3, view });
  gestures = listenToGestures(/** @type {HTMLElement} */ (frame), read, (next) => {
    view = next;
  });
});

/**
 * Sends an event to the frame; returns whether the page shall not handle it.
 *
 * @param {string} type
 * @param {object} facts
 */
function send(type, facts) {
  const event = Object.assign(new Event(type, { cancelable: true }), facts);
  frame.dispatchEvent(event);
  return event.defaultPrevented;
}

const place = () => view && rounded([view.x, view.y, view.zoom]);

describe("keys", () => {
  /** @param {string} key @param {object} [facts] */
  const press = (key, facts) => send("keydown", { key, ...facts });

  test("zoom, and reset the view", () => {
    const places = ["-", "+", "=", "-", "0"].map((key) => [press(key), place()?.[2]]);
    assert.deepEqual(places, [
      [true, undefined],
      [true, 1.1],
      [true, 1.21],
      [true, 1.1],
      [true, undefined],
    ]);
  });

  test("move the picture by a little, and with shift by more", () => {
    press("+");
    /** @param {string} key @param {boolean} [shiftKey] */
    const move = (key, shiftKey) => press(key, { shiftKey }) && place()?.slice(0, 2);
    assert.deepEqual(move("ArrowRight"), [0.518, 0.5]);
    assert.deepEqual(move("ArrowDown"), [0.518, 0.518]);
    assert.deepEqual(move("ArrowLeft"), [0.5, 0.518]);
    assert.deepEqual(move("ArrowUp"), [0.5, 0.5]);
    assert.deepEqual(move("ArrowLeft", true), [0.455, 0.5]);
  });

  test("of the page and of the browser are left to them", () => {
    assert.deepEqual([press("x"), press("+", { ctrlKey: true }), place()], [false, false, null]);
  });
});

test("the wheel zooms around the pointer, by a limited step", () => {
  const at = { clientX: 100, clientY: 200 };
  const places = [
    { deltaY: -200 },
    { deltaY: -900 },
    { deltaY: 200 },
    { deltaY: 800 },
    { deltaY: -3, deltaMode: 1 },
  ].map((facts) => {
    send("wheel", { ...at, ...facts });
    return place();
  });
  assert.deepEqual(places, [
    [0.303, 0.697, 1.649],
    [0.184, 0.816, 2.718],
    [0.303, 0.697, 1.649],
    null,
    [0.399, 0.601, 1.252],
  ]);
});

test("buttons zoom, and reset the view", () => {
  const zooms = [1.2, 1.2, 1 / 1.2].map((times) => {
    gestures.zoom(times);
    return place()?.[2];
  });
  gestures.reset();
  assert.deepEqual([...zooms, view], [1.2, 1.44, 1.2, null]);
});

describe("fingers", () => {
  beforeEach(() => {
    view = { x: 0.5, y: 0.5, zoom: 2 };
  });

  /** @param {string} kind @param {number} pointerId @param {number} x @param {number} y */
  const point = (kind, pointerId, x, y, button = 0) =>
    send(`pointer${kind}`, { pointerId, button, clientX: 100 + 100 * x, clientY: 100 + 100 * y });

  test("drag the picture while they are down", () => {
    point("move", 1, 0.4, 0.4);
    assert.deepEqual(place(), [0.5, 0.5, 2]);
    point("down", 1, 0.5, 0.5);
    point("move", 1, 0.3, 0.6);
    assert.deepEqual(place(), [0.6, 0.45, 2]);
    for (const end of ["up", "cancel"]) {
      point(end, 1, 0, 0);
      point("move", 1, 0, 0);
      assert.deepEqual(place(), [0.6, 0.45, 2]);
      point("down", 1, 0.3, 0.6);
    }
  });

  test("drag the picture only with the main button", () => {
    point("down", 1, 0.5, 0.5, 2);
    point("move", 1, 0.4, 0.4);
    assert.deepEqual(place(), [0.5, 0.5, 2]);
  });

  test("zoom by their distance", () => {
    point("down", 1, 0.3, 0.6);
    point("down", 2, 0.7, 0.6);
    point("move", 2, 1.1, 0.6);
    assert.equal(place()?.[2], 4);
  });
});
