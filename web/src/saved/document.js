/** Saved animations, byte for byte as lightsanim/output/formats/json_animation.py writes them. */

/** @import { Animation } from "../maker/types.js" */

import { FORMATS, toJson, toReal, withDigest } from "./json.js";
import { packSteps } from "./pack.js";

/**
 * Returns the text of a saved animation, as this version of the program writes it.
 *
 * @param {Animation} animation
 * @param {string} program
 */
export function buildDocument(animation, program) {
  const { pictures, origin, fps, holds, loop, clicks, primaries, frames, steps } = animation;
  const { rows, columns, levels } = animation.board;
  const row = RegExp(`.{${columns}}`, "g");
  /** @param {Uint8Array[]} boards */
  const digits = (boards) => boards.map((lights) => lights.join("").match(row));
  const members = withDigest({
    format: "lightsanim",
    version: 2,
    program,
    board: { rows, columns, rule: "plus", wrap: false, ...(levels > 2 && { levels }) },
    pictures,
    seed: null, // Python would draw other random numbers from it
    origin,
    fps: toReal(fps),
    holds: holds.map(([frame, seconds]) => [frame, toReal(seconds)]),
    loop,
    first: digits(animation.first),
    targets: animation.targets.map(digits),
    clicks,
    primaries,
    frames,
    steps: steps && packSteps(steps, levels),
    sound: null,
  });
  const lines = Object.entries(members).map(
    ([name, value]) => `"${name}": ${toJson(value, FORMATS.file)}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}
