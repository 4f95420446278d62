/*! A film is JSON. Its numbers are packed: [how many, how many bits each, the bits in base64,
   highest first].
   rows, columns  of the board; a cell is a number, row * columns + column
   levels         how many states a cell has: 0 is dark; a click raises what it flips by 1, and
                  the brightest to 0
   first          the levels of the first configuration, row by row, board after board
   clicks         the cells in the order clicked; with more than two levels, those that are
                  clicked several times running stand there once, and
   again          has a 1 for each click on the cell of the click before, a 0 for each other
   primaries      in colour: the boards of each click, a sum of 1 red, 2 green, 4 blue
   steps          if there, in place of clicks, which then is empty: click sets that are pressed as a
                  whole.  Of each the bits in base64: the lowest bit of how often each cell is
                  pressed, board after board, filled up to whole bytes, then the next bit, ...
   frames         the clicks, or steps, that each frame adds, after frame 0 */
/* Backward, the same clicks lower what they flip; with two levels a click undoes itself.

   Further members, for who reads this file:
   boards         1, or in colour 3: red, green, blue; a shade is the cell's level on each, as the
                  digits of a number to the base of levels, red lowest
   offsets, wrap  [down, right] of each cell that a click flips; whether edges meet
   fps, holds     a frame is shown 1 / fps seconds, and a held one [frame, seconds] longer
   loop           how often it is played, 0 for ever
   palette        colours of the background and of each shade; accent: of what is pointed at;
                  dot: on cells just clicked, or null
   show_clicks    if there, the clicks that make each frame are shown from the start
   exhibit        if there, how many of the last clicks are left to who touches the page
   gap, shape     the share of a cell that is gap, null for what suits; a cell's shape
   rule           the name of what a click flips
   title          the heading; pictures: their names, in the order shown
   framed, puzzle whether another page shows it in a frame; whether it is a game
   series         if there, the puzzles after this one, each with its own first, clicks and again
   origin         if known, how it was made, see lightsanim/formats/json_animation.py
   sha256         of all other members, as JSON of sorted keys without white space

   A state is what a page keeps of a film that it plays:
   shades         of each cell, now
   done           the clicks of the film that made them so
   touched        cells that were turned, until someone has looked at them
   time           seconds into the film
   pitch, gap     pixels from one cell to the next, and between two
   mask, hole     what covers a cell's square, and as much in black: see cellMask */

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
    raised: shadeTransitions(film, 1),
    lowered: shadeTransitions(film, levels - 1),
  };
}

// The cells clicked one after the other, and the boards of each click.
function readClicks(film) {
  let cells = unpackNumbers(film.clicks), place = -1;
  if (film.again) cells = unpackNumbers(film.again).map((again) => cells[(place += 1 - again)]);
  return { clicks: cells, primaries: film.primaries ? unpackNumbers(film.primaries) : cells.map(() => 1) };
}

// The same for steps, and how many clicks are done after each, beginning with 0.
function readSteps({ steps, boards, levels, rows, columns }) {
  const cells = rows * columns, size = Math.ceil((cells * boards) / 8);
  const clicks = [], primaries = [], stepEnds = [0];
  for (const bytes of steps.map(atob)) {
    const pressesAt = (board, cell) => {
      const bit = board * cells + cell;
      let times = 0;
      for (let plane = 0; 2 ** plane < levels; plane++)
        times |= ((bytes.charCodeAt(plane * size + (bit >> 3)) >> (7 - (bit & 7))) & 1) << plane;
      return times;
    };
    for (let cell = 0; cell < cells; cell++) {
      const times = Array.from({ length: boards }, (_, board) => pressesAt(board, cell));
      for (let time = 0; times.some((most) => most > time); time++) {
        clicks.push(cell);
        primaries.push(times.reduce((sum, most, board) => sum | ((most > time) << board), 0));
      }
    }
    stepEnds.push(clicks.length);
  }
  return { clicks, primaries, ends: stepEnds };
}

// What each shade becomes when some boards are raised by so many levels: [boards][shade].
function shadeTransitions({ boards, levels }, by) {
  const shades = Array.from({ length: levels ** boards }, (_, shade) => shade);
  const turn = (pressed) => (shade) => {
    for (let board = 0, place = 1; board < boards; board++, place *= levels) {
      const level = Math.floor(shade / place) % levels;
      if ((pressed >> board) & 1) shade += (((level + by) % levels) - level) * place;
    }
    return shade;
  };
  return Array.from({ length: 2 ** boards }, (_, pressed) => Uint8Array.from(shades, turn(pressed)));
}

// Pressing

function neighbourhood({ rows, columns, offsets, wrap }, cell) {
  const neighbours = [];
  for (const [down, right] of offsets) {
    let row = Math.floor(cell / columns) + down, column = (cell % columns) + right;
    if (wrap) {
      row = ((row % rows) + rows) % rows;
      column = ((column % columns) + columns) % columns;
    }
    // Round a small torus a cell may come twice, and is turned twice.
    if (row === clampIndex(row, rows) && column === clampIndex(column, columns))
      neighbours.push(row * columns + column);
  }
  return neighbours;
}

// With one of `film.raised` a click, with one of `film.lowered` what undoes it.
function turnNeighbourhood(film, state, cell, nextShades) {
  for (const neighbour of neighbourhood(film, cell)) {
    state.shades[neighbour] = nextShades[state.shades[neighbour]];
    state.touched.push(neighbour);
  }
}

function goTo(film, state, done) {
  const { first, clicks, primaries, raised, lowered } = film;
  if (done < state.done / 2) { // far back it is sooner begun anew than undone
    state.shades.set(first);
    state.touched = [...first.keys()];
    state.done = 0;
  }
  while (state.done < done) turnNeighbourhood(film, state, clicks[state.done], raised[primaries[state.done++]]);
  while (state.done > done) turnNeighbourhood(film, state, clicks[--state.done], lowered[primaries[state.done]]);
}

const clicksAt = ({ frames, starts }, time) =>
  frames[starts.findLastIndex((start) => start <= time)];

const createState = (film) => ({ shades: film.first.slice(), done: 0, touched: [], time: 0 });

// Plays so many seconds on, round and round; returns whether other clicks are done then.
function advance(film, state, seconds) {
  const { done } = state;
  state.time = (state.time + seconds) % film.starts.at(-1);
  goTo(film, state, clicksAt(film, state.time));
  return state.done !== done;
}

// Something that goes on from one animation frame to the next, for as long as it says so; it is told
// the seconds since the last one, and since the first.  Of one `run` it is not begun twice.
function animate(act, run = {}) {
  if (run.ticking) return;
  run.ticking = true;
  let before = null, passed = 0;
  const tick = (now) => {
    // The film does not skip the time in which the page was asleep.
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

// A canvas with a pixel for each cell, to be scaled up: so a whole board takes no time.
function boardImage({ rows, columns, palette }, shades) {
  const context = createContext(columns, rows), image = context.createImageData(columns, rows);
  const packColour = ([red, green, blue, alpha = "ff"]) => parseInt(alpha + blue + green + red, 16);
  const inks = palette.map((hex) => packColour(hex.match(/\w\w/g)));
  new Uint32Array(image.data.buffer).set(Uint32Array.from(shades, (shade) => inks[1 + shade]));
  context.putImageData(image, 0, 0);
  return context.canvas;
}

// On a canvas of a pixel a cell, which its style scales up.
function drawBoardImage(film, canvas, shades) {
  canvas.width = film.columns;
  canvas.height = film.rows;
  contextOf(canvas).drawImage(boardImage(film, shades), 0, 0);
}

// The cover of a cell's square: the gap, and the background that its shape leaves free.
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

// Cells are whole pixels of the screen, as many as fit; only where a board has more cells than
// there are pixels is it shrunk, or where more than `waste` of the space would stay empty.
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

// A whole board, from a picture with a pixel for each cell.
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

// What is drawn takes the place of what was there, also where it is transparent: that is cut out
// first, and edges add up.
function replacePixels(context, cut, draw) {
  context.globalCompositeOperation = "destination-out";
  cut();
  context.globalCompositeOperation = "lighter";
  draw();
  context.globalCompositeOperation = "source-over";
}
