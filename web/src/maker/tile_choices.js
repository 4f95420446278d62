/** The options as tiles, each of which previews its option with the current pictures. */

/** @import { Choices } from "./types.js" */

import { drawBoardImage } from "../board/paint.js";
import { LOOKS, ORDER_NAMES, TRANSITIONS } from "./choices.js";
import { askDesk } from "./desk.js";
import { choices, cropOf, data, ownPictures, ui, usedSlots } from "./page.js";
import { buildPalette } from "./palette.js";

/**
 * Values of each option.
 *
 * @type {Record<keyof Choices, readonly string[]>}
 */
const VALUES = {
  look: Object.keys(LOOKS),
  size: ["40", "60", "80", "120"],
  transition: Object.keys(TRANSITIONS),
  order: ORDER_NAMES,
  palette: Object.keys(data.palettes),
};

const NAMES = /** @type {(keyof Choices)[]} */ (Object.keys(VALUES));

/**
 * Labels of tiles that are not the capitalized value.
 *
 * @type {Record<string, string>}
 */
const LABELS = { levels: "Three levels", spot: "Spot colours" };

/** @param {string} name */
const capitalize = (name) => name[0].toUpperCase() + name.slice(1);

/** Writes the tiles. */
export function writeTiles() {
  ui.choices.innerHTML = NAMES.map((name) => {
    const tiles = VALUES[name].map((value) => {
      const input = `<input type="radio" name="${name}" value="${value}">`;
      const label = LABELS[value] ?? capitalize(value);
      return `<label class="tile">${input}<canvas aria-hidden="true"></canvas>${label}</label>`;
    });
    const legend = `<legend>${capitalize(name)}</legend>`;
    return `<fieldset id="choice-${name}">${legend}<div class="tiles">${tiles.join("")}</div></fieldset>`;
  }).join("");
  choose({});
}

let tilesDrawn = 0;

/** Draws one tile after the other; a newer call stops it. */
export async function drawTiles() {
  const turn = ++tilesDrawn;
  const shown = ownPictures().slice(0, 2); // kept, so that the desk keeps them, too
  for (const input of ui.choices.querySelectorAll("input")) {
    const name = /** @type {keyof Choices} */ (input.name);
    const value = /** @type {Choices[keyof Choices]} */ (input.value);
    const tile = await askDesk("tile", shown.map(cropOf), choices, name, value);
    const canvas = input.parentElement?.querySelector("canvas");
    if (turn !== tilesDrawn || !canvas) return;
    const palette = data.palettes[name === "palette" ? value : choices.palette];
    const board = { ...tile, palette: buildPalette(palette, tile, tile.spot) };
    drawBoardImage(board, canvas, tile.shades);
  }
}

/**
 * Returns whether a palette's colours of all shades differ: in colour, its two ends must differ in red,
 * green and blue.
 *
 * @param {string} palette
 */
function isSuitable(palette) {
  const { rgb, levels } = LOOKS[choices.look];
  if (!rgb) return true;
  const shades = buildPalette(data.palettes[palette], { rgb, levels }).slice(1);
  return new Set(shades).size === levels ** 3;
}

/**
 * Changes some choices.
 *
 * @param {Partial<Choices>} values
 */
export function choose(values) {
  Object.assign(choices, values);
  if (!isSuitable(choices.palette)) choices.palette = "ink";
  for (const input of ui.choices.querySelectorAll("input")) {
    const { name, value, parentElement } = input;
    input.checked = choices[/** @type {keyof Choices} */ (name)] === value;
    if (name === "palette" && parentElement) parentElement.hidden = !isSuitable(value);
  }
  showChoice("order", choices.transition === "wipe");
  showChoice("palette", choices.look !== "spot");
}

/** @param {keyof Choices} name @param {boolean} isShown */
function showChoice(name, isShown) {
  const choice = document.getElementById(`choice-${name}`);
  if (choice) choice.hidden = !isShown;
}

/** Chooses at random; the size stays, and what the clicks need to draw a picture. */
export function shuffleChoices() {
  const values = NAMES.map((name) => {
    const ofName = VALUES[name];
    return [name, ofName[Math.floor(Math.random() * ofName.length)]];
  });
  const { size, look, transition } = choices;
  const kept = usedSlots()[2] ? { size, look, transition } : { size };
  choose({ .../** @type {Partial<Choices>} */ (Object.fromEntries(values)), ...kept });
}
