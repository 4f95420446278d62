/** Gestures that move and zoom a picture in its frame: drags, pinches, wheels and keys. */

/** @import { Picture, PictureView } from "../types.js" */
/** @import { Move } from "./view.js" */

import { clamp, total } from "../numbers.js";
import { moveView } from "./view.js";

/**
 * @typedef {object} Shown
 * @property {Picture} picture
 * @property {number} shape aspect ratio of the frame, width / height
 * @property {PictureView | null} view null is the default view
 *
 * @typedef {[x: number, y: number]} Point as shares of the frame's sides
 */

/** CSS pixels that a finger may move in a tap. */
const TAP_REACH = 6;

/** Shares of the frame's sides by which an arrow key moves the picture, without and with shift. */
const STEP = 0.02;
const LONG_STEP = 0.1;

/** Factor of the zoom by a key. */
const KEY_ZOOM = 1.1;

/** CSS pixels of a line, in which some wheels count, and the most that one event may count. */
const LINE_HEIGHT = 30;
const MAX_WHEEL = 200;

/** CSS pixels of the wheel that zoom by a factor of e. */
const WHEEL_ZOOM = 400;

/**
 * Moves and zooms a picture by gestures on its frame.
 *
 * @param {HTMLElement} frame
 * @param {() => Shown | null} read returns what the frame shows, or null if it cannot be moved now
 * @param {(view: PictureView | null) => void} write stores the new view
 * @param {() => void} [onTap] is called by a tap, a click and the Enter key
 */
export function listenToGestures(frame, read, write, onTap) {
  /** @param {Move} by */
  const move = (by) => {
    const shown = read();
    if (shown) write(moveView(shown.picture, shown.shape, shown.view, by));
  };
  listenToPointers(frame, move, onTap);
  frame.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode ? LINE_HEIGHT : 1);
      const times = Math.exp(-clamp(pixels, -MAX_WHEEL, MAX_WHEEL) / WHEEL_ZOOM);
      move({ times, around: pointOf(frame, event) });
    },
    { passive: false },
  );
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = moveByKey(event);
    if (by) move(by);
    else if (event.key === "0" && read()) write(null);
    else if (event.key === "Enter" && onTap) onTap();
    else return;
    event.preventDefault();
  });
  return {
    /** @param {number} times */
    zoom: (times) => move({ times }),
    reset: () => write(null),
  };
}

/**
 * @param {HTMLElement} frame
 * @param {(by: Move) => void} move
 * @param {(() => void) | undefined} onTap
 */
function listenToPointers(frame, move, onTap) {
  /** @type {Map<number, Point>} */
  const pointers = new Map();
  let isTap = false;
  let travelled = 0;
  frame.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    frame.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, pointOf(frame, event));
    isTap = pointers.size === 1;
    travelled = 0;
  });
  frame.addEventListener("pointermove", (event) => {
    const old = pointers.get(event.pointerId);
    if (!old) return;
    const before = [...pointers.values()];
    const point = pointOf(frame, event);
    pointers.set(event.pointerId, point);
    const { width, height } = frame.getBoundingClientRect();
    travelled += Math.hypot((point[0] - old[0]) * width, (point[1] - old[1]) * height);
    move(moveByFingers(before, [...pointers.values()]));
  });
  frame.addEventListener("pointerup", (event) => {
    if (!pointers.delete(event.pointerId) || pointers.size) return;
    if (isTap && travelled < TAP_REACH) onTap?.();
  });
  for (const end of /** @type {const} */ (["pointercancel", "lostpointercapture"]))
    frame.addEventListener(end, (event) => pointers.delete(event.pointerId));
}

/**
 * Returns the place of an event in a frame.
 *
 * @param {HTMLElement} frame
 * @param {{ clientX: number, clientY: number }} event
 * @returns {Point}
 */
function pointOf(frame, { clientX, clientY }) {
  const { left, top, width, height } = frame.getBoundingClientRect();
  return [(clientX - left) / width, (clientY - top) / height];
}

/**
 * One finger moves the picture; two zoom it by the ratio of their distances.
 *
 * @param {Point[]} before
 * @param {Point[]} after
 * @returns {Move}
 */
function moveByFingers(before, after) {
  const from = centroid(before);
  const to = centroid(after);
  const times = after.length > 1 ? fingerDistance(after) / (fingerDistance(before) || 1) : 1;
  return { right: to[0] - from[0], down: to[1] - from[1], times, around: to };
}

/** @param {Point[]} points @returns {Point} */
const centroid = (points) => [
  total(points.map(([x]) => x)) / points.length,
  total(points.map(([, y]) => y)) / points.length,
];

/** @param {Point[]} points */
const fingerDistance = ([one, other]) => Math.hypot(one[0] - other[0], one[1] - other[1]);

/** @param {KeyboardEvent} event @returns {Move | undefined} */
function moveByKey({ key, shiftKey }) {
  const step = shiftKey ? LONG_STEP : STEP;
  /** @type {Record<string, Move>} */
  const moves = {
    ArrowLeft: { right: step },
    ArrowRight: { right: -step },
    ArrowUp: { down: step },
    ArrowDown: { down: -step },
    "+": { times: KEY_ZOOM },
    "=": { times: KEY_ZOOM },
    "-": { times: 1 / KEY_ZOOM },
  };
  return moves[key];
}
