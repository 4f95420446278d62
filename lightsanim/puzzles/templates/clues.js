/*! The element "told" holds the puzzles as JSON: the answer, row by row, and the cells that are
   given, by row and column. */
const told = JSON.parse(ui.told.textContent);
const sea = told.puzzle === "submarines";
const range = (count) => [...Array(count).keys()];

// How often a clue of ashes counts the numbers around it, by places down and right.
const near = {
  sum: [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [down, right, 1])),
  slope: [[-1, 0, 1], [0, 1, 1], [1, 0, -1], [0, -1, -1]],
}[told.kind];

// The sums: what each counts, as [cell, times], and where it stands.
function sumsOf(rows, columns) {
  const cells = range(rows * columns).map((cell) => [Math.floor(cell / columns), cell % columns]);
  const line = (at, isOn) => ({ at, counts: range(cells.length).filter((cell) => isOn(...cells[cell])).map((cell) => [cell, 1]) });
  if (sea) {
    return [
      ...range(rows).map((row) => line(`row ${row + 1}`, (i) => i === row)),
      ...range(columns).map((column) => line(`column ${column + 1}`, (i, j) => j === column)),
    ];
  }
  const isOn = (row, column) => row >= 0 && row < rows && column >= 0 && column < columns;
  return cells.map(([row, column]) => ({
    at: `row ${row + 1}, column ${column + 1}`,
    counts: near
      .filter(([down, right]) => isOn(row + down, column + right))
      .map(([down, right, times]) => [(row + down) * columns + column + right, times]),
  }));
}

const sumOf = (counts, values) => counts.reduce((sum, [cell, times]) => sum + times * values[cell], 0);

function newGame(choice) {
  const { answer: lines, given: places } = told.puzzles[choice - 1], rows = lines.length, columns = lines[0].length;
  const answer = lines.flatMap((line) => [...line].map(Number)), given = places.map(([row, column]) => row * columns + column);
  const sums = sumsOf(rows, columns).map((sum) => ({ ...sum, clue: sumOf(sum.counts, answer) }));
  const values = answer.map((value, cell) => (given.includes(cell) ? value : null));
  return { rows, columns, answer, given, sums, values };
}

// Blank cells may still be water, but are no numbers.
function standOf({ counts, clue }) {
  const { values } = state.game, blank = counts.filter(([cell]) => isBlank(values[cell])).length;
  const sum = sumOf(counts, values);
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
const digits = String(Math.max(...told.puzzles.flatMap(({ answer }) => answer.flat().map(Math.abs)))).length;

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

const tag = (name, text, className = "") =>
  Object.assign(document.createElement(name), { textContent: text, className });

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
