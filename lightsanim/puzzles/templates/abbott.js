/*! The element "windows" holds a window with the most lit panes for each size, as JSON: rows of
   0 and 1, 1 = lit. */
const windows = JSON.parse(ui.windows.textContent);
const sizes = Object.keys(windows).map(Number);

// From the window to the edge of its frame, in panes.
const RIM = 0.66;
// From pale to deep, from the middle of the window outwards.
const GLASS = ["#fff3cf", "#ffe3a0", "#ffd27a", "#f9bd68", "#bcd6d8", "#f1c8b6"];

const games = {}; // by size: each is left as it was
const state = {
  game: null,
  panes: [], // the buttons
  pointed: null, // the pane whose lines are shown
};

// The window

function bestOf(n) {
  return windows[n].flatMap((row) => [...row].map((light) => light === "1"));
}

function newGame(n) {
  return {
    n,
    lines: linesOf(n),
    lit: Array(n * n).fill(true),
    most: bestOf(n).filter(Boolean).length,
    history: [], // what was done: panes toggled together, and whether the page did it
    cursor: 0, // the pane that has the focus or gets it
  };
}

// Each line has the panes on it and its two ends: where it leaves the window, and which way.
function linesOf(n) {
  const side = [...Array(n).keys()], lines = [];
  const line = (kind, cells, from, to) =>
    lines.push({ kind, panes: cells.map(([i, j]) => i * n + j), ends: [from, to] });
  for (const i of side) {
    line("row", side.map((j) => [i, j]), [0, i + 0.5, -1, 0], [n, i + 0.5, 1, 0]);
    line("column", side.map((j) => [j, i]), [i + 0.5, 0, 0, -1], [i + 0.5, n, 0, 1]);
  }
  for (let k = 2 - n; k <= n - 2; k++) {
    const falling = side.filter((j) => j - k >= 0 && j - k < n).map((j) => [j - k, j]);
    const [[top, left], [bottom, right]] = [falling[0], falling.at(-1)];
    line("diagonal", falling, [left, top, -1, -1], [right + 1, bottom + 1, 1, 1]);
    const mirror = falling.map(([i, j]) => [i, n - 1 - j]);
    line("diagonal", mirror, [n - left, top, 1, -1], [n - right - 1, bottom + 1, -1, 1]);
  }
  return lines;
}

const isOdd = (line) => line.panes.filter((pane) => state.game.lit[pane]).length % 2 === 1;
const litPanes = () => state.game.lit.filter(Boolean).length;

// Playing

function toggle(panes) {
  for (const pane of panes) state.game.lit[pane] = !state.game.lit[pane];
}

function press(panes, helped) {
  if (panes.length) state.game.history.push({ panes, helped });
  toggle(panes);
  show();
}

function pressPane(pane) {
  moveTo(pane);
  press([pane], false);
}

function undo() {
  toggle(state.game.history.pop()?.panes ?? []);
  show();
}

function restart() {
  const { cursor, n } = state.game;
  state.game = games[n] = { ...newGame(n), cursor };
  show();
}

function showBest() {
  const best = bestOf(state.game.n);
  press([...best.keys()].filter((pane) => best[pane] !== state.game.lit[pane]), true);
}

function play(n) {
  state.game = games[n] ??= newGame(n);
  state.pointed = null;
  ui.size.value = n;
  build();
  show();
}

// Drawing

function build() {
  const { n } = state.game, middle = (n - 1) / 2;
  ui.frame.style.cssText = `--n:${n};--rim:${RIM}`;
  ui.rays.setAttribute("viewBox", `${-RIM} ${-RIM} ${n + 2 * RIM} ${n + 2 * RIM}`);
  state.panes = Array.from({ length: n * n }, (_, pane) => {
    const button = document.createElement("button");
    const down = Math.abs(rowOf(pane) - middle), across = Math.abs(columnOf(pane) - middle);
    const ring = Math.floor(((down + across) / (n - 1)) * GLASS.length * 0.999);
    button.style.setProperty("--glass", GLASS[ring]);
    button.value = pane;
    button.ariaLabel = `light in row ${rowOf(pane) + 1}, column ${columnOf(pane) + 1}`;
    return button;
  });
  ui.window.replaceChildren(...state.panes);
}

const rowOf = (pane) => Math.floor(pane / state.game.n);
const columnOf = (pane) => pane % state.game.n;

// A mark at an end of a line, from a little outside the window outwards.
function mark([x, y, right, down], odd) {
  const unit = 1 / Math.hypot(right, down);
  const at = (far) => `${(x + right * unit * far).toFixed(3)} ${(y + down * unit * far).toFixed(3)}`;
  return `M${at(0.24)}L${at(odd ? 0.54 : 0.28)}`;
}

function path(kind, d) {
  return `<path class="${kind}" d="${d}"/>`;
}

function rays() {
  const { lines } = state.game;
  const marks = (odd) => lines.filter((line) => isOdd(line) === odd).flatMap((line) => line.ends.map((end) => mark(end, odd)));
  const through = lines.filter((line) => line.panes.includes(state.pointed));
  const ends = through.map(({ ends: [a, b] }) => `M${a[0]} ${a[1]}L${b[0]} ${b[1]}`);
  ui.rays.innerHTML = path("even", marks(false).join("")) + path("odd", marks(true).join("")) + path("through", ends.join(""));
}

function show() {
  const { game, panes } = state, odd = game.lines.filter(isOdd);
  panes.forEach((button, pane) => {
    button.ariaPressed = game.lit[pane];
    button.tabIndex = pane === game.cursor ? 0 : -1;
  });
  ui.lit.textContent = litPanes();
  ui.most.textContent = game.most;
  ui.odd.textContent = odd.length;
  ui.odd.className = odd.length ? "some" : "";
  ui.window.className = !odd.length && litPanes() === game.most ? "solved" : "";
  ui.undo.disabled = ui.restart.disabled = !game.history.length;
  say(ui.status, verdict(odd));
  rays();
}

function verdict(odd) {
  if (odd.length) {
    const kinds = ["row", "column", "diagonal"]
      .map((kind) => [odd.filter((line) => line.kind === kind).length, kind])
      .filter(([count]) => count);
    return `Odd: ${kinds.map(([count, kind]) => plural(count, kind)).join(", ")}.`;
  }
  if (litPanes() < state.game.most) return `Every line is even; but ${plural(state.game.most, "pane")} can be lit.`;
  const praise = state.game.history.some(({ helped }) => helped) ? "" : " Well done.";
  return `Every line is even, and no window lets in more light.${praise}`;
}

// Mouse, fingers and keys

function moveTo(pane) {
  state.panes[state.game.cursor].tabIndex = -1;
  state.game.cursor = pane;
  state.panes[pane].tabIndex = 0;
  state.panes[pane].focus();
}

function move(down, right) {
  const { n, cursor } = state.game, within = (place) => Math.min(Math.max(place, 0), n - 1);
  moveTo(within(rowOf(cursor) + down) * n + within(columnOf(cursor) + right));
}

function point(pane) {
  if (pane === state.pointed) return;
  state.pointed = pane;
  rays();
}

const paneOf = (event) => (event.target.closest("#window button") ? Number(event.target.value) : null);

function listenToPanes() {
  ui.window.onclick = (event) => paneOf(event) !== null && pressPane(paneOf(event));
  ui.window.onpointerover = (event) => event.pointerType === "mouse" && point(paneOf(event));
  ui.window.onpointerleave = () => point(null);
  ui.window.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && point(paneOf(event)));
  ui.window.addEventListener("focusout", () => point(null));
}

function changeSize(by) {
  const next = sizes[sizes.indexOf(state.game.n) + by];
  if (next) play(next);
}

const keys = {
  ArrowUp: () => move(-1, 0),
  ArrowDown: () => move(1, 0),
  ArrowLeft: () => move(0, -1),
  ArrowRight: () => move(0, 1),
  u: undo,
  "ctrl z": undo,
  r: restart,
  b: showBest,
  "-": () => changeSize(-1),
  "+": () => changeSize(1),
  "?": () => ui.help.showModal(),
};

// For tests: to look, not to touch.
globalThis.lightsanim = Object.freeze({
  lit: () => [...state.game.lit],
  odd: () => state.game.lines.filter(isOdd).map(({ kind, panes }) => [kind, ...panes]),
  cursor: () => state.game.cursor,
  pointed: () => state.pointed,
});

listenToPanes();
listenToKeys(() => keys);
listenToButtons({ undo, restart, best: showBest, keys: keys["?"] });
ui.size.onchange = () => play(Number(ui.size.value));
play(Number(ui.size.value));
