// A live board of buttons, with undo, keys and a choice of boards.  The page has
// - newGame(choice): the rows and columns of a board, its values, and what else it knows of it
// - dress(button, cell), when a board is built
// - press(cell), show(), and keys: more than those that stand here

const games = {}; // by choice: each is left as it was
const state = {
  game: null,
  panes: [], // the buttons
};

let rows, columns; // of the game

// Playing

function opened(choice) {
  return {
    ...newGame(choice),
    choice,
    history: [], // what was done: what cells were before, and whether the page did it
    cursor: 0, // the cell that has the focus or gets it
  };
}

// Gives cells their values: [cell, value].
function put(becomes) {
  for (const [cell, value] of becomes) state.game.values[cell] = value;
  show();
}

function change(becomes, helped = false) {
  const { values, history } = state.game;
  if (becomes.length) history.push({ before: becomes.map(([cell]) => [cell, values[cell]]), helped });
  put(becomes);
}

const undo = () => put(state.game.history.pop()?.before ?? []);

const praise = () => (state.game.history.some(({ helped }) => helped) ? "" : " Well done.");

function restart() {
  const { choice, cursor } = state.game;
  state.game = games[choice] = { ...opened(choice), cursor };
  show();
}

function play(choice) {
  state.game = games[choice] ??= opened(choice);
  ({ rows, columns } = state.game);
  ui.choice.value = choice;
  build();
  show();
}

function choose(by) {
  const next = ui.choice.options[ui.choice.selectedIndex + by];
  if (next) play(next.value);
}

// Drawing

function build() {
  ui.frame.style.cssText = `--rows:${rows};--columns:${columns}`;
  state.panes = Array.from({ length: rows * columns }, (_, cell) => {
    const button = document.createElement("button");
    button.value = cell;
    dress(button, cell);
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

function moveTo(cell) {
  state.game.cursor = cell;
  showPanes();
  state.panes[cell].focus();
}

function move(down, right) {
  const { cursor } = state.game;
  moveTo(cellIn(rowOf(cursor) + down, columnOf(cursor) + right));
}

const cellOf = (event) => {
  const button = event.target.closest("#window button");
  return button && Number(button.value);
};

function startPage() {
  ui.window.onclick = (event) => {
    const cell = cellOf(event);
    if (cell === null) return;
    moveTo(cell);
    press(cell);
  };
  const all = {
    ArrowUp: () => move(-1, 0),
    ArrowDown: () => move(1, 0),
    ArrowLeft: () => move(0, -1),
    ArrowRight: () => move(0, 1),
    u: undo,
    "ctrl z": undo,
    r: restart,
    "?": () => ui.help.showModal(),
    ...keys,
  };
  listenToKeys(() => all);
  listenToButtons({ undo, restart, keys: all["?"] });
  ui.choice.onchange = () => play(ui.choice.value);
  play(ui.choice.value);
}
