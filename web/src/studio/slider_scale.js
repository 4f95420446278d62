/** Positions of a slider and the values that they stand for. */

/** @import { Option, Value } from "./types.js" */

/**
 * Returns the scale of an option's slider; null if the option has none.  A range from 1/x to x is
 * logarithmic, with 1 in the middle.
 *
 * @param {Pick<Option, "from" | "to" | "by" | "unset">} option
 */
export function sliderScale({ from, to, by, unset }) {
  if (from === null || to === null || by === null) return null;
  const isLogarithmic = from * to === 1;
  /** @param {number} value */
  const round = (value) => Number((Math.round(value / by) * by).toFixed(4));
  /** @param {number} value */
  const place = (value) => (isLogarithmic ? Math.log(value) : value);
  return {
    min: place(from),
    max: place(to),
    step: isLogarithmic ? "any" : by,
    /** @param {number} position */
    valueAt: (position) => round(isLogarithmic ? Math.exp(position) : position),
    /**
     * Returns the position of a value; without one, of what is used then: "25, or the first clip's".
     *
     * @param {Value | null} value
     */
    positionOf: (value) => place(Number(value ?? (Number.parseFloat(unset) || from))),
  };
}
