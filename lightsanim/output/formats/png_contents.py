"""The contents of PNGs: texts, and strict reading of their chunks and of the pixels of a frame.

Source: the PNG specification, third edition (W3C 2025), which includes APNG.  The metadata is the
text chunk "Comment".
"""

import io
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import BinaryIO, NamedTuple

import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from lightsanim.errors import AnimationError
from lightsanim.pictures.pillow import load_pixels
from lightsanim.pictures.png_chunks import (
    FRAME_CONTROL,
    MAX_NUMBER,
    SIGNATURE,
    PngFrame,
    build_png_chunk,
    read_png_chunks,
)
from .frames import (
    check_frame_size,
    check_signature,
    convert_decoder_errors,
    read_exactly,
    refuse_if,
)
from .metadata import Metadata

COMMENT_KEYWORD = "Comment"
MAX_COMMENT_BYTES = 1 << 24  # Maximum bytes of all comments together, decompressed.

# The PNG specification's keywords for the texts of a label (title, caption and so on).
LABEL_KEYWORDS = {
    "title": "Title",
    "caption": "Description",
    "credit": "Author",
    "licence": "Copyright",
    "date": "Creation Time",
}

TEXT_CHUNKS = (b"tEXt", b"zTXt", b"iTXt", b"tIME")
KNOWN_CHUNKS = (
    *(b"IHDR", b"acTL", b"PLTE", b"tRNS", b"bKGD", b"pHYs", b"sRGB", b"gAMA", b"cHRM"),
    *(*TEXT_CHUNKS, b"fcTL", b"IDAT", b"fdAT", b"IEND"),
)
# Allowed order of chunks, where "text" stands for neighbouring text chunks, and one IDAT or fdAT
# for all neighbouring ones: the header, then frames; texts may be anywhere between them.  A pattern
# with "*+" never goes back, unlike one with "*", and so takes no memory for each frame.
CHUNK_ORDER = re.compile(
    rb"IHDR(?!.*(tRNS|bKGD).*PLTE)(?!.*PLTE.*(sRGB|gAMA|cHRM))"
    rb"(acTL|PLTE|tRNS|bKGD|pHYs|sRGB|gAMA|cHRM|text)*+"
    rb"(fcTL(text)?IDAT(text)?(fcTL(text)?fdAT(text)?)*+|IDAT(text)?)IEND"
)
CHUNK_LENGTHS = {b"IHDR": 13, b"acTL": 8, b"sRGB": 1, b"gAMA": 4, b"cHRM": 32, b"pHYs": 9}

# Approximations of sRGB that older programs write.  They make browsers show all frames darker.
NEARLY_SRGB = {
    b"gAMA": struct.pack(">I", 45455),
    b"cHRM": struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000),
}

# Colour types, and for each of them: the bit depths that all browsers render alike, the bytes of a
# background chunk, and the number of channels.
GREY, RGB, INDEXED, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
DEPTHS = {GREY: (1, 2, 4, 8), RGB: (8,), INDEXED: (1, 2, 4, 8), GREY_ALPHA: (8,), RGBA: (8,)}
BACKGROUND_LENGTHS = {GREY: 2, RGB: 6, INDEXED: 1, GREY_ALPHA: 2, RGBA: 6}
CHANNELS = {GREY: 1, RGB: 3, INDEXED: 1, GREY_ALPHA: 2, RGBA: 4}
MAX_INTENT = 3  # Largest rendering intent in the PNG specification.


class PngHeader(NamedTuple):
    """What the chunks beside the frames say."""

    size: tuple[int, int]  # Height and width in pixels.
    depth: int  # Bits per sample.
    kind: int  # Colour type.
    frames: int  # Number of frames; 0 if the PNG is not animated.
    shared: Mapping[bytes, bytes]  # Chunks that all frames share: header, palette, transparency.
    whole_control: bytes  # Frame control chunk of a frame that fills the canvas.


def build_text_chunks(metadata: Metadata, *, packed: bool = False) -> bytes:
    """Return the chunks of `build_png_info`."""
    chunks = build_png_info(metadata, packed=packed).chunks
    return b"".join(build_png_chunk(kind, text) for kind, text, *_ in chunks)


def build_png_info(metadata: Metadata, *, packed: bool) -> PngInfo:
    """Return the texts as Pillow writes them, with compressed metadata if ``packed``."""
    info = PngInfo()
    info.add_text(COMMENT_KEYWORD, metadata.json_text, zip=packed)
    for keyword, text in metadata.label_texts(LABEL_KEYWORDS).items():
        info.add_itxt(keyword, text)
    return info


def read_checked_chunks(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and the content of each chunk of a file, from its start.

    Raises:
        AnimationError: for a wrong checksum, and for data after the last chunk.
    """
    file.seek(0)
    check_signature(file, SIGNATURE)
    for kind, content, is_right in read_png_chunks(partial(read_exactly, file)):
        if not is_right:
            raise AnimationError(f"damaged file: bad checksum of chunk {kind.decode('latin-1')!r}")
        yield kind, content
        if kind == b"IEND":
            refuse_if(file.read(1), "data after its end chunk")
            return


def read_png_header(chunks: Iterable[tuple[bytes, bytes]]) -> tuple[PngHeader, list[str]]:
    """Check the order and lengths of chunks; return the header and the lines of the comments."""
    order, sequence, single_chunks, texts = bytearray(), [], {}, []
    bytes_left, count = MAX_COMMENT_BYTES, 0
    for kind, content in chunks:
        name = kind.decode("latin-1")
        refuse_if(kind not in KNOWN_CHUNKS, f"a chunk {name!r}")
        step = b"text" if kind in TEXT_CHUNKS else kind
        if step == b"fcTL" or not order.endswith(step):
            order += step
        if step == b"text":
            comment = _parse_comment(kind, content, bytes_left)
            bytes_left -= len(comment)
            texts += comment.splitlines()
        elif kind in (b"fcTL", b"fdAT"):
            count += kind == b"fcTL"
            refuse_if(
                len(content) < 5 or (kind == b"fcTL" and len(content) != FRAME_CONTROL.size),
                f"a chunk {name!r} of wrong length, {len(content)} bytes",
            )
            sequence.append(content[:4])
        elif kind != b"IDAT":
            refuse_if(kind in single_chunks, f"more than one chunk {name!r}")
            single_chunks[kind] = content
    refuse_if(
        not CHUNK_ORDER.fullmatch(order) or (b"acTL" in single_chunks) != (count > 0),
        "chunks in an unknown order, or a first picture that is not played",
    )
    refuse_if(
        sequence != [struct.pack(">I", number) for number in range(len(sequence))],
        "frames in the wrong order",
    )
    head = _parse_header(single_chunks)
    refuse_if(head.frames != count, f"{count} frames, but its header says {head.frames}")
    return head, texts


def _parse_comment(kind: bytes, content: bytes, max_bytes: int) -> str:
    # Decode a text chunk if it is a comment; return "" for all other keywords.
    keyword, _, text = content.partition(b"\0")
    if keyword.decode("latin-1") != COMMENT_KEYWORD:
        return ""
    packed = kind == b"zTXt"
    if packed:
        text = text[1:]
    elif kind == b"iTXt":
        packed = text[:1] == b"\1"
        text = text[2:].split(b"\0", 2)[-1]
    if packed:
        with convert_decoder_errors():
            text = zlib.decompressobj().decompress(text, max_bytes + 1)
    if len(text) > max_bytes:
        raise AnimationError(f"its comments are too large: more than {MAX_COMMENT_BYTES} bytes")
    return text.decode("utf-8" if kind == b"iTXt" else "latin-1", "replace")


def _parse_header(chunks: Mapping[bytes, bytes]) -> PngHeader:
    for kind, length in CHUNK_LENGTHS.items():
        name, found = kind.decode("latin-1"), len(chunks.get(kind, bytes(length)))
        refuse_if(found != length, f"a chunk {name!r} of wrong length, {found} bytes")
    is_nearly_srgb = all(chunks.get(kind, value) == value for kind, value in NEARLY_SRGB.items())
    refuse_if(
        chunks.get(b"sRGB", b"\0")[0] > MAX_INTENT
        or (b"sRGB" not in chunks and not is_nearly_srgb),
        "a colour space other than sRGB",
    )
    across, down, _ = struct.unpack(">IIB", chunks.get(b"pHYs", bytes(9)))
    refuse_if(across != down and across and down, "pixels that are not square")
    width, height, depth, kind, *methods = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    check_frame_size(height, width, CHANNELS.get(kind, 1) if depth == 8 else 1)
    palette, clear = chunks.get(b"PLTE", b""), chunks.get(b"tRNS", b"")
    refuse_if(depth not in DEPTHS.get(kind, ()) or any(methods), "an unknown pixel format")
    fits = len(palette) % 3 == 0 and len(palette) // 3 <= 1 << depth
    refuse_if(
        not fits or bool(palette) != (kind == INDEXED), "a palette that does not fit its pixels"
    )
    refuse_if(
        len(chunks.get(b"bKGD", bytes(BACKGROUND_LENGTHS[kind]))) != BACKGROUND_LENGTHS[kind],
        "a background that does not fit its pixels",
    )
    max_clear = len(palette) // 3 if kind == INDEXED else {GREY: 2, RGB: 6}.get(kind, 0)
    refuse_if(
        len(clear) > max_clear or (clear and kind != INDEXED and len(clear) < max_clear),
        "transparency that does not fit its pixels",
    )
    frames, plays = struct.unpack(">II", chunks.get(b"acTL", bytes(8)))
    refuse_if(plays > MAX_NUMBER, f"{plays} repetitions")
    shared = {name: chunks[name] for name in (b"IHDR", b"PLTE", b"tRNS") if chunks.get(name)}
    whole_control = FRAME_CONTROL.pack(width, height, 0, 0, 0, 1, 0, 0)
    return PngHeader((height, width), depth, kind, frames, shared, whole_control)


def decode_checked_frame(head: PngHeader, frame: PngFrame) -> Image.Image:
    """Decode a frame; refuse missing or extra pixels, and what decoders treat differently."""
    width, height, left, top, *_, blend = FRAME_CONTROL.unpack(frame.control)
    is_inside = left + width <= head.size[1] and top + height <= head.size[0]
    refuse_if(not is_inside or not width or not height, "a frame that extends beyond its canvas")
    refuse_if(
        frame.control[:4] == bytes(4) and (height, width) != head.size,  # chunk 0: the first frame
        "a first frame that does not fill its canvas",
    )
    refuse_if(blend > 1, "a frame with unknown blending")
    unpack, row_bytes = zlib.decompressobj(), -(-width * head.depth * CHANNELS[head.kind] // 8)
    expected = height * (1 + row_bytes)
    with convert_decoder_errors():
        count = len(unpack.decompress(frame.data, expected + 1))
    refuse_if(
        count != expected or not unpack.eof or unpack.unused_data,
        "a frame with too few or too many pixels",
    )
    with convert_decoder_errors():
        image = Image.open(io.BytesIO(frame.build_png(head.shared)), formats=["PNG"])
        load_pixels(image)
    refuse_if(
        head.kind == INDEXED and np.asarray(image).max() >= len(head.shared[b"PLTE"]) // 3,
        "pixels whose colour is not in the palette",
    )
    return image
