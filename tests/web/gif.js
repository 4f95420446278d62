/** A decoder of GIFs (GIF89a, CompuServe 1990), for what the maker writes: no interlacing, one table. */

/** Returns the comment, and of each frame its delay in hundredths and its pixels, as RGB. */
export function decodeGif(bytes) {
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  const colours = 2 << (bytes[10] & 7);
  const table = bytes.subarray(13, 13 + 3 * colours);
  const canvas = Buffer.alloc(3 * width * height);
  const frames = [];
  let place = 13 + 3 * colours;
  let comment = null;
  let control = null;
  const readBlocks = () => {
    const parts = [];
    for (; bytes[place]; place += 1 + bytes[place])
      parts.push(bytes.subarray(place + 1, place + 1 + bytes[place]));
    place++;
    return Buffer.concat(parts);
  };
  while (bytes[place] !== 0x3b) {
    if (bytes[place] === 0x21) {
      const label = bytes[place + 1];
      place += 2;
      const content = readBlocks();
      if (label === 0xfe) comment = content;
      if (label === 0xf9) control = content;
      continue;
    }
    const [x, y, wide, high] = [1, 3, 5, 7].map((offset) => bytes.readUInt16LE(place + offset));
    const bits = bytes[place + 10];
    place += 11;
    const indices = decodeLzw(readBlocks(), bits, wide * high);
    indices.forEach((index, i) => {
      if (index === control[3]) return;
      const pixel = (y + Math.floor(i / wide)) * width + x + (i % wide);
      table.copy(canvas, 3 * pixel, 3 * index, 3 * index + 3);
    });
    frames.push({ delay: control.readUInt16LE(1), pixels: Buffer.from(canvas) });
  }
  return { comment, frames };
}

/** Returns the pixels of codes, each of which stands for pixels that came before. */
function decodeLzw(bytes, bits, count) {
  const clear = 1 << bits;
  const pixels = new Uint8Array(count);
  const starts = new Uint32Array(4096);
  const lengths = new Uint32Array(4096);
  let next = clear + 2;
  let width = bits + 1;
  let bit = 0;
  let size = 0;
  let before = null;
  while (true) {
    let code = 0;
    for (let i = 0; i < width; i++, bit++) code |= ((bytes[bit >> 3] >> (bit & 7)) & 1) << i;
    if (code === clear + 1) return pixels;
    if (code === clear) {
      next = clear + 2;
      width = bits + 1;
      before = null;
      continue;
    }
    if (before && next < 4096) {
      starts[next] = before.start;
      lengths[next++] = before.length + 1;
      if (next === 1 << width && width < 12) width++;
    }
    const start = size;
    if (code < clear) pixels[size++] = code;
    else for (let i = 0; i < lengths[code]; i++) pixels[size++] = pixels[starts[code] + i];
    before = { start, length: size - start };
  }
}
