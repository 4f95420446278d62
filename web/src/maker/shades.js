/**
 * Returns the shades of cells' levels on each plane.
 *
 * @param {Uint8Array[]} boards
 * @param {number} levels
 */
export const combineShades = (boards, levels) =>
  boards[0].map((_, cell) =>
    boards.reduce((sum, lights, board) => sum + lights[cell] * levels ** board, 0),
  );
