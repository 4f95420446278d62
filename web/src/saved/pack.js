/** Packed steps of films; see lightsanim/output/formats/bit_packing.py. */

import { encodeBase64, packBits } from "../bytes.js";

/**
 * Packs steps: the lowest bit of each cell's number of presses, plane by plane, then the next bit.
 *
 * @param {Uint8Array[][]} steps
 * @param {number} levels
 */
export function packSteps(steps, levels) {
  const planes = 32 - Math.clz32(levels - 1);
  return steps.map((sets) => {
    const presses = sets.flatMap((clicks) => [...clicks]);
    const size = 8 * Math.ceil(presses.length / 8);
    return encodeBase64(packBits(planes * size, (i) => presses[i % size] >> Math.floor(i / size)));
  });
}
