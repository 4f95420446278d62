/*! The element "lesson" is JSON. A cell is the number row * columns + column, counted from 0.
   films     films without clicks, for two and for three states; they show the first start
   states    index of the film that this page teaches
   games     for each rule, the cells that a click flips, and a sentence on solvability for two
             states and for three
   few       maximum number of cells to click in a new start
   chased    lights to chase, a digit for each cell; counted: lights of the part on solutions
   cards     bottom rows that can be corrected, and the clicks on each cell of the top row
   listed    whether `cards` has all such rows; if not, the others are sums of them, and the first
             lit cell of each card has level 1 and is dark on the other cards
   patterns  quiet patterns: number of clicks on each cell */
const lesson = JSON.parse(ui.lesson.textContent);
const films = lesson.films.map(readFilm);
const film = films[lesson.states], { rows, columns, cells, levels } = film;
const CLICK_TIME = 350, MAX_RUN_TIME = 3000; // milliseconds: from click to click, and maximum in total
const NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const STATES = { 2: "two", 3: "three" }[levels];
const LOOKS = { 2: ["dark", "lit"], 3: ["dark", "grey", "bright"] };
const say = (name, values) => localize(`lesson_messages.${name}`, values);
const sayCount = (name, number, values) => localizeCount(`lesson_messages.${name}`, number, values);
const DOT_PLACES = { 1: [[0, 0]], 2: [[-1, 1], [1, -1]] }; // positions of dots, as on a die

// Clicks, chasing and random starts.

const range = (count) => Array.from({ length: count }, (_, i) => i);
const randomBelow = (number) => Math.floor(Math.random() * number);
const lightsOf = (digits) => Uint8Array.from(digits, Number);
const patterns = lesson.patterns.map(lightsOf);
const isDark = (shades) => !shades.some(Boolean);
const isEqual = (one, other) => one.length === other.length && one.every((value, i) => value === other[i]);
const total = (list) => list.reduce((sum, value) => sum + value, 0);
const clicksToDark = (level) => (levels - level) % levels; // number of clicks that turn a cell dark

function shuffle(list) {
  const left = [...list];
  return list.map(() => left.splice(randomBelow(left.length), 1)[0]);
}

const addRows = (lists, length) => range(length).map((i) => total(lists.map((list) => list[i])) % levels);

// Returns the lights after some clicks on `shades`; all are dark by default.
function applyClicks(film, clicks, shades = new Uint8Array(cells)) {
  const state = { shades: shades.slice(), touched: [] };
  for (const cell of clicks) turnNeighbourhood(film, state, cell, film.raised[1]);
  return state.shades;
}

// Returns the row to click next when chasing, and its clicks; null if only the bottom row is lit.
function nextRow(shades) {
  const first = shades.findIndex(Boolean), row = rowOf(first) + 1;
  if (first < 0 || row === rows) return null;
  const above = shades.slice((row - 1) * columns, row * columns).map(clicksToDark);
  return { row, clicks: listPresses(above).map((column) => row * columns + column) };
}

function chaseDown(shades) {
  for (let next; (next = nextRow(shades)); ) shades = applyClicks(film, next.clicks, shades);
  return shades;
}

// Returns the numbers of the cards that correct a bottom row, repeated as needed, or null.
function findCards(bottom) {
  const timesNeeded = ([lit]) => (lesson.listed ? Number(isEqual(lit, bottom)) : bottom[lit.findIndex(Boolean)]);
  const cards = listPresses(lesson.cards.map(timesNeeded));
  return isEqual(addRows(cards.map((card) => lesson.cards[card][0]), columns), bottom) ? cards : null;
}

const equations = eliminate(raisedByClicks(film), levels);

const randomLights = () => Uint8Array.from({ length: cells }, () => randomBelow(levels));
const randomStart = () => applyClicks(film, listPresses(randomLights())); // has a solution

// Draws a random start that clicks on `lesson.few` cells turn off.
const easyStart = (film) =>
  applyClicks(film, shuffle(range(cells)).slice(0, lesson.few).flatMap((cell) => Array(film.levels - 1).fill(cell)));

// A board that can be clicked: its lights, and dots, rings and frames over them.

const boards = {};

function createBoard(name, shades, clicked) {
  const figure = ui[name], [board, marks] = figure.querySelectorAll("canvas");
  const state = {
    figure, board, marks, film, clicked, shades,
    said: figure.querySelector(".said"),
    start: shades.slice(),
    dots: new Uint8Array(cells), // number of dots on each cell, one per click
    rings: [], // cells to click, listed once for each click
    frames: [], // cells to frame; a cell listed twice gets two frames
    alone: false, // whether a click changes only the clicked cell
    cursor: (rows >> 1) * columns + (columns >> 1),
    pointed: null, // the cell under the pointer
    runs: 0, // number of series of clicks that the page has started
    run: 0, // number of the series in progress, or 0
    touched: [],
  };
  boards[name] = state;
  listen(state);
  new ResizeObserver(() => requestAnimationFrame(() => fitBoard(state))).observe(figure);
  return state;
}

function fitBoard(state) {
  const width = state.figure.clientWidth, { film, board, marks } = state;
  fitCanvases(width, Math.max(240, 0.66 * screen.height), film, state, [board, marks]);
  showBoard(state);
}

function showBoard(state) {
  if (!state.pitch) return;
  paintState(state.film, state, state.board);
  paintMarks(state);
  const look = LOOKS[state.film.levels][state.shades[state.cursor]];
  const label = { board: state.figure.ariaLabel, place: describeCell(state.cursor), state: say(look) };
  state.board.ariaLabel = say(state.rings.includes(state.cursor) ? "board_label_ring" : "board_label", label);
}

function paintMarks(state) {
  const { film, marks, pitch, gap, pointed } = state, context = contextOf(marks), side = pitch - gap;
  const stroke = (width, colour, draw) => {
    context.lineWidth = width * side;
    context.strokeStyle = colour;
    context.beginPath();
    draw();
    context.stroke();
  };
  // A dark line around a light or coloured one is visible on any cell.
  const strokeTwice = (width, colour, draw) => {
    stroke(width + 0.045, "#191919", draw);
    stroke(width, colour, draw);
  };
  const round = (cell, radius, right = 0, down = 0) => {
    const [x, y] = squareOf(state, cell);
    context.arc(x + (0.5 + right) * side, y + (0.5 + down) * side, radius * side, 0, 7);
  };
  const square = (cell, inset) => context.rect(...squareOf(state, cell, inset * side));
  context.clearRect(0, 0, marks.width, marks.height);
  if (pointed !== null) {
    context.globalAlpha = 0.35;
    context.fillStyle = film.accent;
    for (const cell of state.alone ? [pointed] : neighbourhood(film, pointed))
      context.fillRect(...squareOf(state, cell));
    context.globalAlpha = 1;
  }
  state.frames.forEach((cell, i, all) => strokeTwice(0.06, film.accent, () => square(cell, cell === all[i - 1] ? 0.2 : 0.08)));
  state.rings.forEach((cell, i, all) => strokeTwice(0.07, film.accent, () => round(cell, cell === all[i - 1] ? 0.2 : 0.34)));
  for (const cell of range(cells).filter((cell) => state.dots[cell]))
    for (const [right, down] of DOT_PLACES[state.dots[cell]]) {
      const radius = state.dots[cell] > 1 ? 0.065 : 0.1; // a line twice as wide fills the disc
      strokeTwice(2 * radius, film.accent, () => round(cell, radius, 0.2 * right, 0.2 * down));
    }
  if (pointed !== null) strokeTwice(0.035, "#fff", () => square(pointed, 0.03));
}

const announce = (state, text) => setText(state.said, text);

const raiseCell = (state, cell) => turnNeighbourhood(state.film, state, cell, state.film.raised[1]);

function raiseAndDot(state, cell, by = 1) {
  raiseCell(state, cell);
  state.dots[cell] = (state.dots[cell] + by) % state.film.levels;
}

// Makes clicks one after the other; `restartBoard` or another run stops it after the current click.
function runClicks(state, clicks, make, done) {
  const number = (state.run = ++state.runs), wait = Math.min(CLICK_TIME, MAX_RUN_TIME / clicks.length);
  const left = [...clicks];
  const step = () => {
    if (number !== state.run) return;
    state.pointed = left.shift() ?? null;
    if (state.pointed === null) {
      state.run = 0;
      done();
    } else {
      make(state.pointed);
      setTimeout(step, wait);
    }
    showBoard(state);
  };
  if (reducedMotion) left.splice(0).forEach((cell) => make(cell));
  step();
}

function restartBoard(state, shades = state.start, text = "") {
  Object.assign(state, { start: shades.slice(), shades: shades.slice(), run: 0, rings: [] });
  state.dots.fill(0);
  announce(state, text);
  showBoard(state);
}

function clickOn(state, cell) {
  if (state.run) return;
  state.cursor = cell;
  state.clicked(cell);
  showBoard(state);
}

const cellAt = (state, event) => nearestCell(...pointerPosition(event, state.board, state).map(Math.floor));

const ARROW_MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function listen(state) {
  const point = (cell) => {
    if (state.run || state.pointed === cell) return;
    state.pointed = cell;
    paintMarks(state);
  };
  const { board } = state;
  board.onclick = (event) => clickOn(state, cellAt(state, event));
  board.onpointermove = (event) => event.pointerType !== "touch" && point(cellAt(state, event));
  board.onpointerleave = board.onblur = () => point(null);
  board.onfocus = () => board.matches(":focus-visible") && point(state.cursor);
  board.onkeydown = (event) => {
    const { key } = event, move = ARROW_MOVES[key];
    if (event.altKey || event.ctrlKey || event.metaKey || !(move || key === "Enter" || key === " ")) return;
    event.preventDefault();
    if (!move) return clickOn(state, state.cursor);
    state.cursor = nearestCell(rowOf(state.cursor) + move[0], columnOf(state.cursor) + move[1]);
    point(state.cursor);
    showBoard(state);
  };
}

const onClick = (name, act) => (ui[name].onclick = act);

// Part "press": clicking cells.

function setUpPressing() {
  const state = createBoard("press", film.first.slice(), click);
  let history = [];
  function make(cell) {
    raiseAndDot(state, cell);
    history.push(cell);
  }
  function click(cell) {
    make(cell);
    if (isDark(state.shades)) announce(state, say("all_off", { clicks: clicksText(total(state.dots)) }));
    else if (!state.dots[cell]) announce(state, say(`nothing_${STATES}`));
    else announce(state, sayCount(`changed_${STATES}`, neighbourhood(film, cell).length));
  }
  function begin(shades) {
    history = [];
    restartBoard(state, shades, say("click_any"));
  }
  function repeatReordered() {
    if (state.run) return;
    if (new Set(history).size < 2) return announce(state, say("click_two"));
    const before = state.shades.slice(), was = history;
    let order = was;
    while (isEqual(order, was)) order = shuffle(was);
    history = [];
    restartBoard(state, state.start, say("same_clicks", { clicks: clicksText(was.length) }));
    runClicks(state, order, make, () =>
      announce(state, isEqual(before, state.shades) ? say("same_lights") : ""),
    );
  }
  onClick("press-order", repeatReordered);
  onClick("press-again", () => begin(state.start));
  onClick("press-new", () => begin(easyStart(film)));
  begin(state.start);
}

// Parts "chase" and "mend": chasing the lights, and correcting the bottom row.

function setUpChasing(name, start, finished, draw) {
  const state = createBoard(name, start, (cell) => {
    raiseCell(state, cell);
    look();
  });
  function look() {
    const next = nextRow(state.shades);
    state.rings = next ? next.clicks : [];
    ui[`${name}-next`].disabled = !next;
    if (!next) return finished(state, [...state.shades.slice(-columns)]);
    const cellsToClick = new Set(next.clicks).size;
    announce(state, sayCount(`row_${STATES}`, cellsToClick, { row: next.row + 1, above: next.row }));
    finished(state, null);
  }
  function begin(shades) {
    restartBoard(state, shades);
    look();
    showBoard(state);
  }
  onClick(`${name}-next`, () => {
    if (!state.run) runClicks(state, nextRow(state.shades).clicks, (cell) => raiseCell(state, cell), look);
  });
  onClick(`${name}-again`, () => begin(state.start));
  onClick(`${name}-new`, () => begin(draw()));
  look();
  return { state, look };
}

// Returns a message about the columns in which a bottom row is lit.
function sayColumns(name, bottom) {
  const lit = range(columns).filter((column) => bottom[column]);
  const columnText = (column) =>
    levels > 2 ? say("column", { n: column + 1, state: say(LOOKS[levels][bottom[column]]) }) : String(column + 1);
  return sayCount(name, lit.length, { columns: listFormat.format(lit.map(columnText)) });
}

function mendingText(cards) {
  const isTwice = (card) => cards.filter((other) => other === card).length > 1;
  const cardText = (card) => (isTwice(card) ? say("card_twice", { n: card + 1 }) : String(card + 1));
  const cardTexts = [...new Set(cards)].map(cardText);
  return sayCount("cards", cardTexts.length, { cards: listFormat.format(cardTexts) });
}

function setUpChaseBoard() {
  setUpChasing("chase", lightsOf(lesson.chased), (state, bottom) => {
    if (bottom) announce(state, isDark(bottom) ? say("rows_dark") : sayColumns("bottom_left", bottom));
  }, randomStart);
}

function setUpMending() {
  const cards = ui.cards ? [...ui.cards.children] : [];
  const draw = () => (randomBelow(3) ? randomStart() : randomLights());
  const first = lesson.cards.length ? chaseDown(lightsOf(lesson.chased)) : randomLights();
  const { state, look } = setUpChasing("mend", first, (state, bottom) => {
    const fitting = bottom ? findCards(bottom) : [];
    cards.forEach((card, i) => card.classList.toggle("fits", (fitting ?? []).includes(i)));
    if (!bottom) return;
    if (isDark(bottom)) return announce(state, say("every_off"));
    announce(state, `${sayColumns("lights_remain", bottom)} ${fitting ? mendingText(fitting) : say("nobody")}`);
  }, draw);
  cards.forEach((card, i) => {
    card.onclick = () => {
      // On phones the board is below the cards, so scroll to it.
      state.figure.scrollIntoView({ block: "nearest", behavior: reducedMotion ? "auto" : "smooth" });
      if (!state.run) runClicks(state, listPresses(lesson.cards[i][1]), (cell) => raiseCell(state, cell), look);
    };
  });
}

// Part "quiet": clicks that change nothing.

function setUpPatterns() {
  const buttons = [...ui.patterns.children], names = buttons.map((_, i) => NAMES[i]);
  // Dots are the clicks still to be made, so each click removes one.
  const make = (cell) => raiseAndDot(state, cell, levels - 1);
  const state = createBoard("quiet", lightsOf(lesson.chased), (cell) => {
    make(cell);
    if (isDark(state.dots)) announce(state, say("no_dot"));
  });
  const chosenPatterns = () => range(buttons.length).filter((i) => buttons[i].ariaPressed === "true");
  function look() {
    const some = chosenPatterns(), sum = addRows(some.map((i) => patterns[i]), cells);
    restartBoard(state);
    state.dots.set(sum);
    announce(state, equation(some, sum));
    showBoard(state);
  }
  function equation(some, sum) {
    if (!some.length) return say("choose");
    const terms = { sum: some.map((i) => names[i]).join(" + "), clicks: clicksText(total(sum)) };
    if (isDark(sum)) return say("sum_nothing", terms);
    if (some.length === 1) return say("sum_alone", terms);
    const equal = patterns.findIndex((pattern) => isEqual(pattern, sum));
    return equal < 0 ? say("sum_new", terms) : say("sum_known", { ...terms, name: names[equal] });
  }
  buttons.forEach((button) => {
    button.onclick = () => {
      button.ariaPressed = button.ariaPressed !== "true";
      look();
    };
  });
  onClick("quiet-run", () => {
    const clicks = listPresses(state.dots);
    if (state.run) return;
    if (!clicks.length) return announce(state, say("choose_first"));
    runClicks(state, clicks, make, () => announce(state, say("nothing_changed", { clicks: clicksText(clicks.length) })));
  });
  onClick("quiet-clear", () => {
    for (const button of buttons) button.ariaPressed = false;
    look();
  });
  look();
}

// Part "count": the number of solutions of a start.

function setUpCounting() {
  const buttons = [...ui.count.querySelectorAll(".pattern")];
  let shownPattern = buttons.length ? 0 : null, solved = !buttons.length;
  const state = createBoard("count", lightsOf(lesson.counted), (cell) => {
    state.shades[cell] = (state.shades[cell] + 1) % levels;
    look();
  });
  state.alone = true;
  function look() {
    const counts = buttons.map((_, i) => total(patterns[i].map((dots, cell) => dots * state.shades[cell])));
    const clicks = findSolution(equations, state.shades, levels);
    buttons.forEach((button, i) => {
      button.textContent = `${NAMES[i]}: ${counts[i]}`;
      button.ariaPressed = i === shownPattern && !solved;
    });
    state.frames = solved || shownPattern === null ? [] : listPresses(patterns[shownPattern]);
    state.dots.fill(0);
    if (solved && clicks) state.dots.set(clicks);
    ui["count-solve"].disabled = !clicks;
    ui["count-solve"].ariaPressed = Boolean(solved && clicks);
    announce(state, verdict(counts, clicks));
    showBoard(state);
  }
  function verdict(counts, clicks) {
    const odd = listFormat.format(counts.flatMap((count, i) => (count % levels ? [NAMES[i]] : [])));
    if (odd) return say(`odd_${STATES}`, { patterns: odd });
    const solutionCount = levels ** buttons.length, count = total(clicks);
    if (solutionCount === 1) return sayCount("only", count);
    const sentences = [say(`even_${STATES}`, { n: formatNumber(solutionCount) })];
    if (solved) sentences.push(say("this_solution", { clicks: clicksText(count) }));
    return sentences.join(" ");
  }
  buttons.forEach((button, i) => {
    button.onclick = () => {
      [shownPattern, solved] = [i, false];
      look();
    };
  });
  onClick("count-solve", () => {
    solved = !solved;
    look();
  });
  onClick("count-new", () => {
    restartBoard(state, randomBelow(2) ? randomStart() : randomLights());
    look();
  });
  look();
}

// Part "other": other rules, and three states.

function setUpRules() {
  const state = createBoard("other", film.first.slice(), (cell) => {
    raiseAndDot(state, cell);
    announce(state, isDark(state.shades) ? say("every_off") : "");
  });
  const chosenValue = (name) => document.querySelector(`[name=${name}]:checked`).value;
  function begin() {
    const states = Number(chosenValue("states")), { offsets, ways } = lesson.games[chosenValue("rule")];
    state.film = { ...films[states], offsets };
    restartBoard(state, easyStart(state.film), say("see_changes"));
    ui.ways.textContent = ways[states];
    if (state.pitch) fitBoard(state);
  }
  for (const input of document.querySelectorAll("[type=radio]")) input.onchange = begin;
  announce(state, say("see_changes"));
  onClick("other-new", begin);
  onClick("other-again", () => restartBoard(state));
}

// Part "itself": a board that plays by itself by pressing all lit cells in each step.

const CAT = ["#.....#", "##...##", "#######", "#.###.#", "#######", ".##.##.", "..###.."];
const SIDE = 63, PICTURE_TIME = 1600, STEP_TIME = 140; // cells; milliseconds on whole pictures, and per step
const WHOLE_PICTURES = { 0: say("cat"), 8: say("four_cats"), 16: say("four_far"), 24: say("sixteen_cats") };

// A cell becomes lit if an odd number of its neighbours were lit; cells beyond the edge are dark.
function pressLitCells(lights) {
  const at = (row, column) => (row in lights ? (lights[row][column] ?? 0) : 0);
  return lights.map((line, row) =>
    line.map((_, column) => at(row - 1, column) ^ at(row + 1, column) ^ at(row, column - 1) ^ at(row, column + 1)));
}

function setUpAutomaton() {
  const board = ui.itself.querySelector("canvas"), said = ui.itself.querySelector(".said");
  const state = (boards.itself = { dots: [], rings: [], run: 0 });
  let lights, step, timer;
  const edge = (SIDE - CAT.length) / 2;
  const cat = range(SIDE).map((row) => range(SIDE).map((column) => Number(CAT[row - edge]?.[column - edge] === "#")));
  const begin = () => show(cat, 0);
  const next = () => show(pressLitCells(lights), step + 1);
  function show(...now) {
    [lights, step] = now;
    state.shades = lights.flat();
    drawBoardImage({ ...film, rows: SIDE, columns: SIDE }, board, state.shades);
    const count = state.shades.filter(Boolean).length;
    board.ariaLabel = WHOLE_PICTURES[step] ?? say("noise");
    const sentences = [step && sayCount("after_steps", step), WHOLE_PICTURES[step], sayCount("to_press", count)];
    said.textContent = sentences.filter(Boolean).join(" ");
  }
  const stop = () => {
    clearTimeout(timer);
    state.run = 0;
    ui["itself-run"].ariaPressed = false;
  };
  function play() {
    do next();
    while (reducedMotion && !(step in WHOLE_PICTURES) && step < 24);
    if (step === 24) return stop();
    timer = setTimeout(play, step in WHOLE_PICTURES ? PICTURE_TIME : STEP_TIME);
  }
  onClick("itself-next", () => (stop(), next()));
  onClick("itself-again", () => (stop(), begin()));
  onClick("itself-run", () => {
    if (state.run) return stop();
    if (step >= 24) begin();
    state.run = 1;
    ui["itself-run"].ariaPressed = true;
    timer = setTimeout(play, STEP_TIME);
  });
  begin();
}

// Read-only, for tests.
window.lightsanim = Object.freeze({
  configuration: (name) => [...boards[name].shades],
  dots: (name) => [...boards[name].dots],
  rings: (name) => [...boards[name].rings],
  running: (name) => boards[name].run > 0,
});

setUpPressing();
if (ui.chase) setUpChaseBoard();
if (ui.mend) setUpMending();
if (ui.patterns) setUpPatterns();
setUpCounting();
setUpRules();
if (ui.itself) setUpAutomaton();
