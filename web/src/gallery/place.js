/**
 * Where a visitor was on a wall: the site's links return there, as Back does.
 *
 * A card that was not yet on the screen has no layout, and a height that is guessed.  So the place is a
 * card and its distance from the top of the screen, not how far the page is scrolled.
 */

/** @import { Item } from "./items.js" */

const storageKey = () => `${location.pathname}${location.hash}`;

/** @param {Item} item */
function isOnScreen({ element }) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/**
 * Keeps under the page's address where a card on the screen is.
 *
 * @param {Iterable<Item>} items
 */
export function keepPlace(items) {
  const { card, element } = [...items].find(isOnScreen) ?? {};
  if (!card || !element) return;
  const { top } = element.getBoundingClientRect();
  try {
    sessionStorage.setItem(storageKey(), JSON.stringify({ slug: card.slug, top }));
  } catch {
    // In a sandboxed frame, or without storage.
  }
}

/** @returns {{ slug: string, top: number } | null} */
function findPlace() {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey()) ?? "null");
  } catch {
    return null;
  }
}

const SETTLING_TIME = 2000; // milliseconds in which cards get their heights

/**
 * Scrolls to where the visitor was at this address, until all has its height or the visitor acts.
 *
 * @param {Iterable<Item>} items
 */
export function returnToPlace(items) {
  const place = findPlace();
  const { element } = [...items].find(({ card }) => card.slug === place?.slug) ?? {};
  if (!place || !element) return;
  const observer = new ResizeObserver(() => {
    const top = element.getBoundingClientRect().top - place.top;
    scrollBy({ top, behavior: "instant" });
  });
  observer.observe(document.body);
  const stop = () => observer.disconnect();
  setTimeout(stop, SETTLING_TIME);
  for (const type of ["wheel", "pointerdown", "keydown"])
    addEventListener(type, stop, { once: true, passive: true });
}
