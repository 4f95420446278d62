/** The page of one animation. */

import { findAll, findFirst } from "../page/elements.js";
import { hangBoard } from "./boards.js";
import { arrangeCards, formatAddress, parseAddress } from "./cards.js";
import { cards, fileOf, keepInLinks, onResize } from "./site.js";

/**
 * Links to the neighbours among the cards that the wall showed, or among all.
 *
 * @param {string} slug
 */
function linkNeighbours(slug) {
  const choice = parseAddress(location.hash);
  const address = formatAddress(choice);
  const chosen = arrangeCards(cards, choice);
  const among = chosen.some((card) => card.slug === slug) ? chosen : cards;
  const here = among.findIndex((card) => card.slug === slug);
  /** @param {string} relation @param {number} place @param {(name: string) => string} text */
  const link = (relation, place, text) => {
    const card = among[place];
    if (!card) return;
    const neighbour = findFirst(`[rel=${relation}]`, HTMLAnchorElement);
    neighbour.hidden = false;
    neighbour.setAttribute("href", fileOf(card, `index.html${address}`));
    neighbour.textContent = text(card.name);
    neighbour.ariaLabel = `${relation === "prev" ? "Previous" : "Next"}: ${card.name}`;
  };
  link("prev", here - 1, (name) => `‹ ${name}`);
  link("next", here + 1, (name) => `${name} ›`);
  keepInLinks("index", address);
  keepInLinks("exhibition", address);
}

/**
 * Makes room for the controls of the player, which reports their height: it differs between the film
 * and the game.  It is asked once, as it may have reported before this script ran.
 *
 * @param {HTMLIFrameElement} frame
 */
function listenToPlayer(frame) {
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || !(data.controls > 0)) return;
    frame.style.setProperty("--controls", `${Math.min(data.controls, 1000)}px`);
  });
  frame.contentWindow?.postMessage({ do: "measure" }, "*");
}

function listenToCopy() {
  const button = findFirst(".copy", HTMLButtonElement);
  const code = findFirst(".recipe code", HTMLElement);
  const status = findFirst(".recipe [role=status]", HTMLElement);
  button.hidden = false;
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      status.textContent = "Copied.";
    } catch {
      getSelection()?.selectAllChildren(code);
      status.textContent = "Selected; copy it with the keyboard.";
    }
  };
}

/** @param {string} slug */
export function showAnimation(slug) {
  linkNeighbours(slug);
  const hangAll = () => findAll(".work", HTMLElement).forEach(hangBoard);
  hangAll();
  onResize(hangAll);
  listenToCopy();
  findAll("iframe", HTMLIFrameElement).forEach(listenToPlayer);
}
