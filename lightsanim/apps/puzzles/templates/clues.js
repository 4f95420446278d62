/*! The element "puzzles" holds the puzzles as JSON: the answer, row by row, and the cells that are
   given, by row and column. */
const data = JSON.parse(ui.puzzles.textContent);
const isSubmarines = data.puzzle === "submarines";
const range = (count) => [...Array(count).keys()];

// Factors of the neighbours' numbers in a clue of ashes: [cells down, cells right, factor].
const neighbourClues = {
  sum: [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [down, right, 1])),
  slope: [[-1, 0, 1], [0, 1, 1], [1, 0, -1], [0, -1, -1]],
}[data.kind];

// Returns the sums, each with its description `at` and its terms, [cell, factor].
function buildSums(rows, columns) {
  const cells = range(rows * columns).map((cell) => [Math.floor(cell / columns), cell % columns]);
  const line = (at, isOn) => ({ at, counts: range(cells.length).filter((cell) => isOn(...cells[cell])).map((cell) => [cell, 1]) });
  if (isSubmarines) {
    return [
      ...range(rows).map((row) => line(localize("clues_messages.row", { n: row + 1 }), (i) => i === row)),
      ...range(columns).map((column) => line(localize("clues_messages.column", { n: column + 1 }), (i, j) => j === column)),
    ];
  }
  const isOn = (row, column) => row >= 0 && row < rows && column >= 0 && column < columns;
  return cells.map(([row, column]) => ({
    at: localize("messages.place", { row: row + 1, column: column + 1 }),
    counts: neighbourClues
      .filter(([down, right]) => isOn(row + down, column + right))
      .map(([down, right, times]) => [(row + down) * columns + column + right, times]),
  }));
}

const addUp = (counts, values) => counts.reduce((sum, [cell, times]) => sum + times * values[cell], 0);

function newGame(choice) {
  const { answer: lines, given: givenPlaces } = data.puzzles[choice - 1], rows = lines.length, columns = lines[0].length;
  const answer = lines.flatMap((line) => [...line].map(Number)), given = givenPlaces.map(([row, column]) => row * columns + column);
  const sums = buildSums(rows, columns).map((sum) => ({ ...sum, clue: addUp(sum.counts, answer) }));
  const values = answer.map((value, cell) => (given.includes(cell) ? value : null));
  return { rows, columns, answer, given, sums, values };
}

// Returns "met", "wrong" or "".  Blank cells of submarines count as possible water; sums of ashes are
// met or wrong only without blank cells.
function sumState({ counts, clue }) {
  const { values } = state.game, blank = counts.filter(([cell]) => isBlank(values[cell])).length;
  const sum = addUp(counts, values);
  if (sum === clue && (isSubmarines || !blank)) return "met";
  return (isSubmarines ? sum > clue || sum + blank < clue : !blank) ? "wrong" : "";
}

const isBlank = (value) => value === null;
const isSolved = (stands) => stands.every((stand) => stand === "met") && (isSubmarines || !state.game.values.some(isBlank));

// Playing

const isGiven = (cell) => state.game.given.includes(cell);

function pressCell(cell) {
  if (!isSubmarines) return;
  if (isGiven(cell)) setText(ui.status, localize("clues_messages.given", { place: describeCell(cell) }));
  else changeCells([[cell, { null: 1, 1: 0, 0: null }[state.game.values[cell]]]]);
}

// Number of digits of the largest number; typing more digits starts a new number.
const maxDigits = String(Math.max(...data.puzzles.flatMap(({ answer }) => answer.flat().map(Math.abs)))).length;

function typeKey(key) {
  const { cursor, values } = state.game, value = values[cursor], size = Math.abs(value);
  if (isGiven(cursor)) return setText(ui.status, localize("clues_messages.given", { place: describeCell(cursor) }));
  const longer = isBlank(value) || String(size).length >= maxDigits ? key : `${size}${key}`;
  const becomes = { "-": -value || value, Backspace: null }[key];
  changeCells([[cursor, becomes === undefined ? Number(longer) * (value < 0 ? -1 : 1) : becomes]]);
}

function showHint() {
  const { values, answer } = state.game, cells = [...values.keys()];
  const wrong = cells.find((cell) => !isBlank(values[cell]) && values[cell] !== answer[cell]);
  const cell = wrong ?? cells.find((cell) => isBlank(values[cell]));
  if (cell === undefined) return;
  state.game.cursor = cell;
  changeCells([[cell, answer[cell]]], true);
  if (!ui.hint.disabled) setText(ui.status, localize("clues_messages.hint", { place: describeCell(cell), value: valueText(answer[cell]) }));
}

const showSolution = () => showValues(state.game.answer);

// Drawing

function valueText(value) {
  if (isBlank(value)) return localize("clues_messages.blank");
  if (isSubmarines) return localize(value ? "clues_messages.submarine" : "clues_messages.water");
  return String(value).replace("-", "\u2212");
}

const createTag = (name, text, className = "") =>
  Object.assign(document.createElement(name), { textContent: text, className });

function dressButton(button, cell) {
  if (isGiven(cell)) button.ariaDisabled = true;
}

function showGame() {
  const { values, sums, rows, columns, answer } = state.game, sumStates = sums.map(sumState);
  const labels = sums.map(({ clue }, i) => createTag(isSubmarines ? "span" : "i", clue, sumStates[i]));
  if (isSubmarines) {
    ui.rows.replaceChildren(...labels.slice(0, rows));
    ui.columns.replaceChildren(...labels.slice(rows));
  }
  state.panes.forEach((button, cell) => {
    const value = values[cell], mark = isSubmarines && !isBlank(value) ? ["water", "submarine"][value] : "";
    button.className = `${mark} ${isGiven(cell) ? "given" : ""}`;
    if (!isSubmarines) button.replaceChildren(labels[cell], createTag("b", isBlank(value) ? "" : valueText(value)));
    const label = { place: describeCell(cell), value: valueText(value) };
    button.ariaLabel = isSubmarines
      ? localize("clues_messages.row_and_column", { ...label, row: sums[rowOf(cell)].clue, column: sums[rows + columnOf(cell)].clue })
      : localize("clues_messages.sum", { ...label, sum: sums[cell].clue });
  });
  const count = (list, value) => list.filter((entry) => entry === value).length;
  const filled = isSubmarines ? [count(values, 1), count(answer, 1)] : [rows * columns - count(values, null), rows * columns];
  const share = (n, total) => localize("clues_messages.of", { n, total });
  ui.filled.textContent = share(...filled);
  ui.met.textContent = share(count(sumStates, "met"), sums.length);
  ui.window.className = isSolved(sumStates) ? "solved" : "";
  ui.hint.disabled = ui.solve.disabled = isSolved(sumStates);
  setText(ui.status, verdictText(sumStates));
  showPanes();
}

function verdictText(stands) {
  if (isSolved(stands)) return localize("clues_messages.solved") + praiseText();
  const wrongPlaces = state.game.sums.filter((sum, i) => stands[i] === "wrong").map(({ at }) => at);
  if (!wrongPlaces.length) return "";
  const places = wrongPlaces.slice(0, 3).join("; "), n = wrongPlaces.length - 3;
  return localize(n > 0 ? "clues_messages.wrong_and_more" : "clues_messages.wrong", { places, n });
}

const keys = { h: showHint, s: showSolution, n: () => chooseGame(1), p: () => chooseGame(-1) };
if (!isSubmarines) for (const key of [..."0123456789-", "Backspace"]) keys[key] = () => typeKey(key);

// Read-only, for tests.
globalThis.lightsanim = Object.freeze({ values: () => [...state.game.values] });

listenToButtons({ hint: showHint, solve: showSolution });
if (!isSubmarines) ui.pad.onclick = ({ target }) => target.value && typeKey(target.value);
startPage();
