/** The site of a page, its cards and its addresses. */

/** @import { Card } from "./cards.js" */

import { findAll } from "../page/elements.js";

// `root` is the path to the site's folder; the wall of a series has only the cards of the series.
const { root, series, slug } = document.body.dataset;

/** The animation that the page shows, if it shows one. */
export const ownSlug = slug;

export const cards = window.animations.filter((card) => !series || card.series === series);

/** @param {Card} card @param {string} file */
export const fileOf = (card, file) => `${root}${card.slug}/${file}`;

/**
 * Makes links to a page of the site lead there with a fragment.
 *
 * @param {"index" | "exhibition"} page
 * @param {string} address
 */
export function keepInLinks(page, address) {
  const path = `${root}${page}.html`;
  for (const link of findAll(`a[href^="${path}"]`, HTMLAnchorElement))
    link.setAttribute("href", path + address);
}

/**
 * Puts a fragment into the page's address.
 *
 * @param {string} address
 */
export function keepInAddress(address) {
  const { pathname, search, hash } = location;
  if (address !== hash) history.replaceState(null, "", address || pathname + search);
}

/**
 * Calls `act` on a resize, except if only the height changes, as when a phone's toolbars appear.
 *
 * @param {() => void} act
 */
export function onResize(act) {
  const size = () => `${innerWidth} ${devicePixelRatio} ${document.fullscreenElement}`;
  let before = size();
  addEventListener("resize", () => {
    if (size() === before) return;
    before = size();
    act();
  });
}
