/* Searches for two configurations and the clicks between them that look like three pictures when
   the eye blurs them: simulated annealing, as in lightsanim/film/transitions/halftone.py, with two levels.

   A move flips a cell in both configurations, or a click and the cells that it flips in the second
   one, or does this at two neighbouring cells.  The boards of all pictures are padded, so that the
   blur stays inside, and follow each other in one array.  The cost of a move depends on `change`,
   by which a flip changes each cell's brightness (0 off the board), and on `field`, the weighted
   error at each cell, blurred twice. */

// Brightness that black and white pixels get, and the weight of the error: two pictures, the clicks.
const AIMS = [
  { black: 0.12, white: 0.88, weight: 1 },
  { black: 0.12, white: 0.88, weight: 1 },
  { black: 0.18, white: 0.8, weight: 1.2 },
];

// Standard deviation of the eye's blur and its reach, in cells; first and last temperature; number
// of sweeps over all moves.
const EYE_BLUR = 1.2, EYE_REACH = 3, HOT = 0.04, COLD = 0.003, SWEEPS = 200;

// [picture, down, right] of each cell that a move flips; offsets at which it flips the same again.
const FLIPS = [
  [[0, 0, 0], [1, 0, 0]],
  [[2, 0, 0], [1, 0, 0], [1, -1, 0], [1, 1, 0], [1, 0, -1], [1, 0, 1]],
];
const SWAPS = [null, [0, 1], [1, 0], [1, 1], [1, -1]];

// Returns the levels of each picture's cells, given the pictures' greys.
function searchHalftones({ rows, columns }, greys, report) {
  const kernel = blurTwice(), pad = 2 * EYE_REACH, wide = columns + 2 * pad, size = wide * (rows + 2 * pad);
  const change = new Float64Array(3 * size), field = new Float64Array(3 * size), changes = [];
  const cells = Array.from(greys[0], (_, i) => (pad + Math.floor(i / columns)) * wide + pad + (i % columns));
  const moves = FLIPS.flatMap((flips) => SWAPS.map((offset) => createMove(flips, offset, kernel, wide, size)));
  const draw = seeded(0);
  const addError = (cell, error) => {
    for (let i = 0, start = cell - pad * (wide + 1); i <= 2 * pad; i++, start += wide)
      for (let j = 0, share = error * kernel[i]; j <= 2 * pad; j++) field[start + j] += share * kernel[j];
  };
  for (const [picture, { black, white, weight }] of AIMS.entries())
    cells.forEach((cell, i) => {
      change[picture * size + cell] = 1;
      addError(picture * size + cell, -weight * (black + (white - black) * greys[picture][i]));
    });
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const temperature = HOT * (COLD / HOT) ** (sweep / (SWEEPS - 1));
    for (const { neighbour, places, weights, coupling } of moves)
      for (const cell of cells) {
        if (!change[cell + neighbour]) continue; // off the board
        let cost = 0;
        for (let i = 0, pair = 0; i < places.length; i++) {
          let slope = field[cell + places[i]];
          changes[i] = change[cell + places[i]];
          for (let j = 0; j <= i; j++) slope += coupling[pair++] * changes[j];
          cost += 2 * changes[i] * slope;
        }
        if (!(draw() * (1 + Math.exp(cost / temperature)) < 1)) continue;
        for (let i = 0; i < places.length; i++) {
          if (changes[i]) addError(cell + places[i], weights[i] * changes[i]);
          change[cell + places[i]] *= -1;
        }
      }
    report((sweep + 1) / SWEEPS);
  }
  return AIMS.map((_, picture) => Uint8Array.from(cells, (cell) => change[picture * size + cell] < 0));
}

// Returns the cells that a move flips, as steps from its own, and what the cost depends on: the weight
// of each flip, and for each and all before it how much their changes, blurred, overlap.
function createMove(flips, offset, kernel, wide, size) {
  const [down, right] = offset ?? [0, 0];
  const all = [...flips, ...(offset ? flips.map(([picture, y, x]) => [picture, y + down, x + right]) : [])];
  const names = all.map(String), isFlipped = (name) => names.indexOf(name) === names.lastIndexOf(name);
  const flipped = all.filter((_, i) => isFlipped(names[i])); // a cell flipped twice stays as it is
  const weights = flipped.map(([picture]) => AIMS[picture].weight);
  const overlapAt = (distance) => kernel[2 * EYE_REACH + distance] ?? 0;
  const coupling = flipped.flatMap(([picture, y, x], i) =>
    flipped.slice(0, i + 1).map(([other, top, left], j) =>
      (picture === other) * (i === j ? 0.5 : 1) * weights[i] * overlapAt(y - top) * overlapAt(x - left)));
  const places = flipped.map(([picture, y, x]) => picture * size + y * wide + x);
  return { neighbour: down * wide + right, places, weights, coupling };
}

// Returns the weights of a Gaussian blur applied twice.
function blurTwice() {
  const once = Array.from({ length: 2 * EYE_REACH + 1 }, (_, i) => Math.exp(-0.5 * ((i - EYE_REACH) / EYE_BLUR) ** 2));
  const total = once.reduce((sum, weight) => sum + weight), twice = new Float64Array(4 * EYE_REACH + 1);
  once.forEach((one, i) => once.forEach((other, j) => (twice[i + j] += (one * other) / total ** 2)));
  return twice;
}
