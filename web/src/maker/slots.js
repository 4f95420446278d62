/** Draws the pictures and their targets. */

/** @import { Size } from "../types.js" */
/** @import { Board, Target } from "./types.js" */
/** @import { Slot } from "./page.js" */

import { contextOf, drawBoardImage } from "../board/paint.js";
import { boxOf } from "../crop/view.js";
import { LOOKS } from "./choices.js";
import { choices, data, canDraw, slots, ui } from "./page.js";
import { buildPalette } from "./palette.js";
import { combineShades } from "./shades.js";

/** Pixels of a crop's width before its canvas is in view. */
const DEFAULT_WIDTH = 256;

/** Shows the third picture, or what it needs. */
export function showQuestion() {
  const { picture, element, bar, pair } = slots[2];
  element.classList.toggle("empty", !picture);
  ui.needs.hidden = canDraw();
  bar.hidden = !canDraw();
  ui.sample.hidden = Boolean(picture);
  ui.remove.hidden = !picture;
  pair.hidden = !picture || !canDraw();
}

/**
 * Draws a picture's crop and target.
 *
 * @param {Slot} slot
 * @param {Board} board
 * @param {Target[]} target
 * @param {string[]} [spot]
 */
export function drawSlot(slot, board, target, spot) {
  const palette = buildPalette(data.palettes[choices.palette], LOOKS[choices.look], spot);
  const shades = combineShades(
    target.map(({ configuration }) => configuration),
    board.levels,
  );
  drawBoardImage({ ...board, palette }, slot.target, shades);
  slot.target.ariaLabel = `${slot.picture?.name} in ${board.columns} × ${board.rows} cells`;
  drawCrop(slot, board);
}

/** @param {Slot} slot @param {Size} board */
export function drawCrop({ crop, picture, name }, { rows, columns }) {
  if (!picture) return;
  const [left, top, right, bottom] = boxOf(picture, columns / rows, picture.view);
  const scale = (2 * crop.clientWidth || DEFAULT_WIDTH) / columns;
  crop.width = columns * scale;
  crop.height = rows * scale;
  const context = contextOf(crop);
  const { width, height } = crop;
  context.fillStyle = "#fff"; // seen through transparent pixels
  context.fillRect(0, 0, width, height);
  context.drawImage(picture.image, left, top, right - left, bottom - top, 0, 0, width, height);
  crop.classList.toggle("zoomed", (picture.view?.zoom ?? 1) > 1); // fingers move it everywhere
  crop.ariaLabel = `Crop of ${picture.name}: arrow keys move it, plus and minus zoom, 0 resets it`;
  name.textContent = picture.name;
}
