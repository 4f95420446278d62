// A page of puzzles: its own, and those that are made on it or that links bring

const packed = JSON.parse(ui.film.textContent);
const puzzles = [packed, ...(packed.series ?? [])].map((puzzle) => readFilm({ ...packed, ...puzzle }));
let chosen = 0;

// Three for the fewest clicks without a hint, two for up to half as many again, one for any others.
function starsFor(clicks, fewest, hinted) {
  if (clicks > Math.ceil(1.5 * fewest)) return 1;
  return clicks > fewest || hinted ? 2 : 3;
}

// The best results, by what a puzzle is.  Where the browser keeps nothing, as in a sandboxed
// frame, they last as long as the page.
const results = new Map();
const nameOf = ({ rule, wrap, levels, rows, columns, first }) =>
  ["lightsanim", rule, wrap, levels, `${columns}x${rows}`, first.join("")].join(" ");

function bestOf(puzzle) {
  const name = nameOf(puzzle);
  let text = results.get(name);
  try {
    text ??= localStorage.getItem(name);
  } catch {}
  const [clicks, stars] = (text ?? "").split(" ").map(Number);
  const known = clicks >= puzzle.count && [1, 2, 3].includes(stars);
  return known ? { clicks, stars } : null;
}

function keep(puzzle, { clicks, stars }) {
  const best = bestOf(puzzle);
  if (best && (best.stars - stars || clicks - best.clicks) >= 0) return;
  const name = nameOf(puzzle), text = `${clicks} ${stars}`;
  results.set(name, text);
  try {
    localStorage.setItem(name, text);
  } catch {}
}

whenSolved = () => {
  const { helped, hinted } = state.game, puzzle = puzzles[chosen], clicks = made();
  const before = puzzles.length === 1 || puzzles.every(bestOf);
  if (!helped) keep(puzzle, { clicks, stars: starsFor(clicks, puzzle.count, hinted) });
  if (!before && puzzles.every(bestOf)) tell(`${ui.status.textContent} All ${puzzles.length} puzzles are solved.`);
  showSeries();
};

whenShown = (left) => {
  const { solving, running, history } = state.game;
  ui.tools.hidden = solving;
  ui.steps.hidden = !solving;
  ui.back.disabled = !history.length;
  ui.redo.disabled = !canRedo();
  ui.step.disabled = ui.run.disabled = !left;
  ui.run.textContent = running ? "Pause" : "Play";
  ui.next.hidden = left || !puzzles[chosen + 1];
  ui.hint.hidden = ui.finish.hidden = !ui.next.hidden;
};

// Clicks that were taken back, each with the one before it: they can be made again while nothing
// else was.

const latest = () => state.game.history.at(-1);

function takeOneBack() {
  const taken = latest();
  takeBack();
  if (taken) state.game.taken.push([taken, latest()]);
  pressed();
}

function canRedo() {
  const [top] = state.game.taken.slice(-1);
  return Boolean(top) && top[1] === latest();
}

function redo() {
  if (!canRedo() || state.game.running) return;
  makeClicks(state.game.taken.pop()[0]);
}

function startAgain() {
  state.game.taken = [];
  restart();
}

// The solution, a click at a time

function toggleSolution() {
  const { game } = state;
  Object.assign(game, { running: null, solving: !game.solving });
  show();
  (game.solving ? ui.step : ui.finish).focus();
}

function makeClick(click, left) {
  state.game.helped = true;
  makeClicks([click]);
  [state.cursor] = click;
  update({ hint: state.cursor, pointed: null });
  if (left) tell(`Clicked ${where(state.cursor)}; ${plural(left, "click")} to go.`);
  mark();
}

function step() {
  state.game.running = null;
  const [click, ...left] = remaining();
  if (click) makeClick(click, left.length);
  show();
}

// Slow enough to follow a few clicks; over in ten seconds.
function playSolution() {
  const { game } = state, clicks = remaining();
  let left = clicks.length;
  if (game.running || !left) game.running = null;
  else makeForPlayer(clicks, Math.min(10, left * 0.8), (next) => next.forEach((click) => makeClick(click, --left)));
  show();
}

function choose(number) {
  chosen = number;
  Object.assign(film, puzzles[number]);
  ({ rows, columns, cells } = film);
  const { style } = document.documentElement, cursor = cellIn(rows >> 1, columns >> 1);
  style.setProperty("--columns", columns);
  style.setProperty("--rows", rows);
  update({ shades: film.first.slice(), painted: new Uint8Array(cells), done: 0, touched: [], dots: [], cursor });
  startGame();
  state.game.taken = [];
  ui.extent.textContent = sizeOf(film);
  ui.fewest.textContent = thousands(film.count);
  if (film.title !== "Turn everything off") ui.wish.textContent = wish();
  ui.copy.disabled = !linkOf(film);
  showSeries();
  show();
  fit();
}

// What a player chooses stands in the address.
function turnTo(number) {
  if (!puzzles[number]) return;
  choose(number);
  ui.stage.scrollIntoView({ block: "nearest" });
  try {
    history.replaceState(null, "", linkOf(film) ?? "#");
  } catch {} // in a sandboxed frame
}

const puzzleKeys = {
  u: takeOneBack, "ctrl z": takeOneBack, y: redo, "ctrl y": redo, "ctrl Z": redo, r: startAgain,
  s: step, n: () => turnTo(chosen + 1), p: () => turnTo(chosen - 1),
};

fewestLike = (presses) => fewestOf(film, presses);

// Puzzles that are not the page's own

const sizeOf = ({ rows, columns }) => `${columns} × ${rows}`;

// A board of the page's game; a click of the cross, which has no offsets, flips all along it.
function boardOf(columns, rows) {
  const along = (side) => [...Array(2 * side - 1).keys()].map((i) => i + 1 - side);
  const others = (side) => along(side).filter((by) => (film.wrap ? by > 0 : by));
  const cross = () => [[0, 0], ...others(rows).map((by) => [by, 0]), ...others(columns).map((by) => [0, by])];
  const offsets = JSON.parse(ui.main.dataset.offsets) ?? cross();
  return { ...puzzles[0], rows, columns, cells: rows * columns, offsets };
}

const numberOf = (puzzle) => puzzles.findIndex((known) => nameOf(known) === nameOf(puzzle));

// The number of a puzzle, which is added where it is new; `presses` turn it off.
function add(puzzle, presses) {
  const clicks = listed(presses), primaries = clicks.map(() => 1);
  if (numberOf(puzzle) >= 0) return numberOf(puzzle);
  puzzles.push({ ...puzzle, clicks, primaries, count: clicks.length, frames: [0], holds: [] });
  addLevel(puzzles.at(-1), puzzles.length - 1);
  ui.sheet.replaceChildren();
  puzzles.forEach(addDrawing);
  return puzzles.length - 1;
}

// What is said of buttons that are far from where it is said.
function answer(text) {
  tell(text);
  ui.status.scrollIntoView({ block: "nearest" });
}

// Turns to a new start of so many clicks, or of the most that were found where fewer will do too.
function pose(size, clicks, { seed, fewer, name }) {
  const board = boardOf(...size.split("x").map(Number)), first = new Uint8Array(board.cells);
  const presses = smallestClicks(board, clicks, seeded(seed)), count = countOf(presses);
  if (count < clicks && !fewer) {
    const start = `No start of ${sizeOf(board)} cells that needs ${plural(clicks, "click")}`;
    return answer(`${start} was found; the most found is ${count}.`);
  }
  for (const cell of listed(presses)) turn(board, { shades: first, touched: [] }, cell, lowered[1]);
  turnTo(add({ ...board, first }, presses));
  answer(`${name}: ${sizeOf(board)} cells, ${plural(count, "click")}.`);
}

function poseNew() {
  const clicks = ui.wanted.valueAsNumber;
  if (!(clicks >= 1 && clicks % 1 === 0)) return answer("Clicks must be a whole number, at least 1.");
  pose(ui.size.value, clicks, { seed: Math.random() * 2 ** 32, name: "New" });
}

// Of the page's own size; from 5 clicks on Mondays to 11 on Sundays, where the board has such.
function poseToday() {
  const now = new Date(), parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const date = parts.map((part) => String(part).padStart(2, "0")).join("-");
  const { value } = [...ui.size].find((option) => option.defaultSelected) ?? ui.size[0];
  const seed = Number(date.replaceAll("-", ""));
  pose(value, 4 + (now.getDay() || 7), { seed, fewer: true, name: `Puzzle of ${date}` });
}

// The puzzle that the address names; or what is wrong with it.
function follow() {
  const { flaw, columns, rows, first } = readLink(location.hash);
  if (flaw) return flaw;
  const board = boardOf(columns, rows), puzzle = { ...board, first };
  if (numberOf(puzzle) >= 0) return choose(numberOf(puzzle));
  if (!equationsOf(board)) return `Boards of ${sizeOf(board)} have too many quiet patterns to count clicks here.`;
  const solution = solutionOf(equationsOf(board), first, levels);
  if (!solution) return "No clicks turn the puzzle of this link off.";
  if (!countOf(solution)) return "The puzzle of this link is solved already.";
  choose(add(puzzle, fewestOf(board, solution)));
}

async function copyLink() {
  const link = location.href.replace(/#.*/, "") + linkOf(film);
  try {
    await navigator.clipboard.writeText(link);
    answer("The link is copied.");
  } catch {
    answer(link);
  }
}

// Words and stars

function starsOf(count) {
  const stars = document.createElement("i");
  stars.className = "stars";
  stars.style.setProperty("--stars", count);
  stars.role = "img";
  stars.ariaLabel = count ? plural(count, "star") : "not solved";
  return stars;
}

function showSeries() {
  const best = bestOf(film);
  ui.best.replaceChildren(...(best ? [thousands(best.clicks), starsOf(best.stars)] : ["–"]));
  ui.series.hidden = puzzles.length === 1;
  const bests = puzzles.map(bestOf), stars = bests.reduce((sum, best) => sum + (best?.stars ?? 0), 0);
  ui.which.textContent = `Puzzle ${chosen + 1} of ${puzzles.length}`;
  ui.total.textContent = `${stars} of ${3 * puzzles.length} stars`;
  [...ui.levels.children].forEach((button, number) => {
    button.ariaCurrent = number === chosen;
    button.lastChild.replaceWith(starsOf(bests[number]?.stars ?? 0));
  });
}

function addLevel(puzzle, number) {
  const button = document.createElement("button"), canvas = document.createElement("canvas");
  canvas.style.cssText = `--columns:${puzzle.columns};--rows:${puzzle.rows}`;
  drawCells(puzzle, canvas, puzzle.first);
  button.append(canvas, plural(puzzle.count, "click"), starsOf(0));
  button.onclick = () => turnTo(number);
  ui.levels.append(button);
}

// On paper

function addDrawing(puzzle, number) {
  const { rows, columns } = puzzle;
  const line = (from, to) => `M${from}L${to}`, sides = (count) => [...Array(count).keys()];
  const grid = sides(rows + 1).map((row) => line([0, row], [columns, row])).join("") +
    sides(columns + 1).map((column) => line([column, 0], [column, rows])).join("");
  const square = (cell) => `M${cell % columns} ${Math.floor(cell / columns)}h1v1h-1z`;
  // As on worksheets, what is off is dark.
  const dark = sides(levels - 1).map((level) => {
    const path = [...puzzle.first.keys()].filter((cell) => puzzle.first[cell] === level).map(square).join("");
    return `<path d="${path}" fill-opacity="${1 - level / (levels - 1)}"/>`;
  });
  const numbers = (count, place) => sides(count).map((i) => `<text ${place(i + 0.5)}>${i + 1}</text>`).join("");
  const named = Math.max(rows, columns) > 30 ? "" :
    numbers(columns, (x) => `x="${x}" y="-.45"`) + numbers(rows, (y) => `x="-.45" y="${y}"`);
  const figure = document.createElement("figure");
  figure.innerHTML = `<figcaption>${puzzles.length > 1 ? `${number + 1}. ` : ""}${plural(puzzle.count, "click")}</figcaption>
<svg viewBox="-.8 -.8 ${columns + 0.9} ${rows + 0.9}" preserveAspectRatio="xMinYMin"><g fill="#bbb">${dark.join("")}</g>
<path d="${grid}" fill="none" stroke="#999" stroke-width=".03"/>${named}</svg>`;
  ui.sheet.append(figure);
}

puzzles.forEach(addDrawing);
puzzles.forEach(addLevel);
listenToButtons({
  finish: toggleSolution, leave: toggleSolution, step, run: playSolution, wide: toggleFullScreen,
  undo: takeOneBack, back: takeOneBack, redo, restart: startAgain, next: puzzleKeys.n,
  make: poseNew, daily: poseToday, copy: copyLink,
});
ui.wanted.addEventListener("keydown", (event) => {
  event.stopPropagation();
  if (event.key === "Enter") poseNew();
});
ui.wide.hidden = ui.full.hidden;
const unfinished = puzzles.findIndex((puzzle) => !bestOf(puzzle));
choose(Math.max(0, unfinished));
if (location.hash) tell(follow() ?? "");
addEventListener("hashchange", () => location.hash && tell(follow() ?? ""));
