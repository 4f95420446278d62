/** Crops of pictures, and files that are chosen, dropped and pasted. */

/** @import { PictureView } from "../types.js" */
/** @import { Slot } from "./page.js" */

import { listenToGestures } from "../crop/gestures.js";
import { debounce } from "../page/debounce.js";
import { setText } from "../page/elements.js";
import { askDesk } from "./desk.js";
import { QUIET_TIME, startFilm } from "./making.js";
import { choices, cropOf, ownPictures, slots, ui, usedSlots } from "./page.js";
import { readFiles } from "./pictures.js";
import { playback } from "./playback.js";
import { drawCrop, drawSlot } from "./slots.js";

const startFilmSoon = debounce(QUIET_TIME, startFilm);

let isPreviewing = false;
let isCropNew = false;

/** Draws the targets of the crops as they are now; crops that move meanwhile are drawn next. */
async function previewCrops() {
  isCropNew = true;
  if (isPreviewing || playback.shown?.spot) return; // spot colours take longer
  isPreviewing = true;
  while (isCropNew && playback.shown) {
    isCropNew = false;
    const { shown } = playback;
    const used = usedSlots();
    const pictures = ownPictures();
    const crops = pictures.map(cropOf);
    const { targets } = await askDesk("targets", crops, shown.board, choices);
    const isOld = used.some(({ picture }, i) => picture !== pictures[i]);
    if (shown !== playback.shown || isOld) continue;
    shown.targets = targets;
    used.forEach((slot, i) => drawSlot(slot, shown.board, targets[i]));
  }
  isPreviewing = false;
}

/** @param {Slot} slot */
function readCrop({ picture }) {
  const { shown } = playback;
  if (!shown || !picture) return null;
  return { picture, shape: shown.board.columns / shown.board.rows, view: picture.view };
}

/** @param {Slot} slot @param {PictureView | null} view */
function writeCrop(slot, view) {
  if (!slot.picture || !playback.shown) return;
  slot.picture.view = view;
  drawCrop(slot, playback.shown.board);
  previewCrops();
  startFilmSoon();
}

/** @param {File[]} files @param {Slot} [slot] */
async function loadFiles(files, slot) {
  await readFiles(files, slot);
  playback.isNew = true;
  startFilm();
}

/**
 * Lets the user choose files.
 *
 * @param {Slot} [slot]
 */
export function pickFiles(slot) {
  ui.files.value = "";
  ui.files.onchange = () => {
    if (ui.files.files?.length) loadFiles([...ui.files.files], slot);
  };
  ui.files.click();
}

/** @param {Slot} slot */
export function listenToSlot(slot) {
  const { crop, element, pick } = slot;
  listenToGestures(
    crop,
    () => readCrop(slot),
    (view) => writeCrop(slot, view),
    () => pickFiles(slot),
  );
  pick.onclick = () => pickFiles(slot);
  element.ondragover = () => element.classList.add("over");
  element.ondragleave = element.ondrop = () => element.classList.remove("over");
}

/** Reads files that are dropped and pasted anywhere. */
export function listenToFiles() {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const place = /** @type {Node} */ (event.target);
    const slot = slots.find(({ element }) => element.contains(place));
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length) loadFiles(files, slot);
    else
      setText(
        (slot ?? slots[0]).problem,
        "That is not a file; save the picture, then drop it here.",
      );
  });
  addEventListener("paste", ({ clipboardData }) => {
    const files = [...(clipboardData?.files ?? [])];
    if (files.length) loadFiles(files);
    else setText(slots[0].problem, "The clipboard contains no picture; copy one first.");
  });
}
