"""Animated pictures by hand, with features that Pillow does not write, and random ones."""

import io
import struct
import zlib

import numpy as np
from fuzz.seen import apng_of, webp_of
from PIL import Image

# Names of the first colours of a GIF's table.
COLOURS = {"K": (0, 0, 0), "W": (255, 255, 255), "R": (255, 0, 0), "B": (0, 0, 255)}
TABLE = bytes(value for colour in COLOURS.values() for value in colour)
# Samples of a pixel, by colour type.
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def gif_data(indices):
    """Uncompressed LZW data: each code has 9 bits, as long as there are less than 250 pixels."""
    codes = [256, *np.ravel(indices).tolist(), 257]
    number = sum(int(code) << 9 * place for place, code in enumerate(codes))
    data = number.to_bytes(-(-9 * len(codes) // 8), "little")
    blocks = (data[start : start + 255] for start in range(0, len(data), 255))
    return b"\x08" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def gif(size, images, table=TABLE, end=b";"):
    """A GIF of images: left, top, colour numbers (height, width), disposal and clear colour."""
    bits = (len(table) // 3).bit_length() - 2
    parts = [b"GIF89a", struct.pack("<HHBBB", *size, 0x80 | bits if table else 0, 0, 0), table]
    for left, top, indices, disposal, clear in images:
        height, width = np.shape(indices)
        flags = disposal << 2 | (clear is not None)
        parts.append(b"!\xf9\x04" + struct.pack("<BHBB", flags, 10, clear or 0, 0))
        parts.append(b"," + struct.pack("<HHHHB", left, top, width, height, 0) + gif_data(indices))
    return b"".join(parts) + end


def packed(rows):
    return zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows))


def apng(size, frames, default=None, depth=8, kind=6, chunks=()):
    """A PNG of frames: left, top, width, height, compressed pixels, disposal and blending."""
    parts = [b"IHDR" + struct.pack(">IIBBBBB", *size, depth, kind, 0, 0, 0)]
    parts += [*chunks, b"acTL" + struct.pack(">II", len(frames), 0)]
    parts += [] if default is None else [b"IDAT" + default]
    for number, (left, top, width, height, data, *ways) in enumerate(frames):
        parts.append(b"fcTL" + struct.pack(">5I2H", 0, width, height, left, top, 1, 10))
        parts[-1] += bytes(ways)
        parts.append((b"fdAT\0\0\0\0" if number or default else b"IDAT") + data)
    return apng_of([*parts, b"IEND"])


def webp(size, frames, flags, *chunks):
    """A WebP of frames: left, top, width, height, `webp_data`, disposal and blending."""
    parts = [b"VP8X" + struct.pack("<I", flags) + triples(size[0] - 1, size[1] - 1)]
    parts.append(b"ANIM" + struct.pack("<IH", 0xFFFFFFFF, 0))
    for left, top, width, height, data, ways in frames:
        place = triples(left // 2, top // 2, width - 1, height - 1, 100) + bytes([ways])
        parts.append(b"ANMF" + place + data)
    return webp_of([*parts, *chunks])


def webp_data(image):
    still = io.BytesIO()
    image.save(still, "WEBP", lossless=True, exact=True, method=0)
    return still.getvalue()[12:]


def random_box(rng, width, height, beyond=0):
    """Left, top, width and height of a part, which may reach beyond a canvas."""
    w, h = rng.integers(1, (width + 1, height + 1))
    left, top = rng.integers(0, (width - w + 1 + beyond, height - h + 1 + beyond))
    return int(left), int(top), int(w), int(h)


def random_gif(rng):
    size, table = rng.integers(4, 12, 2).tolist(), rng.bytes(3 << rng.choice([1, 4, 8]))
    images = []
    for _ in range(rng.integers(1, 6)):
        left, top, width, height = random_box(rng, *size, beyond=rng.choice([0, 0, 5]))
        indices = rng.choice([3, 200, *range(8)], (height, width))
        clear = rng.choice([None, 3])
        images.append((left, top, indices, int(rng.integers(0, 8)), clear))
    return gif(size, images, table, rng.choice([b";", b""]))


def random_apng(rng):
    size, kind = rng.integers(3, 12, 2).tolist(), int(rng.choice([0, 2, 3, 4, 6, 6]))
    depth = int(rng.choice({0: [1, 2, 4, 8, 16], 3: [1, 2, 4, 8]}.get(kind, [8, 16])))
    chunks = [b"PLTE" + rng.bytes(3 << depth), b"tRNS" + rng.bytes(2)] if kind == 3 else []
    if kind in (0, 2):
        clear = rng.integers(0, 1 << min(depth, 8), SAMPLES[kind])
        chunks = [b"tRNS" + clear.astype(">u2").tobytes()]

    def pixels(width, height):
        rows = rng.integers(0, 256, (height, -(-width * SAMPLES[kind] * depth // 8)), np.uint8)
        if kind in (4, 6):  # a third is clear, and a third is opaque
            step = SAMPLES[kind] * depth // 8
            for first in range(step - depth // 8, step):
                rows[:, first::step] = rng.choice([0, 255, 128], rows[:, first::step].shape)
        return packed(rows)

    default = pixels(*size) if rng.random() < 0.3 else None
    boxes = [random_box(rng, *size) for _ in range(rng.integers(1, 6))]
    if default is None:
        boxes[0] = (0, 0, *size)
    ways = ((int(rng.integers(0, 3)), int(rng.integers(0, 2))) for _ in boxes)
    frames = [(*box, pixels(*box[2:]), *way) for box, way in zip(boxes, ways, strict=True)]
    return apng(size, frames, default, depth, kind, chunks)


def random_webp(rng):
    size, frames = rng.integers(4, 12, 2).tolist(), []
    for _ in range(rng.integers(2, 6)):
        left, top, width, height = random_box(rng, *size)
        pixels = rng.integers(0, 256, (height, width, 4), np.uint8)
        pixels[..., 3] = rng.choice([0, 255, 128], (height, width))
        data, ways = webp_data(Image.fromarray(pixels)), rng.integers(0, 4)
        frames.append((left, top, width, height, data, ways))
    return webp(size, frames, 0b10010)


def triples(*numbers):
    return b"".join(number.to_bytes(3, "little") for number in numbers)
