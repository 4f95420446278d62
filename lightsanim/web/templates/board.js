// Shared by pages with a clickable board.  The page defines `film`, its members `rows`, `columns`,
// `cells`, `levels` and `raised`, and `state`.

// Returns the row and the column of an event as fractional numbers of cells.
function pointerPosition({ clientX, clientY }, canvas, { pitch, gap }) {
  const { left, top, width } = canvas.getBoundingClientRect();
  const toCells = (place) => ((place / width) * canvas.width - gap / 2) / pitch;
  return [toCells(clientY - top), toCells(clientX - left)];
}

// Returns the cell at such a position, or null outside the board.
function cellAtPosition(place) {
  const [row, column] = place.map(Math.floor), cell = nearestCell(row, column);
  return row === rowOf(cell) && column === columnOf(cell) ? cell : null;
}

// Returns the square of a cell on a canvas, reduced by `inset` on each side: x, y, width and height.
function squareOf({ pitch, gap }, cell, inset = 0) {
  const side = pitch - gap - 2 * inset, at = (place) => place * pitch + gap + inset;
  return [at(columnOf(cell)), at(rowOf(cell)), side, side];
}

// Returns the cells that a visitor's click on a cell clicks: in a film of two halves, one in each.
function cellsClickedWith(cell) {
  const half = film.origin?.settings.beside ? columns / 2 : 0;
  return half ? [cell, columnOf(cell) < half ? cell + half : cell - half] : [cell];
}

function showRing(cell) {
  const share = (place, side) => `${((place + 0.5) / side) * 100}%`;
  ui.ring.hidden = cell === null;
  ui.ring.style.cssText = `left:${share(columnOf(cell), columns)};top:${share(rowOf(cell), rows)}`;
}

// Levels of a shade on each colour plane; and the planes on which it is not dark, as bits.
const levelsOf = (shade) =>
  Array.from({ length: film.boards }, (_, board) => Math.floor(shade / levels ** board) % levels);
const litBoards = (shade) =>
  levelsOf(shade).reduce((sum, level, board) => sum + ((level > 0) << board), 0);

// Returns how often clicks [cell, planes] press each cell, encoded as shades.
function pressesFromClicks(clicks) {
  const shades = new Uint8Array(cells);
  for (const [cell, boards] of clicks) shades[cell] = raised[boards][shades[cell]];
  return shades;
}

// Returns the number of clicks done in the frame before the current one.
const clicksBeforeFrame = () => film.frames.findLast((done) => done < state.done) ?? 0;

// Returns the start time of the first frame with at least `done` clicks.
const startTimeOf = (done) => film.starts[film.frames.findIndex((count) => count >= done)];
