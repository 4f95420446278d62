// A page of puzzles

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
  const before = puzzles.every(bestOf);
  if (!helped) keep(puzzle, { clicks, stars: starsFor(clicks, puzzle.count, hinted) });
  if (!before && ui.levels && puzzles.every(bestOf)) tell(`${ui.status.textContent} All ${puzzles.length} puzzles are solved.`);
  showSeries();
};

whenShown = (left) => {
  const { solving, running, history } = state.game;
  ui.tools.hidden = solving;
  ui.steps.hidden = !solving;
  ui.back.disabled = !history.length;
  ui.step.disabled = ui.run.disabled = !left;
  ui.run.textContent = running ? "Pause" : "Play";
  if (!ui.next) return;
  ui.next.hidden = left || !puzzles[chosen + 1];
  ui.hint.hidden = ui.finish.hidden = !ui.next.hidden;
};

// The solution, a click at a time

function toggleSolution() {
  const { game } = state;
  Object.assign(game, { running: null, solving: !game.solving });
  show();
  (game.solving ? ui.step : ui.finish).focus();
}

function makeClick(click, left) {
  state.game.helped = true;
  state.game.history.push([click]);
  press([click]);
  pressed();
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
  update({ shades: film.first.slice(), done: 0, touched: [] });
  startGame();
  ui.fewest.textContent = thousands(film.count);
  if (ui.wish && film.title !== "Turn everything off") ui.wish.textContent = wish();
  showSeries();
  show();
  fit();
}

function chooseNext(by) {
  if (puzzles[chosen + by]) choose(chosen + by);
}

const puzzleKeys = { s: step, n: () => chooseNext(1), p: () => chooseNext(-1) };

// The fewest clicks from where the player has come to: those that remain of the solution, and any
// click sets that flip nothing, where these are few.
const FEW_PATTERNS = 8, FEW_CELLS = 900;
let quiet;

const bitsOf = (shades) => BigInt(`0b${shades.join("")}`);
const countOf = (bits) => bits.toString(2).replaceAll("0", "").length;

// By elimination over GF(2): of clicks, and what they flip.
function quietPatterns() {
  const pivots = [], found = [];
  if (levels > 2 || film.boards > 1 || cells > FEW_CELLS) return found;
  for (let cell = 0; cell < cells; cell++) {
    const board = { shades: new Uint8Array(cells), touched: [] };
    turn(film, board, cell, raised[1]);
    let flips = bitsOf(board.shades), clicks = 1n << BigInt(cells - 1 - cell);
    for (const [bit, others, made] of pivots) {
      if (!(flips & bit)) continue;
      flips ^= others;
      clicks ^= made;
    }
    if (flips) pivots.push([flips & -flips, flips, clicks]);
    else if (found.push(clicks) > FEW_PATTERNS) return [];
  }
  return found;
}

fewestLike = (presses) => {
  quiet ??= quietPatterns();
  if (!quiet.length) return presses;
  let bits = bitsOf(presses), best = bits;
  for (let sum = 1; sum < 2 ** quiet.length; sum++) { // in Gray's order
    bits ^= quiet[31 - Math.clz32(sum & -sum)];
    if (countOf(bits) < countOf(best)) best = bits;
  }
  return Uint8Array.from(best.toString(2).padStart(cells, "0"));
};

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
  if (!ui.levels) return;
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
  Object.assign(canvas, { width: columns, height: rows });
  pen(canvas).drawImage(picture(film, puzzle.first), 0, 0);
  button.append(canvas, plural(puzzle.count, "click"), starsOf(0));
  button.onclick = () => choose(number);
  ui.levels.append(button);
}

// On paper

function addDrawing(puzzle, number) {
  const line = (from, to) => `M${from}L${to}`, sides = (count) => [...Array(count).keys()];
  const grid = sides(rows + 1).map((row) => line([0, row], [columns, row])).join("") +
    sides(columns + 1).map((column) => line([column, 0], [column, rows])).join("");
  const square = (cell) => `M${columnOf(cell)} ${rowOf(cell)}h1v1h-1z`;
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
if (ui.levels) puzzles.forEach(addLevel);
listenToButtons({ finish: toggleSolution, leave: toggleSolution, back: undo, step, run: playSolution, wide: toggleFullScreen });
ui.wide.hidden = ui.full.hidden;
if (ui.next) ui.next.onclick = () => chooseNext(1);
choose(Math.max(0, puzzles.findIndex((puzzle) => !bestOf(puzzle))));
