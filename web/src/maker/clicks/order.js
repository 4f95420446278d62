/** Orders of clicks, as lightsanim/film/order.py; their times are those of cell_times.py there. */

/** @import { Cell, Size } from "../../types.js" */
/** @import { OrderName } from "../choices.js" */

import { modulo } from "../../numbers.js";
import { blur } from "../targets/blur.js";

/**
 * @typedef {object} Position of a cell
 * @property {number} row
 * @property {number} column
 * @property {number} down distance from the middle
 * @property {number} right
 *
 * @typedef {(size: Size, draw: () => number) => Float64Array} Order returns the time of each cell
 */

/**
 * Creates an order from the time of a cell's click.
 *
 * @param {(position: Position, size: Size) => number} time
 * @returns {Order}
 */
const timesBy = (time) => (size) =>
  Float64Array.from({ length: size.rows * size.columns }, (_, cell) => {
    const row = Math.floor(cell / size.columns);
    const column = cell % size.columns;
    const down = row - (size.rows - 1) / 2;
    const right = column - (size.columns - 1) / 2;
    return time({ row, column, down, right }, size);
  });

/**
 * A square spiral of three turns.
 *
 * @param {Position} position
 * @param {Size} size
 */
function spiralTime({ down, right }, { rows, columns }) {
  const distance = 6 * Math.max(Math.abs(down / rows), Math.abs(right / columns));
  const turns = Math.atan2(down / rows, right / columns) / (2 * Math.PI);
  const turn = turns - Math.floor(turns);
  return Math.floor(distance - turn) + turn;
}

/**
 * Smooth noise, with about three blobs along the shorter side.
 *
 * @type {Order}
 */
function noiseTimes(size, draw) {
  const { rows, columns } = size;
  const deviation = Math.max(Math.min(rows, columns) / 3, 10) / 4;
  const white = Float64Array.from({ length: rows * columns }, () => draw() - 0.5);
  return blur(white, size, deviation, Math.ceil(4 * deviation), modulo);
}

/** @type {Record<OrderName, Order>} */
export const ORDERS = {
  radial: timesBy(({ down, right }) => Math.sqrt(down ** 2 + right ** 2)),
  sweep: timesBy(({ column }) => column),
  diagonal: timesBy(({ row, column }) => row + column),
  spiral: timesBy(spiralTime),
  noise: noiseTimes,
  random: timesBy(() => 0),
};

/**
 * Orders whose times are distances, so that the clicks form a front that moves over the board.
 *
 * @type {OrderName[]}
 */
const WITH_FRONT = ["radial", "sweep", "diagonal"];

/**
 * Returns the cells in click order, and the front's progress at each, or null without a front.  Cells
 * of equal time are in random order; clicks are shifted randomly within a share `spread`.
 *
 * @param {Size} size
 * @param {Cell[]} cells
 * @param {{ order: OrderName, spread: number }} options
 * @param {() => number} draw
 */
export function orderCells(size, cells, { order, spread }, draw) {
  const times = ORDERS[order](size, draw);
  const ties = times.map(draw);
  const ranked = cells.sort((one, other) => times[one] - times[other] || ties[one] - ties[other]);
  const front = WITH_FRONT.includes(order)
    ? frontProgress(ranked.map((cell) => times[cell]))
    : null;
  const last = Math.max(ranked.length - 1, 1);
  const places = new Float64Array(times.length);
  ranked.forEach((cell, i) => (places[cell] = (1 - spread) * (i / last) + spread * draw()));
  ranked.sort((one, other) => places[one] - places[other]);
  return { cells: ranked, front };
}

/** Number of stretches of the front's path; within a stretch its speed is constant. */
const FRONT_STRETCHES = 32;

/**
 * Returns the front's progress, 0 to 1, at each click.  The distances of cells are unevenly spaced, so
 * the front is exact only once per stretch, and spaces the clicks in between evenly.
 *
 * @param {number[]} times
 */
function frontProgress(times) {
  const size = times.length;
  const start = times[0];
  const way = times[size - 1] - start;
  const second = times.find((time) => time > start);
  if (second === undefined) return times.map((_, i) => (i + 0.5) / size);
  const stops = [2 * start - second];
  const done = [0];
  /** @param {number} time */
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
    return (distance - stops[0]) / (stops[stops.length - 1] - stops[0]);
  });
}
