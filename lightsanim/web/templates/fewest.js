// Finds the fewest clicks, and new starts that need a given number, as lightsanim/game/solve does: two
// click sets with the same effect differ by a sum of quiet patterns, clicks that flip nothing.  A
// board is any object with the members of a film that describe its board.

// Maximum numbers of cells and of sums of patterns that are searched: about 60 million steps.
const MAX_CELLS = 900, MAX_SUMS = 2 ** 16;

const equations = new Map(); // cache: pivots and quiet patterns by the size of the board

// Returns the pivots and the quiet patterns of a board, or null if the search would take too long.
function equationsOf(board) {
  const size = `${board.columns}x${board.rows}`, tooLarge = board.cells > MAX_CELLS || board.boards > 1;
  if (!equations.has(size))
    equations.set(size, tooLarge ? null : eliminate(raisedByClicks(board), board.levels, MAX_SUMS));
  return equations.get(size);
}

const countPresses = (presses) => presses.reduce((sum, times) => sum + times, 0);

// Returns the fewest presses with the same effect, or `presses` if the board is too large.  Goes
// through the sums of patterns in Gray code order: each adds one pattern to the sum before.
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

// Limits of the search for large click sets: steps without progress, and cells computed in total.
const MAX_FAILURES = 300, MAX_WORK = 2e8;

// Returns a click set that no smaller one can replace, with `targetCount` clicks or the most found.
// Searches for a large one click by click; every subset of one cannot be replaced by fewer either.
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
