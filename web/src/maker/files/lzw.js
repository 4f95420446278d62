/** LZW compression, appendix F of the GIF89a specification. */

/** Codes have at most 12 bits. */
const MAX_WIDTH = 12;
const MAX_CODES = 1 << MAX_WIDTH;

/**
 * Compresses pixels of `bits` bits.  Each code represents a sequence of pixels seen before; writing it
 * defines a new code for this sequence and the next pixel.  Codes grow from `bits` + 1 bits on, the
 * lowest bit first.  When all codes are in use, the table is reset.
 *
 * @param {Uint8Array} pixels
 * @param {number} bits
 */
export function compressLzw(pixels, bits) {
  const clear = 1 << bits;
  const longer = new Uint16Array(MAX_CODES << bits);
  const bytes = new Uint8Array(2 * pixels.length + 8);
  let width = bits + 1;
  let next = 0;
  let size = 0;
  let bitBuffer = 0; // bits that do not fill a byte yet
  let spare = 0; // their number
  /** @param {number} code */
  const writeCode = (code) => {
    bitBuffer |= code << spare;
    for (spare += width; spare >= 8; spare -= 8, bitBuffer >>= 8) bytes[size++] = bitBuffer;
    // Decoders define each code one code later, so the width grows only now.
    if (next === 1 << width && width < MAX_WIDTH) width++;
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
    const key = (code << bits) | pixels[i];
    const longerCode = longer[key];
    if (longerCode) {
      code = longerCode;
      continue;
    }
    writeCode(code);
    if (next < MAX_CODES) longer[key] = next++;
    else resetCodes();
    code = pixels[i];
  }
  writeCode(code);
  writeCode(clear + 1);
  if (spare) bytes[size++] = bitBuffer;
  return bytes.subarray(0, size);
}
