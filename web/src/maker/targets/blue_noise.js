/** Blue noise: thresholds that are spread evenly, and stay while one picture dissolves into another. */

/** @import { Cell, Packed, Size } from "../../types.js" */

import { columnOf, rowOf } from "../../board/cells.js";
import { unpackNumbers } from "../../bytes.js";
import { modulo } from "../../numbers.js";

/** Side of the repeating mask, in cells, and shift of the mask for each colour plane. */
const SIDE = 64;
const PLANE_SHIFTS = [
  { down: 0, right: 0 },
  { down: SIDE / 2, right: 0 },
  { down: 0, right: SIDE / 2 },
];

/** How much a cell crowds another, by their distance in rows or columns: a Gaussian. */
const CROWD_REACH = 12;
const CROWD_WEIGHTS = Array.from({ length: 2 * CROWD_REACH + 1 }, (_, i) =>
  Math.exp(-((i - CROWD_REACH) ** 2) / 4.5),
);

/**
 * A tenth of the cells, spread evenly: the number of other cells before each, packed.
 *
 * @type {Packed}
 */
const FIRST_CELLS = [
  410,
  6,
  "BDuCEGOGBJGBbCIIHXIGRIGCCBCECMHJwHJECONCQIICCMCKDCIYDChJaECKOFDKEOEFCEQBOCJWPFNICFFHDwSC" +
    "ICCDDMKCELXCCEFZJXKDDDICJrMDFEGHCFDCGcGgBFFEWNDIPEHKFCSCDMCFJMFPmFFHIEGECDEcNXMDCIFKHEHD" +
    "RGJIWZCEEHEGIHDDiPQHDIFJDIKFLDiDLKGJIDbODILECCDKHyIFDFCHIOKOIHCFDDKIVTGSDFLFNFECCLECDO2F" +
    "EEUKLGQDEEFBCEaLdCCJBIhNLNCCDECPGFIBZJHOHKEJDFLEQNYKDHDDEFJDKCMbLDNDWEFWMECBPFCJCcBDSCLC" +
    "CBEboKDCJPMKCNDJCCFDCFgCdOCGUNHEBJMEJCEIOLMUGuHPKCEDCFDHHHA=",
];

/** @type {Uint16Array | null} */
let knownRanks = null;

/**
 * Ranks the mask's cells with R. Ulichney's void-and-cluster method
 * (tests/tools/void_and_cluster.py): each cell is as far as possible from all cells of lower rank.  The
 * first cells get the lowest ranks: the most crowded one the highest of these, and so on.  The other
 * cells get the ranks above, in order of crowding among the empty cells: the most crowded one lies in
 * the largest void.
 */
function rankMask() {
  if (knownRanks) return knownRanks;
  const first = new Uint8Array(SIDE ** 2);
  const [count] = FIRST_CELLS;
  let cell = -1;
  for (const gap of unpackNumbers(FIRST_CELLS)) first[(cell += gap + 1)] = 1;
  const ranks = new Uint16Array(first.length);
  emptyByCrowding(first).forEach((cell, i) => (ranks[cell] = count - 1 - i));
  emptyByCrowding(first.map((lit) => 1 - lit)).forEach((cell, i) => (ranks[cell] = count + i));
  return (knownRanks = ranks);
}

/**
 * Sorts cells of the mask: repeatedly removes the most crowded of the remaining ones.
 *
 * @param {Uint8Array} cells
 */
function emptyByCrowding(cells) {
  const left = cells.slice();
  const crowd = new Float64Array(left.length);
  const order = [];
  /** @param {Cell} cell @param {number} sign */
  const addCrowding = (cell, sign) => {
    for (let y = -CROWD_REACH; y <= CROWD_REACH; y++) {
      const row = modulo(Math.floor(cell / SIDE) + y, SIDE) * SIDE;
      for (let x = -CROWD_REACH; x <= CROWD_REACH; x++)
        crowd[row + ((cell + SIDE + x) % SIDE)] +=
          sign * CROWD_WEIGHTS[y + CROWD_REACH] * CROWD_WEIGHTS[x + CROWD_REACH];
    }
  };
  left.forEach((lit, cell) => lit && addCrowding(cell, 1));
  while (left.includes(1)) {
    let maxCrowd = 0;
    let next = 0;
    for (let cell = 0; cell < left.length; cell++)
      if (left[cell] && crowd[cell] > maxCrowd) maxCrowd = crowd[cell];
    while (!left[next] || crowd[next] < maxCrowd - 1e-9) next++; // the first of these, up to rounding
    left[next] = 0;
    order.push(next);
    addCrowding(next, -1);
  }
  return order;
}

/**
 * Returns the threshold of a cell, 0 to 1.
 *
 * @param {Pick<Size, "columns">} board
 * @param {Cell} cell
 * @param {number} plane
 */
export function blueNoiseAt(board, cell, plane) {
  const { down, right } = PLANE_SHIFTS[plane];
  const row = modulo(rowOf(board, cell) - down, SIDE);
  const column = modulo(columnOf(board, cell) - right, SIDE);
  return (rankMask()[row * SIDE + column] + 0.5) / SIDE ** 2;
}
