// A game on the board of a page: clicks, undo, hint and solution.  The player and puzzles share it.

const hasClicks = (from, to) => pressesBetween(film, from, to).some(Boolean);

// Returns the goal's click count: the film's end, or a picture on the way if the end equals the start.
function findGoal(start) {
  if (hasClicks(0, film.count)) return film.count;
  const heldFrames = film.holds.map(([frame]) => film.frames[frame]);
  return [...heldFrames, film.count >> 1].find((end) => end > start && hasClicks(start, end)) ?? film.count;
}

// Cells narrower than this, in CSS pixels, are too small to find what differs: wrong cells are marked,
// and fingers get a magnifier.
const SMALL_CELL = 16;
const hasSmallCells = () => ui.board.clientWidth < SMALL_CELL * columns;

// A film's game has only its last clicks if more than MAX_CLICKS, some minutes, are left.
const MAX_CLICKS = 200, LAST_CLICKS = 30;

function startGame() {
  let start = state.done, end = findGoal(start);
  if (!hasClicks(start, end)) end = findGoal((start = 0)); // the goal is already reached
  const isShortened = !film.puzzle && end - start > MAX_CLICKS && hasClicks(end - LAST_CLICKS, end);
  if (isShortened) start = end - LAST_CLICKS;
  goTo(film, state, end);
  const goal = state.shades.slice();
  goTo(film, state, start);
  const game = {
    start, end, goal,
    off: !goal.some(Boolean), // whether the goal is all dark
    remaining: pressesBetween(film, start, end),
    boards: 2 ** film.boards - 1, // colour planes of the next click, as bits
    history: [], // lists of clicks [cell, boards] that are undone together
    hinted: false,
    helped: false, // whether a click was made for the player
    running: null, // the animation of clicks that are made for the player
  };
  updateState({ game, playing: false, pointed: null, hint: null });
  showGoal();
  const clicks = clicksText(remainingClicks().length);
  announce(film.puzzle ? "" : `${goalText()} ${localize("player.clicks_to_go", { clicks })}`);
}

const goalText = () => localize(state.game.off ? "player.turn_off" : "player.match_goal");

function toggleGame() {
  if (!state.game) startGame();
  else {
    undoAllClicks();
    updateState({ game: null, pointed: null, hint: null });
    announce("");
  }
  showControls();
  fit();
}

function applyClicks(clicks, nextShades = raised, previousShades = lowered) {
  const { remaining } = state.game;
  for (const [cell, boards] of clicks) {
    turnNeighbourhood(film, state, cell, nextShades[boards]);
    remaining[cell] = previousShades[boards][remaining[cell]];
  }
}

function undoClicks() {
  state.game.running = null;
  applyClicks(state.game.history.pop() ?? [], lowered, raised);
}

function undoAllClicks() {
  while (state.game.history.length) undoClicks();
  Object.assign(state.game, { hinted: false, helped: false });
}

const differingCells = () => [...state.shades.keys()].filter((cell) => state.shades[cell] !== state.game.goal[cell]);
const countDiffering = () => state.shades.reduce((n, shade, cell) => n + (shade !== state.game.goal[cell]), 0);
const countClicks = () => state.game.history.flat().length;

function pressCell(cell) {
  const { game } = state;
  if (game.running) return;
  state.cursor = cell;
  makeClicks(cellsClickedWith(cell).map((clicked) => [clicked, game.boards]));
}

function makeClicks(clicks) {
  state.game.history.push(clicks);
  applyClicks(clicks);
  showAfterClicks();
}

// Hooks for pages of puzzles, which count stars and offer the next puzzle.
let onSolved = () => {}, onShown = () => {};

function showAfterClicks() {
  const solved = !countDiffering();
  announce(solved ? solvedText() : "");
  state.hint = null;
  if (solved) {
    state.pointed = null;
    onSolved();
  }
  showControls();
  drawMarks();
}

function solvedText() {
  const { start, end, off, helped } = state.game, clicks = clicksText(countClicks());
  if (helped) return localize(off ? "player.all_off_after" : "player.goal_after", { clicks });
  const filmClicks = orderClicks(pressesBetween(film, start, end)).length, extraClicks = countClicks() - filmClicks;
  const [longer, shortest] = film.puzzle ? ["solved_puzzle", "solved_fewest"] : ["solved_film", "solved"];
  return localize(`player.${extraClicks ? longer : shortest}`, { clicks, fewest: formatNumber(filmClicks) });
}

// Remaining clicks

// Returns the clicks that make up a cell's remaining presses.
function clicksForCell(cell, shade) {
  if (!shade) return [];
  const boards = litBoards(shade);
  return [[cell, boards], ...clicksForCell(cell, lowered[boards][shade])];
}

// Orders clicks as in the film, followed by those on other cells that the player pressed.
function orderClicks(presses) {
  const { start, end } = state.game, all = [...film.clicks.slice(start, end), ...presses.keys()];
  return [...new Set(all.filter((cell) => presses[cell]))].flatMap((cell) => clicksForCell(cell, presses[cell]));
}

function remainingClicks() {
  if (!countDiffering()) return []; // solved, perhaps with other clicks than the film's
  const clicks = orderClicks(minimizePresses(state.game.remaining));
  return hintsByChasing ? clicks.sort(([one], [other]) => one - other) : clicks;
}

// If the fewest clicks are unknown, hints chase the lights row by row: after the first row, each
// remaining click corrects the cell above it, which no later click changes.
const hintsByChasing = "chase" in ui.main.dataset;

// Hook for pages of puzzles: replaces presses by the fewest with the same effect.
let minimizePresses = (presses) => presses;

// Help

function showHint() {
  const clicks = remainingClicks();
  if (!clicks.length || state.game.running) return;
  const [cell, boards] = clicks[0], names = PRIMARY_NAMES.filter((_, board) => (boards >> board) & 1);
  const times = clicks.filter((click) => click[0] === cell && click[1] === boards).length;
  updateState({ hint: cell, cursor: cell, pointed: null });
  Object.assign(state.game, { boards, hinted: true });
  const sentences = [localize(`player.hint_click${["", "", "_twice"][times] ?? "_often"}`, { place: describeCell(cell), n: times })];
  if (film.boards > 1) sentences.push(localize("player.hint_colours", { colours: listFormat.format(names) }));
  if (hintsByChasing && cell >= columns) sentences.push(localize(`player.hint_${state.game.off ? "lit" : "wrong"}_above`));
  announce(sentences.join(" "));
  showControls();
  drawMarks();
}

function finishGame() {
  const clicks = remainingClicks();
  if (!clicks.length || state.game.running) return;
  const undone = [];
  state.game.history.push(undone);
  animateClicks(clicks, reducedMotion ? 0.001 : Math.min(1.5, clicks.length * 0.06), (next) => {
    undone.push(...next);
    applyClicks(next);
    showAfterClicks();
  });
}

function animateClicks(clicks, seconds, make) {
  Object.assign(state.game, { helped: true, running: { clicks, seconds, make, time: 0, made: 0 } });
  run();
}

function advanceClicks(passed) {
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
  const { boards, history } = state.game, count = countDiffering();
  ui.differing.textContent = formatNumber(count);
  ui.made.textContent = formatNumber(countClicks());
  ui.undo.disabled = ui.restart.disabled = !history.length;
  ui.hint.disabled = ui.finish.disabled = !count;
  onShown(count);
  for (const button of ui.tools.querySelectorAll("[value]")) button.ariaPressed = Boolean(boards & button.value);
}

function showGoal() {
  const { goal, off } = state.game;
  ui.goal.parentElement.hidden = off;
  ui.unlike.textContent = localize(off ? "player.still_lit" : "player.differing");
  drawBoardImage(film, ui.goal, goal);
  // Use whole device pixels for each cell if there are enough.
  const scale = (136 * devicePixelRatio) / Math.max(rows, columns);
  ui.goal.style.width = `${(columns * (Math.floor(scale) || scale)) / devicePixelRatio}px`;
}
