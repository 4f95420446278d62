/* Writes a film as a GIF with the same frames, times and metadata as the Python program (see gif.py
   and metadata.py in lightsanim/output/formats); only the compressed codes of equal pixels can differ.
   Source: the GIF89a specification, CompuServe 1990; the looping extension is Netscape's. */

// Approximate width of a frame in pixels; the height is at most twice this.
const FRAME_WIDTH = 720;

// Returns the film on a board that is wide enough for a gutter and the panel of clicks, if it has one.
// As in Python, the hold at its end is then a frame of its own.
function widenFilm(film) {
  const { rows, columns, frames, starts, fps, clicks_panel } = film, end = starts.at(-1);
  if (!clicks_panel) return film;
  const wide = 2 * columns + Math.max(2, roundHalfEven(Math.max(rows, columns) / 30));
  return { ...film, columns: wide, frames: [...frames, frames.at(-1)], starts: [...starts.slice(0, -1), starts.at(-2) + 1 / fps, end] };
}

// Returns the shades of a frame `wide` cells wide: of the board, and in its panel all clicks so far.
function frameShades(film, state, wide) {
  const { rows, columns, clicks_panel } = film, presses = clicks_panel && pressesBetween(film, 0, state.done);
  return Int8Array.from({ length: rows * wide }, (_, i) => {
    const start = Math.floor(i / wide) * columns, column = i % wide, beside = column - wide + columns;
    if (column < columns) return state.shades[start + column];
    return beside < 0 ? -1 : presses[start + beside]; // -1: the background
  });
}

// Returns the pixels from one cell to the next, and the gap between two; cells are squares.
function chooseGeometry(film) {
  const highest = Math.floor((2 * FRAME_WIDTH) / film.rows);
  const pitch = Math.max(1, Math.min(roundHalfEven(FRAME_WIDTH / film.columns), highest));
  return { pitch, gap: gapOf(film, pitch) };
}

// Returns the pieces of the GIF file; calls `reportProgress` with the share of frames that is done.
function encodeGif({ film, look }, program, reportProgress) {
  const wideFilm = widenFilm(film), geometry = chooseGeometry(wideFilm), { frames, palette, starts } = wideFilm;
  const bits = 32 - Math.clz32(palette.length), pieces = [], steps = [], digest = new Sha256();
  const state = createState(film);
  let before = null;
  for (const [frame, done] of frames.entries()) {
    const pressed = countClicks(film.primaries.slice(state.done, done));
    goTo(film, state, done);
    state.touched = [];
    const shades = frameShades(film, state, wideFilm.columns);
    const patch = findPatch(wideFilm, geometry, before, shades);
    const delay = toHundredths(starts[frame + 1]) - toHundredths(starts[frame]);
    pieces.push(encodeImage(patch, delay, palette.length, bits));
    if (patch.differs) digest.add(packLights(film, state.shades));
    if (before && patch.differs) steps.push(pressed);
    before = shades;
    reportProgress((frame + 1) / frames.length);
  }
  const metadata = { film: { ...film, frames }, geometry, look, program, steps, sha256: digest.hex };
  const text = new TextEncoder().encode(toJson(buildMetadata(metadata), { text: escapeUnicode }));
  const comment = [Uint8Array.of(0x21, 0xfe), splitBlocks(text)];
  return [encodeHeader(wideFilm, geometry, bits), ...comment, ...pieces.flat(), Uint8Array.of(0x3b)];
}

// Counts clicks on all colour planes together, given the planes of each click (see film.js).
const BIT_COUNTS = [0, 1, 1, 2, 1, 2, 2, 3];
const countClicks = (primaries) => primaries.reduce((sum, boards) => sum + BIT_COUNTS[boards], 0);

const toHundredths = (seconds) => Math.floor(seconds * 100 + 0.5 + 1e-6);

// Returns the metadata of the file.  `steps` has the number of clicks to each frame that differs from
// the one before; `sha256` is the hash of these frames.
function buildMetadata({ film, geometry: { pitch, gap }, look, program, steps, sha256 }) {
  const { rows, columns, rule, wrap, levels, boards, frames, primaries, pictures } = film;
  const [unlit, lit] = [look.colours[0], look.colours.at(-1)];
  const hasColours = look.spot || (look.colours.length > 2 && levels > 2 && boards === 1);
  return {
    format: "lightsanim frames",
    version: 2,
    program,
    board: { rows, columns, rule, wrap, ...(levels > 2 && { levels }), boards },
    look: {
      cell: pitch - gap, gap, shape: "square",
      ...(!hasColours && { lit, unlit }),
      background: look.background, mark: null, ...(look.panel && { show_clicks: "right-total" }),
      ...(hasColours && { colours: look.colours.join() }),
    },
    frames: frames.length,
    clicks: countClicks(primaries),
    steps: packNumbers(steps),
    sha256,
    pictures,
    origin: film.origin ?? null,
  };
}

// Packs the lights of a frame, plane by plane: one bit per cell, the first bit highest in its byte,
// or with more than two levels one byte per cell.
function packLights({ cells, boards, levels }, shades) {
  const size = cells * boards;
  const level = (i) => Math.floor(shades[i % cells] / levels ** Math.floor(i / cells)) % levels;
  if (levels > 2) return Uint8Array.from({ length: size }, (_, i) => level(i));
  return packBits(size, level);
}

// Pixels

// Returns the pixels that a frame draws, as indices into the palette: the rectangle around the cells
// that changed.  Unchanged pixels in it are transparent.  The first frame is drawn completely.
function findPatch({ columns, palette }, { pitch, gap }, before, shades) {
  const changed = [];
  for (let cell = 0; cell < shades.length; cell++)
    if (shades[cell] !== before?.[cell]) changed.push(cell);
  const patch = changed.length ? changed : [0], columnOf = (cell) => cell % columns;
  const [top, bottom] = [patch[0], patch.at(-1)].map((cell) => Math.floor(cell / columns));
  const left = Math.min(...patch.map(columnOf)), right = Math.max(...patch.map(columnOf));
  const side = pitch - gap, width = (right - left + 1) * pitch + gap;
  const height = (bottom - top + 1) * pitch + gap;
  const pixels = new Uint8Array(width * height).fill(before ? palette.length : 0);
  const startOf = (row) => ((row - top) * pitch + gap) * width;
  for (const cell of changed) {
    const place = startOf(Math.floor(cell / columns)) + (columnOf(cell) - left) * pitch + gap;
    pixels.fill(1 + shades[cell], place, place + side);
  }
  for (let start = startOf(top); start < pixels.length; start += pitch * width)
    for (let line = 1; line < side; line++)
      pixels.copyWithin(start + line * width, start, start + width);
  return { x: left * pitch, y: top * pitch, width, height, pixels, differs: changed.length > 0 };
}

// Blocks

const charCodes = (text) => [...text].map((letter) => letter.charCodeAt());
const toLittleEndian = (...numbers) => numbers.flatMap((number) => [number & 255, number >> 8]);

// Returns the header with the table of colours, and the number of plays.  The index after the last
// colour is transparent.
function encodeHeader({ rows, columns, palette, loop }, { pitch, gap }, bits) {
  const sides = toLittleEndian(columns * pitch + gap, rows * pitch + gap);
  const table = new Uint8Array(3 << bits);
  table.set(palette.flatMap(parseChannels));
  const repeats = [3, 1, ...toLittleEndian(Math.max(loop - 1, 0)), 0];
  const again = loop === 1 ? [] : [0x21, 0xff, 11, ...charCodes("NETSCAPE2.0"), ...repeats];
  return Uint8Array.of(...charCodes("GIF89a"), ...sides, 0xf0 | (bits - 1), 0, 0, ...table, ...again);
}

// Returns the blocks of a frame: its delay, transparent index, position, size and compressed pixels.
function encodeImage({ x, y, width, height, pixels }, delay, clear, bits) {
  const control = [0x21, 0xf9, 4, 0b101, ...toLittleEndian(delay), clear, 0];
  const descriptor = [0x2c, ...toLittleEndian(x, y, width, height), 0, bits];
  return [Uint8Array.from([...control, ...descriptor]), splitBlocks(compressLzw(pixels, bits))];
}

// Splits bytes into blocks of at most 255, each preceded by its size; an empty block ends them.
function splitBlocks(bytes) {
  const count = Math.ceil(bytes.length / 255), blocks = new Uint8Array(bytes.length + count + 1);
  for (let block = 0; block < count; block++) {
    const part = bytes.subarray(255 * block, 255 * (block + 1));
    blocks[256 * block] = part.length;
    blocks.set(part, 256 * block + 1);
  }
  return blocks;
}

// LZW compression, appendix F of the specification.  Each code represents a sequence of pixels seen
// before; writing it defines a new code for this sequence and the next pixel.  Codes grow from
// `bits` + 1 to 12 bits, the lowest bit first.  When all codes are in use, the table is reset.
function compressLzw(pixels, bits) {
  const clear = 1 << bits, longer = new Uint16Array(4096 << bits);
  const bytes = new Uint8Array(2 * pixels.length + 8);
  let width = bits + 1, next = 0, size = 0;
  let bitBuffer = 0, spare = 0; // bits that do not fill a byte yet, and their number
  const writeCode = (code) => {
    bitBuffer |= code << spare;
    for (spare += width; spare >= 8; spare -= 8, bitBuffer >>= 8) bytes[size++] = bitBuffer;
    // Decoders define each code one code later, so the width grows only now.
    if (next === 1 << width && width < 12) width++;
  };
  const resetCodes = () => {
    writeCode(clear);
    width = bits + 1;
    next = clear + 2;
    longer.fill(0);
  };
  resetCodes();
  let code = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const key = (code << bits) | pixels[i], longerCode = longer[key];
    if (longerCode) {
      code = longerCode;
      continue;
    }
    writeCode(code);
    if (next < 4096) longer[key] = next++;
    else resetCodes();
    code = pixels[i];
  }
  writeCode(code);
  writeCode(clear + 1);
  if (spare) bytes[size++] = bitBuffer;
  return bytes.subarray(0, size);
}
