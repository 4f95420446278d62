/**
 * The project: pictures, and one or two looks (A and B) of their film.  Changes by `change` can be
 * undone, and are reported to listeners.
 */

/** @import { PictureView } from "../types.js" */
/** @import { Look, ReadPicture, Slot, Values, Work } from "./types.js" */

import { clampIndex } from "../numbers.js";

const MAX_UNDO_STEPS = 200;
const SAME_CHANGE = 800; // milliseconds; faster changes of the same value are one undo step

export const newSeed = () => Math.floor(Math.random() * 1e6); // at most six digits

/** @returns {Look} */
const newLook = () => ({ values: { seed: newSeed() }, own: {} });

/** @returns {Work} */
const newWork = () => ({
  pictures: [],
  looks: { A: newLook(), B: null },
  slot: "A",
  formats: [".gif"],
});

let work = newWork();
/** @type {Work[]} */
let past = [];
/** @type {Work[]} */
let future = [];
/** @type {{ what: string | null, time: number }} */
let lastChange = { what: null, time: 0 };
/** @type {(() => void)[]} */
const listeners = [];

export const current = () => work;

/** @param {string | null} id */
export const pictureOf = (id) => work.pictures.find((picture) => picture.id === id);

export const look = () => work.looks[work.slot] ?? work.looks.A;

/** @returns {Slot[]} */
export const slots = () => (work.looks.B ? ["A", "B"] : ["A"]);

/** @param {Work} of @returns {Look[]} */
const looksOf = ({ looks }) => (looks.B ? [looks.A, looks.B] : [looks.A]);

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/** @param {() => void} act */
export const onChange = (act) => listeners.push(act);

const notify = () => listeners.forEach((act) => act());

/**
 * Replaces the project with a stored one; missing members get their initial values.
 *
 * @param {Partial<Work>} stored
 */
export function restore(stored) {
  const complete = { ...newWork(), ...stored };
  if (!complete.looks?.A) complete.looks = newWork().looks;
  looksOf(complete).forEach(({ values }) => (values.seed ??= newSeed()));
  if (!complete.looks[complete.slot]) complete.slot = "A";
  complete.pictures.forEach((picture) => (picture.view ??= null));
  [work, past, future] = [complete, [], []];
  notify();
}

/**
 * Returns the project of pictures from the command line, with their options.
 *
 * @param {(ReadPicture & { own?: Values })[]} pictures
 * @returns {Partial<Work>}
 */
export const workFromPictures = (pictures) => ({
  pictures: pictures.map((picture) => ({ ...picture, own: undefined, view: null })),
  looks: {
    A: { values: {}, own: Object.fromEntries(pictures.map(({ id, own = {} }) => [id, own])) },
    B: null,
  },
});

const MAX_STORED_STEPS = 60;

/** Returns the undo steps as a text, which a reload of the page keeps. */
export const writeSteps = () =>
  JSON.stringify({
    work,
    past: past.slice(-MAX_STORED_STEPS),
    future: future.slice(-MAX_STORED_STEPS),
  });

/**
 * Restores the undo steps, if they are those of this project.
 *
 * @param {string} text
 */
export function readSteps(text) {
  const stored = JSON.parse(text);
  if (JSON.stringify(stored?.work) !== JSON.stringify(work)) return;
  ({ past, future } = stored);
  notify();
}

/**
 * Changes the project by `act(copy)`; quick successive changes of the same `what` are one undo step.
 *
 * @param {string | null} what
 * @param {(next: Work) => void} act
 */
export function change(what, act) {
  const next = structuredClone(work);
  const now = performance.now();
  act(next);
  if (JSON.stringify(next) === JSON.stringify(work)) return;
  if (!what || what !== lastChange.what || now - lastChange.time > SAME_CHANGE) past.push(work);
  if (past.length > MAX_UNDO_STEPS) past.shift();
  lastChange = { what, time: now };
  [work, future] = [next, []];
  notify();
}

/**
 * Changes the project without an undo step, for members that do not affect the film.
 *
 * @param {(work: Work) => void} act
 */
export function updateWithoutUndo(act) {
  act(work);
  notify();
}

/** @param {Work[]} from @param {Work[]} onto */
function moveStep(from, onto) {
  const next = from.pop();
  if (!next) return;
  onto.push(work);
  work = next;
  lastChange = { what: null, time: 0 };
  notify();
}

export const undo = () => moveStep(past, future);
export const redo = () => moveStep(future, past);

// Two looks side by side

/** Begins a second look, B, which is at first like A. */
export const compare = () =>
  change(null, (next) => {
    Object.assign(next, { looks: { ...next.looks, B: structuredClone(next.looks.A) }, slot: "B" });
  });

/** @param {Slot} slot */
export const keepSlot = (slot) =>
  change(null, (next) => {
    Object.assign(next, { looks: { A: next.looks[slot], B: null }, slot: "A" });
  });

/** @param {Slot} slot */
export const choose = (slot) => change("slot", (next) => (next.slot = slot));

// Pictures

/** @param {(ReadPicture & { pasted: boolean })[]} pictures */
export const addPictures = (pictures) =>
  change(null, (next) =>
    next.pictures.push(...pictures.map((picture) => ({ ...picture, view: null }))),
  );

/** @param {string} id */
export const removePicture = (id) =>
  change(null, (next) => {
    next.pictures = next.pictures.filter((picture) => picture.id !== id);
    looksOf(next).forEach(({ own }) => delete own[id]);
  });

/**
 * Moves a picture to another place in the order; outside of it, to its end.
 *
 * @param {string} id
 * @param {number} place
 */
export const movePicture = (id, place) =>
  change(`move.${id}`, ({ pictures }) => {
    const from = pictures.findIndex((picture) => picture.id === id);
    pictures.splice(clampIndex(place, pictures.length), 0, ...pictures.splice(from, 1));
  });

/**
 * Options always stored per picture, so that dragging one picture resets them only for this one.
 */
export const PER_PICTURE = ["focus", "crop"];

/**
 * Sets the view of a picture, in place of what else chooses its part.
 *
 * @param {string} id
 * @param {PictureView | null} view
 */
export const setView = (id, view) =>
  change(`view.${id}`, (next) => {
    Object.assign(next.pictures.find((picture) => picture.id === id) ?? {}, { view });
    for (const { own } of looksOf(next)) PER_PICTURE.forEach((name) => delete own[id]?.[name]);
  });
