/* Computes the target of a picture, as lightsanim/pictures does in Python, with the same numbers.

   Pixels are decoded to linear light, because only averages of light are correct.  The crop is
   resized to one value per cell, and encoded again to grey values.  Tones are stretched to reach
   from black to white, and local contrast is raised; otherwise a face would be a grey blot.

   A dither converts grey to levels.  Floyd-Steinberg gives each cell the nearest level and
   distributes the error to the next cells, in rows of alternating direction.  An ordered dither
   uses a fixed threshold for each cell instead.  Blue-noise thresholds are spread evenly, and do
   not move while one picture dissolves into another.

   A plane is an array with one value for each pixel or cell, row by row.  A grey picture has one
   plane, a colour picture three. */

// Light

const decodeSrgb = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const encodeSrgb = (y) => (y <= 0.0031308 ? y * 12.92 : 1.055 * y ** (1 / 2.4) - 0.055);

// Weights of red, green and blue in each plane; those of grey are from Rec. ITU-R BT.709.
const LUMINANCE = [[0.2126, 0.7152, 0.0722]];
const CHANNELS = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

const clip = (value) => (value < 0 ? 0 : value > 1 ? 1 : value);

// Returns the linear light, 0 to 1, of a canvas's pixels.  Averages squares of `factor` pixels a
// side, which is faster for pictures much larger than the board.
function computeLight({ data, width, height }, { rgb = false, factor = 1 }) {
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

// Composites pixels over white in place, with encoded values, as viewers do.
function coverWhite(data) {
  for (let i = 0; i < data.length; i += 4)
    for (let channel = i; channel < i + 3 && data[i + 3] < 255; channel++)
      data[channel] = 255 + ((data[channel] - 255) * data[i + 3]) / 255;
}

// From light to grey

// Returns the largest centred box, [left, top, right, bottom], of the aspect ratio `shape`.
function centreBox([left, top, right, bottom], shape) {
  const width = right - left, height = bottom - top;
  const wide = Math.min(width, height * shape), high = Math.min(height, width / shape);
  const x = left + (width - wide) / 2, y = top + (height - high) / 2;
  return [x, y, Math.min(right, x + wide), Math.min(bottom, y + high)];
}

const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

// Returns, for each of `count` cells from `from` to `to`, the first pixel that contributes and the
// weights from it on.  This is Pillow's Lanczos filter, limited to pixels from `low` to below `high`.
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

// Resizes a part of a plane to one value per cell, first across, then down.
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

// Returns planes with the grey value, 0 to 1, of each cell.  `box` is in whole pixels; `part`, the
// crop inside it, can begin and end between pixels.
function computeGrey(light, box, rows, columns, options = {}) {
  const { detail = 1.5, autocontrast = true, part = centreBox(box, columns / rows) } = options;
  const planes = light.planes.map((plane) =>
    Float64Array.from(resizePlane(plane, light.width, box, part, rows, columns), encodeSrgb),
  );
  if (autocontrast) stretchTones(planes);
  // Sharpen large boards less: their dither shows detail by itself.
  const amount = detail / (1 + (Math.min(rows, columns) / 300) ** 2);
  return planes.map((plane) => sharpen(plane, rows, columns, amount));
}

// Stretches tones until 2 % are black and 2 % white; does nothing if they are almost equal.  All
// planes are stretched alike, because otherwise colours would change.
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

// Raises local contrast: an unsharp mask with a deviation of 2.5 cells, mirrored at the edges.
function sharpen(plane, rows, columns, amount) {
  if (amount <= 0) return plane;
  const halo = blur(plane, rows, columns, 2.5, 8, mirrorIndex);
  return plane.map((value, cell) => clip(value + (value - halo[cell]) * amount));
}

// Maps an index outside a side into it, mirrored at the ends.
const mirrorIndex = (place, side) => Math.min(modulo(place, 2 * side), modulo(-1 - place, 2 * side));

// Blurs a plane with a Gaussian that is cut off after `reach` cells, first across, then down.
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

// Returns the level of a value.  Levels are evenly spaced; a value is rounded up to the next level
// if it lies at least `share` of the way to it.
function quantizeLevel(value, levels, share) {
  let level = 0;
  while (level < levels - 1 && value >= thresholdOf(level + 1, levels, share)) level++;
  return level;
}

function thresholdOf(level, levels, share) {
  const low = (level - 1) / (levels - 1);
  return low + share * (level / (levels - 1) - low);
}

// [rows down, cells on, weight in 16ths]: R. W. Floyd and L. Steinberg, Proc. SID 17 (1976) 75-77.
const DIFFUSION = [[0, 1, 7], [1, -1, 3], [1, 0, 5], [1, 1, 1]];

// Cells; on larger boards all rows run in the same direction, as in Python, where that is faster.
const MAX_SERPENTINE = 20_000;

// Rows; smaller boards keep all error.  Larger ones drop the error below the last row; otherwise
// cells in the last row would be lit by the error of plain areas above.
const MIN_DEEP_ROWS = 8;

// Error diffusion.  A cell with missing neighbours distributes all its error to the others.  In areas
// of pure black or white no cell changes, and error that arrives there is dropped.
function diffuseError(grey, { rows, columns, levels }) {
  const values = Float64Array.from(grey), configuration = new Uint8Array(grey.length);
  const isPure = findPureCells(grey, rows, columns);
  for (let row = 0; row < rows; row++) {
    const onward = row % 2 && grey.length <= MAX_SERPENTINE ? -1 : 1;
    for (let i = 0; i < columns; i++) {
      const column = onward > 0 ? i : columns - 1 - i, cell = row * columns + column;
      if (isPure[cell]) {
        configuration[cell] = grey[cell] < 0.5 ? 0 : levels - 1;
        continue;
      }
      const level = (configuration[cell] = quantizeLevel(values[cell], levels, 0.5));
      const error = values[cell] - level / (levels - 1);
      for (const { step, gain, share } of findReceivers(row, column, rows, columns, onward))
        values[cell + step] += error * gain * share;
    }
  }
  return configuration;
}

// Returns the cells that share a cell's error: how far on, the factor of all error, and each one's share.
function findReceivers(row, column, rows, columns, onward = 1) {
  const line = rows < MIN_DEEP_ROWS ? row : 0; // treat each row like row 0, which has rows below
  const within = (row, column) => row < rows && column >= 0 && column < columns;
  const there = DIFFUSION.filter(([down, on]) => within(line + down, column + onward * on));
  const gain = 16 / there.reduce((sum, [, , weight]) => sum + weight, 0);
  const receivers = there.map(([down, on, weight]) => ({ down, step: down * columns + onward * on, gain, share: weight / 16 }));
  return receivers.filter(({ down }) => row + down < rows);
}

// Returns 1 for each cell that is pure black or white like all its neighbours, up to rounding.
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

// Ordered dithers: the share of the way to the next level at which a cell's value is rounded up.
const ORDERED = {
  threshold: () => 0.5,
  "blue-noise": (row, column, plane) => {
    const [down, right] = PLANE_SHIFTS[plane], place = modulo(row - down, NOISE_SIDE) * NOISE_SIDE;
    return (blueNoise()[place + modulo(column - right, NOISE_SIDE)] + 0.5) / NOISE_SIDE ** 2;
  },
};

function ditherOrdered(grey, { columns, levels, plane, dither }) {
  return Uint8Array.from(grey, (value, cell) =>
    quantizeLevel(value, levels, ORDERED[dither](Math.floor(cell / columns), cell % columns, plane)));
}

// Returns the target of each plane: the grey value and the level of each cell.
function ditherPlanes(planes, rows, columns, { dither = "floyd-steinberg", levels = 2 } = {}) {
  const run = dither in ORDERED ? ditherOrdered : diffuseError;
  return planes.map((grey, plane) => ({
    grey: Float32Array.from(grey),
    configuration: run(grey, { rows, columns, levels, plane, dither }),
  }));
}

// Blue noise

// Side of the repeating mask, in cells; shift of the mask for each colour plane, in rows and columns.
const NOISE_SIDE = 64;
const PLANE_SHIFTS = [[0, 0], [NOISE_SIDE / 2, 0], [0, NOISE_SIDE / 2]];

// How much a cell crowds another, by their distance in rows or columns: a Gaussian.
const CROWD_REACH = 12;
const CROWD_WEIGHTS = Array.from({ length: 2 * CROWD_REACH + 1 }, (_, i) => Math.exp(-((i - CROWD_REACH) ** 2) / 4.5));

// A tenth of the cells, spread evenly: the number of other cells before each, packed.
const FIRST_CELLS = [410, 6,
  "BDuCEGOGBJGBbCIIHXIGRIGCCBCECMHJwHJECONCQIICCMCKDCIYDChJaECKOFDKEOEFCEQBOCJWPFNICFFHDwSC" +
  "ICCDDMKCELXCCEFZJXKDDDICJrMDFEGHCFDCGcGgBFFEWNDIPEHKFCSCDMCFJMFPmFFHIEGECDEcNXMDCIFKHEHD" +
  "RGJIWZCEEHEGIHDDiPQHDIFJDIKFLDiDLKGJIDbODILECCDKHyIFDFCHIOKOIHCFDDKIVTGSDFLFNFECCLECDO2F" +
  "EEUKLGQDEEFBCEaLdCCJBIhNLNCCDECPGFIBZJHOHKEJDFLEQNYKDHDDEFJDKCMbLDNDWEFWMECBPFCJCcBDSCLC" +
  "CBEboKDCJPMKCNDJCCFDCFgCdOCGUNHEBJMEJCEIOLMUGuHPKCEDCFDHHHA="];

let noiseRanks = null;

// Ranks the mask's cells with R. Ulichney's void-and-cluster method (tests/tools/void_and_cluster.py):
// each cell is as far as possible from all cells of lower rank.  The first cells get the lowest ranks:
// the most crowded one the highest of these, and so on.  The other cells get the ranks above, in
// order of crowding among the empty cells: the most crowded one lies in the largest void.
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

// Sorts cells of the mask: repeatedly removes the most crowded of the remaining ones.
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
    while (!left[next] || crowd[next] < maxCrowd - 1e-9) next++; // the first of these, up to rounding
    left[next] = 0;
    order.push(next);
    addCrowding(next, -1);
  }
  return order;
}
