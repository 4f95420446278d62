/*! A film is JSON. Its numbers are packed: [count, bits per number, the bits in base64,
   highest first].
   rows, columns  size of the board; a cell is the number row * columns + column
   levels         number of states of a cell; 0 is dark. A click raises each cell that it flips by
                  1, and the brightest level to 0
   first          levels of the first configuration, row by row, plane by plane
   clicks         cells in click order; with more than two levels, repeated clicks on a cell are
                  listed once
   again          optional: 1 for each click that repeats the cell before, else 0
   primaries      in colour: planes of each click, a sum of 1 red, 2 green, 4 blue
   steps          optional, instead of clicks (then empty): click sets, each pressed as a whole.
                  Each is base64: the lowest bit of the presses of each cell, plane by plane,
                  padded to whole bytes, then the next bit, ...
   frames         number of clicks, or steps, that each frame after frame 0 adds */
/* Backward, the same clicks lower what they flip; with two levels a click undoes itself.

   Further members:
   program        version of lightsanim that wrote the page
   boards         number of colour planes: 1, or 3 (red, green, blue). A shade is a number in base
                  `levels` whose digits are the cell's levels on the planes, red lowest
   offsets, wrap  [down, right] of each cell that a click flips; whether opposite edges are joined
   fps, holds     a frame is shown 1 / fps seconds, and a held one [frame, seconds] longer
   loop           number of plays, 0 = for ever
   palette        colours of the background and of each shade; accent: colour of marks;
                  dot: colour of marks on cells just clicked, or null
   show_clicks    optional; the panel of clicks is open at first
   clicks_panel   optional; "total": the panel shows all clicks so far, not only the frame's
   exhibit        optional: number of last clicks that are left to the visitor
   gap, shape     share of a cell's pitch that is gap, null = automatic; shape of a cell
   rule           name of the rule
   title          the heading; pictures: their names, in the order shown
   framed, puzzle whether another page embeds it; whether it is a puzzle
   flashes        optional: true if it may flash too fast (WCAG 2.3.1), and plays by a click only
   series         optional: the next puzzles, each with its own first, clicks and again
   origin         how it was made, if known; see lightsanim/output/formats/json_animation.py
   sha256         hash of all other members as JSON with sorted keys, without white space

   The state of a film that a page plays:
   shades         current shade of each cell
   done           number of the film's clicks that are done
   touched        cells that changed since the last painting
   time           seconds into the film
   pitch, gap     pixels from one cell to the next, and between two
   mask, hole     cover of the gaps and corners, and the same in black: see cellMask */

// Reading

function unpackNumbers([count, width, text]) {
  const bytes = atob(text);
  return Uint32Array.from({ length: count }, (_, i) => {
    let value = 0;
    for (let bit = i * width; bit < (i + 1) * width; bit++)
      value = (value << 1) | ((bytes.charCodeAt(bit >> 3) >> (7 - (bit & 7))) & 1);
    return value;
  });
}

function readFilm(film) {
  const { boards, levels } = film, cells = film.rows * film.columns;
  const { clicks, primaries, ends: stepEnds } = film.steps ? readSteps(film) : readClicks(film);
  const first = new Uint8Array(cells);
  unpackNumbers(film.first).forEach((level, i) => {
    first[i % cells] += level * levels ** Math.floor(i / cells);
  });
  const frames = [0]; // clicks done when each frame is shown
  let done = 0;
  for (const added of unpackNumbers(film.frames)) frames.push(stepEnds ? stepEnds[(done += added)] : (done += added));
  const lasting = frames.map(() => 1 / film.fps);
  for (const [frame, seconds] of film.holds) lasting[frame] += seconds;
  const starts = [0]; // of each frame in seconds, and at last of the next round
  for (const seconds of lasting) starts.push(starts.at(-1) + seconds);
  return {
    ...film, cells, first, frames, starts, clicks, primaries, ends: stepEnds,
    count: clicks.length,
    ...tabulateShades(film),
  };
}

// Returns the cell and the colour planes of each click.
function readClicks(film) {
  let cells = unpackNumbers(film.clicks), place = -1;
  if (film.again) cells = unpackNumbers(film.again).map((again) => cells[(place += 1 - again)]);
  return { clicks: cells, primaries: film.primaries ? unpackNumbers(film.primaries) : cells.map(() => 1) };
}

// Returns the same for steps, and the number of clicks done after each, beginning with 0.  Steps are
// bits of all cells on all boards, one plane after the other.
function readSteps({ steps, boards, rows, columns }) {
  const cells = rows * columns, size = Math.ceil((cells * boards) / 8);
  const clicks = [], primaries = [], ends = [0];
  for (const bytes of steps.map(atob)) {
    const presses = new Uint8Array(8 * size);
    for (let place = 0; place < bytes.length; place++)
      for (let rest = bytes.charCodeAt(place), cell = 8 * (place % size); rest; rest = (2 * rest) & 255)
        presses[cell++] |= (rest >> 7) << (place / size);
    for (let cell = 0; cell < cells; cell++)
      for (let time = 0, pressed = -1; pressed; time++) {
        pressed = 0;
        for (let board = 0; board < boards; board++) pressed |= (presses[board * cells + cell] > time) << board;
        if (!pressed) continue;
        clicks.push(cell);
        primaries.push(pressed);
      }
    ends.push(clicks.length);
  }
  return { clicks: new Uint32Array(clicks), primaries: new Uint8Array(primaries), ends };
}

// Tables of shades: `sums` with the levels of another shade added on each plane, [other][shade];
// `raised` and `lowered` with some planes changed by a level, [planes][shade].
function tabulateShades({ boards, levels }) {
  const shades = Array.from({ length: levels ** boards }, (_, shade) => shade);
  const add = (one) => (other) => {
    let sum = 0;
    for (let place = 1; place < shades.length; place *= levels)
      sum += ((Math.floor(one / place) + Math.floor(other / place)) % levels) * place;
    return sum;
  };
  const sums = shades.map((shade) => Uint8Array.from(shades, add(shade)));
  // The bits of some planes, read as digits of a shade, are one level on each.
  const tablesFor = (by) => Array.from({ length: 2 ** boards }, (_, planes) => sums[by * parseInt(planes.toString(2), levels)]);
  return { sums, raised: tablesFor(1), lowered: tablesFor(levels - 1) };
}

// Pressing

function neighbourhood({ rows, columns, offsets, wrap }, cell) {
  const neighbours = [];
  for (const [down, right] of offsets) {
    const y = Math.floor(cell / columns) + down, x = (cell % columns) + right;
    const row = wrap ? modulo(y, rows) : y, column = wrap ? modulo(x, columns) : x;
    // On a small torus a click may flip the same cell twice.
    if (row === clampIndex(row, rows) && column === clampIndex(column, columns))
      neighbours.push(row * columns + column);
  }
  return neighbours;
}

// Changes a cell and its neighbours: makes a click with a table of `film.raised`, undoes it with one of `film.lowered`.
function turnNeighbourhood(film, state, cell, nextShades) {
  for (const neighbour of neighbourhood(film, cell)) {
    state.shades[neighbour] = nextShades[state.shades[neighbour]];
    state.touched.push(neighbour);
  }
}

// Returns how often the film presses each cell between two counts of clicks, as shades.
function pressesBetween({ cells, clicks, primaries, raised }, from, to, nextShades = raised) {
  const presses = new Uint8Array(cells);
  for (let i = from; i < to; i++) presses[clicks[i]] = nextShades[primaries[i]][presses[clicks[i]]];
  return presses;
}

// Makes or undoes all clicks on a cell at once, because their order does not matter.
function goTo(film, state, done) {
  const move = done < state.done ? [done, state.done, film.lowered] : [state.done, done];
  pressesBetween(film, ...move).forEach((times, cell) => times && turnNeighbourhood(film, state, cell, film.sums[times]));
  state.done = done;
}

const createState = (film) => ({ shades: film.first.slice(), done: 0, touched: [], time: 0 });

// Advances the film by some seconds, in a loop; returns whether the clicks done changed.
function advance(film, state, seconds) {
  const { done } = state, { frames, starts } = film;
  state.time = (state.time + seconds) % starts.at(-1);
  goTo(film, state, frames[starts.findLastIndex((start) => start <= state.time)]);
  return state.done !== done;
}

// Calls `act` in each animation frame while it returns true, with the seconds since the last frame
// and since the first. A `run` that is in progress is not started again.
function animate(act, run = {}) {
  if (run.ticking) return;
  run.ticking = true;
  let before = null, passed = 0;
  const tick = (now) => {
    // Capped: the film does not skip the time in which the page was suspended.
    const seconds = Math.min((now - (before ?? now)) / 1000, 0.25);
    before = now;
    passed += seconds;
    run.ticking = act(seconds, passed);
    if (run.ticking) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

// Painting

const contextOf = (canvas) => canvas.getContext("2d");
const createContext = (width, height) => contextOf(new OffscreenCanvas(width, height));

// Draws a board with one pixel for each cell; scaling that up is fast.
function boardImage({ rows, columns, palette }, shades) {
  const context = createContext(columns, rows), image = context.createImageData(columns, rows);
  const packColour = ([red, green, blue, alpha = "ff"]) => parseInt(alpha + blue + green + red, 16);
  const inks = palette.map((hex) => packColour(hex.match(/\w\w/g)));
  new Uint32Array(image.data.buffer).set(Uint32Array.from(shades, (shade) => inks[1 + shade]));
  context.putImageData(image, 0, 0);
  return context.canvas;
}

// Draws one pixel for each cell; CSS scales the canvas up.
function drawBoardImage(film, canvas, shades) {
  canvas.width = film.columns;
  canvas.height = film.rows;
  contextOf(canvas).drawImage(boardImage(film, shades), 0, 0);
}

// Draws the cover of a cell: the gap and the background outside its shape.
function cellMask(film, { pitch, gap }, colour) {
  const side = pitch - gap, context = createContext(pitch, pitch);
  const radius = side < 4 ? 0 : { square: 0, rounded: 0.28, circle: 0.5 }[film.shape] * side;
  context.fillStyle = colour;
  context.roundRect(gap, gap, side, side, radius);
  context.rect(0, 0, pitch, pitch);
  context.fill("evenodd");
  return context.canvas;
}

function gapOf(film, pitch) {
  if (film.gap === null) return pitch < 6 ? 0 : Math.max(1, Math.round(pitch / 14));
  return Math.min(Math.round(pitch * film.gap), pitch - 1);
}

// Gives cells the largest whole number of device pixels that fits. The board is scaled down only if
// it has more cells than pixels, or if more than `waste` of the space would stay empty.
function fitCanvases(width, height, film, state, canvases, waste = 1) {
  const { rows, columns } = film, ratio = devicePixelRatio;
  const scaleFor = (pitch) => {
    const gap = gapOf(film, pitch);
    return ratio * Math.min(width / (columns * pitch + gap), height / (rows * pitch + gap));
  };
  let pitch = Math.floor(scaleFor(1)) + 1;
  while (pitch > 1 && scaleFor(pitch) < 1) pitch--;
  if (1 / scaleFor(pitch) < 1 - waste) pitch++;
  const gap = gapOf(film, pitch), scale = Math.min(1, scaleFor(pitch)) / ratio;
  Object.assign(state, { pitch, gap });
  state.mask = cellMask(film, state, film.palette[0]);
  state.hole = cellMask(film, state, "#000");
  for (const canvas of canvases) {
    canvas.width = columns * pitch + gap;
    canvas.height = rows * pitch + gap;
    canvas.style.width = `${canvas.width * scale}px`;
  }
  return scale;
}

// Paints a board from an image with one pixel for each cell.
function paintBoard(film, { pitch, mask, hole }, canvas, cells) {
  const context = contextOf(canvas);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingEnabled = false;
  context.drawImage(cells, 0, 0, film.columns * pitch, film.rows * pitch);
  const cover = (sides) => {
    context.fillStyle = context.createPattern(sides, "repeat");
    context.fillRect(0, 0, canvas.width, canvas.height);
  };
  replacePixels(context, () => cover(hole), () => cover(mask));
}

function paintState(film, state, canvas) {
  paintBoard(film, state, canvas, boardImage(film, state.shades));
  state.touched = [];
}

// Replaces the pixels, transparent ones too: cuts the old ones out first, then adds the new ones.
function replacePixels(context, cut, draw) {
  context.globalCompositeOperation = "destination-out";
  cut();
  context.globalCompositeOperation = "lighter";
  draw();
  context.globalCompositeOperation = "source-over";
}
