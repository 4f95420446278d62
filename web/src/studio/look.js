/** The values of a look's options, and whether an option fits the pictures. */

/** @import { Look, Option, Value, Work, WorkPicture } from "./types.js" */

import { defaultOf, isSame } from "./table.js";
import { PER_PICTURE, change, current, look, newSeed } from "./work.js";

/**
 * Returns the value of an option for one picture; for all pictures if `id` is null.
 *
 * @param {string} name
 * @param {string | null} [id]
 * @param {Look} [of]
 */
export const valueOf = (name, id = null, of = look()) =>
  (id === null ? undefined : of.own[id]?.[name]) ?? of.values[name] ?? defaultOf(name);

/**
 * Returns an option that is a time in seconds.
 *
 * @param {"start" | "end" | "at"} name
 * @param {string} id
 */
export function secondsOf(name, id) {
  const seconds = valueOf(name, id);
  return seconds === null ? null : Number(seconds);
}

/**
 * Returns whether an option is set for one picture; for all pictures if `id` is null.
 *
 * @param {string} name
 * @param {string | null} [id]
 * @param {Look} [of]
 */
export const isSet = (name, id = null, of = look()) =>
  id ? name in (of.own[id] ?? {}) : name !== "seed" && name in of.values;

/**
 * Returns the focus that is set on all pictures, or null if they differ.
 */
export function sharedFocus() {
  const all = current().pictures.map(({ id }) => look().own[id]?.focus ?? null);
  return all.every((each) => each === all[0]) ? (all[0] ?? null) : null;
}

/**
 * Sets an option, as a step that can be undone.
 *
 * @param {string} name
 * @param {Value | null} value
 * @param {string | null} [id]
 */
export const setValue = (name, value, id = null) =>
  change(`${current().slot}.${name}.${id}`, (next) => putValue(next, name, value, id));

/**
 * Sets an option of the edited look in a copy of the project.
 *
 * @param {Work} next
 * @param {string} name
 * @param {Value | null} value null is the default
 * @param {string | null} [id]
 */
export function putValue(next, name, value, id = null) {
  const { values, own } = next.looks[next.slot] ?? next.looks.A;
  if (id === null && PER_PICTURE.includes(name)) {
    return next.pictures.forEach((picture) => putValue(next, name, value, picture.id));
  }
  if (id === null) Object.values(own).forEach((ownValues) => delete ownValues[name]);
  const target = id === null ? values : (own[id] ??= {});
  const base = id === null ? defaultOf(name) : (values[name] ?? defaultOf(name));
  if (value === null || isSame(value, base)) delete target[name];
  else target[name] = value;
  if (name === "seed") values.seed ??= newSeed();
  if (name !== "focus" || value === null) return;
  Object.assign(next.pictures.find((picture) => picture.id === id) ?? {}, { view: null });
}

/**
 * Returns whether a picture is a clip that is not reduced to one frame by the option `at`.
 *
 * @param {WorkPicture} picture
 * @param {Look} [of]
 */
export const isMovingClip = ({ id, kind }, of = look()) =>
  kind === "clip" && valueOf("at", id, of) === null;

/**
 * Returns whether there are enough pictures for a film: two, a clip, or a still with the transition
 * automaton.
 *
 * @param {Look} [of]
 */
export function isEnough(of = look()) {
  const { pictures } = current();
  const isAutomaton = valueOf("transition", null, of) === "automaton";
  return pictures.length > 1 || pictures.some((each) => isAutomaton || isMovingClip(each, of));
}

/**
 * Returns why an option does not apply to these pictures and this transition, or "".
 *
 * @param {Option} option
 * @param {Look} [of]
 * @param {string | null} [id]
 */
export function unfitReason(option, of = look(), id = null) {
  const { pictures, formats } = current();
  const clips = pictures.filter((each) => isMovingClip(each, of));
  /** @param {WorkPicture} picture */
  const isClip = (picture) => picture.kind === "clip" && (!id || picture.id === id);
  if (option.of_clips && !pictures.some(isClip)) return "for clips only";
  if (option.not_of_one_clip && clips.length && pictures.length === 1)
    return "not with a single clip";
  if (option.not_of_clips && clips.length) return "not with clips";
  if (option.formats && !option.formats.some((suffix) => formats.includes(suffix)))
    return `for ${option.formats.join(" ")}`;
  const transition = String(valueOf("transition", null, of));
  return option.transitions?.includes(transition) === false ? `not with ${transition}` : "";
}
