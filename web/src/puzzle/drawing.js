/** Drawings of puzzles for paper. */

/** @import { Film } from "../types.js" */

import { range } from "../numbers.js";

const MAX_NUMBERED = 30; // cells; larger sides have no numbers

/**
 * Returns an SVG of a puzzle's start with its grid; unlit cells are dark, as on worksheets.
 *
 * @param {Film} puzzle
 */
export function drawPuzzle({ rows, columns, levels, first }) {
  /** @param {number[]} from @param {number[]} to */
  const line = (from, to) => `M${from}L${to}`;
  const across = range(rows + 1).map((row) => line([0, row], [columns, row]));
  const down = range(columns + 1).map((column) => line([column, 0], [column, rows]));
  /** @param {number} cell */
  const square = (cell) => `M${cell % columns} ${Math.floor(cell / columns)}h1v1h-1z`;
  const dark = range(levels - 1).map((level) => {
    const cells = [...first.keys()].filter((cell) => first[cell] === level);
    const opacity = 1 - level / (levels - 1);
    return `<path d="${cells.map(square).join("")}" fill-opacity="${opacity}"/>`;
  });
  /** @param {number} count @param {(middle: number) => string} place */
  const numbers = (count, place) =>
    range(count).map((i) => `<text ${place(i + 0.5)}>${i + 1}</text>`);
  const labels =
    Math.max(rows, columns) > MAX_NUMBERED
      ? []
      : [
          ...numbers(columns, (x) => `x="${x}" y="-.45"`),
          ...numbers(rows, (y) => `x="-.45" y="${y}"`),
        ];
  return `<svg viewBox="-.8 -.8 ${columns + 0.9} ${rows + 0.9}" preserveAspectRatio="xMinYMin"><g fill="#bbb">${dark.join("")}</g>
<path d="${[...across, ...down].join("")}" fill="none" stroke="#999" stroke-width=".03"/>${labels.join("")}</svg>`;
}
