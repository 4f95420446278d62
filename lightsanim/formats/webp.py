"""Animated WebP without loss: written frame by frame as changed rectangles, and read strictly.

FFmpeg's and Pillow's writers take whole frames, and look for what changed; here that is known, and
Pillow encodes the rectangles.  The metadata is the description in the file's XMP.

Source: the WebP container specification (https://developers.google.com/speed/webp/docs/riff_container).
A file is "RIFF", the size of the rest, "WEBP", and chunks: a name of four letters, a size, and as
many bytes, filled up to an even number.
"""

import errno
import io
import re
import struct
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import partial
from html import escape, unescape
from pathlib import Path
from typing import BinaryIO

import numpy as np
from PIL import Image

from lightsanim.animation.animation import Animation
from lightsanim.animation.painting import Frame, OnFrame, geometry_of, paint_frames, tiles_of
from lightsanim.animation.timing import ticks
from lightsanim.formats.compositing import Disposal, Encode, Patch, check_patches, remembering
from lightsanim.formats.frames import (
    Colours,
    FrameFile,
    Rows,
    bytes_of,
    check_frame_size,
    check_signature,
    decoding,
    exactly,
    not_taken,
    opened,
    row_blocks,
)
from lightsanim.formats.metadata import Metadata, metadata_of, swapped
from lightsanim.formats.second_decoder import frames_of
from lightsanim.look.theme import Theme
from lightsanim.look.tiles import Pixels
from lightsanim.pictures.pillow import unwarned

MILLISECONDS = 1000

# What a file says of itself: that it has an animation, XMP, transparent pixels.  Others are not
# taken: profiles of colours, and EXIF, which may turn the picture.
ANIMATED, DESCRIBED, TRANSPARENT = 0b0000_0010, 0b0000_0100, 0b0001_0000
FLAGS = ANIMATED | DESCRIBED | TRANSPARENT

# What a frame says of itself: that it goes when its time is over, and that no other shows through.
CLEARED, REPLACING = 0b01, 0b10

# The order of chunks in a file, and of those in a frame.
ORDER = re.compile(rb"(VP8X)(ANIM)(ANMF)+(XMP )?")
PICTURE = re.compile(rb"(ALPH)?VP8 |VP8L")

MAX_BYTES = (1 << 32) - 2

# Quality is effort here, as nothing is lost: more makes files a little smaller.
EFFORT = {"lossless": True, "quality": 20, "method": 1, "exact": True}

# Adobe's XMP is XML; dc:description is what programs show as the description of a file.
XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt><rdf:li \
xml:lang="x-default">{}</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF>\
</x:xmpmeta>"""


def write_webp(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an animated WebP that shows every configuration exactly, pixel by pixel."""
    delays = ticks(animation.durations(), MILLISECONDS)
    geometry = geometry_of(animation, theme)
    tiles = tiles_of(animation, theme)
    # Patches show the frame before where it has not changed, or take its place.
    unchanged = len(tiles.colours) if tiles.hide_each_other else None
    encode = remembering(partial(_compress, np.vstack([tiles.table, np.zeros((1, 4), np.uint8)])))
    with path.open("wb") as file:
        file.write(b"RIFF\0\0\0\0WEBP")
        canvas = _three(geometry.width - 1) + _three(geometry.height - 1)
        file.write(_chunk(b"VP8X", struct.pack("<I", FLAGS) + canvas))
        file.write(_chunk(b"ANIM", struct.pack("<IH", 0, animation.loop)))
        frames = paint_frames(animation, geometry, tiles, unchanged)
        for frame, delay in zip(frames, delays, strict=True):
            file.write(_frame(frame, int(delay), encode, over=unchanged is not None))
            on_frame()
        file.write(_xmp(metadata_of(animation, theme)))
        size = file.tell() - 8
        if size > MAX_BYTES:
            raise OSError(errno.EFBIG, "a WebP cannot be larger than 4 GB")
        file.seek(4)
        file.write(struct.pack("<I", size))


def renew_webp(path: Path, target: Path, old: Metadata, new: Metadata) -> None:
    """Write a WebP again with other words, its frames as they are."""
    content = swapped(path.read_bytes(), _xmp(old), _xmp(new))
    target.write_bytes(content[:4] + struct.pack("<I", len(content) - 8) + content[8:])


def _xmp(metadata: Metadata) -> bytes:
    return _chunk(b"XMP ", XMP.format(escape(metadata.text, quote=False)).encode("ascii"))


def _compress(table: Pixels, patch: Pixels) -> bytes:
    image = io.BytesIO()
    Image.fromarray(table[patch]).save(image, "WEBP", **EFFORT)
    return image.getvalue()[12:]  # a file of one chunk


def _frame(frame: Frame, delay: int, encode: Encode, *, over: bool) -> bytes:
    # It begins at even places only, shows what was there before through its transparent pixels or
    # replaces it, and stays when its time is over.
    rows, columns = (slice(part.start // 2 * 2, part.stop) for part in frame.box)
    patch = frame.pixels[rows, columns]
    height, width = patch.shape
    place = _three(columns.start // 2) + _three(rows.start // 2)
    size = _three(width - 1) + _three(height - 1)
    how = bytes([0 if over else REPLACING])
    return _chunk(b"ANMF", place + size + _three(delay) + how + encode(patch))


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


@contextmanager
def open_webp(path: Path) -> Iterator[FrameFile]:
    """Read an animated WebP's frames, as browsers show them."""
    with opened(path) as file:
        size, alpha, texts = _structure(file)
        plain = check_patches(map(_outline, _frames_in(file)), size, bytes_of(path))
        others = None if plain else _libwebp_frames(path)
        with decoding(), _opened(path) as image:  # libwebp takes the file as a whole, too
            if getattr(image, "n_frames", 1) != sum(1 for _ in _frames_in(file)):
                raise not_taken("frames that one decoder does not find")
        patches = (_patch(frame, size, alpha) for frame in _frames_in(file))
        with frames_of(size, patches, others) as shown:
            yield FrameFile(texts=texts, lossy=False, size=size, frames=shown)


def _frames_in(file: BinaryIO) -> Iterator[bytes]:
    return (content for kind, content in _chunks(file) if kind == b"ANMF")


def _outline(frame: bytes) -> tuple[Disposal, int, int]:
    # Disposal, height and width.
    *_, width, height, _, flags = _fields(frame)
    return Disposal.CLEAR if flags & CLEARED else Disposal.KEEP, height, width


def _fields(frame: bytes) -> tuple[int, ...]:
    # Left, top, width, height, milliseconds and flags.
    fields = exactly(io.BytesIO(frame), 16)
    left, top, width, height, milliseconds = (
        _number(fields[place : place + 3]) for place in range(0, 15, 3)
    )
    return 2 * left, 2 * top, width + 1, height + 1, milliseconds, fields[15]


def _chunks(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    file.seek(0)
    check_signature(file, b"RIFF")
    (size,) = struct.unpack("<I", exactly(file, 4))
    check_signature(file, b"WEBP")
    while file.tell() < size + 8:  # what comes after that is no part of it
        yield _next_chunk(file)


def _next_chunk(file: BinaryIO) -> tuple[bytes, bytes]:
    kind, size = struct.unpack("<4sI", exactly(file, 8))
    content, filled = exactly(file, size), exactly(file, size % 2)
    if filled.strip(b"\0"):
        raise not_taken("something between its chunks")
    return kind, content


def _structure(file: BinaryIO) -> tuple[tuple[int, int], bool, list[str]]:
    # Height and width, whether pixels may be transparent, and the lines of the description.
    order, heads, texts = bytearray(), {}, []
    for kind, content in _chunks(file):
        order += kind
        if kind == b"XMP ":
            texts += _description(content.decode("utf-8", "replace")).splitlines()
        elif kind != b"ANMF":
            heads[kind] = content
    if not ORDER.fullmatch(order):
        raise not_taken("no animation, or chunks of a kind or an order not known")
    head = heads[b"VP8X"]
    if len(head) != 10 or len(heads[b"ANIM"]) != 6 or any(head[1:4]) or head[0] & ~FLAGS:
        raise not_taken("a profile of colours, EXIF or flags not known")
    if not head[0] & ANIMATED or bool(head[0] & DESCRIBED) != order.endswith(b"XMP "):
        raise not_taken("flags that do not fit its chunks")
    size = _number(head[7:10]) + 1, _number(head[4:7]) + 1
    check_frame_size(*size)
    return size, bool(head[0] & TRANSPARENT), texts


def _patch(content: bytes, size: tuple[int, int], alpha: bool) -> Patch:
    left, top, width, height, milliseconds, flags = _fields(content)
    file = io.BytesIO(content)
    file.seek(16)
    if left + width > size[1] or top + height > size[0]:
        raise not_taken("a frame that does not lie within its picture")
    order = bytearray()
    while file.tell() < len(content):
        order += _next_chunk(file)[0]
    if not PICTURE.fullmatch(order) or flags > CLEARED | REPLACING:
        raise not_taken("a frame of a kind not known")
    chunks = content[16:]
    if order.startswith(b"ALPH"):
        chunks = _chunk(b"VP8X", struct.pack("<I", TRANSPARENT) + content[6:12]) + chunks
    picture = b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks
    with decoding(), _opened(io.BytesIO(picture)) as image:
        if image.size != (width, height):
            raise not_taken("a frame of another size than it says")
        image.load()

    def rows(part: slice) -> Colours:
        return _colours(image.crop((0, part.start, width, part.stop)))

    shape = height, width
    if not alpha and not all((rows(part) >> 24).all() for part in row_blocks(shape)):
        raise not_taken("transparent pixels, and says that it has none")
    return Patch(
        shape=shape,
        rows=rows,
        top=top,
        left=left,
        over=not flags & REPLACING,
        disposal=Disposal.CLEAR if flags & CLEARED else Disposal.KEEP,
        seconds=milliseconds / MILLISECONDS,
    )


def _libwebp_frames(path: Path) -> Generator[Rows, None, None]:
    # As libwebp composes them, through Pillow.
    with decoding():
        image = _opened(path)
    with image:
        for number in range(getattr(image, "n_frames", 1)):
            with decoding():
                image.seek(number)
                pixels = _colours(image)
            yield pixels.__getitem__


def _opened(file: Path | BinaryIO) -> Image.Image:
    with unwarned():
        return Image.open(file, formats=["WEBP"])


def _colours(image: Image.Image) -> Colours:
    with_alpha = image if image.mode == "RGBA" else image.convert("RGBA")
    content = with_alpha.tobytes("raw", "BGRA")
    return np.frombuffer(content, "<u4").reshape(image.height, image.width)


def _description(xmp: str) -> str:
    _, _, rest = xmp.partition("<dc:description>")
    _, _, rest = rest.partition("<rdf:li")
    return unescape(rest.partition(">")[2].partition("</rdf:li>")[0])


def _number(three: bytes) -> int:
    return int.from_bytes(three, "little")
