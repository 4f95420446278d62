// A page of puzzles: those in the page, those generated on it, and those opened by links

const packedFilm = JSON.parse(ui.film.textContent);
const puzzles = [packedFilm, ...(packedFilm.series ?? [])].map((puzzle) => readFilm({ ...packedFilm, ...puzzle }));
let chosenIndex = 0;

// Three stars for the fewest clicks without a hint, two for up to 1.5 times as many, else one.
function countStars(clicks, fewest, hinted) {
  if (clicks > Math.ceil(1.5 * fewest)) return 1;
  return clicks > fewest || hinted ? 2 : 3;
}

// Best results by puzzle.  If the browser cannot store them, as in a sandboxed frame, they last as
// long as the page.
const results = new Map();
const storageKey = ({ rule, wrap, levels, rows, columns, first }) =>
  ["lightsanim", rule, wrap, levels, `${columns}x${rows}`, first.join("")].join(" ");

function loadBest(puzzle) {
  const name = storageKey(puzzle);
  let text = results.get(name);
  try {
    text ??= localStorage.getItem(name);
  } catch {}
  const [clicks, stars] = (text ?? "").split(" ").map(Number);
  const isValid = clicks >= puzzle.count && [1, 2, 3].includes(stars);
  return isValid ? { clicks, stars } : null;
}

function saveBest(puzzle, { clicks, stars }) {
  const best = loadBest(puzzle);
  if (best && (best.stars - stars || clicks - best.clicks) >= 0) return;
  const name = storageKey(puzzle), text = `${clicks} ${stars}`;
  results.set(name, text);
  try {
    localStorage.setItem(name, text);
  } catch {}
}

onSolved = () => {
  const { helped, hinted } = state.game, puzzle = puzzles[chosenIndex], clicks = countClicks();
  const before = puzzles.length === 1 || puzzles.every(loadBest);
  if (!helped) saveBest(puzzle, { clicks, stars: countStars(clicks, puzzle.count, hinted) });
  if (!before && puzzles.every(loadBest)) announce(`${ui.status.textContent} ${localize("puzzle.all_solved", { n: puzzles.length })}`);
  showSeries();
};

onShown = (left) => {
  const { solving, running, history } = state.game;
  ui.tools.hidden = solving;
  ui.steps.hidden = !solving;
  ui.back.disabled = !history.length;
  ui.redo.disabled = !canRedo();
  ui.step.disabled = ui.run.disabled = !left;
  ui.run.textContent = localize(running ? "player.pause" : "player.play");
  ui.next.hidden = left || !puzzles[chosenIndex + 1];
  ui.hint.hidden = ui.finish.hidden = !ui.next.hidden;
};

// Undone clicks are stored with the click before each of them.  They can be redone as long as that
// click is still the latest one.

const latestClicks = () => state.game.history.at(-1);

function undoOne() {
  const undone = latestClicks();
  undoClicks();
  if (undone) state.game.taken.push([undone, latestClicks()]);
  showAfterClicks();
}

const canRedo = () => state.game.taken.length > 0 && state.game.taken.at(-1)[1] === latestClicks();

function redo() {
  if (!canRedo() || state.game.running) return;
  makeClicks(state.game.taken.pop()[0]);
}

function restartPuzzle() {
  state.game.taken = [];
  restart();
}

// Playing the solution click by click

function toggleSolution() {
  const { game } = state;
  Object.assign(game, { running: null, solving: !game.solving });
  showControls();
  (game.solving ? ui.step : ui.finish).focus();
}

function makeClick(click, left) {
  state.game.helped = true;
  makeClicks([click]);
  [state.cursor] = click;
  updateState({ hint: state.cursor, pointed: null });
  if (left) announce(localize("puzzle.clicked", { place: describeCell(state.cursor), clicks: clicksText(left) }));
  drawMarks();
}

function makeStep() {
  state.game.running = null;
  const [click, ...left] = remainingClicks();
  if (click) makeClick(click, left.length);
  showControls();
}

// Plays the remaining clicks, 0.8 seconds each or ten seconds in total.
function playSolution() {
  const { game } = state, clicks = remainingClicks();
  let left = clicks.length;
  if (game.running || !left) game.running = null;
  else animateClicks(clicks, Math.min(10, left * 0.8), (next) => next.forEach((click) => makeClick(click, --left)));
  showControls();
}

function choosePuzzle(number) {
  chosenIndex = number;
  Object.assign(film, puzzles[number]);
  ({ rows, columns, cells } = film);
  const { style } = document.documentElement, cursor = nearestCell(rows >> 1, columns >> 1);
  style.setProperty("--columns", columns);
  style.setProperty("--rows", rows);
  updateState({ shades: film.first.slice(), painted: new Uint8Array(cells), done: 0, touched: [], dots: [], cursor });
  startGame();
  state.game.taken = [];
  ui.extent.textContent = localize("player.cells", { size: sizeText(film) });
  ui.fewest.textContent = formatNumber(film.count);
  if (film.title !== localize("puzzle.title")) ui.wish.textContent = goalText();
  ui.copy.disabled = !encodeLink(film);
  showSeries();
  showControls();
  fit();
}

// Opens a puzzle that the player chose, and stores it in the page's address.
function openPuzzle(number) {
  if (!puzzles[number]) return;
  choosePuzzle(number);
  ui.stage.scrollIntoView({ block: "nearest" });
  try {
    history.replaceState(null, "", encodeLink(film) ?? "#");
  } catch {} // in a sandboxed frame
}

const puzzleKeys = {
  u: undoOne, "ctrl z": undoOne, y: redo, "ctrl y": redo, "ctrl Z": redo, r: restartPuzzle,
  s: makeStep, n: () => openPuzzle(chosenIndex + 1), p: () => openPuzzle(chosenIndex - 1),
};

minimizePresses = (presses) => minimizeClicks(film, presses);

// Puzzles that are not part of the page

// Creates a board with the page's rule.  The rule "cross" has no fixed offsets: it flips whole lines.
function createBoard(columns, rows) {
  const offsetsAlong = (side) => [...Array(2 * side - 1).keys()].map((i) => i + 1 - side);
  const otherOffsets = (side) => offsetsAlong(side).filter((by) => (film.wrap ? by > 0 : by));
  const crossOffsets = () => [[0, 0], ...otherOffsets(rows).map((by) => [by, 0]), ...otherOffsets(columns).map((by) => [0, by])];
  const offsets = JSON.parse(ui.main.dataset.offsets) ?? crossOffsets();
  return { ...puzzles[0], rows, columns, cells: rows * columns, offsets };
}

const findPuzzle = (puzzle) => puzzles.findIndex((known) => storageKey(known) === storageKey(puzzle));

// Adds a puzzle, solved by `presses`, unless the page has it already; returns its number.
function addPuzzle(puzzle, presses) {
  const clicks = listPresses(presses), primaries = clicks.map(() => 1);
  if (findPuzzle(puzzle) >= 0) return findPuzzle(puzzle);
  puzzles.push({ ...puzzle, clicks, primaries, count: clicks.length, frames: [0], holds: [] });
  addLevel(puzzles.at(-1), puzzles.length - 1);
  ui.sheet.replaceChildren();
  puzzles.forEach(addDrawing);
  return puzzles.length - 1;
}

// Scrolls to the message, as its button may be far from it.
function announceInView(text) {
  announce(text);
  ui.status.scrollIntoView({ block: "nearest" });
}

// Opens a new puzzle that needs `clicks` clicks, or with `fewer` as many as were found.
function posePuzzle(size, clicks, { seed, fewer, name, date }) {
  const board = createBoard(...size.split("x").map(Number)), first = new Uint8Array(board.cells);
  const presses = findSmallestClicks(board, clicks, seeded(seed)), count = countPresses(presses);
  if (count < clicks && !fewer) {
    const facts = { size: sizeText(board), clicks: clicksText(clicks), n: formatNumber(count) };
    return announceInView(localize("puzzle.none_found", facts));
  }
  for (const cell of listPresses(presses)) turnNeighbourhood(board, { shades: first, touched: [] }, cell, lowered[1]);
  openPuzzle(addPuzzle({ ...board, first }, presses));
  announceInView(localize(`puzzle.${name}_posed`, { size: sizeText(board), clicks: clicksText(count), date }));
}

function poseNew() {
  const clicks = ui.wanted.valueAsNumber;
  if (!(clicks >= 1 && clicks % 1 === 0)) return announceInView(localize("puzzle.whole_number"));
  posePuzzle(ui.size.value, clicks, { seed: Math.random() * 2 ** 32, name: "new" });
}

// Poses the puzzle of the day: the page's size, and 5 clicks on Mondays to 11 on Sundays.
function poseToday() {
  const now = new Date(), parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const date = parts.map((part) => String(part).padStart(2, "0")).join("-");
  const { value } = [...ui.size].find((option) => option.defaultSelected) ?? ui.size[0];
  const seed = Number(date.replaceAll("-", ""));
  posePuzzle(value, 4 + (now.getDay() || 7), { seed, fewer: true, name: "today", date });
}

// Opens the puzzle in the page's address, or returns a message about what is wrong with it.
function openLink() {
  const { flaw, columns, rows, first } = decodeLink(location.hash);
  if (flaw) return flaw;
  const board = createBoard(columns, rows), puzzle = { ...board, first };
  if (findPuzzle(puzzle) >= 0) return choosePuzzle(findPuzzle(puzzle));
  if (!equationsOf(board)) return localize("puzzle.too_large", { size: sizeText(board) });
  const solution = findSolution(equationsOf(board), first, levels);
  if (!solution) return localize("puzzle.unsolvable");
  if (!countPresses(solution)) return localize("puzzle.solved_already");
  choosePuzzle(addPuzzle(puzzle, minimizeClicks(board, solution)));
}

async function copyLink() {
  const link = location.href.replace(/#.*/, "") + encodeLink(film);
  try {
    await navigator.clipboard.writeText(link);
    announceInView(localize("puzzle.link_copied"));
  } catch {
    announceInView(link);
  }
}

// Words and stars

function createStars(count) {
  const stars = document.createElement("i");
  stars.className = "stars";
  stars.style.setProperty("--stars", count);
  stars.role = "img";
  stars.ariaLabel = count ? localizeCount("puzzle.stars", count) : localize("puzzle.not_solved");
  return stars;
}

function showSeries() {
  const best = loadBest(film);
  ui.best.replaceChildren(...(best ? [formatNumber(best.clicks), createStars(best.stars)] : ["–"]));
  ui.series.hidden = puzzles.length === 1;
  const bests = puzzles.map(loadBest), stars = bests.reduce((sum, best) => sum + (best?.stars ?? 0), 0);
  ui.which.textContent = localize("puzzle.which", { n: chosenIndex + 1, total: puzzles.length });
  ui.total.textContent = localize("puzzle.total_stars", { n: stars, total: 3 * puzzles.length });
  [...ui.levels.children].forEach((button, number) => {
    button.ariaCurrent = number === chosenIndex;
    button.lastChild.replaceWith(createStars(bests[number]?.stars ?? 0));
  });
}

function addLevel(puzzle, number) {
  const button = document.createElement("button"), canvas = document.createElement("canvas");
  canvas.style.cssText = `--columns:${puzzle.columns};--rows:${puzzle.rows}`;
  drawBoardImage(puzzle, canvas, puzzle.first);
  button.append(canvas, clicksText(puzzle.count), createStars(0));
  button.onclick = () => openPuzzle(number);
  ui.levels.append(button);
}

// On paper

function addDrawing(puzzle, number) {
  const { rows, columns } = puzzle;
  const line = (from, to) => `M${from}L${to}`, sides = (count) => [...Array(count).keys()];
  const grid = sides(rows + 1).map((row) => line([0, row], [columns, row])).join("") +
    sides(columns + 1).map((column) => line([column, 0], [column, rows])).join("");
  const square = (cell) => `M${cell % columns} ${Math.floor(cell / columns)}h1v1h-1z`;
  // Unlit cells are dark, as on worksheets.
  const dark = sides(levels - 1).map((level) => {
    const path = [...puzzle.first.keys()].filter((cell) => puzzle.first[cell] === level).map(square).join("");
    return `<path d="${path}" fill-opacity="${1 - level / (levels - 1)}"/>`;
  });
  const numbers = (count, place) => sides(count).map((i) => `<text ${place(i + 0.5)}>${i + 1}</text>`).join("");
  const named = Math.max(rows, columns) > 30 ? "" :
    numbers(columns, (x) => `x="${x}" y="-.45"`) + numbers(rows, (y) => `x="-.45" y="${y}"`);
  const figure = document.createElement("figure");
  figure.innerHTML = `<figcaption>${puzzles.length > 1 ? `${number + 1}. ` : ""}${clicksText(puzzle.count)}</figcaption>
<svg viewBox="-.8 -.8 ${columns + 0.9} ${rows + 0.9}" preserveAspectRatio="xMinYMin"><g fill="#bbb">${dark.join("")}</g>
<path d="${grid}" fill="none" stroke="#999" stroke-width=".03"/>${named}</svg>`;
  ui.sheet.append(figure);
}

puzzles.forEach(addDrawing);
puzzles.forEach(addLevel);
listenToButtons({
  finish: toggleSolution, leave: toggleSolution, step: makeStep, run: playSolution, wide: toggleFullScreen,
  undo: undoOne, back: undoOne, redo, restart: restartPuzzle, next: puzzleKeys.n,
  make: poseNew, daily: poseToday, copy: copyLink,
});
ui.wanted.addEventListener("keydown", (event) => {
  event.stopPropagation();
  if (event.key === "Enter") poseNew();
});
ui.wide.hidden = ui.full.hidden;
const firstUnfinished = puzzles.findIndex((puzzle) => !loadBest(puzzle));
choosePuzzle(Math.max(0, firstUnfinished));
if (location.hash) announce(openLink() ?? "");
addEventListener("hashchange", () => location.hash && announce(openLink() ?? ""));
