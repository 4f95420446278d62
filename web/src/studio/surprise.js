/** Random looks. */

/** @import { Value, Values } from "./types.js" */

import { putValue } from "./look.js";
import { table } from "./table.js";
import { change, newSeed } from "./work.js";

/** @template Item @param {readonly Item[]} list */
const drawRandom = (list) => list[Math.floor(Math.random() * list.length)];

/** @param {number} share */
const withChance = (share) => Math.random() < share;

const GROUPS = ["Board", "Picture", "Clicks", "Look"];

/** Sets a random look with a new seed, without options that make solving slow or boards illegible. */
export function surprise() {
  change(null, (next) => {
    const { values } = next.looks[next.slot] ?? next.looks.A;
    table.groups
      .filter(({ name }) => GROUPS.includes(name))
      .flatMap(({ options }) => options)
      .filter(({ name }) => name in values && name !== "seed")
      .forEach(({ name }) => putValue(next, name, null));
    Object.entries(drawLook())
      .filter(([name]) => table.options.has(name))
      .forEach(([name, value]) => putValue(next, name, value));
    values.seed = newSeed();
  });
}

/** @returns {Record<string, Value | null>} */
function drawLook() {
  const transition = drawRandom(["wipe", "wipe", "wipe", "dissolve", "sketch"]);
  const common = {
    transition,
    detail: drawRandom([0.8, 1.5, 1.5, 2.5]),
    palette: drawRandom(choicesOf("palette")),
    shape: drawRandom(choicesOf("shape")),
  };
  if (transition === "sketch") return { ...common, ...drawWipe() };
  const preset = transition === "wipe" ? drawPreset() : {};
  return {
    ...common,
    ...(!preset.rgb && { rgb: withChance(0.3), levels: drawRandom([2, 2, 3, 5]) }),
    size: drawRandom([null, null, "60", "80", "120"]),
    perfect: true,
    ...(transition === "dissolve"
      ? { dither: drawRandom(["blue-noise", "blue-noise", "bayer"]) }
      : drawWipe()),
    ...preset,
  };
}

const DITHERS = ["floyd-steinberg", "atkinson", "stucki", "blue-noise", "bayer"];

/** Draws options that a dissolve does not have. */
const drawWipe = () => ({
  dither: drawRandom(DITHERS),
  order: drawRandom(choicesOf("order").filter((order) => order !== "legal")),
  reverse: withChance(0.3),
  spread: drawRandom([0.02, 0.02, 0, 0.1, 0.3]),
});

/** @returns {Values} */
const drawPreset = () =>
  drawRandom([{}, ...Object.values(table.presets).filter(({ dither }) => dither)]);

/** @param {string} name */
const choicesOf = (name) => table.options.get(name)?.choices ?? [];
