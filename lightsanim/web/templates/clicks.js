/* Computes clicks from targets, as lightsanim/game and film do in Python, but only on
   boards on which every configuration is accessible.

   A click raises its cell and the four neighbours by one level, and the brightest level to dark.
   Let x[i] be the clicks in row i, and d[i] the levels by which the cells of row i must be raised.
   Each row of clicks follows from the two rows above it (light chasing),

       x[i+1] = d[i] - T x[i] - x[i-1],

   where T maps the clicks of a row to what they flip in the same row.  So a whole click set follows
   from its first row z.  It is correct if the row after the last row is empty.  That row is
   M z + r, where r is its value for an empty first row.  If M is invertible, z = -r / M is the only
   solution.  Sizes for which M is not invertible are not used, so no search or proof is needed.

   M is a polynomial in T, so it commutes with S, which maps clicks to the neighbours in their row.
   Hence each column of M follows from the two before, M e[j+1] = S M e[j] - M e[j-1].  The same
   holds for the inverse of M, so elimination has to find only its first column.

   All arithmetic is modulo the number of levels, a prime.  A board is { rows, columns, levels },
   optionally with { rule: "ring" }: clicks then do not change their own cell.  Configurations hold
   the level of each cell, and click sets the number of presses, row by row. */

// Light chasing

// Returns the clicks that follow from a first row, and one more row: what remains uncorrected.
function chaseLights({ rows, columns, levels, rule }, first, raised) {
  const own = rule === "ring" ? 0 : 1, clicks = new Uint8Array((rows + 1) * columns);
  clicks.set(first);
  for (let row = 0, cell = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, cell++) {
      let flipped = own * clicks[cell];
      if (row > 0) flipped += clicks[cell - columns];
      if (column > 0) flipped += clicks[cell - 1];
      if (column < columns - 1) flipped += clicks[cell + 1];
      clicks[cell + columns] = ((raised ? raised[cell] : 0) + 4 * levels - flipped) % levels;
    }
  return clicks;
}

// Returns all columns of a polynomial in T, given its first column.
function polynomialColumns(first, levels) {
  const columns = [first];
  for (let j = 1; j < first.length; j++) {
    const [before, last] = [columns[j - 2], columns[j - 1]];
    const next = (i) => (last[i - 1] ?? 0) + (last[i + 1] ?? 0) - (before?.[i] ?? 0);
    columns.push(last.map((_, i) => (next(i) + levels) % levels));
  }
  return columns;
}

const inverses = new Map(); // cache: inverses by size, levels and rule of the board

// Returns the columns of the inverse of M, or null if M is not invertible.
function inverseOf(board) {
  const { rows, columns, levels, rule = "plus" } = board;
  const key = [rows, columns, levels, rule].join();
  if (!inverses.has(key)) {
    const matrix = polynomialColumns(chaseLights(board, [1], null).slice(-columns), levels);
    const solved = eliminate(matrix, levels, 1);
    const unit = Uint8Array.of(levels - 1, ...matrix.slice(1).fill(0)); // lights that M e[1] turns dark
    inverses.set(key, solved && polynomialColumns(findSolution(solved, unit, levels), levels));
  }
  return inverses.get(key);
}

// Returns the only click set that raises each cell by the given number of levels.
function clicksFor(board, raised) {
  const { rows, columns, levels } = board, inverse = inverseOf(board);
  if (!inverse) throw Error(`${columns}x${rows} boards have quiet patterns; choose another size`);
  const left = chaseLights(board, [], raised).slice(-columns);
  const first = new Uint32Array(columns);
  inverse.forEach((column, j) => {
    const times = (levels - left[j]) % levels;
    if (times) column.forEach((value, i) => (first[i] += times * value));
  });
  const clicks = chaseLights(board, Uint8Array.from(first, (sum) => sum % levels), raised);
  if (clicks.slice(-columns).some(Boolean)) throw Error("the clicks leave lights on; please report this");
  return clicks.slice(0, -columns);
}

// Sizes

// Rounds half-way cases to the even number, as Python does.
const roundHalfEven = (value) => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value));

// Returns the board of the nearest size and about the same shape on which, with each of these
// rules, M is invertible.  The automaton also needs "ring", whose clicks undo its steps.
function perfectBoard(board, rules = ["plus"]) {
  const longer = Math.max(board.rows, board.columns), shorter = Math.min(board.rows, board.columns);
  for (const stray of [0, 1, -1])
    for (let change = 0; change <= Math.max(10, Math.floor(longer / 4)); change++)
      for (const side of [longer + change, longer - change]) {
        const otherSide = Math.max(1, roundHalfEven((side * shorter) / longer)) + stray;
        const [rows, columns] = board.rows === longer ? [side, otherSide] : [otherSide, side];
        const near = { ...board, rows, columns }, fits = (rule) => inverseOf({ ...near, rule });
        if (side > 0 && otherSide > 0 && rules.every(fits)) return near;
      }
  return null;
}

// Orders

// Creates an order: the time of each cell's click, from its position and its distances to the middle.
const timesBy = (time) => ({ rows, columns }) =>
  Float64Array.from({ length: rows * columns }, (_, cell) => {
    const row = Math.floor(cell / columns), column = cell % columns;
    const down = row - (rows - 1) / 2, right = column - (columns - 1) / 2;
    return time({ row, column, down, right, rows, columns });
  });

const ORDERS = {
  radial: timesBy(({ down, right }) => Math.sqrt(down ** 2 + right ** 2)),
  sweep: timesBy(({ column }) => column),
  diagonal: timesBy(({ row, column }) => row + column),
  // A square spiral of three turns.
  spiral: timesBy(({ down, right, rows, columns }) => {
    const distance = 6 * Math.max(Math.abs(down / rows), Math.abs(right / columns));
    const turns = Math.atan2(down / rows, right / columns) / (2 * Math.PI);
    const turn = turns - Math.floor(turns);
    return Math.floor(distance - turn) + turn;
  }),
  // Smooth noise, with about three blobs along the shorter side.
  noise: ({ rows, columns }, draw) => {
    const deviation = Math.max(Math.min(rows, columns) / 3, 10) / 4;
    const white = Float64Array.from({ length: rows * columns }, () => draw() - 0.5);
    return blur(white, rows, columns, deviation, Math.ceil(4 * deviation), modulo);
  },
  random: timesBy(() => 0),
};

// Orders whose times are distances, so that the clicks form a front that moves over the board.
const WITH_FRONT = ["radial", "sweep", "diagonal"];

// Returns the cells in click order, and the front's progress at each, or null without a front.
// Cells of equal time are in random order; clicks are shifted randomly within a share `spread`.
function orderCells(board, cells, { order, spread }, draw) {
  const times = ORDERS[order](board, draw), ties = times.map(draw);
  const ranked = cells.sort((one, other) => times[one] - times[other] || ties[one] - ties[other]);
  const front = WITH_FRONT.includes(order) ? frontProgress(ranked.map((cell) => times[cell])) : null;
  const last = Math.max(ranked.length - 1, 1), places = new Float64Array(times.length);
  ranked.forEach((cell, i) => (places[cell] = (1 - spread) * (i / last) + spread * draw()));
  ranked.sort((one, other) => places[one] - places[other]);
  return { cells: ranked, front };
}

// Number of stretches of the front's path; within a stretch its speed is constant.
const FRONT_STRETCHES = 32;

// Returns the front's progress, 0 to 1, at each click.  The distances of cells are unevenly spaced,
// so the front is exact only once per stretch, and spaces the clicks in between evenly.
function frontProgress(times) {
  const size = times.length, start = times[0], way = times[size - 1] - start;
  if (!(way > 0)) return times.map((_, i) => (i + 0.5) / size);
  const second = times.find((time) => time > start), stops = [2 * start - second], done = [0];
  const stretchOf = (time) => Math.floor((FRONT_STRETCHES * (time - start)) / way);
  times.forEach((time, i) => {
    if (i + 1 < size && stretchOf(times[i + 1]) === stretchOf(time)) return;
    stops.push(time);
    done.push(i + 1);
  });
  let stop = 1;
  return times.map((_, i) => {
    while (done[stop] < i + 0.5) stop++;
    const share = (i + 0.5 - done[stop - 1]) / (done[stop] - done[stop - 1]);
    const distance = stops[stop - 1] + share * (stops[stop] - stops[stop - 1]);
    return (distance - stops[0]) / (stops.at(-1) - stops[0]);
  });
}

// Transitions.  Each receives the targets of each picture, one per colour plane, and returns the
// moves between pictures: single `clicks`, or `steps`, click sets that are pressed as a whole.

const consecutivePairs = (stops) => stops.slice(1).map((stop, i) => [stops[i], stop]);

// Returns the click set of each colour plane that leads from some lights to others.
const clicksFromTo = (board, from, to) => to.map((lights, plane) =>
  clicksFor(board, lights.map((level, cell) => (level + board.levels - from[plane][cell]) % board.levels)));

const lightsOf = (targets) => targets.map(({ configuration }) => configuration);

// The wipe makes one click after the other.  Repeated clicks on a cell follow each other, and equal
// clicks on several colour planes are combined.
function wipe(board, targets, options, draw) {
  return consecutivePairs(targets.map(lightsOf)).map(([from, to]) => {
    const sets = clicksFromTo(board, from, to), cells = [...sets[0].keys()];
    const maxPresses = (cell) => Math.max(...sets.map((clicks) => clicks[cell]));
    const order = orderCells(board, cells.filter(maxPresses), options, draw);
    const move = { clicks: [], primaries: [], front: order.front && [] };
    order.cells.forEach((cell, i) => {
      for (let time = 0; time < maxPresses(cell); time++) {
        move.clicks.push(cell);
        move.primaries.push(sets.reduce((sum, clicks, plane) => sum + ((clicks[cell] > time) << plane), 0));
        move.front?.push(order.front[i]);
      }
    });
    return move;
  });
}

// The dissolve: each cell's grey changes linearly, and the cell flips when its grey crosses a threshold.
function dissolve(board, targets, options) {
  const count = countFrames(options);
  return consecutivePairs(targets).map(([from, to]) => {
    const frames = [lightsOf(from)], { dither = "blue-noise" } = options;
    const fade = from[0].lab ? fadeColours : fadeLights;
    const fades = from.map((start, plane) => fade(board, start, to[plane], { plane, dither }));
    for (let frame = 1; frame < count; frame++) {
      frames.push(fades.map((at) => at(frame / count)));
      options.report?.((0.5 * frame) / count);
    }
    frames.push(lightsOf(to));
    const steps = consecutivePairs(frames).map((pair, frame) => {
      options.report?.(0.5 + (0.5 * frame) / count);
      return clicksFromTo(board, ...pair);
    });
    return { steps };
  });
}

// Returns a function of time (0 to 1) that returns the configuration between two targets.
function fadeLights({ columns, levels }, start, end, { plane, dither }) {
  const times = Array.from({ length: levels - 1 }, (_, i) =>
    Float64Array.from(start.grey, (grey, cell) => {
      const way = end.grey[cell] - grey, level = i + 1;
      const turns = start.configuration[cell] >= level !== end.configuration[cell] >= level;
      const share = ORDERED[dither](Math.floor(cell / columns), cell % columns, plane);
      return turns && way ? clip((thresholdOf(level, levels, share) - grey) / way) : Infinity;
    }),
  );
  return (share) =>
    start.configuration.map((level, cell) => {
      const falls = end.configuration[cell] < level; // exactly at the threshold, a cell is lit
      for (const time of times)
        if (falls ? time[cell] < share : time[cell] <= share) level += falls ? -1 : 1;
      return level;
    });
}

// The automaton: each step presses every lit cell as often as would turn it dark.  A cell's new level
// is minus the sum of its neighbours; clicks of the ring rule compute the step before.

const negateLights = (lights, levels) => lights.map((level) => (levels - level) % levels);

function stepForward({ columns, levels }, lights) {
  return lights.map((_, cell) => {
    const column = cell % columns;
    let sum = (lights[cell - columns] ?? 0) + (lights[cell + columns] ?? 0);
    if (column > 0) sum += lights[cell - 1];
    if (column < columns - 1) sum += lights[cell + 1];
    return (4 * levels - sum) % levels;
  });
}

const stepBackward = (board, lights) =>
  clicksFor({ ...board, rule: "ring" }, negateLights(lights, board.levels));

// Returns a picture's configurations step by step, beginning with `lights`; one per colour plane.
function runAutomaton(board, lights, count, step = stepForward) {
  const frames = [lights];
  while (frames.length <= count) frames.push(frames.at(-1).map((one) => step(board, one)));
  return frames;
}

// A power of the number of levels, minus 1, scrambles most.  After 12 steps a picture is noise.
function chooseStepCount({ rows, columns, levels }) {
  const power = Math.log(Math.min(50, rows, columns)) / Math.log(levels);
  return Math.min(12, levels ** Math.max(1, Math.floor(power + 1e-9)) - 1);
}

// Runs `count` steps from a picture into noise, one computed click set to other noise, and `count`
// steps from there to the next picture.
function buildAutomaton(board, targets, options) {
  const { steps: count = chooseStepCount(board) } = options;
  return consecutivePairs(targets.map(lightsOf)).map(([from, to]) => {
    const end = runAutomaton(board, to, count, stepBackward).at(-1);
    const runs = [from, end].map((lights) => runAutomaton(board, lights, count));
    const lit = runs.map((frames) =>
      frames.slice(0, -1).map((lights) => lights.map((one) => negateLights(one, board.levels))),
    );
    const steps = [...lit[0], clicksFromTo(board, runs[0].at(-1), end), ...lit[1]];
    return { steps, rests: frameHolds(steps.length, options) };
  });
}

// Extra time of frames by their number of steps from a picture, as a multiple of a step's time.
const HOLD_FACTORS = [0, 3, 1.5, 0.75, 0];
// The same for the first frames, which show traces of the first picture.
const TRACE_FACTORS = [0, 3, 2.5, 2, 1.75, 1.5, 1.25, 1, 0.75];

// Returns the extra seconds of each frame, from the first picture to the next; pictures are held.
function frameHolds(count, { fps, hold_last }) {
  return Array.from({ length: count + 1 }, (_, frame) => {
    const away = Math.min(frame, count - frame);
    const factor = TRACE_FACTORS[frame] ?? HOLD_FACTORS[Math.min(away, HOLD_FACTORS.length - 1)];
    return away === 0 ? hold_last : factor / fps;
  });
}

// Frames

const countFrames = ({ duration, fps }) => Math.max(1, roundHalfEven(duration * fps));

// Returns the number of clicks, or steps, of a move that are done at the end of each of its frames.
function clicksDoneByFrame({ clicks, steps, front }, options) {
  if (steps) return steps.map((_, i) => i + 1);
  const frames = Math.min(clicks.length, countFrames(options));
  return Array.from({ length: frames }, (_, i) => {
    const share = (i + 1) / frames;
    if (!front) return Math.floor(share * clicks.length + 1e-9);
    const index = front.findIndex((time) => time > share + 1e-9);
    return index < 0 ? front.length : index;
  });
}

// The same defaults as in Python, except that the order and the pace do not depend on the pictures.
const OPTIONS = {
  transition: "wipe", order: "radial", spread: 0.02, fps: 25, duration: 6, hold_first: 1, hold_last: 3,
};

const TRANSITIONS = { wipe, dissolve, automaton: buildAutomaton };

// Returns the animation of some pictures' targets, with the data of Python's `Animation`.
function buildAnimation(board, targets, pictures, changes = {}) {
  const options = { ...OPTIONS, ...changes }, { fps, hold_first, hold_last } = options;
  const moves = TRANSITIONS[options.transition](board, targets, options, seeded(0));
  const frames = [0], holds = [[0, Math.max(0, hold_first - 1 / fps)]];
  for (const move of moves) {
    const before = frames.at(-1);
    frames.push(...clicksDoneByFrame(move, options).map((done) => before + done));
    const holdTimes = move.rests?.slice(1) ?? [hold_last];
    holds.push(...holdTimes.map((seconds, i) => [frames.length - holdTimes.length + i, seconds]));
  }
  const inColour = targets[0].length > 1, collect = (name) => moves.flatMap((move) => move[name] ?? []);
  return {
    board, frames, fps, pictures,
    origin: options.origin ?? null,
    loop: 0,
    first: lightsOf(targets[0]),
    clicks: collect("clicks"),
    primaries: inColour ? collect("primaries") : null,
    steps: moves[0].steps ? collect("steps") : null,
    holds: holds.filter(([, seconds]) => seconds > 0),
    targets: targets.map(lightsOf),
  };
}
