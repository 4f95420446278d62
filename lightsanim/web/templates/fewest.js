// The fewest clicks, counted in the page, and new starts that need so many.  As lightsanim/solve
// does it: two click sets that do the same differ by clicks that flip nothing, a sum of quiet
// patterns.  A board is what a film says of it.

// The most cells, and the most sums of patterns that are weighed: some 60 million steps.
const MOST_CELLS = 900, MOST_SUMS = 2 ** 16;

const equations = new Map(); // of the boards so far, by their sizes

// The pivots and the quiet patterns of a board; null where they take too long.
function equationsOf(board) {
  const size = `${board.columns}x${board.rows}`, tooLarge = board.cells > MOST_CELLS || board.boards > 1;
  if (!equations.has(size))
    equations.set(size, tooLarge ? null : eliminated(raisedByClicks(board), board.levels, MOST_SUMS));
  return equations.get(size);
}

const listed = (presses) => [...presses].flatMap((times, cell) => Array(times).fill(cell));
const countOf = (presses) => presses.reduce((sum, times) => sum + times, 0);

// The fewest presses that do the same; the same ones where nobody knows.  The sums of all patterns
// come in Gray's order: each has one pattern more than the one before.
function fewestOf(board, presses) {
  const { patterns = [] } = equationsOf(board) ?? {}, { cells, levels } = board;
  const sum = presses.slice();
  let best = presses, fewest = countOf(presses);
  for (let number = 1; number < levels ** patterns.length; number++) {
    let which = 0, count = 0;
    for (let rest = number; rest % levels === 0; rest /= levels) which++;
    const pattern = patterns[which];
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
const VAIN = 300, MOST_WORK = 2e8;

// Clicks that no fewer replace, as many as are wanted, or else the most that were found.  Every
// part of a smallest click set is one, too; so a large one is looked for, click by click.
function smallestClicks(board, wanted, draw) {
  const { cells, levels } = board, pick = (most) => Math.floor(draw() * most);
  let large = fewestOf(board, new Uint8Array(cells).map(() => pick(levels))), here = large;
  let left = Math.min(20_000, MOST_WORK / (levels ** equationsOf(board).patterns.length * cells));
  for (let vain = 0; countOf(large) < wanted && left > 0; left--, vain++) {
    if (vain > VAIN) here = new Uint8Array(cells);
    const more = here.slice(), cell = pick(cells), before = countOf(here);
    if (more[cell]++ === levels - 1) continue;
    const fewest = fewestOf(board, more);
    if (vain > VAIN || countOf(fewest) > before) vain = 0;
    if (countOf(fewest) >= before) here = fewest;
    if (countOf(here) > countOf(large)) large = here;
  }
  const clicks = listed(large), chosen = new Uint8Array(cells);
  for (let left = Math.min(wanted, clicks.length); left; left--)
    chosen[clicks.splice(pick(clicks.length), 1)[0]]++;
  return chosen;
}
