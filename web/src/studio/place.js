/**
 * What of the page is seen, and the undo steps: they are kept in the browser's tab, so that Back and
 * a reload show the same place.
 */

import { findElements } from "../page/elements.js";
import { switches, toggleSwitch } from "./cards.js";
import { isEnough } from "./look.js";
import { currentScope, search, showOptions } from "./option_form.js";
import { filmPlaces, resumeFilms } from "./stages.js";
import { openTab } from "./tabs.js";
import { readSteps, writeSteps } from "./work.js";

/** The token in the page's path distinguishes studios that used the same port. */
const STEPS_KEY = `${location.pathname}steps`;
const PLACE_KEY = `${location.pathname}place`;

/** Milliseconds for which the page may still grow, as its pictures appear. */
const LAYOUT_TIME = 10_000;

/** Events by which a user may scroll. */
const USER_ACTS = ["pointerdown", "wheel", "keydown", "touchstart"];

const ui = findElements({
  find: HTMLInputElement,
  pictures: HTMLElement,
  options: HTMLElement,
  cards: HTMLElement,
  presets: HTMLElement,
});

const allDetails = () => [...document.querySelectorAll("details")];

/** What scrolls: the page, and the panels beside the film. */
const panels = [document.documentElement, ui.pictures, ui.options];

/**
 * How far the panels were scrolled, while the page takes its form.
 *
 * @type {number[] | null}
 */
let wantedScrolls = null;

/** A search opens groups; `data-open` tells whether they were open before. */
const describePlace = () => ({
  tab: document.body.dataset.tab ?? "",
  scope: currentScope(),
  find: ui.find.value,
  switches,
  open: allDetails().map(({ dataset, open }) => (dataset.open ?? String(open)) === "true"),
  films: filmPlaces(),
  scrolls: wantedScrolls ?? panels.map(({ scrollTop }) => scrollTop),
});

/** @typedef {ReturnType<typeof describePlace>} Place */

function storePlace() {
  sessionStorage.setItem(PLACE_KEY, JSON.stringify(describePlace()));
  try {
    sessionStorage.setItem(STEPS_KEY, writeSteps());
  } catch {
    sessionStorage.removeItem(STEPS_KEY); // the storage is full
  }
}

/** Shows the place that was seen before, or that of a new page, and stores it from then on. */
export function restorePlace() {
  /** @type {Place | null} */
  const place = JSON.parse(sessionStorage.getItem(PLACE_KEY) ?? "null");
  readSteps(sessionStorage.getItem(STEPS_KEY) ?? "null");
  if (place) showPlace(place);
  else openTab(isEnough() ? "film" : "pictures");
  addEventListener("pagehide", storePlace);
  document.addEventListener("visibilitychange", () => document.hidden && storePlace());
}

/** @param {Place} place */
function showPlace({ tab, scope, find, switches: wanted, open, films, scrolls }) {
  openTab(isEnough() ? tab : "pictures");
  allDetails().forEach((details, i) => (details.open = open[i] ?? details.open));
  ui.find.value = find;
  if (find) search();
  showOptions(scope);
  if (wanted.shine) toggleSwitch("shine");
  if (wanted.wrong) toggleSwitch("wrong");
  resumeFilms(films);
  keepScrolled(scrolls);
}

/**
 * Scrolls the panels while the page takes its form, until the user does anything.
 *
 * @param {number[]} scrolls
 */
function keepScrolled(scrolls) {
  const observer = new ResizeObserver(() =>
    panels.forEach((panel, i) => (panel.scrollTop = scrolls[i])),
  );
  const stop = () => {
    observer.disconnect();
    document.body.classList.remove("forming");
    wantedScrolls = null;
  };
  wantedScrolls = scrolls;
  document.body.classList.add("forming"); // in which browsers do not scroll by what is added above
  [document.body, ui.cards, ui.presets].forEach((part) => observer.observe(part));
  USER_ACTS.forEach((kind) => addEventListener(kind, stop, { once: true }));
  setTimeout(stop, LAYOUT_TIME);
}
