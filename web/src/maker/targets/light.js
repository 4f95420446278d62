/** Linear light of pictures: only its averages are correct. */

/** @import { Light, Triple } from "../types.js" */

/** @param {number} value */
export const decodeSrgb = (value) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/** @param {number} y */
export const encodeSrgb = (y) => (y <= 0.0031308 ? y * 12.92 : 1.055 * y ** (1 / 2.4) - 0.055);

/**
 * Weights of red, green and blue in each plane; those of grey are from Rec. ITU-R BT.709.
 *
 * @type {Triple[]}
 */
const LUMINANCE = [[0.2126, 0.7152, 0.0722]];

/** @type {Triple[]} */
const CHANNELS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/**
 * Returns the linear light of a canvas's pixels, which are changed.  Averages squares of `factor`
 * pixels a side, which is faster for pictures much larger than the board.
 *
 * @param {Pick<ImageData, "data" | "width" | "height">} image
 * @param {{ rgb?: boolean, factor?: number }} [options]
 * @returns {Light}
 */
export function computeLight({ data, width, height }, { rgb = false, factor = 1 } = {}) {
  coverWhite(data);
  const wide = Math.floor(width / factor);
  const high = Math.floor(height / factor);
  const planes = (rgb ? CHANNELS : LUMINANCE).map((weights) => {
    const plane = new Float32Array(wide * high);
    const [red, green, blue] = weights.map((weight) =>
      Float32Array.from(
        { length: 256 },
        (_, byte) => (weight * decodeSrgb(byte / 255)) / factor ** 2,
      ),
    );
    for (let y = 0; y < high * factor; y++) {
      let pixel = 4 * y * width;
      let place = Math.floor(y / factor) * wide;
      for (const end = place + wide; place < end; place++) {
        let sum = 0;
        for (let i = 0; i < factor; i++, pixel += 4)
          sum += red[data[pixel]] + green[data[pixel + 1]] + blue[data[pixel + 2]];
        plane[place] += sum;
      }
    }
    return plane;
  });
  return { width: wide, height: high, planes };
}

/**
 * Composites pixels over white in place, with encoded values, as viewers do.
 *
 * @param {ImageData["data"]} data
 */
export function coverWhite(data) {
  for (let i = 0; i < data.length; i += 4)
    for (let channel = i; channel < i + 3 && data[i + 3] < 255; channel++)
      data[channel] = 255 + ((data[channel] - 255) * data[i + 3]) / 255;
}
