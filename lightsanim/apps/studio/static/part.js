// The visible part of a picture in its frame: geometry, requests and gestures.
//
// A view is {x, y, zoom}: the centre as shares of the picture's sides, and the zoom relative to the
// largest part that has the board's shape.  The view null shows that part, centred.

import { current, look, table, unfitReason, valueOf } from "./work.js";

export const MAX_ZOOM = 20;

export const DEFAULT_COLUMNS = 100; // columns of a square board if no size is set

// Board sizes that the server chose, by the options on which they depend.
const drawnSizes = new Map();

const SIZE_OPTIONS = ["canvas", "show_clicks", "levels", "rule", "wrap", "perfect", "transition"];
const sizeKey = (of) => JSON.stringify([current().pictures[0]?.id, ...SIZE_OPTIONS.map((name) => valueOf(name, null, of))]);

// Records the board size that the server chose; returns whether it differs from the expected size.
export function recordBoardSize(columns, rows) {
  const before = sizeOf();
  drawnSizes.set(sizeKey(look()), { columns, rows });
  return before.columns !== columns || before.rows !== rows;
}

export function sizeOf(of = look()) {
  const size = valueOf("size", null, of);
  if (size === null) return drawnSizes.get(sizeKey(of)) ?? { columns: DEFAULT_COLUMNS, rows: null };
  const [columns, rows] = String(size).split(/x/i).map(Number);
  return { columns, rows: rows || null };
}

// The board's aspect ratio, width / height.
export function shapeOf(work, of) {
  const { columns, rows } = sizeOf(of), first = work.pictures[0];
  // If no size is set, use the picture's aspect ratio, which is not rounded to whole cells.
  if (first && valueOf("size", null, of) === null && valueOf("canvas", null, of) === null) return first.width / first.height;
  if (columns > 0 && rows > 0) return columns / rows;
  return first ? first.width / first.height : 1;
}

// Rounds a width down to whole screen pixels per column, unless that loses more than the share `waste`.
export function snapWidth(width, columns, waste, gap = 0) {
  const snapped = (Math.floor((width * devicePixelRatio) / columns) * columns) / devicePixelRatio;
  return snapped < (1 - waste) * width ? width : snapped + gap;
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// The largest part that has the board's shape, as shares of the picture's sides.
function largestPart(picture, shape) {
  const own = picture.width / picture.height;
  return own > shape ? [shape / own, 1] : [1, own / shape];
}

// The visible part [left, top, width, height], as shares of the picture's sides.
export function partOf(picture, shape, view = picture.view) {
  const { x, y, zoom } = view ?? { x: 0.5, y: 0.5, zoom: 1 };
  const [width, height] = largestPart(picture, shape).map((side) => side / zoom);
  const partStart = (middle, side) => clamp(middle - side / 2, 0, 1 - side);
  return [partStart(x, width), partStart(y, height), width, height];
}

// The view that shows a part of the picture; the server reports its edges in percent.
export function viewOfPart(picture, shape, [left, top, right, bottom]) {
  const [width, height] = largestPart(picture, shape);
  const zoom = Math.min((100 * width) / (right - left), (100 * height) / (bottom - top));
  return clampView(picture, shape, { x: (left + right) / 200, y: (top + bottom) / 200, zoom });
}

// Moves a view so that it lies inside the picture; returns null for the default view.
export function clampView(picture, shape, view) {
  const zoom = clamp(view.zoom, 1, MAX_ZOOM);
  const [left, top, width, height] = partOf(picture, shape, { ...view, zoom });
  const [x, y] = [left + width / 2, top + height / 2];
  const isDefault = zoom < 1.0005 && Math.abs(x - 0.5) < 1e-4 && Math.abs(y - 0.5) < 1e-4;
  return isDefault ? null : { x, y, zoom };
}

// The visible part as a value of `--crop`.
export function cropOf(picture, shape) {
  if (!picture.view) return null;
  const [left, top, width, height] = partOf(picture, shape);
  const percent = (share) => `${Number((100 * clamp(share, 0, 1)).toFixed(2))}%`;
  return [left, top, left + width, top + height].map(percent).join(",");
}

// Requests to the server

export function ownOptions(work, picture, of) {
  const crop = cropOf(picture, shapeOf(work, of));
  const own = Object.entries(of.own[picture.id] ?? {}).filter(([name]) => table.options.has(name));
  return { ...Object.fromEntries(own), ...(crop && { crop }) };
}

export function optionValues(of) {
  const body = { options: {}, look: {}, outputs: {} };
  for (const [name, value] of Object.entries(of.values)) {
    const option = table.options.get(name);
    if (option && !unfitReason(option, of)) body[option.look ? "look" : option.output ? "outputs" : "options"][name] = value;
  }
  return body;
}

export const filmBody = (work, of) => ({
  pictures: work.pictures.map((picture) => ({ id: picture.id, own: ownOptions(work, picture, of) })),
  ...optionValues(of),
});

export const targetBody = (work, picture, of, wrong) => ({
  ...filmBody(work, of),
  index: work.pictures.indexOf(picture),
  wrong,
});

// Moves and zooms a view by gestures; `read()` returns {picture, shape, view}, `write(view)` stores it.

export function listenToGestures(frame, read, write) {
  const pointers = new Map();

  // Moves the view by shares of the frame's sides, and zooms around the point `at`.
  function move(across, down, closer = 1, at = [0.5, 0.5]) {
    const { picture, shape, view } = read();
    const [left, top, width, height] = partOf(picture, shape, view), zoom = view?.zoom ?? 1;
    const next = clamp(zoom * closer, 1, MAX_ZOOM), grown = zoom / next;
    const newMiddle = (start, side, share, by) => start + side * (share - by * grown + (0.5 - share) * grown);
    const x = newMiddle(left, width, at[0], across), y = newMiddle(top, height, at[1], down);
    write(clampView(picture, shape, { x, y, zoom: next }));
  }

  const pointerShare = (event) => {
    const box = frame.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const fingerDistance = ([one, other]) => Math.hypot(one[0] - other[0], one[1] - other[1]);
  const centroid = (points) => [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);

  frame.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    frame.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, pointerShare(event));
  });
  frame.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const before = [...pointers.values()];
    pointers.set(event.pointerId, pointerShare(event));
    const after = [...pointers.values()], from = centroid(before), to = centroid(after);
    const closer = after.length > 1 ? fingerDistance(after) / (fingerDistance(before) || 1) : 1;
    move(to[0] - from[0], to[1] - from[1], closer, to);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
    frame.addEventListener(end, (event) => pointers.delete(event.pointerId));

  frame.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode ? 30 : 1;
    move(0, 0, Math.exp(-clamp(event.deltaY * lines, -200, 200) / 400), pointerShare(event));
  }, { passive: false });

  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = event.shiftKey ? 0.1 : 0.02;
    const moves = {
      ArrowLeft: [by, 0], ArrowRight: [-by, 0], ArrowUp: [0, by], ArrowDown: [0, -by],
      "+": [0, 0, 1.1], "=": [0, 0, 1.1], "-": [0, 0, 1 / 1.1],
    };
    if (event.key === "0") write(null);
    else if (moves[event.key]) move(...moves[event.key]);
    else return;
    event.preventDefault();
  });

  return { closer: (times) => move(0, 0, times), whole: () => write(null) };
}
