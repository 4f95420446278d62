/** Buttons of the presets, each with a picture of what it does to the first picture. */

import { h } from "../page/create.js";
import { debounce } from "../page/debounce.js";
import { findElements } from "../page/elements.js";
import { getTarget, hasStatus } from "./api.js";
import { filmBody } from "./bodies.js";
import { drawBitmap } from "./elements.js";
import { applyPreset, presetLook, presetNow } from "./presets.js";
import { table } from "./table.js";
import { waitUntilIdle } from "./urgent.js";
import { current } from "./work.js";

const { presets: cards } = findElements({ presets: HTMLElement });

/** Milliseconds without a change before presets are drawn, after the film. */
const PRESETS_DELAY = 1200;

/** @type {Map<string, { button: HTMLButtonElement, canvas: HTMLCanvasElement }>} */
const presetButtons = new Map();

/** The requests of the pictures that are drawn, as JSON. */
let drawnText = "";
let drawing = Promise.resolve();

export function buildPresets() {
  for (const name of ["", ...Object.keys(table.presets)]) {
    const canvas = h("canvas", { width: 1, height: 1, "aria-hidden": "true" });
    const button = h(
      "button",
      { type: "button", onclick: () => applyPreset(name), value: name },
      canvas,
      h("span", {}, name || "plain"),
    );
    presetButtons.set(name, { button, canvas });
    cards.append(h("li", {}, button));
  }
}

export function showPresets() {
  const now = presetNow();
  presetButtons.forEach(({ button }, name) =>
    button.setAttribute("aria-pressed", String(name === now)),
  );
  drawPresets();
}

const presetBodies = () =>
  [...presetButtons.keys()].map((name) => ({
    ...filmBody(current(), presetLook(name)),
    index: 0,
    slot: "preset",
  }));

/**
 * Draws one preset after the other until there is a change, which does not abort a preset's request:
 * the server would have to end a worker and start another one.
 */
async function drawEachPreset() {
  const bodies = presetBodies();
  const text = JSON.stringify(bodies);
  if (!current().pictures.length || text === drawnText) return;
  for (const [i, { canvas }] of [...presetButtons.values()].entries()) {
    try {
      await waitUntilIdle();
      if (JSON.stringify(presetBodies()) !== text) return;
      drawBitmap(canvas, (await getTarget(bodies[i])).bitmap);
    } catch (error) {
      if (!hasStatus(error, 400)) return;
      canvas.width = 1; // the picture has too few colours for this preset
    }
  }
  drawnText = text;
}

const drawPresets = debounce(PRESETS_DELAY, () => (drawing = drawing.then(drawEachPreset)));
