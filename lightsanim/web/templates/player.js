// The player: plays the film of a page, shows its clicks, and starts a game on its board.

const film = readFilm(JSON.parse(ui.film.textContent));
let { rows, columns, cells, levels, raised, lowered } = film;
const PRIMARY_NAMES = ["red", "green", "blue"].map((name) => localize(`player.${name}`));
const LOUPE_CELLS = 6; // cells along each side of the magnified part
const DOT_FLAG = 128; // added to the shade of a cell with a dot; shades are below 125

const state = {
  ...createState(film),
  dots: [], // cells that are marked as just clicked
  playing: false,
  speed: 1,
  rounds: film.loop || Infinity, // remaining plays, including the current one
  game: null, // the game in progress, see startGame
  cursor: (rows >> 1) * columns + (columns >> 1), // the cell selected with the keyboard
  pointed: null, // the cell whose neighbourhood is shown
  hint: null, // the cell of the last hint
  clicks: Boolean(film.show_clicks), // whether the panel with the clicks of the frame is open
  resting: false, // whether a held frame is shown, after the time of its clicks
  pressed: null, // presses shown in the panel, as shades
  painted: new Uint8Array(cells), // shade and dot of each cell on the canvas
};
const updateState = (changes) => Object.assign(state, changes);

const dottedCells = () => (film.dot && !state.game ? film.clicks.slice(clicksBeforeFrame(), state.done) : []);

// Returns the presses that the panel shows: clicks of the current frame, all so far, or the game's.
function panelPresses() {
  if (state.game) return pressesFromClicks(state.game.history.flat());
  const from = film.clicks_panel === "total" ? 0 : state.resting ? state.done : clicksBeforeFrame();
  return pressesBetween(film, from, state.done);
}

// Painting

function paintAll() {
  paintState(film, state, ui.board);
  state.painted.set(state.shades);
  state.pressed = null;
  paint();
}

function paint() {
  const { touched, painted, pitch, gap } = state, context = contextOf(ui.board);
  if (touched.length > cells) return paintAll();
  const dots = new Set(dottedCells());
  for (const cell of [...touched, ...state.dots, ...dots]) {
    const shade = state.shades[cell], look = shade + DOT_FLAG * dots.has(cell);
    if (look === painted[cell]) continue;
    painted[cell] = look;
    const x = columnOf(cell) * pitch, y = rowOf(cell) * pitch, side = pitch - gap;
    context.fillStyle = film.palette[1 + shade];
    context.clearRect(x + gap, y + gap, side, side);
    context.fillRect(x + gap, y + gap, side, side);
    const cover = (sides) => () => context.drawImage(sides, x, y);
    if (film.shape !== "square") replacePixels(context, cover(state.hole), cover(state.mask));
    if (look < DOT_FLAG) continue;
    const dot = (colour) => () => {
      context.fillStyle = colour;
      context.fill();
    };
    context.beginPath();
    context.arc(x + gap + side / 2, y + gap + side / 2, side * 0.24, 0, 7);
    replacePixels(context, dot("#000"), dot(film.dot));
  }
  updateState({ dots, touched: [] });
  paintClicks();
}

function paintClicks() {
  const shades = state.clicks ? panelPresses() : null;
  if (!shades || state.pressed?.every((shade, cell) => shade === shades[cell])) return;
  state.pressed = shades;
  paintBoard(film, state, ui.pressed, boardImage(film, shades));
}

// Places the panel beside the board, or below it if both are then larger.
function arrangeBoards() {
  const wide = (0.7 * innerWidth) / columns, high = (0.85 * innerHeight) / rows;
  const stacked = Math.min(wide, high / 2) > Math.min(wide / 2, high);
  // In a narrow window it follows the controls, which stay where they are.
  const isNarrow = innerWidth <= innerHeight;
  if (isNarrow !== ui.text.contains(ui.presses)) (isNarrow ? ui.text : ui.stage).append(ui.presses);
  const boards = !state.clicks || isNarrow ? [1, 1] : stacked ? [1, 2] : [2, 1];
  const { style } = document.documentElement;
  style.setProperty("--across", boards[0] * columns);
  style.setProperty("--down", boards[1] * rows);
  ui.stage.className = boards[1] > 1 ? "stacked" : "";
  ui.presses.hidden = !state.clicks;
  return boards;
}

let fittedSize = ""; // of the stage

const stageSize = () => (({ width, height }) => [width, height])(ui.stage.getBoundingClientRect());

function fit() {
  const [across, down] = arrangeBoards(), [width, height] = stageSize();
  fittedSize = `${[width, height]}`;
  const gutter = parseFloat(getComputedStyle(ui.stage).gap) || 0; // Firefox has no style where the page is hidden
  const spaceForBoard = (side, boards) => (side - (boards - 1) * gutter) / boards;
  const canvases = [ui.board, ui.marks, ui.pressed], note = across + down > 2 ? 28 : 0; // of the panel
  const spaces = [spaceForBoard(width, across), spaceForBoard(height - note, down)];
  const edge = showEdgeNumbers(Math.min(spaces[0] / columns, spaces[1] / rows));
  const scale = fitCanvases(spaces[0] - edge, spaces[1] - edge, film, state, canvases, film.framed ? 0.1 : 1);
  const sizeOfAll = (side, boards) => boards * (side * scale + edge) + (boards - 1) * gutter;
  const slack = (sizeOfAll(ui.board.height, down) - height) / 2;
  ui.main.style.cssText = `--shown:${sizeOfAll(ui.board.width, across)}px;--slack:${slack}px;--edge:${edge}px`;
  paintAll();
  drawMarks();
}

// Shows the numbers of rows and columns during a game if cells are large enough; hints refer to them.
// Returns their width in CSS pixels.
function showEdgeNumbers(side) {
  const edge = state.game && side > 21 ? Math.min(Math.max(20, side * 0.28), 40) : 0;
  const numbers = (count) => Array.from({ length: edge && count }, (_, i) => `<span>${i + 1}</span>`);
  ui.columns.innerHTML = numbers(columns).join("");
  ui.rows.innerHTML = numbers(rows).join("");
  return edge;
}

// Marks the neighbourhood of the cell under the pointer, and the cell of the hint.
function drawMarks() {
  const { pitch, gap, pointed, hint } = state, context = contextOf(ui.marks);
  context.clearRect(0, 0, ui.marks.width, ui.marks.height);
  showRing(hint === pointed ? null : hint);
  const side = pitch - gap, square = (cell, inset) => squareOf(state, cell, side < 12 ? 0 : inset);
  context.fillStyle = film.accent;
  if (state.game && hasSmallCells()) for (const cell of differingCells()) context.fillRect(...square(cell));
  if (pointed === null) return;
  // Inset, so that the colour of the cell stays visible.
  for (const cell of new Set(neighbourhood(film, pointed))) context.fillRect(...square(cell, side * 0.32));
  // A dark line around a light one is visible on any colour.
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
  updateState({ playing: true, time: over ? 0 : startTimeOf(state.done) });
  run();
  showControls();
}

// Seeks by a number of clicks, or of steps if the film has steps.
function seekBy(count) {
  if (!stepEnds) return seek(state.done + count);
  seek(stepEnds[clampIndex(stepEnds.indexOf(state.done) + count, stepEnds.length)]);
}

function pause() {
  state.playing = false;
  showControls();
}

const playOrPause = () => (state.playing ? pause() : play());

// The number of clicks done after each step; a step is pressed as a whole.
const stepEnds = film.ends && [...new Set(film.ends)];

function seek(done) {
  const nearest = (one, other) => (Math.abs(other - done) < Math.abs(one - done) ? other : one);
  goTo(film, state, stepEnds ? stepEnds.reduce(nearest) : clampIndex(done, film.count + 1));
  state.resting = false;
  pause();
}

function run() {
  animate((seconds) => {
    if (state.game) advanceClicks(seconds);
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
  const moved = advance(film, state, seconds);
  state.resting = state.time - film.starts.findLast((start) => start <= state.time) > 1 / film.fps;
  if (moved || state.resting !== resting) showControls();
}

const sizeText = ({ rows, columns }) => `${columns} × ${rows}`;

// Words and controls

const announce = (text) => setText(ui.status, text);

function showControls() {
  paint();
  const { game, playing, done } = state;
  ui.player.hidden = ui.switch.ariaChecked = Boolean(game);
  ui.clicks.ariaChecked = state.clicks;
  ui.tools.hidden = ui.panel.hidden = !game;
  ui.frame.className = !game ? "" : countDiffering() ? "game" : "game solved";
  ui.play.ariaLabel = localize(playing ? "player.pause" : "player.play");
  ui.play.dataset.playing = playing;
  ui.loop.ariaPressed = state.rounds > 1;
  ui.scrub.value = done;
  ui.scrub.style.setProperty("--share", film.count && done / film.count);
  ui.count.textContent = formatNumber(done);
  if (game) showGame();
  if (!playing) labelBoard();
}

function shadeText(shade) {
  if (film.boards > 1 && levels === 2) return localize("player.shade", { n: shade });
  if (levels === 2) return localize(shade ? "player.lit" : "player.unlit");
  const levelText = (level) => localize("player.level", { n: level, most: levels - 1 });
  if (film.boards === 1) return levelText(shade);
  return levelsOf(shade).map((level, board) => `${PRIMARY_NAMES[board]} ${levelText(level)}`).join(", ");
}

// Sets the texts with which screen readers describe the board.
function labelBoard() {
  const { game, cursor, done, shades } = state, { board } = ui;
  board.role = game ? "application" : "img";
  board.tabIndex = game ? 0 : -1;
  board.ariaLabel = game
    ? localize("player.board_label", { place: describeCell(cursor), state: shadeText(shades[cursor]) })
    : localize("player.film_label", { title: film.origin?.label?.alt ?? document.title, columns, rows, done: formatNumber(done), clicks: clicksText(film.count) });
  ui.scrub.ariaValueText = clicksText(done);
}

// Mouse, pen and fingers

const cellAt = (event) => cellAtPosition(pointerPosition(event, ui.board, state));

function pointAt(cell) {
  if (cell === state.pointed) return;
  state.pointed = cell;
  drawMarks();
}

// Magnifies the small cells around a finger, above it if there is room.
function showLoupe(event) {
  ui.loupe.hidden = !(state.game && event.pointerType === "touch" && event.buttons && hasSmallCells());
  if (ui.loupe.hidden) return;
  const context = contextOf(ui.loupe), { width } = ui.loupe, side = LOUPE_CELLS * state.pitch;
  const [y, x] = pointerPosition(event, ui.board, state).map((place) => place * state.pitch - side / 2);
  const { left, top } = ui.board.getBoundingClientRect();
  context.imageSmoothingEnabled = false;
  context.fillStyle = film.palette[0];
  context.fillRect(0, 0, width, width);
  for (const canvas of [ui.board, ui.marks]) context.drawImage(canvas, x, y, side, side, 0, 0, width, width);
  ui.loupe.className = event.clientY < 200 ? "below" : "";
  ui.loupe.style.cssText = `left:${event.clientX - left}px;top:${event.clientY - top}px`;
}

// A click counts where the pointer is released, so a finger can slide to the right cell.
function handleRelease(event) {
  const cell = cellAt(event);
  if (event.button || cell === null) return;
  if (!state.game) return playOrPause();
  pressCell(cell);
  if (event.pointerType === "touch") pointAt(null);
}

function listenToPointers() {
  const on = (types, act) => types.split(" ").forEach((type) => ui.board.addEventListener(type, act));
  on("pointermove pointerdown", (event) => state.game && pointAt(cellAt(event)));
  on("pointermove pointerdown pointerup pointercancel", showLoupe);
  on("pointerleave pointercancel", () => pointAt(null));
  on("pointerup", handleRelease);
  // With keyboard focus, mark the cell under the cursor.
  on("focus", () => ui.board.matches(":focus-visible") && state.hint === null && pointAt(state.cursor));
  on("blur", () => pointAt(null));
}

// Keys and buttons

function moveCursor(down, right) {
  state.cursor = nearestCell(rowOf(state.cursor) + down, columnOf(state.cursor) + right);
  ui.board.focus();
  pointAt(state.cursor);
  labelBoard();
}

function changeSpeed(by) {
  ui.speed.selectedIndex = clampIndex(ui.speed.selectedIndex + by, ui.speed.length);
  state.speed = parseFloat(ui.speed.value);
}

function toggleLoop() {
  state.rounds = state.rounds > 1 ? 1 : Infinity;
  showControls();
}

function toggleClicks() {
  state.clicks = !state.clicks;
  fit();
  showControls();
}

// Switches a colour plane for the next click; at least one plane stays selected.
function toggleBoard(board) {
  state.game.boards = state.game.boards ^ board || board;
  showControls();
}

function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else if (document.fullscreenEnabled) document.documentElement.requestFullscreen();
}

const openHelp = () => ui.help.showModal();

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

const pressCursor = () => pressCell(state.cursor);
const gameKeys = (step) => ({
  " ": pressCursor,
  Enter: pressCursor,
  ArrowUp: () => moveCursor(-step, 0),
  ArrowDown: () => moveCursor(step, 0),
  ArrowLeft: () => moveCursor(0, -step),
  ArrowRight: () => moveCursor(0, step),
  u: undo,
  "ctrl z": undo,
  r: restart,
  h: showHint,
  ...(film.puzzle ? puzzleKeys : { Escape: toggleGame }),
  ...(film.boards > 1 && { 1: () => toggleBoard(1), 2: () => toggleBoard(2), 3: () => toggleBoard(4) }),
});

function undo() {
  undoClicks();
  showAfterClicks();
}

function restart() {
  undoAllClicks();
  showAfterClicks();
}

const currentKeys = (step) => ({
  ...(film.puzzle || { g: toggleGame }),
  c: toggleClicks,
  f: toggleFullScreen,
  "?": openHelp,
  ...(state.game ? gameKeys(step) : filmKeys(step)),
});

function listenToTools() {
  const buttons = { play: playOrPause, loop: toggleLoop, clicks: toggleClicks, full: toggleFullScreen, switch: toggleGame };
  listenToButtons({ ...buttons, undo, restart, hint: showHint, finish: finishGame, keys: openHelp });
  for (const button of ui.tools.querySelectorAll("[value]")) button.onclick = () => toggleBoard(button.value);
  ui.scrub.oninput = () => seek(Number(ui.scrub.value));
  ui.speed.onchange = () => changeSpeed(0);
}

// Read-only, for tests.
window.lightsanim = Object.freeze({
  configuration: () => [...state.shades],
  goal: () => state.game && [...state.game.goal],
  clicksDone: () => state.done,
  remaining: () => (state.game ? remainingClicks() : []),
  made: () => (state.game ? countClicks() : 0),
  presses: () => state.pressed && [...state.pressed],
  look: () => ({ ...state, shades: 0, game: 0, painted: 0, pressed: 0, touched: 0 }),
});

ui.full.hidden = !document.fullscreenEnabled;
ui.all.textContent = clicksText(film.count);
ui.number.textContent = formatNumber(film.count);
ui.extent.textContent = localize("player.cells", { size: sizeText(film) });
if (ui.length) ui.length.textContent = clicksText(film.count);
listenToPointers();
listenToKeys(currentKeys);
listenToTools();
new ResizeObserver(() => fittedSize !== `${stageSize()}` && fit()).observe(ui.stage);
addEventListener("resize", fit); // a zoom changes the pixels, but not always the stage
fit();
if (film.flashes) ui.play.dataset.waits = ""; // for scripts of a page around this one
if (reducedMotion || film.puzzle || film.flashes) showControls();
else play();
