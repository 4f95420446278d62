/** A small option table, and pictures, for tests of the studio's modules. */

/** @import { Option, WorkPicture } from "../../web/src/studio/types.js" */

import { setTable } from "../../web/src/studio/table.js";
import { restore } from "../../web/src/studio/work.js";

/** @param {Partial<Option> & { name: string }} facts @returns {Option} */
export const option = (facts) => ({
  ...{ kind: "number", default: null, choices: [], low: null, high: null },
  ...{ from: null, to: null, by: null, unit: null, help: "", unset: "" },
  ...{ own: false, look: false, output: false, formats: null, advanced: false },
  ...{ of_clips: false, not_of_clips: false, not_of_one_clip: false },
  ...{ illustrated: false, transitions: null },
  ...facts,
});

const GROUPS = {
  Board: [
    option({ name: "size", kind: "text" }),
    option({ name: "perfect", kind: "flag" }),
    option({ name: "levels", kind: "choice", default: 2, choices: [2, 3, 5, 7] }),
    option({ name: "rule", default: "plus" }),
    option({ name: "wrap", kind: "flag", default: false }),
  ],
  Picture: [
    option({ name: "crop", own: true }),
    option({ name: "focus", own: true }),
    option({ name: "fit", default: "auto", own: true }),
    option({ name: "dither", default: "auto" }),
    option({ name: "rgb", kind: "flag", default: false }),
    option({ name: "spot", kind: "flag", default: false }),
    option({ name: "detail", own: true }),
    option({ name: "gamma", default: 1, own: true }),
    option({ name: "invert", kind: "flag", default: false, own: true }),
  ],
  Clips: [
    option({ name: "start", own: true, of_clips: true }),
    option({ name: "end", own: true, of_clips: true }),
    option({ name: "at", own: true, of_clips: true }),
  ],
  Clicks: [
    option({
      name: "order",
      default: "auto",
      choices: ["auto", "radial", "legal"],
      not_of_one_clip: true,
      transitions: ["wipe", "sketch"],
    }),
    option({ name: "reverse", kind: "flag", default: false }),
    option({ name: "spread" }),
    option({ name: "clicks_picture", not_of_clips: true }),
    option({ name: "transition", default: "wipe" }),
    option({ name: "seed" }),
    option({ name: "ending", default: "stay", not_of_one_clip: true }),
  ],
  Timing: [
    option({ name: "fps" }),
    option({ name: "duration", default: 3 }),
    option({ name: "loop", default: 0 }),
  ],
  Look: [
    option({ name: "gap", look: true }),
    option({ name: "shape", look: true, choices: ["square", "circle"] }),
    option({ name: "palette", look: true, default: "ink", choices: ["ink", "amber"] }),
    option({ name: "canvas", look: true }),
  ],
  Output: [option({ name: "frames", default: 4, output: true, formats: [".png", "-sheet.svg"] })],
};

setTable({
  groups: Object.entries(GROUPS).map(([name, options]) => ({ name, options })),
  presets: {
    colour: { rgb: true, levels: 3, dither: "search", detail: 0.8 },
    spot: { spot: true, levels: 5 },
    linocut: { dither: "threshold", detail: 3 },
    pencil: { dither: "threshold", detail: 4, gamma: 2.5 },
    poster: { levels: 3, dither: "threshold", detail: 2 },
    loop: { ending: "boomerang", duration: 4 },
  },
});

/** @param {Partial<WorkPicture>} facts @returns {WorkPicture} */
const picture = (facts) => ({
  ...{ id: "a", name: "face.png", kind: "still", seconds: null, width: 40, height: 30, view: null },
  ...facts,
});

export const a = picture({});
export const b = picture({ id: "b", name: "b.png", width: 30, height: 40 });
export const clip = picture({ id: "clip", name: "dance.mp4", kind: "clip", seconds: 10 });

/**
 * Begins a project of some pictures, with a seed of 3.
 *
 * @param {WorkPicture[]} pictures
 * @param {Record<string, string | number | boolean>} [values] options of all pictures
 * @param {Record<string, Record<string, string | number | boolean>>} [own] options of single ones
 * @param {object} [others] members of the project
 */
export function begin(pictures, values = {}, own = {}, others = {}) {
  restore({
    pictures: structuredClone(pictures),
    looks: { A: { values: { seed: 3, ...values }, own: structuredClone(own) }, B: null },
    ...others,
  });
}

/**
 * Rounds all numbers of a value to three decimals.
 *
 * @template Data
 * @param {Data} value
 * @returns {Data}
 */
export const rounded = (value) =>
  JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each === "number" ? Number(each.toFixed(3)) : each,
  );
