/** The wall of all cards, or of those of a series. */

/** @import { Item } from "./items.js" */

import { findAll, findFirst, reducedMotion, setText } from "../page/elements.js";
import { formatNumber, plural } from "../page/texts.js";
import { arrangeCards, formatAddress, parseAddress } from "./cards.js";
import { attachItem, createItem, detachItem, rest, wake } from "./items.js";
import { keepPlace, returnToPlace } from "./place.js";
import { cards, fileOf, keepInAddress, keepInLinks, onResize } from "./site.js";

const LONGEST_FILM = 6; // seconds

/**
 * Calls `onEnter` or `onLeave` when an item enters or leaves a part of the screen.
 *
 * @param {Map<Element, Item>} items
 * @param {string} rootMargin
 * @param {(item: Item) => void} onEnter
 * @param {(item: Item) => void} onLeave
 */
function watchVisibility(items, rootMargin, onEnter, onLeave) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        (isIntersecting ? onEnter : onLeave)(/** @type {Item} */ (items.get(target)));
    },
    { rootMargin },
  );
  for (const element of items.keys()) observer.observe(element);
}

/** @param {Item} item */
function sleep(item) {
  rest(item);
  item.boards.at(-1)?.paint();
}

/**
 * Plays films under the mouse or by focus; on touch screens, in the middle of the screen.
 *
 * @param {HTMLElement} list
 * @param {Map<Element, Item>} items
 */
function listenToItems(list, items) {
  /**
   * @template {keyof HTMLElementEventMap} Type
   * @param {Type} type
   * @param {(item: Item, event: HTMLElementEventMap[Type]) => void} act
   */
  const on = (type, act) =>
    list.addEventListener(type, (event) => {
      const element = event.target instanceof Element ? event.target.closest("li") : null;
      const item = element && items.get(element);
      if (item) act(item, event);
    });
  on("pointerover", (item, { pointerType }) => pointerType === "mouse" && wake(item));
  on("pointerout", (item, { pointerType, relatedTarget }) => {
    const stays = relatedTarget instanceof Node && item.link.contains(relatedTarget);
    if (pointerType === "mouse" && !stays) sleep(item);
  });
  on("focusin", wake);
  on("focusout", sleep);
  if (matchMedia("(hover: none)").matches && !reducedMotion)
    watchVisibility(items, "-49% 0px", wake, sleep);
}

/**
 * Moves the focus between the shown cards of the grid by arrow keys.
 *
 * @param {HTMLElement} list
 * @param {() => HTMLElement[]} shownLinks
 */
function listenToArrows(list, shownLinks) {
  list.addEventListener("keydown", (event) => {
    const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const links = shownLinks();
    links[links.findIndex((link) => link === document.activeElement) + step]?.focus();
  });
}

/** Shows the wall as its address says. */
export function showWall() {
  const form = findFirst("form", HTMLFormElement);
  const sort = findFirst("select", HTMLSelectElement, form);
  const search = findFirst("input", HTMLInputElement, form);
  const status = findFirst("[role=status]", HTMLElement, form);
  const list = findFirst(".works", HTMLElement);
  const nothing = findFirst(".nothing", HTMLElement);
  const elements = findAll(":scope > li", HTMLElement, list);
  const elementOf = new Map(cards.map((card, i) => [card, elements[i]]));
  /** @type {Map<Element, Item>} */
  const items = new Map();
  elementOf.forEach((element, card) => {
    const link = findFirst("a", HTMLAnchorElement, element);
    items.set(element, createItem(card, link, LONGEST_FILM));
  });

  function arrange() {
    const choice = { sort: sort.value, find: search.value };
    const found = arrangeCards(cards, choice).flatMap((card) => elementOf.get(card) ?? []);
    for (const element of elements) element.hidden = true;
    for (const element of found) element.hidden = false;
    list.append(...found);
    nothing.hidden = found.length > 0;
    const all = plural(cards.length, "animation");
    setText(
      status,
      found.length === cards.length ? all : `${formatNumber(found.length)} of ${all}`,
    );
    keepChoice(formatAddress(choice));
  }

  /**
   * Puts search and sorting into the address and the links, so that pages lead back to the same wall.
   *
   * @param {string} address
   */
  function keepChoice(address) {
    keepInAddress(address);
    keepInLinks("exhibition", address);
    for (const { card, link } of items.values())
      link.setAttribute("href", fileOf(card, `index.html${address}`));
  }

  function readFromAddress() {
    ({ sort: sort.value, find: search.value } = parseAddress(location.hash));
    arrange();
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", arrange);
  findFirst("button", HTMLButtonElement, nothing).onclick = () => {
    search.value = "";
    arrange();
    search.focus();
  };
  addEventListener("hashchange", readFromAddress);
  addEventListener("pageshow", readFromAddress); // the browser may have restored old values of the form
  addEventListener("pagehide", keepPlace);
  readFromAddress();
  returnToPlace();
  watchVisibility(items, "300px 0px", attachItem, detachItem);
  listenToItems(list, items);
  listenToArrows(list, () => findAll("li:not([hidden]) > a", HTMLElement, list));
  onResize(() => {
    for (const item of items.values()) {
      if (!item.boards.length) continue;
      detachItem(item);
      attachItem(item);
    }
  });
}
