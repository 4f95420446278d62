/* Writes animations byte for byte as the Python program does: saved animations (see
   lightsanim/output/formats/json_animation.py) and the films of pages (see page.py there, and film.js).
   Each contains the sha256 of its other members. */

// JSON as Python writes it

// A number that is a float in Python, and is written like one: 25.0, 1e-05.
// It is an object, which stays one on its way from the worker.
const toReal = (value) => new Number(value);

function formatReal(value) {
  if (value !== 0 && value < 1e-4) return value.toExponential().replace(/-(\d)$/, "-0$1");
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

const escapeUnicode = (text) => text.replace(/[^ -~]/g, unicodeEscape);
const unicodeEscape = (unit) => `\\u${unit.charCodeAt().toString(16).padStart(4, "0")}`;

// JSON formats of pages, of saved animations, and of the text that is hashed.
const IN_PAGE = { text: (text) => escapeUnicode(text).replace(/[<>&']/g, unicodeEscape) };
const IN_FILE = { comma: ", ", colon: ": ", text: escapeUnicode };
const IN_DIGEST = { sorted: true };

function toJson(value, { comma = ",", colon = ":", sorted = false, text = String }) {
  const write = (value) => {
    if (value instanceof Number) return formatReal(value.valueOf());
    if (typeof value === "string") return text(JSON.stringify(value));
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(write).join(comma)}]`;
    const names = sorted ? Object.keys(value).sort() : Object.keys(value);
    return `{${names.map((name) => write(name) + colon + write(value[name])).join(comma)}}`;
  };
  return write(value);
}

const withDigest = (members) => ({ ...members, sha256: sha256(toJson(members, IN_DIGEST)) });

// Computes the first 32 fractional bits of a root of each of the first 64 primes.
const PRIMES = [];
for (let number = 2; PRIMES.length < 64; number++)
  if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
const fractionBits = (power) => Uint32Array.from(PRIMES, (prime) => (prime ** power % 1) * 2 ** 32);
const KEYS = fractionBits(1 / 3);

// Incremental SHA-256 (FIPS 180-4); reading `hex` finishes the hash.  The browser's own SHA-256 is
// available only to pages from secure addresses.
class Sha256 {
  hash = fractionBits(1 / 2).slice(0, 8);
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
    const rotateRight = (x, n) => (x >>> n) | (x << (32 - n));
    const mixBits = (x, m, n, by) => rotateRight(x, m) ^ rotateRight(x, n) ^ by;
    for (let i = 0; i < 64; i++) {
      const [x, y] = [w[i - 2], w[i - 15]];
      const nextWord = mixBits(x, 17, 19, x >>> 10) + mixBits(y, 7, 18, y >>> 3);
      w[i] = i < 16 ? block.getUint32(4 * i) : w[i - 7] + w[i - 16] + nextWord;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      const firstSum = h + mixBits(e, 6, 11, rotateRight(e, 25)) + ((e & f) ^ (~e & g)) + KEYS[i] + w[i];
      const secondSum = mixBits(a, 2, 13, rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + firstSum) | 0, c, b, a, (firstSum + secondSum) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((more, i) => (hash[i] += more));
  }
}

const sha256 = (text) => new Sha256().add(new TextEncoder().encode(text)).hex;

// Packing, see lightsanim/output/formats/bit_packing.py

// Packs bits into bytes, the first bit highest.
function packBits(count, bitAt) {
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (let i = 0; i < count; i++) bytes[i >> 3] |= (bitAt(i) & 1) << (7 - (i & 7));
  return bytes;
}

// Packs whole numbers: [count, bits per number, the bits in base64, highest first].
function packNumbers(values) {
  const width = 32 - Math.clz32(values.reduce((most, value) => Math.max(most, value), 1));
  const bitAt = (i) => values[Math.floor(i / width)] >> (width - 1 - (i % width));
  return [values.length, width, base64(packBits(values.length * width, bitAt))];
}

const base64 = (bytes) => btoa(bytes.reduce((letters, byte) => letters + String.fromCharCode(byte), ""));

// Packs steps: the lowest bit of each cell's number of presses, plane by plane, then the next bit.
const packSteps = ({ steps, board }) => steps && steps.map((sets) => {
  const presses = sets.flatMap((clicks) => [...clicks]), planes = 32 - Math.clz32(board.levels - 1);
  const size = 8 * Math.ceil(presses.length / 8);
  return base64(packBits(planes * size, (i) => presses[i % size] >> Math.floor(i / size)));
});

// Returns the text of a saved animation, as this version of the program writes it.
function buildDocument(animation, program) {
  const { board, primaries, holds } = animation, { rows, columns, levels } = board;
  const row = RegExp(`.{${columns}}`, "g");
  const digits = (boards) => boards.map((lights) => lights.join("").match(row));
  const members = withDigest({
    format: "lightsanim",
    version: 2,
    program,
    board: { rows, columns, rule: "plus", wrap: false, ...(levels > 2 && { levels }) },
    pictures: animation.pictures,
    seed: null, // Python would draw other random numbers from it
    origin: animation.origin,
    fps: toReal(animation.fps),
    holds: holds.map(([frame, seconds]) => [frame, toReal(seconds)]),
    loop: animation.loop,
    first: digits(animation.first),
    targets: animation.targets.map(digits),
    clicks: animation.clicks,
    primaries,
    frames: animation.frames,
    steps: packSteps(animation),
    sound: null,
  });
  const lines = Object.keys(members).map((name) => `"${name}": ${toJson(members[name], IN_FILE)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

// Returns whether more than a quarter of the cells may flash more than three times within a second,
// as WCAG 2.3.1 forbids.  Each change of a cell counts, even if it is hard to see.
function mightFlash(written) {
  const film = readFilm(written), state = createState(film), { cells, frames, starts, loop } = film;
  const total = starts.at(-1), rounds = loop === 1 ? 1 : 1 + Math.ceil(1 / total);
  const times = new Float64Array(7 * cells).fill(-Infinity); // of the latest changes of each cell
  let before = film.first;
  for (let step = 0; step < rounds * frames.length; step++) {
    const frame = step % frames.length, time = Math.floor(step / frames.length) * total + starts[frame];
    goTo(film, state, frames[frame]);
    let fastCells = 0;
    state.shades.forEach((shade, cell) => {
      const at = 7 * cell;
      if (shade !== before[cell]) times.copyWithin(at, at + 1, at + 7)[at + 6] = time;
      fastCells += time - times[at] < 1 - 1e-6;
    });
    if (fastCells > cells / 4) return true;
    before = state.shades.slice();
  }
  return false;
}

// The film of a page, without its digest

// The panel of a film whose clicks draw a picture, on the right of the board.
const PANEL = { show_clicks: "right", clicks_panel: "total" };

// Colours are hex: of the background, and of cells from dark to bright (two, or more for films with
// a single plane).  Marks get the colour of `accents` that differs most from the cells.
function buildFilm(animation, program, { background, colours, accents, panel, shape = "square", dot = null }) {
  const { board, first, clicks, primaries, steps, frames, pictures, origin } = animation;
  const { rows, columns, levels } = board, boards = first.length;
  const shades = buildShades(colours.map(parseChannels), boards, levels);
  const isAgain = clicks.map((cell, i) => (cell === clicks[i - 1] ? 1 : 0));
  const film = {
    program, rows, columns, boards, levels,
    offsets: [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]],
    wrap: false,
    first: packNumbers(first.flatMap((lights) => [...lights])),
    clicks: packNumbers(levels === 2 ? clicks : clicks.filter((_, i) => !isAgain[i])),
    again: levels === 2 ? null : packNumbers(isAgain),
    ...(steps && { steps: packSteps(animation) }),
    primaries: primaries && packNumbers(primaries),
    fps: toReal(animation.fps),
    frames: packNumbers(frames.slice(1).map((done, i) => done - frames[i])),
    holds: animation.holds.map(([frame, seconds]) => [frame, toReal(seconds)]),
    loop: animation.loop,
    palette: [background, ...shades.map(formatHex)],
    accent: chooseAccent(shades, accents),
    dot, ...panel, shape,
    gap: Math.max(rows, columns) <= 30 ? null : toReal(0), // small boards are drawn with gaps
    rule: "plus",
    title: pictures.join(" → ") || "Lights Out",
    pictures,
    framed: false,
    puzzle: false,
  };
  return { ...film, ...(mightFlash(film) && { flashes: true }), ...(origin && { origin }) };
}

const parseChannels = (hex) => hex.match(/\w\w/g).map((pair) => parseInt(pair, 16));
const formatHex = (channels) =>
  `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;

// Returns the colour of each shade, in even steps between the given colours.  With three planes,
// each plane determines one of red, green and blue.
function buildShades(stops, boards, levels) {
  return Array.from({ length: levels ** boards }, (_, shade) =>
    [0, 1, 2].map((channel) => {
      const level = Math.floor(shade / levels ** (channel % boards)) % levels;
      const stopColours = boards === 1 ? stops : [stops[0], stops.at(-1)];
      const position = (level * (stopColours.length - 1)) / (levels - 1), below = Math.floor(position);
      const from = stopColours[below][channel], to = (stopColours[below + 1] ?? stopColours[below])[channel];
      return roundHalfEven(from + (to - from) * (position - below));
    }),
  );
}

// Returns the colour of `accents` that differs most from all shades.
function chooseAccent(shades, accents) {
  const colourDistance = (one, other) => one.reduce((sum, value, i) => sum + Math.abs(value - other[i]), 0);
  const minDistance = (hex) => Math.min(...shades.map((shade) => colourDistance(parseChannels(hex), shade)));
  return firstMax(accents, minDistance);
}
