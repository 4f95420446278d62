/** The option table, which the server sends. */

/** @import { Option, OptionTable, Value } from "./types.js" */

/** @type {OptionTable & { options: Map<string, Option> }} */
export const table = {
  options: new Map(),
  groups: [],
  presets: {},
  palettes: {},
  formats: [],
  stills: [],
};

/** @param {Partial<OptionTable>} answer */
export function setTable(answer) {
  Object.assign(table, answer);
  const options = table.groups.flatMap((group) => group.options);
  table.options = new Map(options.map((option) => [option.name, option]));
}

/** @param {string} name */
export const defaultOf = (name) => table.options.get(name)?.default ?? null;

/**
 * Returns whether two values of an option are the same; fields of the form know texts alone.
 *
 * @param {Value | null | undefined} one
 * @param {Value | null | undefined} other
 */
export const isSame = (one, other) => one === other || String(one) === String(other);

/** @param {string} name */
export const optionLabel = (name) => name.replaceAll("_", " ");
