/** The size of the board: columns, and rows that follow from a shape or are a number. */

/** @import { ShapeName } from "./board_shapes.js" */
/** @import { Control, Option, Put } from "./types.js" */

import { h } from "../page/create.js";
import { SHAPE_NAMES, rowsOfShape, shapeName } from "./board_shapes.js";
import { DEFAULT_COLUMNS, parseSize } from "./board_size.js";
import { showShare } from "./fields.js";

/** @param {Option} _option @param {Put} put @param {string} id @returns {Control} */
export function sizeControl(_option, put, id) {
  /** @param {Record<string, unknown>} properties */
  const sideField = (properties) =>
    h("input", { type: "number", min: 1, step: 1, placeholder: "auto", ...properties });
  const slider = h("input", {
    type: "range",
    min: 12,
    max: 160,
    step: 1,
    "aria-label": "columns, slider",
  });
  const field = sideField({ id, "aria-describedby": `${id}-help` });
  const rows = sideField({ "aria-label": "rows" });
  const shape = h(
    "select",
    { "aria-label": "shape of the board" },
    ...SHAPE_NAMES.map((name) => h("option", {}, name)),
  );
  let now = parseSize(String(DEFAULT_COLUMNS));
  /** @type {ShapeName | null} */
  let chosen = null;

  /** @param {number} columns @param {number | null} down */
  const putSize = (columns, down) => put(down ? `${columns}x${down}` : `${columns}`);
  /** @param {number} columns */
  function putColumns(columns) {
    if (columns >= 1) putSize(columns, chosen && rowsOfShape(chosen, columns, now));
  }
  slider.oninput = () => putColumns(slider.valueAsNumber);
  field.onchange = () => (field.value ? putColumns(Math.round(field.valueAsNumber)) : put(null));
  rows.onchange = () => {
    chosen = rows.value ? "other" : SHAPE_NAMES[0];
    putSize(now.columns, Math.round(rows.valueAsNumber) || null);
  };
  shape.onchange = () => {
    chosen = SHAPE_NAMES[shape.selectedIndex];
    return chosen === "other" ? rows.focus() : putColumns(now.columns);
  };
  return {
    element: h(
      "div",
      { class: "size" },
      h("div", { class: "amount" }, slider, field),
      h("div", { class: "amount" }, shape, h("span", { class: "soft" }, "rows"), rows),
    ),
    set(value) {
      now = parseSize(String(value ?? DEFAULT_COLUMNS));
      chosen = shapeName(now, chosen);
      slider.value = String(now.columns);
      showShare(slider);
      field.value = value === null ? "" : String(now.columns);
      rows.value = String(now.rows ?? "");
      shape.value = chosen;
    },
  };
}
