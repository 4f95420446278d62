/** Icons, groups of radio buttons, and images of cells. */

/** @import { Child } from "../page/create.js" */

import { contextOf } from "../board/paint.js";
import { h } from "../page/create.js";

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  minus: "M5 12h14",
  plus: "M5 12h14M12 5v14",
  whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  grip: "M9 5v.01M15 5v.01M9 12v.01M15 12v.01M9 19v.01M15 19v.01",
  close: "M6 6l12 12M18 6L6 18",
  back: "M4 4v5h5M4.6 9a8 8 0 1 1-.6 5",
  dice:
    "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z" +
    "M8.5 8.5v.01M15.5 8.5v.01M12 12v.01M8.5 15.5v.01M15.5 15.5v.01",
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/**
 * Creates a button with an icon.
 *
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {(() => void) | null} onclick
 * @param {Record<string, unknown>} [properties]
 */
export const iconButton = (name, label, onclick, properties = {}) =>
  h(
    "button",
    { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...properties },
    icon(name),
  );

let groups = 0;

/**
 * Creates a group of radio buttons.
 *
 * @template Value
 * @param {object} group
 * @param {string} group.legend
 * @param {[value: Value, ...label: Child[]][]} group.labels values, each with its label
 * @param {(value: Value) => void} group.onchange
 * @param {string} group.kind class of the group
 * @param {string} [group.name]
 */
export function radios({ legend, labels, onchange, kind, name = `group-${groups++}` }) {
  /** @type {Map<Value, HTMLInputElement>} */
  const inputs = new Map();
  const tiles = labels.map(([value, ...children]) => {
    const input = h("input", {
      type: "radio",
      name,
      value: String(value),
      onchange: () => onchange(value),
    });
    inputs.set(value, input);
    return h("label", {}, input, h("span", {}, ...children));
  });
  const element = h(
    "fieldset",
    { class: kind },
    h("legend", { class: "unseen" }, legend),
    ...tiles,
  );
  return {
    element,
    /** @param {Value | null | undefined} value */
    set: (value) => inputs.forEach((input, own) => (input.checked = own === value)),
  };
}

/**
 * Draws an image with a pixel for each cell.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {ImageBitmap} bitmap
 */
export function drawBitmap(canvas, bitmap) {
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  contextOf(canvas).drawImage(bitmap, 0, 0);
  bitmap.close();
}
