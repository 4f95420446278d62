// What pages with a board to touch share; `film`, its `rows`, `columns`, `cells`, `levels` and
// `raised`, and its `state` are the page's

// The row and the column where an event is, in parts of cells.
function pointerPosition({ clientX, clientY }, canvas, { pitch, gap }) {
  const { left, top, width } = canvas.getBoundingClientRect();
  const toCells = (place) => ((place / width) * canvas.width - gap / 2) / pitch;
  return [toCells(clientY - top), toCells(clientX - left)];
}

// The cell at such a place, null outside the board.
function cellAtPosition(place) {
  const [row, column] = place.map(Math.floor), cell = nearestCell(row, column);
  return row === rowOf(cell) && column === columnOf(cell) ? cell : null;
}

// The square of a cell on a canvas, or what is left so far from its sides: x, y, width and height.
function squareOf({ pitch, gap }, cell, inset = 0) {
  const side = pitch - gap - 2 * inset, at = (place) => place * pitch + gap + inset;
  return [at(columnOf(cell)), at(rowOf(cell)), side, side];
}

function showRing(cell) {
  const share = (place, side) => `${((place + 0.5) / side) * 100}%`;
  ui.ring.hidden = cell === null;
  ui.ring.style.cssText = `left:${share(columnOf(cell), columns)};top:${share(rowOf(cell), rows)}`;
}

// The levels of a shade, board by board; and the boards, as bits, on which it is not dark.
const levelsOf = (shade) =>
  Array.from({ length: film.boards }, (_, board) => Math.floor(shade / levels ** board) % levels);
const litBoards = (shade) =>
  levelsOf(shade).reduce((sum, level, board) => sum + ((level > 0) << board), 0);

// How often clicks [cell, boards] press each cell, on each board: as shades.
function pressesFromClicks(clicks) {
  const shades = new Uint8Array(cells);
  for (const [cell, boards] of clicks) shades[cell] = raised[boards][shades[cell]];
  return shades;
}

// How often the film's clicks press each cell, from one count of clicks to another.
function pressesBetween(from, to) {
  const { clicks, primaries } = film;
  return pressesFromClicks(Array.from(clicks.slice(from, to), (cell, i) => [cell, primaries[from + i]]));
}

// How many clicks are done in the frame before the one that is shown.
const clicksBeforeFrame = () => film.frames.findLast((done) => done < state.done) ?? 0;

// When the film comes to so many clicks: going on from there, it never jumps back.
const startTimeOf = (done) => film.starts[film.frames.findIndex((count) => count >= done)];
