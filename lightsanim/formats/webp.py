"""Animated WebP without loss: written frame by frame as changed rectangles.

FFmpeg's and Pillow's writers keep every frame in memory until the end, and take ever longer for
each; Pillow encodes the rectangles here.  The metadata is the description in the file's XMP.

Source: the WebP container specification (https://developers.google.com/speed/webp/docs/riff_container).
A file is "RIFF", the size of the rest, "WEBP", and chunks: a name of four letters, a size, and as
many bytes, filled up to an even number.
"""

import errno
import io
import struct
from functools import partial
from html import escape
from pathlib import Path

import numpy as np
from PIL import Image

from lightsanim.animation.animation import Animation
from lightsanim.animation.timing import ticks
from lightsanim.formats.metadata import metadata_of
from lightsanim.formats.patch_encoder import Encode, remembering
from lightsanim.look.paint import Frame, OnFrame, paint_frames
from lightsanim.look.theme import Theme
from lightsanim.look.tiles import Pixels, tiles_for

MILLISECONDS = 1000

# What a file with an animation, transparent pixels and XMP says of itself.
FLAGS = 0b0001_0110

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
    """Write an animated WebP that shows every configuration exactly, pixel by pixel.

    Raises:
        OSError: if it grows too large for a WebP.
    """
    delays = ticks(animation.durations(), MILLISECONDS)
    geometry = theme.geometry(*animation.board.shape)
    tiles = tiles_for(theme, animation.boards, geometry.cell)
    encode = remembering(partial(_compress, _table(tiles.colours)))
    with path.open("wb") as file:
        file.write(b"RIFF\0\0\0\0WEBP")
        canvas = _three(geometry.width - 1) + _three(geometry.height - 1)
        file.write(_chunk(b"VP8X", struct.pack("<I", FLAGS) + canvas))
        file.write(_chunk(b"ANIM", struct.pack("<IH", 0, animation.loop)))
        frames = paint_frames(animation, geometry, tiles, len(tiles.colours))
        for frame, delay in zip(frames, delays, strict=True):
            file.write(_frame(frame, int(delay), encode))
            on_frame()
        xmp = XMP.format(escape(metadata_of(animation, theme).text, quote=False))
        file.write(_chunk(b"XMP ", xmp.encode("ascii")))
        size = file.tell() - 8
        if size > MAX_BYTES:
            raise OSError(errno.EFBIG, "a WebP cannot be larger than 4 GB")
        file.seek(4)
        file.write(struct.pack("<I", size))


def _table(colours: Pixels) -> Pixels:
    # Red, green, blue and alpha of each colour; the place after the last one is transparent.
    opaque = np.full((len(colours), 1), 255, np.uint8)
    return np.vstack([np.hstack([colours, opaque]), np.zeros((1, 4), np.uint8)])


def _compress(table: Pixels, patch: Pixels) -> bytes:
    image = io.BytesIO()
    Image.fromarray(table[patch]).save(image, "WEBP", **EFFORT)
    return image.getvalue()[12:]  # a file of one chunk


def _frame(frame: Frame, delay: int, encode: Encode) -> bytes:
    # It begins at even places only, shows what was there before through its transparent pixels, and
    # stays when its time is over.
    rows, columns = (slice(part.start // 2 * 2, part.stop) for part in frame.box)
    patch = frame.pixels[rows, columns]
    height, width = patch.shape
    place = _three(columns.start // 2) + _three(rows.start // 2)
    size = _three(width - 1) + _three(height - 1)
    return _chunk(b"ANMF", place + size + _three(delay) + b"\0" + encode(patch))


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)
