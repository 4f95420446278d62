// The fewest clicks, counted in the page, and new starts that need so many.  As lightsanim/solve
// does it: two click sets that do the same differ by clicks that flip nothing, a sum of quiet
// patterns.  A board is what a film says of it.

// The most cells, and the most sums of patterns that are weighed: some 60 million steps.
const MAX_CELLS = 900, MAX_SUMS = 2 ** 16;

const equations = new Map(); // of the boards so far, by their sizes

// The pivots and the quiet patterns of a board; null where they take too long.
function equationsOf(board) {
  const size = `${board.columns}x${board.rows}`, tooLarge = board.cells > MAX_CELLS || board.boards > 1;
  if (!equations.has(size))
    equations.set(size, tooLarge ? null : eliminate(raisedByClicks(board), board.levels, MAX_SUMS));
  return equations.get(size);
}

const listPresses = (presses) => [...presses].flatMap((times, cell) => Array(times).fill(cell));
const countPresses = (presses) => presses.reduce((sum, times) => sum + times, 0);

// The fewest presses that do the same; the same ones where nobody knows.  The sums of all patterns
// come in Gray's order: each has one pattern more than the one before.
function minimizeClicks(board, presses) {
  const { patterns = [] } = equationsOf(board) ?? {}, { cells, levels } = board;
  const sum = presses.slice();
  let best = presses, fewest = countPresses(presses);
  for (let number = 1; number < levels ** patterns.length; number++) {
    let patternIndex = 0, count = 0;
    for (let rest = number; rest % levels === 0; rest /= levels) patternIndex++;
    const pattern = patterns[patternIndex];
    for (let cell = 0; cell < cells; cell++) {
      const times = sum[cell] + pattern[cell];
      count += sum[cell] = times < levels ? times : times - levels;
    }
    if (count >= fewest) continue;
    fewest = count;
    best = sum.slice();
  }
  return best;
}

// New starts

// Steps of looking for large click sets: of one climb in vain, and cells of all of them.
const MAX_FAILURES = 300, MAX_WORK = 2e8;

// Clicks that no fewer replace, as many as are wanted, or else the most that were found.  Every
// part of a smallest click set is one, too; so a large one is looked for, click by click.
function findSmallestClicks(board, targetCount, draw) {
  const { cells, levels } = board, drawBelow = (most) => Math.floor(draw() * most);
  let largest = minimizeClicks(board, new Uint8Array(cells).map(() => drawBelow(levels))), current = largest;
  let left = Math.min(20_000, MAX_WORK / (levels ** equationsOf(board).patterns.length * cells));
  for (let failures = 0; countPresses(largest) < targetCount && left > 0; left--, failures++) {
    if (failures > MAX_FAILURES) current = new Uint8Array(cells);
    const candidate = current.slice(), cell = drawBelow(cells), before = countPresses(current);
    if (candidate[cell]++ === levels - 1) continue;
    const fewest = minimizeClicks(board, candidate);
    if (failures > MAX_FAILURES || countPresses(fewest) > before) failures = 0;
    if (countPresses(fewest) >= before) current = fewest;
    if (countPresses(current) > countPresses(largest)) largest = current;
  }
  const clicks = listPresses(largest), chosen = new Uint8Array(cells);
  for (let left = Math.min(targetCount, clicks.length); left; left--)
    chosen[clicks.splice(drawBelow(clicks.length), 1)[0]]++;
  return chosen;
}
