/** A narrow screen shows one of four parts at a time. */

import { sizeFilms } from "./stages.js";

const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (
  document.querySelectorAll("#tabs button")
);

/** @param {string} name */
export function openTab(name) {
  document.body.dataset.tab = name;
  buttons.forEach((button) => button.setAttribute("aria-current", String(button.value === name)));
  scrollTo({ top: 0 });
  sizeFilms();
}

export function listenToTabs() {
  buttons.forEach((button) => (button.onclick = () => openTab(button.value)));
}
