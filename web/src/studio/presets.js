/** Presets: options that are set together. */

/** @import { Look, Value, Values } from "./types.js" */

import { putValue } from "./look.js";
import { defaultOf, isSame, table } from "./table.js";
import { change, look } from "./work.js";

/**
 * Returns the options of a preset and of all that share an option with it or with each other, so that
 * a preset of times keeps the look; without a preset, those of all presets.
 *
 * @param {string} preset
 */
export function presetOptions(preset) {
  const all = Object.values(table.presets).map((values) => Object.keys(values));
  const own = new Set(Object.keys(table.presets[preset] ?? {}));
  /** @param {string[]} names */
  const isShared = (names) => !own.size || names.some((name) => own.has(name));
  // Each round can add presets that share an option with those of the round before.
  all.forEach(() =>
    all
      .filter(isShared)
      .flat()
      .forEach((name) => own.add(name)),
  );
  return [...own];
}

/**
 * Sets the options of a preset, and resets the others of `presetOptions`.
 *
 * @param {string} name
 */
export const applyPreset = (name) =>
  change(null, (next) => {
    presetOptions(name).forEach((option) => putValue(next, option, null));
    Object.entries(table.presets[name] ?? {}).forEach(([option, value]) =>
      putValue(next, option, value),
    );
    const { values } = next.looks[next.slot] ?? next.looks.A;
    if (values.transition === "dissolve") putValue(next, "transition", null);
  });

/**
 * Returns the name of the preset that is set: "" if none is, and null if other options are.
 *
 * @param {Look} [of]
 */
export function presetNow(of = look()) {
  /** @param {string} name */
  const valueNow = (name) => of.values[name] ?? defaultOf(name);
  /** @param {string} preset */
  const fits = (preset) =>
    presetOptions(preset).every((name) =>
      isSame(valueNow(name), table.presets[preset]?.[name] ?? defaultOf(name)),
    );
  return Object.keys(table.presets).find(fits) ?? (fits("") ? "" : null);
}

/**
 * Returns the look with the options of a preset, for its picture.
 *
 * @param {string} preset
 * @returns {Look}
 */
export function presetLook(preset) {
  const base = look();
  const names = presetOptions(preset);
  const values = Object.fromEntries(
    Object.entries(base.values).filter(([name]) => !names.includes(name)),
  );
  if (values.transition === "dissolve") delete values.transition;
  return {
    values: { ...values, ...table.presets[preset] },
    own: Object.fromEntries(
      Object.entries(base.own).map(([id, { focus }]) => [id, onlyFocus(focus)]),
    ),
  };
}

/** @param {Value | undefined} focus @returns {Values} */
const onlyFocus = (focus) => (focus === undefined ? {} : { focus });
