/* From a picture to its target: as lightsanim/pictures does it, with the same numbers.

   A picture is pixels.  They become light, as averages are right of light alone; the part that is
   looked at is made as small as the board, a cell a value, and encoded again: grey.  Tones are
   stretched until they reach from black to white, and what stands out from around it is made to
   stand out more, or a face would be a grey blot.

   Grey becomes levels by a dither.  Floyd and Steinberg give each cell the nearest level, and hand
   what is missing, or too much, on to the cells to come, rows to and fro.  An ordered dither gives
   each cell a threshold of its own instead; of blue noise they are as even as can be, and they stay
   where they are while one picture dissolves into another.

   A plane is an array with a value for each pixel, or cell, row by row: one of a grey picture, of a
   coloured one three. */

// Light

const decodeSrgb = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const encodeSrgb = (y) => (y <= 0.0031308 ? y * 12.92 : 1.055 * y ** (1 / 2.4) - 0.055);

// Weights of red, green and blue in each plane; of a grey one those of Rec. ITU-R BT.709.
const LUMINANCE = [[0.2126, 0.7152, 0.0722]];
const CHANNELS = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

const clip = (value) => (value < 0 ? 0 : value > 1 ? 1 : value);

// The light, 0 to 1, of pixels as a canvas gives them.  Squares of `factor` pixels a side, which
// may be averaged where many more are left than a board has cells, become one.
function computeLight({ data, width, height }, options = {}) {
  const { rgb = false, factor = 1 } = options;
  coverWhite(data);
  const wide = Math.floor(width / factor), high = Math.floor(height / factor);
  const planes = (rgb ? CHANNELS : LUMINANCE).map((weights) => {
    const plane = new Float32Array(wide * high);
    const [red, green, blue] = weights.map((weight) =>
      Float32Array.from({ length: 256 }, (_, byte) => (weight * decodeSrgb(byte / 255)) / factor ** 2),
    );
    for (let y = 0; y < high * factor; y++) {
      let pixel = 4 * y * width, place = Math.floor(y / factor) * wide;
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

// Composites pixels over white, in encoded values as every viewer does; in place.
function coverWhite(data) {
  for (let i = 0; i < data.length; i += 4)
    for (let channel = i; channel < i + 3 && data[i + 3] < 255; channel++)
      data[channel] = 255 + ((data[channel] - 255) * data[i + 3]) / 255;
}

// From light to grey

// The largest box in the middle of another, [left, top, right, bottom], in a board's shape.
function centreBox([left, top, right, bottom], shape) {
  const width = right - left, height = bottom - top;
  const wide = Math.min(width, height * shape), high = Math.min(height, width / shape);
  const x = left + (width - wide) / 2, y = top + (height - high) / 2;
  return [x, y, Math.min(right, x + wide), Math.min(bottom, y + high)];
}

const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

// For each of so many cells between two places the first pixel that counts, and the weights from it
// on: Lanczos's filter, as Pillow scales it, of pixels from `low` to below `high`.
function lanczosWeights(from, to, low, high, count) {
  const step = (to - from) / count, scale = Math.max(1, step);
  return Array.from({ length: count }, (_, cell) => {
    const middle = from + (cell + 0.5) * step;
    const first = Math.max(low, Math.floor(middle - 3 * scale + 0.5));
    const last = Math.min(high, Math.floor(middle + 3 * scale + 0.5));
    const weights = Float64Array.from({ length: last - first }, (_, i) => {
      const distance = (first + i + 0.5 - middle) / scale;
      return Math.abs(distance) < 3 ? sinc(distance) * sinc(distance / 3) : 0;
    });
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return { first, weights: weights.map((weight) => weight / total) };
  });
}

// A plane's light inside a box, a value a cell: across first, then down.
function resizePlane(plane, width, [left, top, right, bottom], [x, y, toX, toY], rows, columns) {
  const across = lanczosWeights(x, toX, left, right, columns), down = lanczosWeights(y, toY, top, bottom, rows);
  const begin = down[0].first, end = down[rows - 1].first + down[rows - 1].weights.length;
  const narrow = new Float32Array((end - begin) * columns);
  for (let line = begin, place = 0; line < end; line++)
    for (const { first, weights } of across) {
      let sum = 0;
      for (let i = 0, pixel = line * width + first; i < weights.length; i++)
        sum += weights[i] * plane[pixel + i];
      narrow[place++] = sum;
    }
  return Float32Array.from({ length: rows * columns }, (_, cell) => {
    const { first, weights } = down[Math.floor(cell / columns)];
    let sum = 0, place = (first - begin) * columns + (cell % columns);
    for (let i = 0; i < weights.length; i++, place += columns) sum += weights[i] * narrow[place];
    return clip(sum);
  });
}

// The grey values, 0 to 1, of a board's cells: planes of a box of the picture, in pixels, or of a
// part of that, which need not begin and end with whole ones.
function computeGrey(light, box, rows, columns, options = {}) {
  const { detail = 1.5, part = centreBox(box, columns / rows) } = options;
  const planes = light.planes.map((plane) =>
    Float64Array.from(resizePlane(plane, light.width, box, part, rows, columns), encodeSrgb),
  );
  stretchTones(planes);
  // On large boards the dither itself carries the detail.
  const amount = detail / (1 + (Math.min(rows, columns) / 300) ** 2);
  return planes.map((plane) => sharpen(plane, rows, columns, amount));
}

// Stretch tones until 2% are black, and as many white, all planes alike, or colours would change;
// unless there are none to stretch.
function stretchTones(planes) {
  const values = Float64Array.from(planes.flatMap((plane) => [...plane])).sort();
  const quantile = (share) => {
    const position = share * (values.length - 1), below = Math.floor(position);
    const next = values[Math.min(below + 1, values.length - 1)];
    return values[below] + (next - values[below]) * (position - below);
  };
  const low = quantile(0.02), high = quantile(0.98);
  if (high - low < 0.02) return;
  for (const plane of planes)
    plane.forEach((value, cell) => (plane[cell] = clip((value - low) / (high - low))));
}

// Local contrast raised: an unsharp mask with a radius of 2.5 cells, mirrored at the edges.
function sharpen(plane, rows, columns, amount) {
  if (amount <= 0) return plane;
  const halo = blur(plane, rows, columns, 2.5, 8, mirrorIndex);
  return plane.map((value, cell) => clip(value + (value - halo[cell]) * amount));
}

// Wrap an index beyond the ends of a side: round a torus, or mirrored at the ends.
const modulo = (place, side) => ((place % side) + side) % side;
const mirrorIndex = (place, side) => Math.min(modulo(place, 2 * side), modulo(-1 - place, 2 * side));

// A plane under a Gaussian that reaches so many cells, first across, then down.
function blur(plane, rows, columns, deviation, reach, wrapIndex) {
  const offsets = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const weights = offsets.map((away) => Math.exp(-0.5 * (away / deviation) ** 2));
  const total = weights.reduce((sum, weight) => sum + weight);
  const blurAlong = (values, side, step, lines, lineStep) => {
    const smooth = new Float64Array(values.length);
    for (let position = 0; position < side; position++)
      offsets.forEach((away, i) => {
        const weight = weights[i] / total, from = wrapIndex(position + away, side) * step;
        for (let at = 0; at < lines * lineStep; at += lineStep)
          smooth[position * step + at] += weight * values[from + at];
      });
    return smooth;
  };
  return blurAlong(blurAlong(plane, columns, 1, rows, columns), rows, columns, columns, 1);
}

// From grey to levels

// How many levels a value has reached: those between are shown in even steps, and a cell goes up to
// the next where its value is that share of the way on.
function quantizeLevel(value, levels, share) {
  let level = 0;
  while (level < levels - 1 && value >= thresholdOf(level + 1, levels, share)) level++;
  return level;
}

function thresholdOf(level, levels, share) {
  const low = (level - 1) / (levels - 1);
  return low + share * (level / (levels - 1) - low);
}

// R. W. Floyd and L. Steinberg, Proceedings of the SID 17 (1976) 75-77: rows down, cells on, share.
const DIFFUSION = [[0, 1, 7], [1, -1, 3], [1, 0, 5], [1, 1, 1]];

// Cells of the largest board on which rows run to and fro, as in Python, which is slower then.
const MAX_SERPENTINE = 20_000;

// Boards of fewer rows keep all error; on others that of the last row is dropped, or what plain
// areas have carried down would all light there.
const MIN_DEEP_ROWS = 8;

// Error diffusion.  A cell whose neighbours beside or below are missing hands all to the others; in
// areas of pure black or white no cell turns, and what error reaches them ends there.
function diffuseError(grey, { rows, columns, levels }) {
  const values = Float64Array.from(grey), configuration = new Uint8Array(grey.length);
  const isPure = findPureCells(grey, rows, columns);
  const within = (row, column) => row < rows && column >= 0 && column < columns;
  for (let row = 0; row < rows; row++) {
    const onward = row % 2 && grey.length <= MAX_SERPENTINE ? -1 : 1;
    for (let i = 0; i < columns; i++) {
      const column = onward > 0 ? i : columns - 1 - i, cell = row * columns + column;
      if (isPure[cell]) {
        configuration[cell] = grey[cell] < 0.5 ? 0 : levels - 1;
        continue;
      }
      const line = rows < MIN_DEEP_ROWS ? row : 0; // the first one has others below
      const there = DIFFUSION.filter(([down, on]) => within(line + down, column + onward * on));
      const totalWeight = there.reduce((sum, [, , weight]) => sum + weight, 0);
      const level = (configuration[cell] = quantizeLevel(values[cell], levels, 0.5));
      const error = (values[cell] - level / (levels - 1)) * (16 / totalWeight);
      for (const [down, on, weight] of there)
        if (row + down < rows) values[cell + down * columns + onward * on] += error * (weight / 16);
    }
  }
  return configuration;
}

// Cells that are pure black or white, to within rounding, as are all their neighbours on the board.
function findPureCells(grey, rows, columns) {
  const kind = Int8Array.from(grey, (value) => (value >= 1 - 1e-6) - (value <= 1e-6));
  return kind.map((own, cell) => {
    if (!own) return 0;
    const row = Math.floor(cell / columns), column = cell % columns;
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++)
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++)
        if (kind[y * columns + x] !== own) return 0;
    return 1;
  });
}

// The ordered dithers: how far on the way from one level to the next a cell's value must be.
const ORDERED = {
  threshold: () => 0.5,
  "blue-noise": (row, column, plane) => {
    const [down, right] = PLANE_SHIFTS[plane], place = modulo(row - down, NOISE_SIDE) * NOISE_SIDE;
    return (blueNoise()[place + modulo(column - right, NOISE_SIDE)] + 0.5) / NOISE_SIDE ** 2;
  },
};

function ditherOrdered(grey, { columns, levels, plane, dither }) {
  const share = (cell) => ORDERED[dither](Math.floor(cell / columns), cell % columns, plane);
  return Uint8Array.from(grey, (value, cell) => quantizeLevel(value, levels, share(cell)));
}

// The target of each plane: the level of each cell, and the grey values themselves.
function ditherPlanes(planes, rows, columns, { dither = "floyd-steinberg", levels = 2 } = {}) {
  const run = dither in ORDERED ? ditherOrdered : diffuseError;
  return planes.map((grey, plane) => ({
    grey: Float32Array.from(grey),
    configuration: run(grey, { rows, columns, levels, plane, dither }),
  }));
}

// Blue noise

// Cells a side of the mask that repeats; rows and columns by which each primary shifts it.
const NOISE_SIDE = 64;
const PLANE_SHIFTS = [[0, 0], [NOISE_SIDE / 2, 0], [0, NOISE_SIDE / 2]];

// How much a cell crowds one so many rows, and columns, before or behind it: a Gaussian.
const CROWD_REACH = 12;
const CROWD_WEIGHTS = Array.from({ length: 2 * CROWD_REACH + 1 }, (_, i) => Math.exp(-((i - CROWD_REACH) ** 2) / 4.5));

// A tenth of the cells, spread as evenly as can be: how many others are before each.
const FIRST_CELLS = [410, 6,
  "BDuCEGOGBJGBbCIIHXIGRIGCCBCECMHJwHJECONCQIICCMCKDCIYDChJaECKOFDKEOEFCEQBOCJWPFNICFFHDwSC" +
  "ICCDDMKCELXCCEFZJXKDDDICJrMDFEGHCFDCGcGgBFFEWNDIPEHKFCSCDMCFJMFPmFFHIEGECDEcNXMDCIFKHEHD" +
  "RGJIWZCEEHEGIHDDiPQHDIFJDIKFLDiDLKGJIDbODILECCDKHyIFDFCHIOKOIHCFDDKIVTGSDFLFNFECCLECDO2F" +
  "EEUKLGQDEEFBCEaLdCCJBIhNLNCCDECPGFIBZJHOHKEJDFLEQNYKDHDDEFJDKCMbLDNDWEFWMECBPFCJCcBDSCLC" +
  "CBEboKDCJPMKCNDJCCFDCFgCdOCGUNHEBJMEJCEIOLMUGuHPKCEDCFDHHHA="];

let noiseRanks = null;

// The ranks of the square's cells, each as far as can be from all before: R. Ulichney's void and
// cluster, see tests/tools/void_and_cluster.py.  Down from the first ones the most crowded
// cell of those left has the highest rank left; up from them the most crowded of the empty ones,
// which is the one in the largest void, is next.
function blueNoise() {
  if (noiseRanks) return noiseRanks;
  const first = new Uint8Array(NOISE_SIDE ** 2), count = FIRST_CELLS[0];
  let cell = -1;
  for (const gap of unpackNumbers(FIRST_CELLS)) first[(cell += gap + 1)] = 1;
  noiseRanks = new Uint16Array(first.length);
  emptyByCrowding(first).forEach((cell, i) => (noiseRanks[cell] = count - 1 - i));
  emptyByCrowding(first.map((lit) => 1 - lit)).forEach((cell, i) => (noiseRanks[cell] = count + i));
  return noiseRanks;
}

// Some cells of the square, the most crowded one first, then that of those that are left.
function emptyByCrowding(cells) {
  const left = Uint8Array.from(cells), crowd = new Float64Array(left.length), order = [];
  const addCrowding = (cell, sign) => {
    for (let y = -CROWD_REACH; y <= CROWD_REACH; y++) {
      const row = modulo(Math.floor(cell / NOISE_SIDE) + y, NOISE_SIDE) * NOISE_SIDE;
      for (let x = -CROWD_REACH; x <= CROWD_REACH; x++)
        crowd[row + ((cell + NOISE_SIDE + x) % NOISE_SIDE)] += sign * CROWD_WEIGHTS[y + CROWD_REACH] * CROWD_WEIGHTS[x + CROWD_REACH];
    }
  };
  left.forEach((lit, cell) => lit && addCrowding(cell, 1));
  while (left.includes(1)) {
    let maxCrowd = 0, next = 0;
    for (let cell = 0; cell < left.length; cell++)
      if (left[cell] && crowd[cell] > maxCrowd) maxCrowd = crowd[cell];
    while (!left[next] || crowd[next] < maxCrowd - 1e-9) next++; // but for rounding the first
    left[next] = 0;
    order.push(next);
    addCrowding(next, -1);
  }
  return order;
}
