const film = readFilm(JSON.parse(ui.film.textContent));
let { rows, columns, cells, levels, raised, lowered } = film;
const PRIMARIES = ["red", "green", "blue"];
const TIMES = ["", "", " twice", " three times", " four times", " five times", " six times"];
const DOTTED = 128; // in a look, beside up to 125 shades

const state = {
  ...stateOf(film),
  dots: [], // the cells shown as just clicked
  playing: false,
  speed: 1,
  rounds: film.loop || Infinity, // still to play, with this one
  game: null, // while one plays: see startGame
  cursor: (rows >> 1) * columns + (columns >> 1), // the keyboard's cell
  pointed: null, // the cell whose neighbourhood is shown
  hint: null, // the cell of the last hint
  clicks: Boolean(film.show_clicks), // whether a panel shows those that make the frame
  resting: false, // whether the frame is held, and nothing clicked
  pressed: null, // what the panel shows, as shades
  painted: new Uint8Array(cells), // the look of each cell on the canvas
};
const update = (changes) => Object.assign(state, changes);

const justClicked = () => (film.dot && !state.game ? film.clicks.slice(doneBefore(), state.done) : []);

// What the panel shows: the clicks that make the frame, or those of the game.
function presses() {
  if (state.game) return pressesOf(state.game.history.flat());
  return clicksBetween(state.resting ? state.done : doneBefore(), state.done);
}

// Painting

function paintAll() {
  paintState(film, state, ui.board);
  state.painted.set(state.shades);
  state.pressed = null;
  paint();
}

function paint() {
  const { touched, painted, pitch, gap } = state, context = pen(ui.board);
  if (touched.length > cells) return paintAll();
  const dots = new Set(justClicked());
  for (const cell of [...touched, ...state.dots, ...dots]) {
    const shade = state.shades[cell], look = shade + DOTTED * dots.has(cell);
    if (look === painted[cell]) continue;
    painted[cell] = look;
    const x = columnOf(cell) * pitch, y = rowOf(cell) * pitch, side = pitch - gap;
    context.fillStyle = film.palette[1 + shade];
    context.clearRect(x + gap, y + gap, side, side);
    context.fillRect(x + gap, y + gap, side, side);
    const cover = (sides) => () => context.drawImage(sides, x, y);
    if (film.shape !== "square") replace(context, cover(state.hole), cover(state.mask));
    if (look < DOTTED) continue;
    const dot = (colour) => () => {
      context.fillStyle = colour;
      context.fill();
    };
    context.beginPath();
    context.arc(x + gap + side / 2, y + gap + side / 2, side * 0.24, 0, 7);
    replace(context, dot("#000"), dot(film.dot));
  }
  update({ dots, touched: [] });
  paintClicks();
}

function paintClicks() {
  const shades = state.clicks ? presses() : null;
  if (!shades || state.pressed?.every((shade, cell) => shade === shades[cell])) return;
  state.pressed = shades;
  paintBoard(film, state, ui.pressed, picture(film, shades));
}

// The panel stands beside the board, or below it where that leaves more room for both.
function arrange() {
  const [widest, highest] = innerWidth > innerHeight ? [0.7, 0.85] : [1, 0.64];
  const wide = (widest * innerWidth) / columns, high = (highest * innerHeight) / rows;
  const stacked = Math.min(wide, high / 2) > Math.min(wide / 2, high);
  const boards = !state.clicks ? [1, 1] : stacked ? [1, 2] : [2, 1];
  const { style } = document.documentElement;
  style.setProperty("--across", boards[0] * columns);
  style.setProperty("--down", boards[1] * rows);
  ui.stage.className = boards[1] > 1 ? "stacked" : "";
  ui.pressed.hidden = !state.clicks;
  return boards;
}

function fit() {
  const [across, down] = arrange(), { width, height } = ui.stage.getBoundingClientRect();
  const gutter = parseFloat(getComputedStyle(ui.stage).gap);
  const room = (side, boards) => (side - (boards - 1) * gutter) / boards;
  const canvases = [ui.board, ui.marks, ui.pressed], spaces = [room(width, across), room(height, down)];
  const edge = numberEdges(Math.min(spaces[0] / columns, spaces[1] / rows));
  const scale = fitTo(spaces[0] - edge, spaces[1] - edge, film, state, canvases, film.framed ? 0.1 : 1);
  const all = (side, boards) => boards * (side * scale + edge) + (boards - 1) * gutter;
  const slack = (all(ui.board.height, down) - height) / 2;
  ui.main.style.cssText = `--shown:${all(ui.board.width, across)}px;--slack:${slack}px;--edge:${edge}px`;
  paintAll();
  mark();
}

// The numbers of rows and columns, as hints name them, where cells of a game are large enough;
// returns how much room they take.
function numberEdges(side) {
  const edge = state.game && side > 21 ? Math.min(Math.max(20, side * 0.28), 40) : 0;
  const numbers = (count) => Array.from({ length: edge && count }, (_, i) => `<span>${i + 1}</span>`);
  ui.columns.innerHTML = numbers(columns).join("");
  ui.rows.innerHTML = numbers(rows).join("");
  return edge;
}

// The neighbourhood of the cell that a click would press, or else the hint.
function mark() {
  const { pitch, gap, pointed, hint } = state, context = pen(ui.marks);
  context.clearRect(0, 0, ui.marks.width, ui.marks.height);
  ring(hint === pointed ? null : hint);
  if (pointed === null) return;
  const side = pitch - gap, square = (cell, inset) => squareOf(state, cell, side < 12 ? 0 : inset);
  context.fillStyle = film.accent;
  // Where there is room, one still sees what is lit.
  for (const cell of new Set(neighbourhood(film, pointed))) context.fillRect(...square(cell, side * 0.32));
  // Dark round light: one of them stands out from any colour.
  const width = Math.max(devicePixelRatio, Math.round(side / 36));
  for (const [times, colour] of [[3, "#000"], [1, "#fff"]]) {
    context.lineWidth = times * width;
    context.strokeStyle = colour;
    context.strokeRect(...square(pointed, 1.5 * width));
  }
}

// The film

function play() {
  const over = state.rounds === 1 && state.done === film.count;
  update({ playing: true, time: over ? 0 : timeOf(state.done) });
  run();
  show();
}

// By so many clicks, or steps.
function seekBy(count) {
  if (!ends) return seek(state.done + count);
  seek(ends[within(ends.indexOf(state.done) + count, ends.length)]);
}

function pause() {
  state.playing = false;
  show();
}

const playOrPause = () => (state.playing ? pause() : play());

// How many clicks are done after each step: it is pressed as a whole.
const ends = film.ends && [...new Set(film.ends)];

function seek(done) {
  const nearest = (one, other) => (Math.abs(other - done) < Math.abs(one - done) ? other : one);
  goTo(film, state, ends ? ends.reduce(nearest) : within(done, film.count + 1));
  state.resting = false;
  pause();
}

function run() {
  animate((seconds) => {
    if (state.game) runOn(seconds);
    else if (state.playing) playFor(seconds * state.speed);
    return state.playing || Boolean(state.game?.running);
  }, state);
}

function playFor(seconds) {
  const { resting } = state;
  if (state.time + seconds >= film.starts.at(-1) && state.rounds-- === 1) {
    state.rounds = 1;
    return seek(film.count);
  }
  const moved = playOn(film, state, seconds);
  state.resting = state.time - film.starts.findLast((start) => start <= state.time) > 1 / film.fps;
  if (moved || state.resting !== resting) show();
}

// Words and controls

const tell = (text) => say(ui.status, text);

function show() {
  paint();
  const { game, playing, done } = state;
  ui.player.hidden = ui.switch.ariaChecked = Boolean(game);
  ui.clicks.ariaChecked = state.clicks;
  ui.tools.hidden = ui.panel.hidden = !game;
  ui.frame.className = !game ? "" : differing() ? "game" : "game solved";
  ui.play.ariaLabel = playing ? "Pause" : "Play";
  ui.loop.ariaPressed = state.rounds > 1;
  ui.scrub.value = done;
  ui.scrub.style.setProperty("--share", film.count && done / film.count);
  ui.count.textContent = thousands(done);
  if (game) showGame();
  if (!playing) label();
}

function inWords(shade) {
  if (film.boards > 1 && levels === 2) return `shade ${shade}`;
  if (film.boards === 1) return levels === 2 ? ["unlit", "lit"][shade] : `level ${shade} of ${levels - 1}`;
  const each = levelsOf(shade).map((level, board) => `${PRIMARIES[board]} ${level}`);
  return `${each.join(", ")} of ${levels - 1}`;
}

// What a screen reader says of the board.
function label() {
  const { game, cursor, done, shades } = state, { board } = ui;
  board.role = game ? "application" : "img";
  board.tabIndex = game ? 0 : -1;
  board.ariaLabel = game
    ? `Board, ${where(cursor)}, ${inWords(shades[cursor])}. Arrow keys move, Enter clicks.`
    : `${document.title}: ${columns} by ${rows} cells, ${thousands(done)} of ${plural(film.count, "click")} done`;
  ui.scrub.ariaValueText = plural(done, "click");
}

// Mouse, pen and fingers

const cellAt = (event) => cellOn(placeOf(event, ui.board, state));

function point(cell) {
  if (cell === state.pointed) return;
  state.pointed = cell;
  mark();
}

// A finger may slide to the cell it means: what counts is where it lets go.
function letGo(event) {
  const cell = cellAt(event);
  if (event.button || cell === null) return;
  if (!state.game) return playOrPause();
  pressCell(cell);
  if (event.pointerType === "touch") point(null);
}

function listenToPointers() {
  const on = (types, act) => types.split(" ").forEach((type) => ui.board.addEventListener(type, act));
  on("pointermove pointerdown", (event) => state.game && point(cellAt(event)));
  on("pointerleave pointercancel", () => point(null));
  on("pointerup", letGo);
  // Who comes by the keyboard sees where: the cell's frame is the board's.
  on("focus", () => ui.board.matches(":focus-visible") && state.hint === null && point(state.cursor));
  on("blur", () => point(null));
}

// Keys and buttons

function moveCursor(down, right) {
  state.cursor = cellIn(rowOf(state.cursor) + down, columnOf(state.cursor) + right);
  ui.board.focus();
  point(state.cursor);
  label();
}

function changeSpeed(by) {
  ui.speed.selectedIndex = within(ui.speed.selectedIndex + by, ui.speed.length);
  state.speed = parseFloat(ui.speed.value);
}

function toggleLoop() {
  state.rounds = state.rounds > 1 ? 1 : Infinity;
  show();
}

function toggleClicks() {
  state.clicks = !state.clicks;
  fit();
  show();
}

// A click is made on one board at least.
function toggleBoard(board) {
  state.game.boards = state.game.boards ^ board || board;
  show();
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else if (document.fullscreenEnabled) document.documentElement.requestFullscreen();
}

const help = () => ui.help.showModal();

const filmKeys = (step) => ({
  " ": playOrPause,
  ArrowLeft: () => seekBy(-step),
  ArrowRight: () => seekBy(step),
  Home: () => seek(0),
  End: () => seek(film.count),
  "-": () => changeSpeed(-1),
  "+": () => changeSpeed(1),
  l: toggleLoop,
});

const clickCursor = () => pressCell(state.cursor);
const gameKeys = (step) => ({
  " ": clickCursor,
  Enter: clickCursor,
  ArrowUp: () => moveCursor(-step, 0),
  ArrowDown: () => moveCursor(step, 0),
  ArrowLeft: () => moveCursor(0, -step),
  ArrowRight: () => moveCursor(0, step),
  u: undo,
  "ctrl z": undo,
  r: restart,
  h: hint,
  ...(film.puzzle ? puzzleKeys : { Escape: toggleGame }),
  ...(film.boards > 1 && { 1: () => toggleBoard(1), 2: () => toggleBoard(2), 3: () => toggleBoard(4) }),
});

function undo() {
  takeBack();
  pressed();
}

function restart() {
  takeAllBack();
  pressed();
}

const keysNow = (step) => ({
  ...(film.puzzle || { g: toggleGame }),
  c: toggleClicks,
  f: toggleFullScreen,
  "?": help,
  ...(state.game ? gameKeys(step) : filmKeys(step)),
});

function listenToTools() {
  const buttons = { play: playOrPause, loop: toggleLoop, clicks: toggleClicks, full: toggleFullScreen, switch: toggleGame };
  listenToButtons({ ...buttons, undo, restart, hint, finish, keys: help });
  for (const button of ui.tools.querySelectorAll("[value]")) button.onclick = () => toggleBoard(button.value);
  ui.scrub.oninput = () => seek(Number(ui.scrub.value));
  ui.speed.onchange = () => changeSpeed(0);
}

// For tests: to look, not to touch.
window.lightsanim = Object.freeze({
  configuration: () => [...state.shades],
  goal: () => state.game && [...state.game.goal],
  clicksDone: () => state.done,
  remaining: () => (state.game ? remaining() : []),
  made: () => (state.game ? made() : 0),
  presses: () => state.pressed && [...state.pressed],
  look: () => ({ ...state, shades: 0, game: 0, painted: 0, pressed: 0, touched: 0 }),
});

ui.full.hidden = !document.fullscreenEnabled;
listenToPointers();
listenToKeys(keysNow);
listenToTools();
new ResizeObserver(fit).observe(ui.stage);
addEventListener("resize", fit); // a zoom changes the pixels, but not always the stage
fit();
if (calm || film.puzzle) show();
else play();
