/* From an animation to what is kept of it, as the program writes it, byte for byte: the document of
   a saved animation (see lightsanim/formats/document.py), and the film of a page (page.py there,
   and film.js).  Each holds the sha256 of all else that it says. */

// JSON as Python writes it

// A number that Python holds as a float: 25.0, 1e-05.
class Real extends Number {
  toString() {
    const value = this.valueOf(), text = String(value);
    if (value !== 0 && value < 1e-4) return value.toExponential().replace(/-(\d)$/, "-0$1");
    return Number.isInteger(value) ? `${text}.0` : text;
  }
}

const real = (value) => new Real(value);

const ascii = (text) => text.replace(/[^ -~]/g, hexadecimal);
const hexadecimal = (unit) => `\\u${unit.charCodeAt().toString(16).padStart(4, "0")}`;

// How pages, saved animations and digests hold it.
const IN_PAGE = { text: (text) => ascii(text).replace(/[<>&']/g, hexadecimal) };
const IN_FILE = { comma: ", ", colon: ": ", text: ascii };
const IN_DIGEST = { sorted: true };

function jsonOf(value, { comma = ",", colon = ":", sorted = false, text = String }) {
  const write = (value) => {
    if (value instanceof Real) return value.toString();
    if (typeof value === "string") return text(JSON.stringify(value));
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(write).join(comma)}]`;
    const names = sorted ? Object.keys(value).sort() : Object.keys(value);
    return `{${names.map((name) => write(name) + colon + write(value[name])).join(comma)}}`;
  };
  return write(value);
}

const withDigest = (members) => ({ ...members, sha256: sha256(jsonOf(members, IN_DIGEST)) });

// The first 32 bits behind the point of a root of each of the first 64 primes.
const PRIMES = [];
for (let number = 2; PRIMES.length < 64; number++)
  if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
const fractions = (power) => Uint32Array.from(PRIMES, (prime) => (prime ** power % 1) * 2 ** 32);
const KEYS = fractions(1 / 3);

// FIPS 180-4, of bytes as they come; `hex` ends them.  The browser's own is there for pages from
// secure addresses alone.
class Sha256 {
  hash = fractions(1 / 2).slice(0, 8);
  block = new DataView(new ArrayBuffer(64));
  size = 0;

  add(bytes) {
    for (const byte of bytes) {
      this.block.setUint8(this.size++ % 64, byte);
      if (this.size % 64 === 0) this.mix();
    }
    return this;
  }

  get hex() {
    const bits = BigInt(this.size) * 8n;
    this.add([0x80]);
    while (this.size % 64 !== 56) this.add([0]);
    this.block.setBigUint64(56, bits);
    this.mix();
    return Array.from(this.hash, (word) => word.toString(16).padStart(8, "0")).join("");
  }

  mix() {
    const { hash, block } = this, w = new Uint32Array(64);
    const rotated = (x, n) => (x >>> n) | (x << (32 - n));
    const mixed = (x, m, n, by) => rotated(x, m) ^ rotated(x, n) ^ by;
    for (let i = 0; i < 64; i++) {
      const [x, y] = [w[i - 2], w[i - 15]];
      const more = mixed(x, 17, 19, x >>> 10) + mixed(y, 7, 18, y >>> 3);
      w[i] = i < 16 ? block.getUint32(4 * i) : w[i - 7] + w[i - 16] + more;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const one = h + mixed(e, 6, 11, rotated(e, 25)) + ((e & f) ^ (~e & g)) + KEYS[i] + w[i];
      const two = mixed(a, 2, 13, rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((more, i) => (hash[i] += more));
  }
}

const sha256 = (text) => new Sha256().add(new TextEncoder().encode(text)).hex;

// Packing, see lightsanim/formats/packing.py

// So many bits, the first one highest in its byte.
function packedBits(count, bitAt) {
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (let i = 0; i < count; i++) bytes[i >> 3] |= (bitAt(i) & 1) << (7 - (i & 7));
  return bytes;
}

// Whole numbers: how many, how many bits each takes, and the bits in base64, highest first.
function packedNumbers(values) {
  const width = 32 - Math.clz32(values.reduce((most, value) => Math.max(most, value), 1));
  const bitAt = (i) => values[Math.floor(i / width)] >> (width - 1 - (i % width));
  return [values.length, width, base64(packedBits(values.length * width, bitAt))];
}

function base64(bytes) {
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters);
}

// A step: the lowest bit of how often each cell is pressed, board after board, then the next bit.
function packedStep(sets, levels) {
  const presses = sets.flatMap((clicks) => [...clicks]), planes = 32 - Math.clz32(levels - 1);
  const size = 8 * Math.ceil(presses.length / 8);
  return base64(packedBits(planes * size, (i) => presses[i % size] >> Math.floor(i / size)));
}

const packedSteps = ({ steps, board }) =>
  steps && steps.map((sets) => packedStep(sets, board.levels));

// The text of a saved animation, as this version of the program writes it.
function documentOf(animation, program) {
  const { board, primaries, holds } = animation, { rows, columns, levels } = board;
  const line = (lights, row) => lights.slice(row * columns, (row + 1) * columns).join("");
  const digits = (boards) =>
    boards.map((lights) => Array.from({ length: rows }, (_, row) => line(lights, row)));
  const members = withDigest({
    format: "lightsanim",
    version: 2,
    program,
    board: { rows, columns, rule: "plus", wrap: false, ...(levels > 2 && { levels }) },
    pictures: animation.pictures,
    seed: null, // another machine draws otherwise
    origin: null,
    fps: real(animation.fps),
    holds: holds.map(([frame, seconds]) => [frame, real(seconds)]),
    loop: animation.loop,
    first: digits(animation.first),
    targets: animation.targets.map(digits),
    clicks: animation.clicks,
    primaries,
    frames: animation.frames,
    steps: packedSteps(animation),
    sound: null,
  });
  const lines = Object.keys(members).map((name) => `"${name}": ${jsonOf(members[name], IN_FILE)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

// The film of a page, without its digest

// Colours as hex: of what lies behind the cells, and of cells from dark to bright, two or, of one
// board, more; the one of `accents` that stands out most points at things.
function filmOf(animation, { background, colours, accents, shape = "square", dot = null }) {
  const { board, first, clicks, primaries, steps, frames, pictures } = animation;
  const { rows, columns, levels } = board, boards = first.length;
  const shades = shadesOf(colours.map(channelsOf), boards, levels);
  const isAgain = clicks.map((cell, i) => (cell === clicks[i - 1] ? 1 : 0));
  return {
    rows, columns, boards, levels,
    offsets: [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]],
    wrap: false,
    first: packedNumbers(first.flatMap((lights) => [...lights])),
    clicks: packedNumbers(levels === 2 ? clicks : clicks.filter((_, i) => !isAgain[i])),
    again: levels === 2 ? null : packedNumbers(isAgain),
    ...(steps && { steps: packedSteps(animation) }),
    primaries: primaries && packedNumbers(primaries),
    fps: real(animation.fps),
    frames: packedNumbers(frames.slice(1).map((done, i) => done - frames[i])),
    holds: animation.holds.map(([frame, seconds]) => [frame, real(seconds)]),
    loop: animation.loop,
    palette: [background, ...shades.map(hexOf)],
    accent: accentOf(shades, accents),
    dot, shape,
    gap: Math.max(rows, columns) <= 30 ? null : real(0), // small boards are drawn with gaps
    rule: "plus",
    title: pictures.join(" → ") || "Lights Out",
    pictures,
    framed: false,
    puzzle: false,
  };
}

const channelsOf = (hex) => hex.match(/\w\w/g).map((pair) => parseInt(pair, 16));
const hexOf = (channels) =>
  `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;

// The colour of each shade: in even steps from the first to the last, by way of those between; of
// three boards each gives one primary.
function shadesOf(stops, boards, levels) {
  return Array.from({ length: levels ** boards }, (_, shade) =>
    [0, 1, 2].map((channel) => {
      const level = Math.floor(shade / levels ** (channel % boards)) % levels;
      const ends = boards === 1 ? stops : [stops[0], stops.at(-1)];
      const place = (level * (ends.length - 1)) / (levels - 1), below = Math.floor(place);
      const from = ends[below][channel], to = (ends[below + 1] ?? ends[below])[channel];
      return rounded(from + (to - from) * (place - below));
    }),
  );
}

// The colour that stands out most from all shades.
function accentOf(shades, accents) {
  const apart = (one, other) => one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0);
  const least = (hex) => Math.min(...shades.map((shade) => apart(channelsOf(hex), shade)));
  return accents.reduce((best, hex) => (least(hex) > least(best) ? hex : best));
}
