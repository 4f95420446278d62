/** The size of a film in its window. */

import { snapWidth } from "./board_size.js";

// Lengths in pixels; BOTTOM_MARGIN stays free below the film, MAX_GAP is the widest gap of cells.
const MIN_BOARD_HEIGHT = 200;
const BOTTOM_MARGIN = 8;
const MIN_CONTROLS_WIDTH = 460;
const PLAYER_EDGE = 3;
const MAX_GAP = 2;

/** Share of the window's height for a film above other parts (narrow screens). */
const NARROW_HEIGHT_SHARE = 0.34;

/** Share of the width that may stay empty so that cells have whole pixels. */
const MAX_WASTE = 0.1;

/**
 * Returns the sizes of a film in pixels, as large as the window allows: with its controls, or above
 * other parts without them.
 *
 * @param {object} place
 * @param {number} place.shape of the board, width / height
 * @param {number} place.columns
 * @param {number} place.room width that is free
 * @param {number} place.top of the film in the page
 * @param {number} place.controls height of the player's controls
 * @param {number} place.tabs height of the tabs, at the bottom of narrow screens
 * @param {number} place.windowHeight
 * @param {boolean} place.isAbove
 */
export function sizeFilm({ shape, columns, room, top, controls, tabs, windowHeight, isAbove }) {
  const free = windowHeight - top - controls - tabs - BOTTOM_MARGIN;
  const highest = isAbove ? NARROW_HEIGHT_SHARE * windowHeight : Math.max(MIN_BOARD_HEIGHT, free);
  const widest = Math.min(room - 2 * PLAYER_EDGE, highest * shape);
  const board = snapWidth(widest, columns, MAX_WASTE, MAX_GAP);
  const height = board / shape + controls + 2 * PLAYER_EDGE;
  return {
    width: Math.min(room, Math.max(board, MIN_CONTROLS_WIDTH) + 2 * PLAYER_EDGE),
    left: isAbove ? (room - board) / 2 - PLAYER_EDGE : 0,
    height,
    screen: isAbove ? board / shape + PLAYER_EDGE : height,
  };
}
