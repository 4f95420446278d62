// Form controls, one for each kind of option: {element, set(value)}; input calls `put(value)`.

import { exampleAddress, waitUntilIdle } from "./api.js";
import { h, radios } from "./dom.js";
import { DEFAULT_COLUMNS } from "./part.js";
import { isSame, look, table, valueOf } from "./work.js";

// Values offered as tiles beside a text field; the tile "" sets the default.
const TEXT_CHOICES = { focus: ["face", "auto"] };

function textsOf({ name, choices, default: usual }) {
  const texts = TEXT_CHOICES[name] ?? choices ?? [];
  return texts.length && usual === null ? ["", ...texts] : texts;
}

// Visible example pictures, which load one by one while no urgent request is running.
const waitingImages = [];
let drawing = false;

const visibilityObserver = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    visibilityObserver.unobserve(target);
    waitingImages.push(target);
  }
  drawExamples();
}, { rootMargin: "200px" });

async function drawExamples() {
  if (drawing) return;
  drawing = true;
  for (let image; (image = waitingImages.shift()); ) {
    await waitUntilIdle();
    image.src = image.dataset.src;
    await image.decode().catch(() => image.remove());
  }
  drawing = false;
}

export function lazyImage(address, props) {
  const image = h("img", { alt: "", "data-src": address, ...props });
  visibilityObserver.observe(image);
  return image;
}

const WORDS = { canvas: { "": "none" }, focus: { "": "middle" } };

const SHAPES = { "first picture's": null, square: 1, "4:5": 4 / 5, "3:4": 3 / 4, "9:16": 9 / 16, "4:3": 4 / 3, "16:9": 16 / 9 };

export function controlFor(option, put, id) {
  if (option.name === "size") return sizeControl(put, id);
  if (option.name === "palette") return paletteControl(option, put);
  if (option.name === "seed") return seedControl(option, put, id);
  if (option.kind === "flag") return option.default === null ? choiceControl(option, put, [[null, "auto"], [true, "on"], [false, "off"]]) : flagControl(put, id);
  if (option.kind === "choice") return choiceControl(option, put, choicesOf(option));
  if (option.kind === "colour") return colourControl(option, put, id);
  if (option.kind === "number" || option.kind === "whole") return numberControl(option, put, id);
  return textControl(option, put, id);
}

function flagControl(put, id) {
  const element = h("button", { type: "button", role: "switch", "aria-checked": "false", "aria-labelledby": `${id}-name` });
  element.onclick = () => put(element.getAttribute("aria-checked") !== "true");
  return { element, set: (value) => element.setAttribute("aria-checked", Boolean(value)) };
}

function choicesOf(option) {
  const none = option.default === null ? [[null, option.unset ? "auto" : "none"]] : [];
  return [...none, ...option.choices.map((choice) => [choice, String(choice)])];
}

// Radio buttons for the values of an option, with example pictures if there are any.
function buildTiles(option, put, choices) {
  const hasExamples = option.illustrated, size = { width: 88, height: 88 };
  const picture = (value) => hasExamples && value ? [lazyImage(exampleAddress(option.name, value), size)] : [];
  const labels = choices.map(([value, word]) => [value, ...picture(value), h("i", {}, word)]);
  const kind = hasExamples ? "tiles" : "segments";
  return radios({ legend: optionLabel(option.name), labels, onchange: put, class: kind, name: `option-${option.name}` });
}

function choiceControl(option, put, choices) {
  const { element, set } = buildTiles(option, put, choices);
  return { element, set: (value) => set(choices.find(([own]) => own === value || isSame(own, value))?.[0]) };
}

// Radio buttons for the palettes, each with a small board in its colours.
function paletteControl(option, put) {
  const labels = option.choices.map((name) => [name, drawPaletteBoard(table.palettes[name]), h("i", {}, name)]);
  return radios({ legend: "palette", labels, onchange: put, class: "tiles palettes", name: "option-palette" });
}

const PATTERN = ["0110", "1001", "1111", "0101"];

function drawPaletteBoard({ lit, unlit, background }) {
  const canvas = h("canvas", { width: 37, height: 25, "aria-hidden": "true" }), pen = canvas.getContext("2d");
  pen.fillStyle = background;
  pen.fillRect(0, 0, 37, 25);
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 6; column++) {
      pen.fillStyle = PATTERN[row][column % 4] === "1" ? lit : unlit;
      pen.fillRect(1 + column * 6, 1 + row * 6, 5, 5);
    }
  return canvas;
}

// A number field, with a slider if the option's table entry gives a slider range.
function numberControl(option, put, id) {
  const step = option.kind === "whole" ? 1 : "any";
  const field = h("input", {
    type: "number", id, step, min: option.low ?? undefined, max: option.high ?? undefined,
    placeholder: option.default === null ? "auto" : String(option.default), inputmode: "decimal",
    "aria-describedby": `${id}-help`,
  });
  const fieldValue = () => (field.value === "" ? null : Number(field.value));
  field.addEventListener("input", () => field.value !== "" && put(fieldValue()));
  field.addEventListener("change", () => put(fieldValue()));
  const { from: low, to: high, by } = option, factor = low * high === 1; // range 1/x to x: logarithmic slider
  if (by === null) return { element: h("div", { class: "amount" }, field), set: (value) => (field.value = formatNumber(value)) };
  const slider = h("input", {
    type: "range", "aria-label": `${optionLabel(option.name)}, slider`,
    min: factor ? Math.log(low) : low, max: factor ? Math.log(high) : high, step: factor ? "any" : by,
  });
  const rounded = (value) => Number((Math.round(value / by) * by).toFixed(4));
  slider.addEventListener("input", () => put(rounded(factor ? Math.exp(slider.value) : Number(slider.value))));
  const set = (value) => {
    if (document.activeElement !== field || field.value === "" || Number(field.value) !== value) field.value = formatNumber(value);
    const position = value ?? (Number.parseFloat(option.unset) || low); // texts such as "25, or the first clip's"
    if (document.activeElement !== slider || !isSame(rounded(position), rounded(factor ? Math.exp(slider.value) : Number(slider.value))))
      slider.value = factor ? Math.log(position) : position;
    slider.style.setProperty("--share", (slider.value - slider.min) / (slider.max - slider.min));
  };
  return { element: h("div", { class: "amount" }, slider, field), set };
}

const formatNumber = (value) => (value === null || value === undefined || value === "inf" ? "" : String(value));

function seedControl(option, put, id) {
  const field = h("input", { type: "number", id, min: 0, step: 1, "aria-describedby": `${id}-help` });
  field.onchange = () => put(field.value === "" ? null : Number(field.value));
  const draw = h("button", { type: "button", onclick: () => put(null) }, "New seed");
  return { element: h("div", { class: "amount" }, draw, field), set: (value) => (field.value = formatNumber(value)) };
}

function textField(id, placeholder, put) {
  const props = { type: "text", id, placeholder, spellcheck: "false", autocomplete: "off", "aria-describedby": `${id}-help` };
  return h("input", { ...props, onchange: ({ target }) => put(target.value.trim() || null) });
}

// A colour picker, and a text field for colours that the picker cannot set, such as names.
function colourControl(option, put, id) {
  const well = h("input", { type: "color", "aria-label": `${optionLabel(option.name)}, colour picker` });
  const field = textField(id, option.default ?? (PALETTE.includes(option.name) ? "from palette" : "none"), put);
  well.oninput = () => put(well.value);
  const set = (value) => {
    field.value = value && value !== option.default ? value : "";
    well.value = toHex(value ?? paletteColour(option.name));
    well.classList.toggle("unset", !value);
  };
  return { element: h("div", { class: "amount colour" }, well, field), set };
}

const PALETTE = ["lit", "unlit", "background"];
const paletteColour = (name) => table.palettes[valueOf("palette", null, look())]?.[name];

function toHex(colour) {
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.fillStyle = colour ?? "#808080";
  return /^#\w{6}$/.test(pen.fillStyle) ? pen.fillStyle : "#808080";
}

// A text field, with tiles for common values.
function textControl(option, put, id) {
  const texts = textsOf(option), placeholder = texts.length ? "other" : option.unset || option.unit?.toLowerCase() || "";
  const field = textField(id, placeholder, put);
  const set = (value) => (field.value = value === null || value === option.default || texts.includes(value) ? "" : value);
  if (!texts.length) return { element: h("div", { class: "amount" }, field), set };
  const tiles = buildTiles(option, (text) => put(text || null), texts.map((text) => [text, WORDS[option.name]?.[text] ?? text]));
  const setAll = (value) => {
    tiles.set(texts.find((text) => text === (value ?? "")));
    set(value);
  };
  return { element: h("div", { class: "usual" }, tiles.element, field), set: setAll };
}

// The size of the board: columns, and rows that follow from a shape or are a number.
function sizeControl(put, id) {
  const slider = h("input", { type: "range", min: 12, max: 160, step: 1, "aria-label": "columns, slider" });
  const field = h("input", { type: "number", id, min: 1, step: 1, placeholder: "auto", "aria-describedby": `${id}-help` });
  const rows = h("input", { type: "number", min: 1, step: 1, placeholder: "auto", "aria-label": "rows" });
  const names = [...Object.keys(SHAPES), "other"];
  const shape = h("select", { "aria-label": "shape of the board" }, ...names.map((name) => h("option", {}, name)));
  let now = { columns: DEFAULT_COLUMNS, rows: null }, kept = null;
  const putSize = (columns, down) => put(down ? `${columns}x${down}` : `${columns}`);
  const rowsFor = (columns) => {
    if (kept === "other" && now.rows) return Math.max(1, Math.round((columns * now.rows) / now.columns));
    return kept && SHAPES[kept] ? Math.max(1, Math.round(columns / SHAPES[kept])) : null;
  };
  const putColumns = (columns) => columns >= 1 && putSize(columns, rowsFor(columns));
  slider.oninput = () => putColumns(Number(slider.value));
  field.onchange = () => (field.value ? putColumns(Math.round(Number(field.value))) : put(null));
  rows.onchange = () => {
    kept = rows.value ? "other" : names[0];
    putSize(now.columns, Math.round(Number(rows.value)) || null);
  };
  shape.onchange = () => {
    kept = shape.value;
    if (kept !== "other") putSize(now.columns, rowsFor(now.columns));
    else rows.focus();
  };
  const set = (value) => {
    const [columns, down] = String(value ?? DEFAULT_COLUMNS).split(/x/i).map(Number);
    now = { columns, rows: down || null };
    const fits = (name) => (SHAPES[name] ? Math.round(columns / SHAPES[name]) === down : !down);
    if (!kept || kept === "other" || !fits(kept)) kept = names.find((name) => name !== "other" && fits(name)) ?? "other";
    slider.value = columns;
    slider.style.setProperty("--share", (slider.value - 12) / 148);
    field.value = value === null ? "" : columns;
    rows.value = down || "";
    shape.value = kept;
  };
  const element = h("div", { class: "size" },
    h("div", { class: "amount" }, slider, field),
    h("div", { class: "amount" }, shape, h("span", { class: "soft" }, "rows"), rows));
  return { element, set };
}

export const optionLabel = (name) => name.replaceAll("_", " ");
