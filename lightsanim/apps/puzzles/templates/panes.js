// A playable board of buttons, with undo, keys and a choice of boards.  The page defines
// - newGame(choice): returns the rows, columns, values and further state of a board
// - dressButton(button, cell): called for each button of a new board
// - pressCell(cell), showGame(), and keys: handlers of further keys

const games = {}; // state of each game, by choice
const state = {
  game: null,
  panes: [], // the buttons
};

let rows, columns; // size of the current board

// Playing

function openGame(choice) {
  return {
    ...newGame(choice),
    choice,
    history: [], // earlier values of each step's cells, and whether the page made the step
    cursor: 0, // the cell that has, or will get, the keyboard focus
  };
}

// Changes cells, given as [cell, value].
function setValues(newValues) {
  for (const [cell, value] of newValues) state.game.values[cell] = value;
  showGame();
}

function changeCells(newValues, helped = false) {
  const { values, history } = state.game;
  if (newValues.length) history.push({ before: newValues.map(([cell]) => [cell, values[cell]]), helped });
  setValues(newValues);
}

// Changes all cells to those of a solution.
const showValues = (newValues) =>
  changeCells([...newValues.entries()].filter(([cell, value]) => value !== state.game.values[cell]), true);

const undo = () => setValues(state.game.history.pop()?.before ?? []);

const praiseText = () => (state.game.history.some(({ helped }) => helped) ? "" : ` ${localize("messages.well_done")}`);

function restart() {
  const { choice, cursor } = state.game;
  state.game = games[choice] = { ...openGame(choice), cursor };
  showGame();
}

function playGame(choice) {
  state.game = games[choice] ??= openGame(choice);
  ({ rows, columns } = state.game);
  ui.choice.value = choice;
  buildPanes();
  showGame();
}

function chooseGame(by) {
  const next = ui.choice.options[ui.choice.selectedIndex + by];
  if (next) playGame(next.value);
}

// Drawing

function buildPanes() {
  ui.frame.style.cssText = `--rows:${rows};--columns:${columns}`;
  state.panes = Array.from({ length: rows * columns }, (_, cell) => {
    const button = document.createElement("button");
    button.value = cell;
    dressButton(button, cell);
    return button;
  });
  ui.window.replaceChildren(...state.panes);
}

function showPanes() {
  const { cursor, history } = state.game;
  state.panes.forEach((button, cell) => (button.tabIndex = cell === cursor ? 0 : -1));
  ui.undo.disabled = ui.restart.disabled = !history.length;
}

// Mouse, fingers and keys

function focusCell(cell) {
  state.game.cursor = cell;
  showPanes();
  state.panes[cell].focus();
}

function moveCursor(down, right) {
  const { cursor } = state.game;
  focusCell(nearestCell(rowOf(cursor) + down, columnOf(cursor) + right));
}

const cellOf = (event) => {
  const button = event.target.closest("#window button");
  return button && Number(button.value);
};

function startPage() {
  ui.window.onclick = (event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    focusCell(cell);
    pressCell(cell);
  };
  const all = {
    ArrowUp: () => moveCursor(-1, 0),
    ArrowDown: () => moveCursor(1, 0),
    ArrowLeft: () => moveCursor(0, -1),
    ArrowRight: () => moveCursor(0, 1),
    u: undo,
    "ctrl z": undo,
    r: restart,
    "?": () => ui.help.showModal(),
    ...keys,
  };
  listenToKeys(() => all);
  listenToButtons({ undo, restart, keys: all["?"] });
  ui.choice.onchange = () => playGame(ui.choice.value);
  playGame(ui.choice.value);
}
