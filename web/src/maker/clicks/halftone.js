/**
 * Searches for two configurations and the clicks between them that look like three pictures when the
 * eye blurs them: simulated annealing, as in lightsanim/film/transitions/halftone.py, with two levels.
 *
 * A move flips a cell in both configurations, or a click and the cells that it flips in the second one,
 * or does this at two neighbouring cells.  The boards of all pictures are padded, so that the blur
 * stays inside, and follow each other in one array.  The cost of a move depends on `change`, by which a
 * flip changes each cell's brightness (0 off the board), and on `field`, the weighted error at each
 * cell, blurred twice.
 */

/** @import { Cell, Size } from "../../types.js" */
/** @import { Plane, Report } from "../types.js" */

import { range, total } from "../../numbers.js";
import { seeded } from "../../random.js";

/** Brightness of black and white pixels, and the weight of the error: two pictures, the clicks. */
const AIMS = [
  { black: 0.12, white: 0.88, weight: 1 },
  { black: 0.12, white: 0.88, weight: 1 },
  { black: 0.18, white: 0.8, weight: 1.2 },
];

/** Standard deviation of the eye's blur and its reach, in cells. */
const EYE_BLUR = 1.2;
const EYE_REACH = 3;

/** First and last temperature; number of sweeps over all moves. */
const HOT = 0.04;
const COLD = 0.003;
const SWEEPS = 200;

/** @typedef {{ picture: number, y: number, x: number }} Flip a cell's place relative to its move */

/** @type {Flip[]} */
const CELL_FLIPS = [
  { picture: 0, y: 0, x: 0 },
  { picture: 1, y: 0, x: 0 },
];

/** @type {Flip[]} */
const CLICK_FLIPS = [
  { picture: 2, y: 0, x: 0 },
  { picture: 1, y: 0, x: 0 },
  { picture: 1, y: -1, x: 0 },
  { picture: 1, y: 1, x: 0 },
  { picture: 1, y: 0, x: -1 },
  { picture: 1, y: 0, x: 1 },
];

/** Offsets at which a move flips the same again. */
const SWAPS = [null, { y: 0, x: 1 }, { y: 1, x: 0 }, { y: 1, x: 1 }, { y: 1, x: -1 }];

/** The boards of all pictures, padded by PAD cells. */
const PAD = 2 * EYE_REACH;

/**
 * Returns the levels of each picture's cells, given the pictures' greys.
 *
 * @param {Size} size
 * @param {Plane[]} greys
 * @param {Report} report
 */
export function searchHalftones({ rows, columns }, greys, report) {
  const kernel = blurTwice();
  const wide = columns + 2 * PAD;
  const size = wide * (rows + 2 * PAD);
  const change = new Float64Array(AIMS.length * size);
  const field = new Float64Array(AIMS.length * size);
  const cells = range(rows * columns).map(
    (i) => (PAD + Math.floor(i / columns)) * wide + PAD + (i % columns),
  );
  const moves = [CELL_FLIPS, CLICK_FLIPS].flatMap((flips) =>
    SWAPS.map((offset) => createMove(flips, offset, kernel, wide, size)),
  );
  const draw = seeded(0);
  /** @type {number[]} */
  const changes = [];
  /** @param {Cell} cell @param {number} error */
  const addError = (cell, error) => {
    for (let i = 0, start = cell - PAD * (wide + 1); i <= 2 * PAD; i++, start += wide)
      for (let j = 0, share = error * kernel[i]; j <= 2 * PAD; j++)
        field[start + j] += share * kernel[j];
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
  return AIMS.map((_, picture) =>
    Uint8Array.from(cells, (cell) => Number(change[picture * size + cell] < 0)),
  );
}

/**
 * Returns the cells that a move flips, as steps from its own, and what the cost depends on: the weight
 * of each flip, and for each and all before it how much their changes, blurred, overlap.
 *
 * @param {Flip[]} flips
 * @param {{ y: number, x: number } | null} offset
 * @param {Float64Array} kernel
 * @param {number} wide
 * @param {number} size
 */
function createMove(flips, offset, kernel, wide, size) {
  const { y: down, x: right } = offset ?? { y: 0, x: 0 };
  const moved = offset
    ? flips.map((flip) => ({ ...flip, y: flip.y + down, x: flip.x + right }))
    : [];
  const places = [...flips, ...moved].map(({ picture, y, x }) => [picture, y, x].join());
  /** @param {string} place */
  const isFlipped = (place) => places.indexOf(place) === places.lastIndexOf(place);
  // A cell flipped twice stays as it is.
  const flipped = [...flips, ...moved].filter((_, i) => isFlipped(places[i]));
  const weights = flipped.map(({ picture }) => AIMS[picture].weight);
  /** @param {number} distance */
  const overlapAt = (distance) => kernel[PAD + distance] ?? 0;
  const coupling = flipped.flatMap((one, i) =>
    flipped.slice(0, i + 1).map((other, j) => {
      const overlap = weights[i] * overlapAt(one.y - other.y) * overlapAt(one.x - other.x);
      return Number(one.picture === other.picture) * (i === j ? 0.5 : 1) * overlap;
    }),
  );
  return {
    neighbour: down * wide + right,
    places: flipped.map(({ picture, y, x }) => picture * size + y * wide + x),
    weights,
    coupling,
  };
}

/** Returns the weights of a Gaussian blur applied twice. */
function blurTwice() {
  const once = range(2 * EYE_REACH + 1).map((i) =>
    Math.exp(-0.5 * ((i - EYE_REACH) / EYE_BLUR) ** 2),
  );
  const sum = total(once);
  const twice = new Float64Array(2 * PAD + 1);
  once.forEach((one, i) => once.forEach((other, j) => (twice[i + j] += (one * other) / sum ** 2)));
  return twice;
}
