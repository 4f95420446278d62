// An exhibit: the film plays on and on until someone touches it.  Then it goes on to its last clicks,
// which are left to the visitor.  Who goes away leaves it to finish by itself and to begin again.
const film = readFilm(JSON.parse(ui.film.textContent));
const { rows, columns, cells, levels, raised, lowered, count } = film;

// Milliseconds: without a touch until the film takes over, or one light is pointed at; that a win is
// celebrated, and shown; that the film hurries to the clicks that are left; that each picture is
// shown where nothing is to move.
const IDLE = 45000, HINT = 8000, RIPPLE = 2500, WON = 9000, HURRY = 1500, CALM = 6000;
const TWICE = 400; // a second touch that is too fast to be meant
const FINGER = 28; // CSS pixels: a touch this near to a marked light is meant for it
const OUTLINES = [[5, "#000"], [3, "#fff"]]; // one of them stands out from any colour

const state = {
  ...stateOf(film),
  scene: null, // attract, hurry, play or won
  left: new Uint8Array(cells), // how often each cell is to be pressed, as a shade
  made: 0, // clicks of this visitor
  last: 0, // the cell of the last one, and when it was
  when: 0,
  hint: null, // the cell that is pointed at
};
if (film.ends) scatter(film.ends.at(-2));
const start = Math.max(0, count - film.exhibit);
goTo(film, state, count);
const goal = state.shades.slice();
goTo(film, state, 0);

// The clicks of a step may be made in any order: the last of them then lie all over the board.
function scatter(from) {
  const share = (n) => (n * 0.618034) % 1;
  const order = Array.from({ length: count - from }, (_, n) => n).sort((one, other) => share(one) - share(other));
  for (const list of [film.clicks, film.primaries])
    order.map((n) => list[from + n]).forEach((value, n) => (list[from + n] = value));
}

const leftCells = () => [...state.left.keys()].filter((cell) => state.left[cell]);
const presses = () => leftCells().flatMap((cell) => Array(Math.max(...levelsOf(state.left[cell]))).fill(cell));

const justClicked = () =>
  state.scene === "attract" ? film.clicks.slice(doneBefore(), state.done) : [];

// Painting

const paint = () => paintState(film, state, ui.board);

// A button on each light that is to be touched; the film's own dots on what it clicks.
function mark() {
  const context = pen(ui.marks), { pitch, gap, hint, scene } = state, ratio = devicePixelRatio;
  context.clearRect(0, 0, ui.marks.width, ui.marks.height);
  const side = pitch - gap, middle = (place) => place * pitch + gap + side / 2;
  const radius = Math.min(Math.max(side * 0.3, 6 * ratio), 30 * ratio);
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
  if (scene === "play") for (const cell of leftCells()) dot(cell, radius, film.accent, OUTLINES);
  else if (film.dot) for (const cell of justClicked()) dot(cell, side * 0.24, film.dot);
  ring(hint);
}

// A win runs over the board from the light that was touched last.
function ripple(share) {
  const context = pen(ui.marks), { last } = state;
  context.clearRect(0, 0, ui.marks.width, ui.marks.height);
  const reach = Math.hypot(rows, columns), front = share * 1.3 * reach, wide = reach / 5;
  context.fillStyle = film.accent;
  for (let cell = 0; cell < cells && share < 1; cell++) {
    const behind = front - Math.hypot(rowOf(cell) - rowOf(last), columnOf(cell) - columnOf(last));
    if (behind < 0 || behind > wide) continue;
    context.globalAlpha = 0.85 * (1 - behind / wide);
    context.fillRect(...squareOf(state, cell));
  }
  context.globalAlpha = 1;
}

function fit() {
  const { width, height } = ui.stage.getBoundingClientRect();
  fitTo(width, height, film, state, [ui.board, ui.marks], 0.03);
  paint();
  mark();
}

// Scenes

const LINES = {
  attract: () => (leads ? "Touch the picture to finish it" : ""),
  hurry: () => "",
  play: (few) => `Touch the marked lights: ${few === 1 ? "one more" : `${few} to go`}`,
  won: () => "Done! You finished the picture.",
};

function show() {
  const { scene } = state;
  ui.main.className = scene;
  say(ui.line, LINES[scene](presses().length));
  paint();
  mark();
}

const timers = {};
function later(name, milliseconds, act) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(act, milliseconds);
}

function enter(scene) {
  for (const name in timers) clearTimeout(timers[name]);
  Object.assign(state, { scene, hint: null });
  show();
}

// From where the film is: at its end, or its beginning.
function attract() {
  state.time = timeOf(state.done);
  enter("attract");
  if (calm) later("next", CALM, nextPicture);
  else animate((seconds) => state.scene === "attract" && playFor(seconds));
}

function playFor(seconds) {
  if (!playOn(film, state, seconds)) return true;
  paint();
  if (film.dot) mark();
  return true;
}

// Where nothing is to move, picture follows picture.
function nextPicture() {
  const shown = [...new Set([0, ...film.holds.map(([frame]) => film.frames[frame]), count])];
  goTo(film, state, shown[(shown.indexOf(state.done) + 1) % shown.length] ?? 0);
  attract();
}

// So many steps one after the other, in so many milliseconds.
function hurry(steps, step, then) {
  enter("hurry");
  let made = 0;
  animate((_, passed) => {
    const time = calm ? HURRY : passed * 1000;
    const due = Math.min(1, time / HURRY) * steps;
    while (made < due) step(made++);
    paint();
    if (time < HURRY) return true;
    then();
  });
}

function begin() {
  const from = state.done, way = Math.sign(start - from);
  hurry(Math.abs(start - from), (n) => goTo(film, state, from + way * (n + 1)), () => {
    state.left = clicksBetween(start, count);
    state.made = 0;
    enter("play");
    wait();
  });
}

// Is anything left to do at all?
const leads = clicksBetween(start, count).some(Boolean);

// What nobody goes on with finishes itself.
function giveUp() {
  const all = presses();
  hurry(all.length, (n) => press(all[n]), end);
}

function end() {
  state.left.fill(0);
  state.done = count;
  attract();
}

function wait() {
  later("idle", IDLE, giveUp);
  later("hint", HINT, () => {
    state.hint = nearest(leftCells(), columnOf(state.last), rowOf(state.last));
    mark();
  });
}

function win() {
  state.left.fill(0);
  enter("won");
  later("won", WON, end);
  if (calm) return;
  animate((_, passed) => {
    const share = (passed * 1000) / RIPPLE;
    if (state.scene === "won") ripple(share);
    return state.scene === "won" && share < 1;
  });
}

// Clicks

// Where nothing is left to do, what is pressed is left to be undone.
function press(cell) {
  const pressed = boardsOf(state.left[cell]) || 2 ** film.boards - 1;
  turn(film, state, cell, raised[pressed]);
  state.left[cell] = lowered[pressed][state.left[cell]];
}

function nearest(from, x, y) {
  const away = (cell) => Math.hypot(columnOf(cell) - x, rowOf(cell) - y);
  return from.reduce((best, cell) => (best === null || away(cell) < away(best) ? cell : best), null);
}

// The light that a finger means: a marked one if it is near, or the one right below.
function cellAt(event) {
  const place = placeOf(event, ui.board, state), [y, x] = place.map((along) => along - 0.5);
  const cell = nearest(leftCells(), x, y), { width } = ui.board.getBoundingClientRect();
  const finger = ((FINGER / width) * ui.board.width) / state.pitch;
  if (cell !== null && Math.hypot(columnOf(cell) - x, rowOf(cell) - y) <= Math.max(finger, 0.5)) return cell;
  return cellOn(place);
}

function touch(event) {
  if (state.scene === "attract" && leads) begin();
  if (state.scene !== "play") return;
  const cell = cellAt(event);
  wait();
  const when = event.timeStamp, twice = cell === state.last && when - state.when < TWICE;
  if (cell === null || (twice && !state.left[cell])) return;
  press(cell);
  Object.assign(state, { last: cell, when, made: state.made + 1, hint: null });
  if (state.shades.every((shade, place) => shade === goal[place])) win();
  else show();
}

// Nothing but touches: no menus, no zoom; as large as the screen, which does not go dark.

for (const type of ["contextmenu", "selectstart", "dragstart", "gesturestart"])
  addEventListener(type, (event) => event.preventDefault());
addEventListener("wheel", (event) => event.preventDefault(), { passive: false });
addEventListener("pointerdown", touch);
addEventListener("pointerup", () => {
  if (document.fullscreenEnabled && !document.fullscreenElement)
    document.documentElement.requestFullscreen().catch(() => {});
});
const stayAwake = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
addEventListener("visibilitychange", stayAwake);

// For tests: to look, not to touch.
window.lightsanim = Object.freeze({
  configuration: () => [...state.shades],
  goal: () => [...goal],
  clicksDone: () => state.done,
  left: leftCells,
  look: () => ({ scene: state.scene, hint: state.hint, made: state.made, pitch: state.pitch, gap: state.gap }),
});

new ResizeObserver(fit).observe(ui.stage);
addEventListener("resize", fit);
fit();
stayAwake();
attract();
