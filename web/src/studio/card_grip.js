/** The grip of a picture's card, which changes the order of the pictures. */

/** @import { Card } from "./cards.js" */

import { current, movePicture } from "./work.js";

/** @type {Record<string, number>} */
const KEY_STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * Moves a card by dragging its grip, or with the arrow keys.
 *
 * @param {HTMLElement} grip
 * @param {string} id of the picture
 * @param {Map<string, Card>} cards
 */
export function listenToGrip(grip, id, cards) {
  const cardOf = (/** @type {string} */ each) => cards.get(each)?.element;
  const position = () => current().pictures.findIndex((picture) => picture.id === id);
  grip.addEventListener("keydown", (event) => {
    const by = KEY_STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    movePicture(id, position() + by);
    grip.focus();
  });
  grip.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    grip.focus();
    grip.setPointerCapture(event.pointerId);
    cardOf(id)?.classList.add("moved");
  });
  grip.addEventListener("pointermove", (event) => {
    if (!grip.hasPointerCapture(event.pointerId)) return;
    const under = current().pictures.findIndex((each) => isOver(event, cardOf(each.id) ?? grip));
    if (under >= 0 && under !== position()) movePicture(id, under);
  });
  grip.addEventListener("lostpointercapture", () => cardOf(id)?.classList.remove("moved"));
}

/** @param {PointerEvent} event @param {HTMLElement} element */
function isOver({ clientX, clientY }, element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return left < clientX && clientX < right && top < clientY && clientY < bottom;
}
