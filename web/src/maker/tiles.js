/** Previews of options with the current pictures. */

/** @import { Choices, CroppedPicture } from "./types.js" */
/** @import { OrderName } from "./choices.js" */

import { seeded } from "../random.js";
import { LOOKS } from "./choices.js";
import { ORDERS } from "./clicks/order.js";
import { lightsOf, runAutomaton } from "./clicks/transitions.js";
import { computeTargets, prepareGreys } from "./film.js";
import { combineShades } from "./shades.js";

/** Cells on each side of a tile's board. */
const TILE = 40;

/** Share of a film's cells along a side that the tile of its size has. */
const SIZE_SHARE = 3;

/**
 * Mixes two pictures: cells in the first half of the order show the second one.
 *
 * @param {OrderName} order
 * @param {Uint8Array[]} shades
 */
function mixHalfway(order, [one, other]) {
  const times = ORDERS[order]({ rows: TILE, columns: TILE }, seeded(1));
  const draw = seeded(2);
  const ties = times.map((time) => time + draw() * (order === "random" ? 1 : 1e-6));
  const middle = Float64Array.from(ties).sort()[Math.floor(ties.length / 2)];
  return one.map((shade, cell) => (ties[cell] < middle ? other[cell] : shade));
}

/** @typedef {(shades: Uint8Array[]) => Uint8Array} Mix */

/** @type {Record<Choices["transition"], Mix>} */
const TRANSITION_MIXES = {
  wipe: (shades) => mixHalfway("radial", shades),
  dissolve: (shades) => mixHalfway("random", shades),
  automaton: ([one]) => runAutomaton({ rows: TILE, columns: TILE, levels: 2 }, [one], 4)[4][0],
};

/**
 * Returns the board and the shades of a tile.
 *
 * @template {keyof Choices} Name
 * @param {CroppedPicture[]} pictures
 * @param {Choices} choices
 * @param {Name} name
 * @param {Choices[Name]} value
 */
export function drawTile(pictures, choices, name, value) {
  const chosen = { ...choices, [name]: value };
  const look = name === "look" || name === "size" ? chosen.look : "classic";
  const side = name === "size" ? Math.round(Number(value) / SIZE_SHARE) : TILE;
  const { levels, rgb } = LOOKS[look];
  const board = { rows: side, columns: side, levels };
  const options = { look, transition: /** @type {const} */ ("wipe") };
  const { targets, spot } = computeTargets(prepareGreys(pictures, board, options), board, options);
  const shades = targets.map((target) => combineShades(lightsOf(target), levels));
  /** @type {Partial<Record<keyof Choices, Mix>>} */
  const mixes = {
    transition: TRANSITION_MIXES[chosen.transition],
    order: (both) => mixHalfway(chosen.order, both),
  };
  return { ...board, rgb, spot, shades: mixes[name]?.(shades) ?? shades[0] };
}
