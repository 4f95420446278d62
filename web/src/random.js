/**
 * Returns a function that draws random numbers from 0 to below 1, the same on every machine: Tommy
 * Ettinger's mulberry32.
 *
 * @param {number} seed
 */
export function seeded(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let bits = Math.imul(seed ^ (seed >>> 15), seed | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
