/**
 * Where a visitor was on a wall.  Browsers return there by Back alone, and before the cards are sorted;
 * links of the site return there too.
 */

const storageKey = () => `${location.pathname}${location.hash}`;

/** Keeps how far the page is scrolled, under its address. */
export function keepPlace() {
  try {
    sessionStorage.setItem(storageKey(), String(scrollY));
  } catch {
    // In a sandboxed frame, or without storage.
  }
}

/** Scrolls to where the visitor was at this address. */
export function returnToPlace() {
  try {
    const place = sessionStorage.getItem(storageKey());
    if (place) scrollTo({ top: Number(place), behavior: "instant" });
  } catch {
    // As above.
  }
}
