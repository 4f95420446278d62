/** The exhibition repeats a film until its minimum time is over, then shows the next film. */

import { modulo } from "../numbers.js";
import { findAll, findFirst } from "../page/elements.js";
import { formatAddress, parseAddress } from "./cards.js";
import { attachItem, createItem, detachItem, rest, wake } from "./items.js";
import { cards, keepInAddress, keepInLinks, onResize } from "./site.js";

const LEAST_TIME = 12; // seconds for which a film is shown at least
const LONGEST_FILM = 60; // seconds

/** Shows the films in turn, first that of the address. */
export function showExhibition() {
  const sections = findAll("section", HTMLElement);
  const bar = findFirst("nav div", HTMLElement);
  const [previous, pause, next, full] = findAll("button", HTMLButtonElement, bar);
  const { at: first, ...choice } = parseAddress(location.hash);
  const items = cards.map((card, i) => createItem(card, sections[i], LONGEST_FILM));
  let at = 0;
  let paused = false;
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;

  /** @param {number} place */
  function show(place) {
    clearTimeout(timer);
    rest(items[at]);
    detachItem(items[at]);
    at = modulo(place, items.length);
    sections.forEach((section, i) => (section.hidden = i !== at));
    attachItem(items[at]);
    keepInAddress(formatAddress({ ...choice, at: cards[at].slug }));
    if (!paused) play();
  }

  async function play() {
    const item = items[at];
    await wake(item);
    if (item !== items[at] || paused) return;
    const seconds = Math.min(item.film?.starts.at(-1) || LEAST_TIME, LONGEST_FILM);
    clearTimeout(timer);
    timer = setTimeout(() => show(at + 1), Math.ceil(LEAST_TIME / seconds) * seconds * 1000);
  }

  function togglePause() {
    paused = !paused;
    pause.textContent = paused ? "Play" : "Pause";
    if (!paused) return show(at);
    clearTimeout(timer);
    rest(items[at]);
  }

  /** @type {Record<string, () => void>} */
  const acts = {
    ArrowLeft: () => show(at - 1),
    ArrowRight: () => show(at + 1),
    p: togglePause,
  };
  bar.hidden = false;
  previous.onclick = acts.ArrowLeft;
  next.onclick = acts.ArrowRight;
  pause.onclick = togglePause;
  full.onclick = () => document.documentElement.requestFullscreen();
  full.hidden = !document.fullscreenEnabled;
  addEventListener("keydown", ({ key }) => acts[key]?.());
  document.addEventListener("fullscreenchange", () =>
    navigator.wakeLock?.request("screen").catch(() => {}),
  );
  keepInLinks("index", formatAddress(choice));
  onResize(() => show(at));
  show(
    Math.max(
      0,
      cards.findIndex((card) => card.slug === first),
    ),
  );
}
