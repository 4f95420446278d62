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
 * Paints the boards of items near the screen, and plays films under the mouse or by focus; on touch
 * screens, in the middle of the screen.
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
      const element = /** @type {Element} */ (event.target).closest("li");
      const item = element && items.get(element);
      if (item) act(item, event);
    });
  on("pointerover", (item, { pointerType }) => pointerType === "mouse" && wake(item));
  on("pointerout", (item, { pointerType, relatedTarget }) => {
    const stays = relatedTarget instanceof Node && item.element.contains(relatedTarget);
    if (pointerType === "mouse" && !stays) sleep(item);
  });
  on("focusin", wake);
  on("focusout", sleep);
  watchVisibility(items, "300px 0px", attachItem, detachItem);
  if (matchMedia("(hover: none)").matches && !reducedMotion)
    watchVisibility(items, "-49% 0px", wake, sleep);
}

/**
 * Moves the focus between the shown cards of the grid by arrow keys.
 *
 * @param {HTMLElement} list
 */
function listenToArrows(list) {
  list.addEventListener("keydown", (event) => {
    const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const links = findAll("li:not([hidden]) > a", HTMLElement, list);
    links[links.findIndex((link) => link === document.activeElement) + step]?.focus();
  });
}

/** Shows the wall as its address says. */
export function showWall() {
  const form = findFirst("form", HTMLFormElement);
  const sort = findFirst("select", HTMLSelectElement, form);
  const search = findFirst("input", HTMLInputElement, form);
  const list = findFirst(".works", HTMLElement);
  const elements = findAll(":scope > li", HTMLElement, list);
  /** @type {Map<Element, Item>} */
  const items = new Map(
    elements.map((element, i) => [element, createItem(cards[i], element, LONGEST_FILM)]),
  );

  function arrange() {
    const choice = { sort: sort.value, find: search.value };
    const found = arrangeCards(cards, choice).map((card) => elements[cards.indexOf(card)]);
    for (const element of elements) element.hidden = true;
    for (const element of found) element.hidden = false;
    list.append(...found);
    showCount(found.length);
    keepChoice(formatAddress(choice), items.values());
  }

  function readFromAddress() {
    ({ sort: sort.value, find: search.value } = parseAddress(location.hash));
    arrange();
  }

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", arrange);
  findFirst(".nothing button", HTMLButtonElement).onclick = () => {
    search.value = "";
    arrange();
    search.focus();
  };
  addEventListener("hashchange", readFromAddress);
  // The browser may have kept the page, or else restored old values of the form.
  addEventListener("pageshow", ({ persisted }) =>
    persisted ? returnToPlace(items.values()) : readFromAddress(),
  );
  addEventListener("pagehide", () => keepPlace(items.values()));
  readFromAddress();
  returnToPlace(items.values());
  listenToItems(list, items);
  listenToArrows(list);
  onResize(() => {
    for (const item of items.values()) {
      if (!item.boards.length) continue;
      detachItem(item);
      attachItem(item);
    }
  });
}

/** @param {number} found number of cards that match the search */
function showCount(found) {
  const all = plural(cards.length, "animation");
  const text = found === cards.length ? all : `${formatNumber(found)} of ${all}`;
  setText(findFirst("form [role=status]", HTMLElement), text);
  findFirst(".nothing", HTMLElement).hidden = found > 0;
}

/**
 * Puts search and sorting into the address and the links, so that pages lead back to the same wall.
 *
 * @param {string} address
 * @param {Iterable<Item>} items
 */
function keepChoice(address, items) {
  keepInAddress(address);
  keepInLinks("exhibition", address);
  for (const { card, element } of items)
    findFirst("a", HTMLAnchorElement, element).setAttribute(
      "href",
      fileOf(card, `index.html${address}`),
    );
}
