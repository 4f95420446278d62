/*! The element "told" holds the puzzles as JSON: their rows and columns, the answer, row by row, the
   cells that are given, and the sums; of ashes also what each sum counts, by places down and right. */
const told = JSON.parse(ui.told.textContent);
const sea = told.puzzle === "submarines";
const range = (count) => [...Array(count).keys()];

// A sum: its cells and how often it counts each, what they should come to, and where it stands.
function sumsOf({ rows, columns, clues }) {
  const line = (cells, clue, at) => ({ cells: cells.map((cell) => [cell, 1]), clue, at });
  if (sea) {
    return [
      ...clues.rows.map((clue, row) => line(range(columns).map((column) => row * columns + column), clue, `row ${row + 1}`)),
      ...clues.columns.map((clue, column) => line(range(rows).map((row) => row * columns + column), clue, `column ${column + 1}`)),
    ];
  }
  return clues.cells.flat().map((clue, cell) => {
    const row = Math.floor(cell / columns), column = cell % columns;
    const near = told.near
      .filter(([down, right]) => rows > row + down && row + down >= 0 && columns > column + right && column + right >= 0)
      .map(([down, right, times]) => [cell + down * columns + right, times]);
    return { cells: near, clue, at: `row ${row + 1}, column ${column + 1}` };
  });
}

function newGame(choice) {
  const puzzle = told.puzzles[choice - 1], { answer, given } = puzzle;
  const values = answer.map((value, cell) => (given.includes(cell) ? value : null));
  return { ...puzzle, values, sums: sumsOf(puzzle) };
}

// Blank cells may still be water, but are no numbers.
function standOf({ cells, clue }) {
  const { values } = state.game, blank = cells.filter(([cell]) => values[cell] === null).length;
  const sum = cells.reduce((total, [cell, times]) => total + times * values[cell], 0);
  if (sum === clue && (sea || !blank)) return "met";
  return (sea ? sum > clue || sum + blank < clue : !blank) ? "wrong" : "";
}

const isBlank = (value) => value === null;
const isSolved = (stands) => stands.every((stand) => stand === "met") && (sea || !state.game.values.some(isBlank));

// Playing

const isGiven = (cell) => state.game.given.includes(cell);

function press(cell) {
  if (!sea) return;
  if (isGiven(cell)) say(ui.status, `The cell in ${where(cell)} is given.`);
  else change([[cell, { null: 1, 1: 0, 0: null }[state.game.values[cell]]]]);
}

// More digits than those of the largest number take the place of what is there.
const digits = String(Math.max(...told.puzzles.flatMap(({ answer }) => answer.map(Math.abs)))).length;

function type(key) {
  const { cursor, values } = state.game, value = values[cursor], size = Math.abs(value);
  if (isGiven(cursor)) return say(ui.status, `The cell in ${where(cursor)} is given.`);
  const longer = isBlank(value) || String(size).length >= digits ? key : `${size}${key}`;
  const becomes = { "-": -value || value, Backspace: null }[key];
  change([[cursor, becomes === undefined ? Number(longer) * (value < 0 ? -1 : 1) : becomes]]);
}

function hint() {
  const { values, answer } = state.game, cells = [...values.keys()];
  const wrong = cells.find((cell) => !isBlank(values[cell]) && values[cell] !== answer[cell]);
  const cell = wrong ?? cells.find((cell) => isBlank(values[cell]));
  if (cell === undefined) return;
  state.game.cursor = cell;
  change([[cell, answer[cell]]], true);
  if (!ui.hint.disabled) say(ui.status, `In ${where(cell)} is ${inWords(answer[cell])}.`);
}

function solve() {
  const { values, answer } = state.game;
  change([...answer.entries()].filter(([cell, value]) => value !== values[cell]), true);
}

// Drawing

const inWords = (value) => (isBlank(value) ? "blank" : sea ? ["water", "a submarine"][value] : String(value).replace("-", "\u2212"));

function tag(name, text, className = "") {
  return Object.assign(document.createElement(name), { textContent: text, className });
}

function dress(button, cell) {
  if (isGiven(cell)) button.ariaDisabled = true;
}

function show() {
  const { values, sums, rows, columns, answer } = state.game, stands = sums.map(standOf);
  const labels = sums.map(({ clue }, i) => tag(sea ? "span" : "i", clue, stands[i]));
  if (sea) {
    ui.rows.replaceChildren(...labels.slice(0, rows));
    ui.columns.replaceChildren(...labels.slice(rows));
  }
  state.panes.forEach((button, cell) => {
    const value = values[cell], mark = sea && !isBlank(value) ? ["water", "submarine"][value] : "";
    button.className = `${mark} ${isGiven(cell) ? "given" : ""}`;
    if (!sea) button.replaceChildren(labels[cell], tag("b", isBlank(value) ? "" : inWords(value)));
    const clues = sea ? `row of ${sums[rowOf(cell)].clue}, column of ${sums[rows + columnOf(cell)].clue}` : `sum ${sums[cell].clue}`;
    button.ariaLabel = `${where(cell)}, ${clues}: ${inWords(value)}`;
  });
  const count = (list, wanted) => list.filter((each) => each === wanted).length;
  const filled = sea ? [count(values, 1), count(answer, 1)] : [rows * columns - count(values, null), rows * columns];
  ui.filled.textContent = filled.join(" of ");
  ui.met.textContent = `${count(stands, "met")} of ${sums.length}`;
  ui.window.className = isSolved(stands) ? "solved" : "";
  ui.hint.disabled = ui.solve.disabled = isSolved(stands);
  say(ui.status, verdict(stands));
  showPanes();
}

function verdict(stands) {
  if (isSolved(stands)) return `Every sum is right.${praise()}`;
  const places = state.game.sums.filter((sum, i) => stands[i] === "wrong").map(({ at }) => at);
  const more = places.length > 3 ? ` and ${places.length - 3} more` : "";
  return places.length ? `Not right: ${places.slice(0, 3).join("; ")}${more}.` : "";
}

const keys = { h: hint, s: solve, n: () => choose(1), p: () => choose(-1) };
if (!sea) for (const key of [..."0123456789-", "Backspace"]) keys[key] = () => type(key);

// For tests: to look, not to touch.
globalThis.lightsanim = Object.freeze({ values: () => [...state.game.values] });

listenToButtons({ hint, solve });
if (!sea) ui.pad.onclick = ({ target }) => target.value && type(target.value);
startPage();
