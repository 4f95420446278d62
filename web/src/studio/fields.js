/** Controls with a field: numbers, the seed, texts and colours. */

/** @import { Control, Option, Put, Value } from "./types.js" */

import { contextOf } from "../board/paint.js";
import { h } from "../page/create.js";
import { valueOf } from "./look.js";
import { sliderScale } from "./slider_scale.js";
import { optionLabel, table } from "./table.js";

/** @param {Value | null} value */
const formatNumber = (value) => (value === null || value === "inf" ? "" : String(value));

/** @param {HTMLInputElement} field */
const numberIn = (field) => (field.value === "" ? null : Number(field.value));

/**
 * Creates a number field, with a slider if the option's table entry gives a slider range.
 *
 * @param {Option} option
 * @param {Put} put
 * @param {string} id
 * @returns {Control}
 */
export function numberControl(option, put, id) {
  const field = h("input", {
    type: "number",
    id,
    step: option.kind === "whole" ? 1 : "any",
    min: option.low,
    max: option.high,
    placeholder: option.default === null ? "auto" : String(option.default),
    inputmode: "decimal",
    "aria-describedby": `${id}-help`,
  });
  field.addEventListener("input", () => field.value !== "" && put(numberIn(field)));
  field.addEventListener("change", () => put(numberIn(field)));
  const slider = numberSlider(option, put);
  return {
    element: h("div", { class: "amount" }, slider?.element, field),
    set(value) {
      const isWritten = document.activeElement === field && field.value !== "";
      if (!isWritten || Number(field.value) !== value) field.value = formatNumber(value);
      slider?.set(value);
    },
  };
}

/** @param {Option} option @param {Put} put @returns {Control | null} */
function numberSlider(option, put) {
  const scale = sliderScale(option);
  if (!scale) return null;
  const { min, max, step } = scale;
  const slider = h("input", {
    type: "range",
    "aria-label": `${optionLabel(option.name)}, slider`,
    min,
    max,
    step,
  });
  slider.addEventListener("input", () => put(scale.valueAt(slider.valueAsNumber)));
  return {
    element: slider,
    set(value) {
      const position = scale.positionOf(value);
      const isThere = scale.valueAt(position) === scale.valueAt(slider.valueAsNumber);
      if (document.activeElement !== slider || !isThere) slider.value = String(position);
      showShare(slider);
    },
  };
}

/**
 * Colours a slider up to its thumb.
 *
 * @param {HTMLInputElement} slider
 */
export function showShare(slider) {
  const low = Number(slider.min);
  slider.style.setProperty(
    "--share",
    String((slider.valueAsNumber - low) / (Number(slider.max) - low)),
  );
}

/** @param {Option} _option @param {Put} put @param {string} id @returns {Control} */
export function seedControl(_option, put, id) {
  const field = h("input", {
    type: "number",
    id,
    min: 0,
    step: 1,
    "aria-describedby": `${id}-help`,
    onchange: () => put(numberIn(field)),
  });
  return {
    element: h(
      "div",
      { class: "amount" },
      h("button", { type: "button", onclick: () => put(null) }, "New seed"),
      field,
    ),
    set: (value) => (field.value = formatNumber(value)),
  };
}

/** @param {string} id @param {string} placeholder @param {Put} put */
export const textField = (id, placeholder, put) =>
  h("input", {
    type: "text",
    id,
    placeholder,
    spellcheck: "false",
    autocomplete: "off",
    "aria-describedby": `${id}-help`,
    onchange: (/** @type {{ target: HTMLInputElement }} */ { target }) =>
      put(target.value.trim() || null),
  });

/** Options that the palette sets. */
const PALETTE_PARTS = /** @type {const} */ (["lit", "unlit", "background"]);

/**
 * Returns the colour of an option in the chosen palette, if it is a part of palettes.
 *
 * @param {string} name
 */
function paletteColour(name) {
  const part = PALETTE_PARTS.find((each) => each === name);
  return part && table.palettes[String(valueOf("palette"))]?.[part];
}

/** @param {string} colour */
function toHex(colour) {
  const pen = contextOf(new OffscreenCanvas(1, 1));
  pen.fillStyle = colour;
  return /^#\w{6}$/.test(pen.fillStyle) ? pen.fillStyle : UNKNOWN_COLOUR;
}

/** What the colour picker shows of colours that it cannot set. */
const UNKNOWN_COLOUR = "#808080";

/**
 * Creates a colour picker, and a text field for colours that the picker cannot set, such as names.
 *
 * @param {Option} option
 * @param {Put} put
 * @param {string} id
 * @returns {Control}
 */
export function colourControl(option, put, id) {
  const { name } = option;
  const well = h("input", {
    type: "color",
    "aria-label": `${optionLabel(name)}, colour picker`,
    oninput: () => put(well.value),
  });
  const usual = PALETTE_PARTS.some((part) => part === name) ? "from palette" : "none";
  const field = textField(id, String(option.default ?? usual), put);
  return {
    element: h("div", { class: "amount colour" }, well, field),
    set(value) {
      field.value = value && value !== option.default ? String(value) : "";
      well.value = toHex(String(value ?? paletteColour(name) ?? UNKNOWN_COLOUR));
      well.classList.toggle("unset", !value);
    },
  };
}
