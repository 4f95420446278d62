/*! The element "puzzles" holds a window with the most lit panes for each size, as JSON: rows of
   0 and 1, 1 = lit. */
const windows = JSON.parse(ui.puzzles.textContent);

// Width of the frame around the window, in panes.
const RIM_WIDTH = 0.4;
// Colours of panes, from the middle of the window outwards.
const GLASS_COLOURS = ["#fff3cf", "#ffe3a0", "#ffd27a", "#f9bd68", "#bcd6d8", "#f1c8b6"];

let pointedPane = null; // the pane whose lines are shown

// The window

const bestPanes = (n) => windows[n].flatMap((row) => [...row].map((light) => light === "1"));

function newGame(choice) {
  const n = Number(choice);
  return {
    rows: n,
    columns: n,
    lines: linesOf(n),
    values: Array(n * n).fill(true), // whether each pane lets light in
    most: bestPanes(n).filter(Boolean).length,
  };
}

// Returns the lines with their panes and two ends; an end is [x, y, direction right, direction down].
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

const isOdd = (line) => line.panes.filter((pane) => state.game.values[pane]).length % 2 === 1;
const litPanes = () => state.game.values.filter(Boolean).length;

const pressCell = (pane) => changeCells([[pane, !state.game.values[pane]]]);

const showBest = () => showValues(bestPanes(state.game.columns));

// Drawing

function dressButton(button, pane) {
  const n = state.game.columns, middle = (n - 1) / 2;
  const down = Math.abs(rowOf(pane) - middle), across = Math.abs(columnOf(pane) - middle);
  const ring = Math.floor(((down + across) / (n - 1)) * GLASS_COLOURS.length * 0.999);
  button.style.setProperty("--glass", GLASS_COLOURS[ring]);
  button.ariaLabel = localize("abbott_messages.light_in", { place: describeCell(pane) });
}

// Returns the path of the mark at the end of a line, just outside the window; long if it is odd.
function markPath([x, y, right, down], odd) {
  const unit = 1 / Math.hypot(right, down);
  const at = (far) => `${(x + right * unit * far).toFixed(3)} ${(y + down * unit * far).toFixed(3)}`;
  return `M${at(0.16)}L${at(odd ? 0.36 : 0.2)}`;
}

const pathTag = (kind, d) => `<path class="${kind}" d="${d}"/>`;

function drawRays() {
  const { lines, columns } = state.game;
  ui.rays.setAttribute("viewBox", `${-RIM_WIDTH} ${-RIM_WIDTH} ${columns + 2 * RIM_WIDTH} ${columns + 2 * RIM_WIDTH}`);
  const marks = (odd) => lines.filter((line) => isOdd(line) === odd).flatMap((line) => line.ends.map((end) => markPath(end, odd)));
  const through = lines.filter((line) => line.panes.includes(pointedPane));
  const throughLines = through.map(({ ends: [a, b] }) => `M${a[0]} ${a[1]}L${b[0]} ${b[1]}`);
  ui.rays.innerHTML = pathTag("even", marks(false).join("")) + pathTag("odd", marks(true).join("")) + pathTag("through", throughLines.join(""));
}

function showGame() {
  const { game, panes } = state, odd = game.lines.filter(isOdd);
  panes.forEach((button, pane) => (button.ariaPressed = game.values[pane]));
  ui.lit.textContent = litPanes();
  ui.most.textContent = game.most;
  ui.odd.textContent = odd.length;
  ui.odd.className = odd.length ? "some" : "";
  ui.window.className = !odd.length && litPanes() === game.most ? "solved" : "";
  setText(ui.status, verdictText(odd));
  showPanes();
  drawRays();
}

function verdictText(odd) {
  if (odd.length) {
    const countOf = (kind) => odd.filter((line) => line.kind === kind).length;
    const kinds = ["row", "column", "diagonal"].filter(countOf);
    const lines = kinds.map((kind) => localizeCount(`abbott_messages.odd_${kind}s`, countOf(kind)));
    return localize("abbott_messages.odd_lines", { lines: lines.join(", ") });
  }
  if (litPanes() < state.game.most) return localizeCount("abbott_messages.more_possible", state.game.most);
  return localize("abbott_messages.solved") + praiseText();
}

// Mouse, fingers and keys

function pointAt(pane) {
  if (pane === pointedPane) return;
  pointedPane = pane;
  drawRays();
}

ui.window.onpointerover = (event) => event.pointerType === "mouse" && pointAt(cellOf(event));
ui.window.onpointerleave = () => pointAt(null);
ui.window.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && pointAt(cellOf(event)));
ui.window.addEventListener("focusout", () => pointAt(null));

const keys = { b: showBest, "-": () => chooseGame(-1), "+": () => chooseGame(1) };

// Read-only, for tests.
globalThis.lightsanim = Object.freeze({
  lit: () => [...state.game.values],
  odd: () => state.game.lines.filter(isOdd).map(({ kind, panes }) => [kind, ...panes]),
  cursor: () => state.game.cursor,
  pointed: () => pointedPane,
});

listenToButtons({ best: showBest });
startPage();
