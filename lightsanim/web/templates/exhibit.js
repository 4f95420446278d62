// An exhibit repeats its film until a visitor touches the screen.  Then it moves to the last clicks,
// which the visitor makes.  If the visitor leaves, it makes them itself and starts again.
const film = readFilm(JSON.parse(ui.film.textContent));
const { rows, columns, cells, levels, raised, lowered, count } = film;
const calm = reducedMotion || film.flashes; // a film that may flash is shown as with reduced motion

// Milliseconds: without a touch until the film continues, and until a hint is shown; of the ripple
// after a win, and of the whole win scene; to move to the visitor's clicks; and, with reduced
// motion, that each picture is shown.
const IDLE_TIMEOUT = 45000, HINT_DELAY = 8000, RIPPLE_TIME = 2500, WIN_TIME = 9000, HURRY_TIME = 1500, PICTURE_TIME = 6000;
const DOUBLE_TOUCH_TIME = 400; // milliseconds; ignore a faster second touch as unintended
const FINGER_RADIUS = 28; // CSS pixels; a touch this near to a marked light counts for it
const OUTLINES = [[5, "#000"], [3, "#fff"]]; // widths and colours: dark around light, visible on any colour

const state = {
  ...createState(film),
  scene: null, // attract, hurry, play or won
  left: new Uint8Array(cells), // remaining presses of each cell, as a shade
  made: 0, // number of this visitor's clicks
  last: 0, // cell of the last click; `when` is its time
  when: 0,
  hint: null, // the cell marked as a hint
};
if (film.ends) scatterClicks(film.ends.at(-2));
const isPaired = (presses) => presses.every((shade, cell) => cellsClickedWith(cell).every((other) => presses[other] === shade));
let start = Math.max(0, count - film.exhibit);
while (start > 0 && !isPaired(pressesBetween(film, start, count))) start--; // visitors click both halves at once
goTo(film, state, count);
const goal = state.shades.slice();
goTo(film, state, 0);

// Reorders the clicks of the last step, so that the visitor's clicks are spread over the board.
function scatterClicks(from) {
  const share = (n) => (n * 0.618034) % 1;
  const order = Array.from({ length: count - from }, (_, n) => n).sort((one, other) => share(one) - share(other));
  for (const list of [film.clicks, film.primaries])
    order.map((n) => list[from + n]).forEach((value, n) => (list[from + n] = value));
}

const remainingCells = () => [...state.left.keys()].filter((cell) => state.left[cell]);
const remainingPresses = () => remainingCells().flatMap((cell) => Array(Math.max(...levelsOf(state.left[cell]))).fill(cell));

const dottedCells = () =>
  state.scene === "attract" ? film.clicks.slice(clicksBeforeFrame(), state.done) : [];

// Painting

const paint = () => paintState(film, state, ui.board);

// Draws a mark on each light that the visitor should touch, or the dots of the film's clicks.
function drawMarks() {
  const context = contextOf(ui.marks), { pitch, gap, hint, scene } = state, ratio = devicePixelRatio;
  context.clearRect(0, 0, ui.marks.width, ui.marks.height);
  const side = pitch - gap, middle = (place) => place * pitch + gap + side / 2;
  const marked = remainingCells(), most = Math.min(30 * ratio, (smallestDistance(marked) * pitch) / 2.2 - OUTLINES[0][0]);
  const radius = Math.min(Math.max(side * 0.3, 6 * ratio), Math.max(most, 2 * ratio));
  const dot = (cell, radius, colour, outlines = []) => {
    context.beginPath();
    context.arc(middle(columnOf(cell)), middle(rowOf(cell)), radius, 0, 7);
    for (const [width, colour] of outlines) {
      context.lineWidth = width * ratio;
      context.strokeStyle = colour;
      context.stroke();
    }
    context.fillStyle = colour;
    context.fill();
  };
  if (scene === "play") for (const cell of marked) dot(cell, radius, film.accent, OUTLINES);
  else if (film.dot) for (const cell of dottedCells()) dot(cell, side * 0.24, film.dot);
  showRing(hint);
}

// Returns the smallest distance between two of some sorted cells, in cells, so that their marks do not overlap.
const smallestDistance = (marked) => marked.reduce((smallest, one, i) => {
  for (let j = i + 1; j < marked.length && rowOf(marked[j]) - rowOf(one) < smallest; j++)
    smallest = Math.min(smallest, Math.hypot(rowOf(one) - rowOf(marked[j]), columnOf(one) - columnOf(marked[j])));
  return smallest;
}, Infinity);

// Draws a ripple that runs over the board from the cell touched last; `share` is its progress.
function drawRipple(share) {
  const context = contextOf(ui.marks), { last } = state;
  context.clearRect(0, 0, ui.marks.width, ui.marks.height);
  const reach = Math.hypot(rows, columns), front = share * 1.3 * reach, wide = reach / 5;
  context.fillStyle = film.accent;
  for (let cell = 0; cell < cells && share < 1; cell++) {
    const lag = front - Math.hypot(rowOf(cell) - rowOf(last), columnOf(cell) - columnOf(last));
    if (lag < 0 || lag > wide) continue;
    context.globalAlpha = 0.85 * (1 - lag / wide);
    context.fillRect(...squareOf(state, cell));
  }
  context.globalAlpha = 1;
}

function fit() {
  const { width, height } = ui.stage.getBoundingClientRect();
  fitCanvases(width, height, film, state, [ui.board, ui.marks], 0.03);
  paint();
  drawMarks();
}

// Scenes

const MESSAGES = {
  attract: () => (hasVisitorClicks && 2 * state.done >= count ? localize("exhibit.attract") : ""), // once there is something to finish
  hurry: () => "",
  play: (few) => localizeCount("exhibit.play", few),
  won: () => localize("exhibit.won"),
};

function showScene() {
  const { scene } = state;
  ui.main.className = scene;
  setText(ui.line, MESSAGES[scene](remainingPresses().length / cellsClickedWith(0).length));
  paint();
  drawMarks();
}

const timers = {};
function schedule(name, milliseconds, act) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(act, milliseconds);
}

function enterScene(scene) {
  for (const name in timers) clearTimeout(timers[name]);
  Object.assign(state, { scene, hint: null });
  showScene();
}

// Continues the film from its current position.
function startAttracting() {
  state.time = startTimeOf(state.done);
  enterScene("attract");
  if (calm) schedule("next", PICTURE_TIME, showNextPicture);
  else animate((seconds) => state.scene === "attract" && playFor(seconds));
}

function playFor(seconds) {
  const moved = advance(film, state, seconds);
  setText(ui.line, MESSAGES.attract());
  if (!moved) return true;
  paint();
  if (film.dot) drawMarks();
  return true;
}

// With reduced motion: shows one picture after the other.
function showNextPicture() {
  const pictureStops = [...new Set([0, ...film.holds.map(([frame]) => film.frames[frame]), count])];
  goTo(film, state, pictureStops[(pictureStops.indexOf(state.done) + 1) % pictureStops.length] ?? 0);
  startAttracting();
}

// Runs a number of steps within HURRY_TIME, with the numbers made and due, then calls `then`.
function runSteps(steps, run, then) {
  enterScene("hurry");
  let stepsMade = 0;
  animate((_, passed) => {
    const share = calm ? 1 : Math.min(1, (passed * 1000) / HURRY_TIME), due = Math.ceil(share * steps);
    run(stepsMade, due);
    stepsMade = due;
    paint();
    if (share < 1) return true;
    then();
  });
}

function startVisit() {
  const from = state.done, way = Math.sign(start - from);
  runSteps(Math.abs(start - from), (_, due) => goTo(film, state, from + way * due), () => {
    state.left = pressesBetween(film, start, count);
    state.made = 0;
    enterScene("play");
    restartTimers();
  });
}

// False if the last clicks cancel out, so that nothing is left for visitors.
const hasVisitorClicks = pressesBetween(film, start, count).some(Boolean);

// Makes the remaining clicks after a time without touches.
function finishVisit() {
  const all = remainingPresses();
  runSteps(all.length, (made, due) => all.slice(made, due).forEach((cell) => pressCell(cell)), endVisit);
}

function endVisit() {
  state.done = count;
  startAttracting();
}

function restartTimers() {
  schedule("idle", IDLE_TIMEOUT, finishVisit);
  schedule("hint", HINT_DELAY, () => {
    state.hint = findNearest(remainingCells(), columnOf(state.last), rowOf(state.last));
    drawMarks();
  });
}

function celebrate() {
  state.left.fill(0);
  enterScene("won");
  schedule("won", WIN_TIME, endVisit);
  if (calm) return;
  animate((_, passed) => {
    const share = (passed * 1000) / RIPPLE_TIME;
    if (state.scene === "won") drawRipple(share);
    return state.scene === "won" && share < 1;
  });
}

// Clicks

// Presses a cell.  If it has no remaining clicks, the press must be undone later.
function pressCell(cell) {
  const pressed = litBoards(state.left[cell]) || 2 ** film.boards - 1;
  turnNeighbourhood(film, state, cell, raised[pressed]);
  state.left[cell] = lowered[pressed][state.left[cell]];
}

function findNearest(from, x, y) {
  const distance = (cell) => Math.hypot(columnOf(cell) - x, rowOf(cell) - y);
  return from.reduce((best, cell) => (best === null || distance(cell) < distance(best) ? cell : best), null);
}

// Returns the cell that a touch is meant for: the nearest marked one if it is near, or the one below.
function cellAt(event) {
  const position = pointerPosition(event, ui.board, state), [y, x] = position.map((along) => along - 0.5);
  const cell = findNearest(remainingCells(), x, y), { width } = ui.board.getBoundingClientRect();
  const finger = ((FINGER_RADIUS / width) * ui.board.width) / state.pitch;
  if (cell !== null && Math.hypot(columnOf(cell) - x, rowOf(cell) - y) <= Math.max(finger, 0.5)) return cell;
  return cellAtPosition(position);
}

function handleTouch(event) {
  if (state.scene === "attract" && hasVisitorClicks) startVisit();
  if (state.scene !== "play") return;
  const cell = cellAt(event);
  restartTimers();
  const when = event.timeStamp, twice = cell === state.last && when - state.when < DOUBLE_TOUCH_TIME;
  if (cell === null || (twice && !state.left[cell])) return;
  const isMarked = Boolean(state.left[cell]);
  cellsClickedWith(cell).forEach(pressCell);
  Object.assign(state, { last: cell, when, made: state.made + 1, hint: null });
  if (state.shades.every((shade, place) => shade === goal[place])) celebrate();
  else showScene();
  if (!isMarked) setText(ui.line, localize("exhibit.missed")); // the click counts, and can be undone
}

// Only touches: disable menus and zoom, use the full screen, and keep it on.

for (const type of ["contextmenu", "selectstart", "dragstart", "gesturestart"])
  addEventListener(type, (event) => event.preventDefault());
addEventListener("wheel", (event) => event.preventDefault(), { passive: false });
addEventListener("pointerdown", handleTouch);
addEventListener("pointerup", () => {
  if (document.fullscreenEnabled && !document.fullscreenElement)
    document.documentElement.requestFullscreen().catch(() => {});
});
const keepScreenOn = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
addEventListener("visibilitychange", keepScreenOn);

// Read-only, for tests.
window.lightsanim = Object.freeze({
  configuration: () => [...state.shades],
  goal: () => [...goal],
  clicksDone: () => state.done,
  left: remainingCells,
  look: () => ({ scene: state.scene, hint: state.hint, made: state.made, pitch: state.pitch, gap: state.gap }),
});

new ResizeObserver(fit).observe(ui.stage);
addEventListener("resize", fit);
fit();
keepScreenOn();
startAttracting();
