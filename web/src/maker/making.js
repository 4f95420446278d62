/** Makes the film of the pictures and choices. */

/** @import { MadeFilm } from "./types.js" */
/** @import { OwnPicture } from "./page.js" */

import { debounce } from "../page/debounce.js";
import { setText } from "../page/elements.js";
import { nextPaint } from "../page/next_paint.js";
import { ask, askDesk, startWorker } from "./desk.js";
import { canDraw, choices, cropOf, data, ownPictures, slots, ui, usedSlots } from "./page.js";
import { playback, showFilm } from "./playback.js";
import { drawCrop, drawSlot, showQuestion } from "./slots.js";
import { choose, drawTiles } from "./tile_choices.js";

/** Milliseconds until a slow film shows its progress. */
const BUSY_DELAY = 300;

/** Milliseconds without a new film until the tiles are drawn. */
export const QUIET_TIME = 120;

const drawTilesSoon = debounce(QUIET_TIME, drawTiles);

/** @type {Worker | null} */
let worker = null;
let isWorking = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let busyTimer;
let turn = 0; // number of films that were begun or stopped

function stopWork() {
  clearTimeout(busyTimer);
  if (isWorking) worker?.terminate();
  if (isWorking) worker = null;
  isWorking = false;
  turn++;
  ui.busy.hidden = true;
}

/**
 * Makes the film in a worker; a later call stops an earlier one.  Until then the last film stays, and is
 * not saved.
 */
export async function startFilm() {
  showQuestion();
  const pictures = ownPictures();
  if (pictures.length < usedSlots().length) return;
  if (pictures[2]) previewSearch(pictures[2]);
  stopWork();
  const ownTurn = turn;
  const chosen = { ...choices };
  setReady(false);
  ui.done.value = 0;
  busyTimer = setTimeout(() => (ui.busy.hidden = false), BUSY_DELAY);
  /** @type {MadeFilm | null} */
  let made = null;
  let trouble = "";
  try {
    const greys = await askDesk("greys", pictures.map(cropOf), chosen);
    if (turn !== ownTurn) return;
    isWorking = true;
    worker ??= startWorker();
    const { palettes, accents, program } = data;
    const palette = palettes[chosen.palette];
    const job = { pictures: greys, choices: chosen, palette, accents, program };
    made = await ask(worker, (share) => (ui.done.value = share), "film", job);
  } catch (error) {
    trouble = `This film cannot be made: ${error instanceof Error ? error.message : error}.`;
  }
  if (turn !== ownTurn) return;
  isWorking = false;
  stopWork();
  setText(ui.trouble, trouble);
  if (!made) return;
  showFilm(made, chosen, pictures[2] ?? null);
  setReady(true);
  drawTargetsSoon(0);
  drawTilesSoon();
}

/** @param {boolean} isReady whether the film that is shown is that of the choices */
function setReady(isReady) {
  ui.save.inert = ui.share.inert = ui.facts.inert = !isReady;
}

/**
 * Draws the crops and the targets from a slot on, one in each frame of the screen after the film is
 * painted: then no task is long.
 *
 * @param {number} first
 */
function drawTargetsSoon(first) {
  const { shown } = playback;
  requestAnimationFrame(() => {
    if (!shown || shown !== playback.shown || first >= shown.targets.length) return;
    drawSlot(slots[first], shown.board, shown.targets[first], shown.spot);
    drawTargetsSoon(first + 1);
  });
}

/** Draws the crops and the targets of the film that is shown. */
function drawTargets() {
  const { shown } = playback;
  if (!shown) return;
  const { board, targets, spot } = shown;
  targets.forEach((target, i) => drawSlot(slots[i], board, target, spot));
}

/**
 * Shows the pictures of a film whose search takes seconds, and for the clicks a dither meanwhile.
 *
 * @param {OwnPicture} picture
 */
async function previewSearch(picture) {
  await nextPaint();
  const { shown } = playback;
  if (!shown || picture !== slots[2].picture) return;
  for (const slot of usedSlots()) drawCrop(slot, shown.board);
  if (picture === shown.drawn || shown.board.levels > 2) return;
  const { targets } = await askDesk("targets", [cropOf(picture)], shown.board, choices);
  if (picture === slots[2].picture) drawSlot(slots[2], shown.board, targets[0]);
}

/**
 * Sets the picture that the clicks draw, or none.
 *
 * @param {OwnPicture | null} picture
 */
export function drawByClicks(picture) {
  slots[2].picture = picture;
  setText(slots[2].name, "");
  setText(slots[2].problem, "");
  playback.isNew = true;
  startFilm();
}

/** Goes back to the choices of the film that is shown. */
export function cancelFilm() {
  stopWork();
  const { shown } = playback;
  if (shown) {
    choose(shown.choices);
    if (canDraw()) slots[2].picture = shown.drawn;
    drawTargets();
  }
  showQuestion();
  setReady(true);
}
