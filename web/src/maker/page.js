/** The maker's page: its elements, and what the user has chosen. */

/** @import { Choices, CroppedPicture, Palette } from "./types.js" */

import { findElements, findParts, readData } from "../page/elements.js";
import { LOOKS } from "./choices.js";

export const ui = findElements({
  needs: HTMLElement,
  sample: HTMLButtonElement,
  remove: HTMLButtonElement,
  screen: HTMLElement,
  stage: HTMLElement,
  board: HTMLCanvasElement,
  presses: HTMLElement,
  pressed: HTMLCanvasElement,
  play: HTMLButtonElement,
  scrub: HTMLInputElement,
  busy: HTMLElement,
  done: HTMLProgressElement,
  facts: HTMLElement,
  trouble: HTMLElement,
  save: HTMLElement,
  share: HTMLElement,
  choices: HTMLFormElement,
  files: HTMLInputElement,
});

/**
 * @typedef {object} PageData
 * @property {string} program
 * @property {{ name: string, png: string }[]} samples
 * @property {Record<string, Palette>} palettes
 * @property {string[]} accents
 */

/** @type {PageData} */
export const data = readData("data");

/**
 * @typedef {object} OwnMembers
 * @property {ImageBitmap} image a small copy to draw, of `width` and `height`
 * @property {boolean} isSample
 *
 * @typedef {CroppedPicture & OwnMembers} OwnPicture
 */

/** The places of the first picture, the second, and that which the clicks draw. */
export const slots = Array.from(
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".slot")),
  (element) => ({
    element,
    ...findParts(element, {
      pair: HTMLElement,
      crop: HTMLCanvasElement,
      target: HTMLCanvasElement,
      name: HTMLElement,
      problem: HTMLElement,
      bar: HTMLElement,
      pick: HTMLButtonElement,
    }),
    picture: /** @type {OwnPicture | null} */ (null),
    turn: 0, // number of files that were read for it
    isReading: false,
  }),
);

/** @typedef {typeof slots[number]} Slot */

/** @type {Choices} */
export const choices = {
  look: "classic",
  size: "80",
  transition: "wipe",
  order: "radial",
  palette: "ink",
};

/** Clicks draw the third picture in films of two levels, by the wipe. */
export const canDraw = () => LOOKS[choices.look].levels === 2 && choices.transition === "wipe";

/** Returns the slots of the film's pictures. */
export const usedSlots = () =>
  slots.filter(({ picture }, i) => i < 2 || (picture !== null && canDraw()));

/** Returns the pictures of the film that are read. */
export const ownPictures = () => usedSlots().flatMap(({ picture }) => picture ?? []);

/**
 * Returns what workers need of a picture.
 *
 * @param {OwnPicture} picture
 * @returns {CroppedPicture}
 */
export const cropOf = ({ number, name, width, height, view, sha256 }) => ({
  ...{ number, name, width, height, view, sha256 },
});
