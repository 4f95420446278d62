const leads = (from, to) => clicksBetween(from, to).some(Boolean);

// The last configuration; where the film comes back to its first, the next picture on the way.
function goalFrom(start) {
  if (leads(0, film.count)) return film.count;
  const held = film.holds.map(([frame]) => film.frames[frame]);
  return [...held, film.count >> 1].find((end) => end > start && leads(start, end)) ?? film.count;
}

function startGame() {
  let start = state.done, end = goalFrom(start);
  if (!leads(start, end)) end = goalFrom((start = 0)); // there already
  goTo(film, state, end);
  const goal = state.shades.slice();
  goTo(film, state, start);
  const game = {
    start, end, goal,
    off: !goal.some(Boolean), // whether all is to be dark
    remaining: clicksBetween(start, end),
    boards: 2 ** film.boards - 1, // those that the next click is made on
    history: [], // lists of clicks [cell, boards] that are undone together
    hinted: false,
    helped: false, // whether a click was made for the player
    running: null, // clicks that are being made for the player
  };
  update({ game, playing: false, pointed: null, hint: null });
  showGoal();
  tell(film.puzzle ? "" : wish());
}

const wish = () => (state.game.off ? "Turn everything off." : "Make the board look like the goal.");

function toggleGame() {
  if (!state.game) startGame();
  else {
    takeAllBack();
    update({ game: null, pointed: null, hint: null });
    tell("");
  }
  show();
  fit();
}

function press(clicks, becomes = raised, undone = lowered) {
  const { remaining } = state.game;
  for (const [cell, boards] of clicks) {
    turn(film, state, cell, becomes[boards]);
    remaining[cell] = undone[boards][remaining[cell]];
  }
}

function takeBack() {
  state.game.running = null;
  press(state.game.history.pop() ?? [], lowered, raised);
}

function takeAllBack() {
  while (state.game.history.length) takeBack();
  Object.assign(state.game, { hinted: false, helped: false });
}

const differing = () => state.shades.reduce((n, shade, cell) => n + (shade !== state.game.goal[cell]), 0);
const made = () => state.game.history.flat().length;

function pressCell(cell) {
  const { game } = state;
  if (game.running) return;
  state.cursor = cell;
  makeClicks([[cell, game.boards]]);
}

function makeClicks(clicks) {
  state.game.history.push(clicks);
  press(clicks);
  pressed();
}

// A page of puzzles counts stars, and goes on to the next.
let whenSolved = () => {}, whenShown = () => {};

function pressed() {
  const solved = !differing();
  tell(solved ? solvedInWords() : "");
  state.hint = null;
  if (solved) {
    state.pointed = null;
    whenSolved();
  }
  show();
  mark();
}

function solvedInWords() {
  const { start, end, off, helped } = state.game, clicks = plural(made(), "click");
  if (helped) return `${off ? "All off" : "The goal"}, after ${clicks}.`;
  const others = inOrder(clicksBetween(start, end)).length, more = made() - others;
  const as = film.puzzle ? `; ${others} would do` : `; the film takes ${others}`;
  return `Solved in ${clicks}${more ? as : film.puzzle ? ", the fewest possible" : ""}. Well done.`;
}

// What remains

// The clicks that bring what remains of a cell to nothing.
function clicksOn(cell, shade) {
  if (!shade) return [];
  const boards = boardsOf(shade);
  return [[cell, boards], ...clicksOn(cell, lowered[boards][shade])];
}

// In the film's order; then what the player pressed beside it.
function inOrder(presses) {
  const { start, end } = state.game, all = [...film.clicks.slice(start, end), ...presses.keys()];
  return [...new Set(all)].flatMap((cell) => clicksOn(cell, presses[cell]));
}

function remaining() {
  if (!differing()) return []; // by other clicks than the film's
  const clicks = inOrder(fewestLike(state.game.remaining));
  return chases ? clicks.sort(([one], [other]) => one - other) : clicks;
}

// Where the fewest clicks are unknown, hints chase the lights: row by row, as after the first row
// each click that remains puts right the cell above it, whose other neighbours are done with.
const chases = "chase" in ui.main.dataset;

// Presses that do the same, and are fewer where a page of puzzles finds such.
let fewestLike = (presses) => presses;

// Help

function hint() {
  const clicks = remaining();
  if (!clicks.length || state.game.running) return;
  const [cell, boards] = clicks[0], names = PRIMARIES.filter((_, board) => (boards >> board) & 1);
  const times = clicks.filter((click) => click[0] === cell && click[1] === boards).length;
  update({ hint: cell, cursor: cell, pointed: null });
  Object.assign(state.game, { boards, hinted: true });
  const below = chases && cell >= columns ? `, below a cell that is ${state.game.off ? "lit" : "wrong"}` : "";
  tell(`Click ${where(cell)}${TIMES[times]}` + (film.boards > 1 ? ` in ${names.join(" and ")}` : "") + `${below}.`);
  show();
  mark();
}

function finish() {
  const clicks = remaining();
  if (!clicks.length || state.game.running) return;
  const undone = [];
  state.game.history.push(undone);
  makeForPlayer(clicks, calm ? 0.001 : Math.min(1.5, clicks.length * 0.06), (next) => {
    undone.push(...next);
    press(next);
    pressed();
  });
}

function makeForPlayer(clicks, seconds, make) {
  Object.assign(state.game, { helped: true, running: { clicks, seconds, make, time: 0, made: 0 } });
  run();
}

function runOn(passed) {
  const { running } = state.game;
  if (!running) return;
  running.time += passed;
  const share = Math.min(1, running.time / running.seconds);
  const next = running.clicks.slice(running.made, Math.ceil(share * running.clicks.length));
  running.made += next.length;
  if (share === 1) state.game.running = null;
  if (next.length) running.make(next);
}

function showGame() {
  const { boards, history } = state.game, count = differing();
  ui.differing.textContent = thousands(count);
  ui.made.textContent = thousands(made());
  ui.undo.disabled = ui.restart.disabled = !history.length;
  ui.hint.disabled = ui.finish.disabled = !count;
  whenShown(count);
  for (const button of ui.tools.querySelectorAll("[value]")) button.ariaPressed = Boolean(boards & button.value);
}

function showGoal() {
  const { goal, off } = state.game;
  ui.goal.parentElement.hidden = off;
  ui.unlike.textContent = off ? "still lit" : "cells differ";
  drawCells(film, ui.goal, goal);
  // Whole pixels for each cell here, too, where there are so many.
  const scale = (136 * devicePixelRatio) / Math.max(rows, columns);
  ui.goal.style.width = `${(columns * (Math.floor(scale) || scale)) / devicePixelRatio}px`;
}
