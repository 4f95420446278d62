/** Cards for the pictures, with frame, target and name, and a film strip for clips. */

/** @import { Box } from "../types.js" */
/** @import { FilmReport, Target, WorkPicture } from "./types.js" */

import { listenToGestures } from "../crop/gestures.js";
import { h } from "../page/create.js";
import { findElements, setText } from "../page/elements.js";
import { plural } from "../page/texts.js";
import {
  getTarget,
  hasPicture,
  hasStatus,
  isGone,
  isStale,
  problemOf,
  thumbAddress,
} from "./api.js";
import { recordBoardSize, shapeOf, sizeOf, snapWidth } from "./board_size.js";
import { targetBody } from "./bodies.js";
import { listenToGrip } from "./card_grip.js";
import { buildStrip } from "./clip_strip.js";
import { drawBitmap, iconButton } from "./elements.js";
import { latestOnly } from "./latest_only.js";
import { secondsOf } from "./look.js";
import { placePicture, shownView } from "./placement.js";
import { clearProblem, setProblemPlace, showProblem } from "./problems.js";
import { formatSeconds } from "./sentences.js";
import { current, look, pictureOf, removePicture, setView, updateWithoutUndo } from "./work.js";

const ui = findElements({
  cards: HTMLElement,
  pictures: HTMLElement,
  shine: HTMLButtonElement,
  wrong: HTMLButtonElement,
});

/**
 * @typedef {object} Card of a picture
 * @property {string} id of the picture
 * @property {HTMLElement} element
 * @property {HTMLImageElement} image
 * @property {HTMLImageElement} other the next picture, shown over it
 * @property {HTMLElement} frame
 * @property {HTMLCanvasElement} target
 * @property {HTMLElement} state
 * @property {ReturnType<typeof buildStrip> | null} strip
 * @property {Box | null} part of the picture that the server shows
 * @property {string} clip what is known of a clip
 * @property {string} size of the board
 * @property {string} wrong number of wrong cells in the film
 * @property {string} requested the request of its target, as JSON
 * @property {() => void} request requests the target, if it has changed
 */

/** @type {Map<string, Card>} */
const cards = new Map();

/** Whether a frame also shows the next picture, and whether targets show wrong cells. */
export const switches = { shine: false, wrong: false };

/** @param {WorkPicture} picture @returns {Card} */
function buildCard(picture) {
  const { id, name, seconds } = picture;
  const image = h("img", {
    alt: "",
    draggable: "false",
    src: thumbAddress(id),
    onerror: () => removeMissing(id, name),
  });
  const other = h("img", { alt: "", draggable: "false", class: "other", hidden: true });
  const frame = h(
    "div",
    {
      class: "frame",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "frame",
      "aria-label": `Visible part of ${name}: arrow keys move it, plus and minus zoom, 0 resets it`,
    },
    image,
    other,
  );
  const target = h("canvas", { class: "target", role: "img", "aria-label": `Target of ${name}` });
  const state = h("p", { class: "soft state" });
  const problem = h("p", { class: "problem", role: "alert" });
  const gestures = listenToGestures(frame, readFrame, (view) => setView(id, view));
  const grip = iconButton("grip", `Move ${name}: drag, or use the arrow keys`, null, {
    class: "icon grip",
  });
  const strip = picture.kind === "clip" && seconds ? buildStrip(picture, seconds) : null;
  const element = h(
    "li",
    { class: "card" },
    h(
      "div",
      { class: "tools" },
      grip,
      h("span", { class: "name", title: name }, h("bdi", {}, name)),
      iconButton("close", `Remove ${name}`, () => {
        removePicture(id);
        ui.pictures.querySelector("button")?.focus();
      }),
    ),
    h("div", { class: "panes" }, frame, target),
    h(
      "div",
      { class: "tools zooms" },
      iconButton("minus", `Zoom out of ${name}`, () => gestures.zoom(1 / 1.2)),
      iconButton("plus", `Zoom into ${name}`, () => gestures.zoom(1.2)),
      iconButton("whole", `Reset the view of ${name}`, gestures.reset),
      state,
    ),
    strip?.element,
    problem,
  );
  const length = seconds === null ? "clip" : `clip of ${formatSeconds(seconds)} s`;
  /** @type {Card} */
  const card = {
    ...{ id, element, image, other, frame, target, state, strip },
    ...{ part: null, clip: picture.kind === "clip" ? length : "" },
    ...{ size: "", wrong: "", requested: "" },
    request: latestOnly((signal) => requestTarget(card, signal)),
  };
  function readFrame() {
    const own = pictureOf(id) ?? picture;
    const shape = shapeOf();
    return { picture: own, shape, view: shownView(own, shape, card.part) };
  }
  setProblemPlace(id, problem);
  listenToGrip(grip, id, cards);
  return card;
}

/**
 * Removes a picture that the server no longer has.
 *
 * @param {string} id
 * @param {string} name
 */
async function removeMissing(id, name) {
  if ((await hasPicture(id).catch(() => true)) || !pictureOf(id)) return;
  updateWithoutUndo((work) => (work.pictures = work.pictures.filter((each) => each.id !== id)));
  showProblem("upload", { message: `${name} was removed from the studio; add it again.` });
}

// Targets

const RETRY_DELAY = 200; // milliseconds until a superseded target is requested again
const BUSY_DELAY = 300; // milliseconds until a waiting card looks busy

/** @param {Card} card @param {AbortSignal} signal */
async function requestTarget(card, signal) {
  const picture = pictureOf(card.id);
  if (!picture) return;
  const body = targetBody(current(), picture, look(), switches.wrong);
  const text = JSON.stringify(body);
  if (text === card.requested) return clearProblem(card.id);
  const late = setTimeout(() => card.element.classList.add("busy"), BUSY_DELAY);
  try {
    const target = await getTarget(body, signal);
    card.requested = text;
    clearProblem(card.id);
    showTarget(card, target);
  } catch (error) {
    if (hasStatus(error, 409)) setTimeout(card.request, RETRY_DELAY);
    else if (!isStale(error) && !isGone(error)) showProblem(card.id, problemOf(error));
  } finally {
    clearTimeout(late);
    card.element.classList.remove("busy");
  }
}

/** @param {Card} card @param {Target} target */
function showTarget(card, { bitmap, part }) {
  const { width, height } = bitmap;
  Object.assign(card, { part, size: `${width} × ${height} cells` });
  showState(card);
  if (recordBoardSize(width, height)) arrangeCards();
  drawBitmap(card.target, bitmap);
  placeCard(card);
}

/** @param {Card} card */
const showState = ({ state, clip, size, wrong }) =>
  setText(state, [size && clip, size, wrong].filter(Boolean).join(", "));

/**
 * Shows the number of wrong cells of each picture, from the film's report.
 *
 * @param {FilmReport | undefined} report
 */
export function showReport(report) {
  for (const [i, { id }] of current().pictures.entries()) {
    const card = cards.get(id);
    const wrong = report?.pictures?.[i]?.wrong;
    const words = wrong ? plural(wrong, "wrong cell") : wrong === 0 ? "no wrong cells" : "";
    if (card) showState(Object.assign(card, { wrong: words }));
  }
}

// Layout

const FRAME_HEIGHT = 140; // pixels
const MAX_WASTE = 0.15; // share of a width that may stay empty so that cells have whole pixels

export function arrangeCards() {
  const shape = shapeOf();
  const first = ui.cards.querySelector(".panes");
  if (!first) return;
  const gap = parseFloat(getComputedStyle(first).columnGap) || 0;
  const highest = Math.max(FRAME_HEIGHT, innerHeight * 0.2) * shape;
  const widest = Math.min((first.clientWidth - gap) / 2, highest);
  const width = snapWidth(widest, sizeOf().columns, MAX_WASTE);
  ui.cards.style.setProperty("--width", `${width}px`);
  ui.cards.style.setProperty("--height", `${width / shape}px`);
  cards.forEach(placeCard);
}

/** @param {Card} card */
function placeCard(card) {
  const { pictures } = current();
  const picture = pictureOf(card.id);
  if (!picture) return;
  const at = picture.kind === "clip" ? frameSecond(card.id) : null;
  const height = layImage(card.image, thumbAddress(card.id, at), picture, card.part);
  // If the full height is visible, vertical swipes scroll the page.
  card.frame.style.touchAction = height > 0.999 ? "pan-y" : "none";
  card.strip?.show();
  const next = pictures[(pictures.indexOf(picture) + 1) % pictures.length];
  card.other.hidden = !switches.shine || next === picture;
  if (!card.other.hidden)
    layImage(card.other, thumbAddress(next.id), next, cards.get(next.id)?.part ?? null);
}

/** @param {string} id of a clip */
const frameSecond = (id) => secondsOf("at", id) ?? secondsOf("start", id);

/**
 * Lays an image so that its frame shows a part of it; returns the share of its height that is shown.
 *
 * @param {HTMLImageElement} image
 * @param {string} address
 * @param {WorkPicture} picture
 * @param {Box | null} part
 */
function layImage(image, address, picture, part) {
  if (image.getAttribute("src") !== address) image.src = address;
  const { objectFit, shares } = placePicture(picture, shapeOf(), part);
  const [left, top, width, height] = shares;
  /** @param {number} share */
  const percent = (share) => `${100 * share}%`;
  Object.assign(image.style, {
    objectFit,
    width: percent(1 / width),
    height: percent(1 / height),
    left: percent(-left / width),
    top: percent(-top / height),
  });
  return height;
}

/** Shows a card for each picture, in their order. */
export function showPictures() {
  const { pictures } = current();
  for (const [id, card] of cards) {
    if (pictureOf(id)) continue;
    card.element.remove();
    clearProblem(id);
    cards.delete(id);
  }
  const held = /** @type {HTMLElement | null} */ (document.activeElement);
  for (const [i, picture] of pictures.entries()) {
    const card = cards.get(picture.id) ?? buildCard(picture);
    cards.set(picture.id, card);
    if (ui.cards.children[i] !== card.element)
      ui.cards.insertBefore(card.element, ui.cards.children[i]);
  }
  if (held !== document.activeElement) held?.focus();
  arrangeCards();
  cards.forEach(({ request }) => request());
}

/**
 * Turns a switch of all cards on or off.
 *
 * @param {keyof typeof switches} name
 */
export function toggleSwitch(name) {
  switches[name] = !switches[name];
  ui[name].setAttribute("aria-checked", String(switches[name]));
  arrangeCards();
  if (name === "wrong") cards.forEach(({ request }) => request());
}

/** Keeps the cards as wide as their list. */
export function keepCardsArranged() {
  new ResizeObserver(arrangeCards).observe(ui.cards);
  addEventListener("resize", arrangeCards);
}
