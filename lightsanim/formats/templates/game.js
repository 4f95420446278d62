// The game

// How often clicks [cell, boards] press each cell, on each board: as shades.
function pressesOf(clicks) {
  const shades = new Uint8Array(cells);
  for (const [cell, boards] of clicks) shades[cell] = raised[boards][shades[cell]];
  return shades;
}

// The same of the film's, from one moment to another.
function clicksBetween(from, to) {
  const { clicks, primaries } = film;
  return pressesOf(Array.from(clicks.slice(from, to), (cell, i) => [cell, primaries[from + i]]));
}

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
    solving: false, // whether the solution's buttons are there
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
  if (game.running) return pauseSolution();
  game.history.push([[cell, game.boards]]);
  press(game.history.at(-1));
  state.cursor = cell;
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
  const known = film.puzzle || quietPatterns();
  const fewest = inOrder(fewestLike(clicksBetween(start, end))).length, more = made() - fewest;
  if (!known) return `Solved in ${clicks}${more ? `; the film takes ${thousands(fewest)}` : ""}. Well done.`;
  if (more > 0) return `Solved in ${clicks}; ${thousands(fewest)} ${fewest === 1 ? "is" : "are"} possible.`;
  return `Solved in ${clicks}, the fewest possible. Well done.`;
}

// What remains

// Of a shade, on each board.
const levelsOf = (shade) => PRIMARIES.map((_, board) => Math.floor(shade / levels ** board) % levels);

// The clicks that bring what remains of a cell to nothing.
function clicksOn(cell, shade) {
  if (!shade) return [];
  const boards = levelsOf(shade).reduce((sum, level, board) => sum + ((level > 0) << board), 0);
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
  // Nobody can see why these, unless they go row by row.
  return byChasing() ? clicks.sort(([one], [other]) => one - other) : clicks;
}

// Light chasing: where no other click below a cell flips it than the one right below, that one
// puts it right.  The clicks of a whole solution, row by row, are such clicks, but in the first row.
const upward = film.offsets.filter(([down]) => down < 0);
const chases = !film.wrap && upward.length === 1 && String(upward) === "-1,0";
const byChasing = () => chases && !quietPatterns();

// Of two levels, the click sets that flip nothing, as bits; null where they are not few.
const FEW_PATTERNS = 8, FEW_BITS = 1_000_000;
let quiet;
function quietPatterns() {
  if (quiet === undefined) quiet = levels > 2 || film.boards > 1 ? null : findPatterns();
  return quiet;
}

// By elimination: of the clicks on each cell, with those that chase its lights down to the last row
// only of the first row's.
function findPatterns() {
  const unknowns = chases ? columns : cells, pivots = [], found = [];
  if (unknowns * cells > FEW_BITS) return null;
  for (let cell = 0; cell < unknowns; cell++) {
    let { flipped, clicked } = clickAndChase(cell);
    for (const [bit, flips, clicks] of pivots) {
      if (!(flipped & bit)) continue;
      flipped ^= flips;
      clicked ^= clicks;
    }
    if (flipped) pivots.push([flipped & -flipped, flipped, clicked]);
    else if (found.push(clicked) > FEW_PATTERNS) return null;
  }
  return found;
}

const bitsOf = (shades) => BigInt(`0b${shades.join("")}`);

function clickAndChase(cell) {
  const board = { shades: new Uint8Array(cells), touched: [] }, clicked = new Uint8Array(cells);
  const click = (place) => turn(film, board, place, raised[(clicked[place] = 1)]);
  click(cell);
  for (let place = 0; chases && place < cells - columns; place++)
    if (board.shades[place]) click(place + columns);
  return { flipped: bitsOf(board.shades), clicked: bitsOf(clicked) };
}

// Presses that do the same: the fewest, where these are known.
function fewestLike(presses) {
  const patterns = quietPatterns();
  if (!patterns?.length) return presses;
  const count = (bits) => bits.toString(2).replaceAll("0", "").length;
  let bits = bitsOf(presses), best = bits;
  for (let sum = 1; sum < 2 ** patterns.length; sum++) { // in Gray's order
    bits ^= patterns[31 - Math.clz32(sum & -sum)];
    if (count(bits) < count(best)) best = bits;
  }
  return Uint8Array.from(best.toString(2).padStart(cells, "0"));
}

// Help

function hint() {
  const clicks = remaining();
  if (!clicks.length || state.game.running) return;
  const [cell, boards] = clicks[0], names = PRIMARIES.filter((_, board) => (boards >> board) & 1);
  const times = clicks.filter((click) => click[0] === cell && click[1] === boards).length;
  update({ hint: cell, cursor: cell, pointed: null });
  Object.assign(state.game, { boards, hinted: true });
  const below = byChasing() && cell >= columns ? `, below a cell that is ${state.game.off ? "lit" : "wrong"}` : "";
  tell(`Click ${where(cell)}${TIMES[times]}` + (film.boards > 1 ? ` in ${names.join(" and ")}` : "") + `${below}.`);
  show();
  mark();
}

function toggleSolution() {
  state.game.running = null;
  state.game.solving = !state.game.solving;
  show();
  (state.game.solving ? ui.step : ui.solution).focus();
}

function makeForPlayer(clicks, left) {
  state.game.helped = true;
  for (const click of clicks) state.game.history.push([click]);
  press(clicks);
  state.cursor = clicks.at(-1)[0];
  pressed();
  update({ hint: state.cursor, pointed: null });
  if (left) tell(`Clicked ${where(state.cursor)}; ${plural(left, "click")} to go.`);
  mark();
}

function step() {
  pauseSolution();
  const [click, ...left] = remaining();
  if (click) makeForPlayer([click], left.length);
}

// Slow enough to follow a few clicks; over in ten seconds.
function runSolution() {
  const { game } = state, clicks = remaining();
  if (game.running || !clicks.length) return pauseSolution();
  game.running = { clicks, seconds: Math.min(10, clicks.length * 0.8) / state.speed, time: 0, made: 0 };
  show();
  run();
}

function pauseSolution() {
  state.game.running = null;
  show();
}

function runOn(passed) {
  const { running } = state.game;
  if (!running) return;
  running.time += passed;
  const share = Math.min(1, running.time / running.seconds);
  const next = running.clicks.slice(running.made, Math.ceil(share * running.clicks.length));
  running.made += next.length;
  if (running.made === running.clicks.length) state.game.running = null;
  if (next.length) makeForPlayer(next, running.clicks.length - running.made);
}

function showGame() {
  const { boards, history, solving, running } = state.game, count = differing();
  ui.tools.hidden = solving;
  ui.differing.textContent = thousands(count);
  ui.made.textContent = thousands(made());
  ui.undo.disabled = ui.back.disabled = ui.restart.disabled = !history.length;
  ui.hint.disabled = ui.solution.disabled = ui.step.disabled = ui.run.disabled = !count;
  ui.run.textContent = running ? "Pause" : "Play slowly";
  whenShown(count);
  for (const button of ui.tools.querySelectorAll("[value]")) button.ariaPressed = Boolean(boards & button.value);
}

function showGoal() {
  const { goal, off } = state.game;
  ui.goal.parentElement.hidden = off;
  ui.unlike.textContent = off ? "still lit" : "cells differ";
  ui.goal.width = columns;
  ui.goal.height = rows;
  pen(ui.goal).drawImage(picture(film, goal), 0, 0);
  // Whole pixels for each cell here, too, where there are so many.
  const scale = (136 * devicePixelRatio) / Math.max(rows, columns);
  ui.goal.style.width = `${(columns * (Math.floor(scale) || scale)) / devicePixelRatio}px`;
}
