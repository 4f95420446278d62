/** Form controls, one for each kind of option. */

/** @import { Control, Option, Palette, Put, Value } from "./types.js" */

import { contextOf } from "../board/paint.js";
import { h } from "../page/create.js";
import { exampleAddress } from "./api.js";
import { radios } from "./elements.js";
import { lazyImage } from "./example_images.js";
import { colourControl, numberControl, seedControl, textField } from "./fields.js";
import { sizeControl } from "./size_control.js";
import { isSame, optionLabel, table } from "./table.js";

/** @param {Option} _option @param {Put} put @param {string} id @returns {Control} */
function flagControl(_option, put, id) {
  const element = h("button", {
    type: "button",
    role: "switch",
    "aria-checked": "false",
    "aria-labelledby": `${id}-name`,
    onclick: () => put(element.getAttribute("aria-checked") !== "true"),
  });
  return {
    element,
    set: (value) => element.setAttribute("aria-checked", String(Boolean(value))),
  };
}

/** @typedef {[value: Value | null, word: string]} Choice */

/** @param {Option} option @returns {Choice[]} */
function choicesOf(option) {
  if (option.kind === "flag")
    return [
      [null, "auto"],
      [true, "on"],
      [false, "off"],
    ];
  /** @type {Choice[]} */
  const choices = option.choices.map((choice) => [choice, String(choice)]);
  return option.default === null ? [[null, option.unset ? "auto" : "none"], ...choices] : choices;
}

/**
 * Creates radio buttons for the values of an option, with example pictures if there are any.
 *
 * @param {Option} option
 * @param {Put} put
 * @param {Choice[]} choices
 */
function buildTiles({ name, illustrated }, put, choices) {
  return radios({
    legend: optionLabel(name),
    labels: choices.map(([value, word]) => [
      value,
      illustrated && value ? examplePicture(name, value) : null,
      h("i", {}, word),
    ]),
    onchange: put,
    kind: illustrated ? "tiles" : "segments",
    name: `option-${name}`,
  });
}

/** @param {string} name @param {Value} value */
const examplePicture = (name, value) =>
  lazyImage(exampleAddress(name, String(value)), { width: 88, height: 88 });

/** @param {Option} option @param {Put} put @returns {Control} */
function choiceControl(option, put) {
  const choices = choicesOf(option);
  const { element, set } = buildTiles(option, put, choices);
  return { element, set: (value) => set(choices.find(([own]) => isSame(own, value))?.[0] ?? null) };
}

/**
 * Creates radio buttons for the palettes, each with a small board in its colours.
 *
 * @param {Option} option
 * @param {Put} put
 */
const paletteControl = (option, put) =>
  radios({
    legend: "palette",
    labels: option.choices.map((choice) => {
      const name = String(choice);
      return [choice, drawPaletteBoard(table.palettes[name]), h("i", {}, name)];
    }),
    onchange: put,
    kind: "tiles palettes",
    name: "option-palette",
  });

const PATTERN = ["011001", "100110", "111111", "010101"];

/** @param {Palette} palette */
function drawPaletteBoard({ lit, unlit, background }) {
  const canvas = h("canvas", { width: 37, height: 25, "aria-hidden": "true" });
  const pen = contextOf(canvas);
  pen.fillStyle = background;
  pen.fillRect(0, 0, 37, 25);
  for (const [row, cells] of PATTERN.entries())
    for (const [column, cell] of [...cells].entries()) {
      pen.fillStyle = cell === "1" ? lit : unlit;
      pen.fillRect(1 + column * 6, 1 + row * 6, 5, 5);
    }
  return canvas;
}

/** @type {Record<string, Value[]>} */
const TEXT_CHOICES = { focus: ["face", "auto"] };

/**
 * Words for no value.
 *
 * @type {Record<string, string>}
 */
const EMPTY_WORDS = { canvas: "none", focus: "middle" };

/**
 * Returns the values offered as tiles beside a text field.
 *
 * @param {Option} option
 * @returns {Choice[]}
 */
function textChoicesOf({ name, choices, default: usual }) {
  const texts = TEXT_CHOICES[name] ?? choices;
  /** @type {Choice[]} */
  const own = texts.map((text) => [text, String(text)]);
  return texts.length && usual === null ? [[null, EMPTY_WORDS[name] ?? ""], ...own] : own;
}

/**
 * Creates a text field, with tiles for common values.
 *
 * @param {Option} option
 * @param {Put} put
 * @param {string} id
 * @returns {Control}
 */
function textControl(option, put, id) {
  const choices = textChoicesOf(option);
  const usual = option.unset || option.unit?.toLowerCase() || "";
  const field = textField(id, choices.length ? "other" : usual, put);
  const tiles = choices.length ? buildTiles(option, put, choices) : null;
  return {
    element: tiles
      ? h("div", { class: "usual" }, tiles.element, field)
      : h("div", { class: "amount" }, field),
    set(value) {
      const isChoice = choices.some(([own]) => own === value);
      field.value = value === null || value === option.default || isChoice ? "" : String(value);
      tiles?.set(value);
    },
  };
}

/** @typedef {(option: Option, put: Put, id: string) => Control} CreateControl */

/**
 * Controls of single options, by their names.
 *
 * @type {Record<string, CreateControl>}
 */
const OWN_CONTROLS = { size: sizeControl, palette: paletteControl, seed: seedControl };

/** @type {Record<Option["kind"], CreateControl>} */
const CONTROLS = {
  flag: flagControl,
  choice: choiceControl,
  colour: colourControl,
  number: numberControl,
  whole: numberControl,
  text: textControl,
  address: textControl,
};

/**
 * Creates the control of an option; `id` is that of its main field.
 *
 * @type {CreateControl}
 */
export function controlFor(option, put, id) {
  const kind = option.kind === "flag" && option.default === null ? "choice" : option.kind;
  return (OWN_CONTROLS[option.name] ?? CONTROLS[kind])(option, put, id);
}
