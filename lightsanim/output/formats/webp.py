"""Animated lossless WebP: a writer that stores only changed rectangles, and a strict reader.

FFmpeg and Pillow would search whole frames for changes.  The changes are known here, so Pillow only
encodes the changed rectangles.  The metadata is the description in the file's XMP.

Source: the WebP container specification (https://developers.google.com/speed/webp/docs/riff_container).
A file consists of "RIFF", the size of the rest, "WEBP", and chunks.  A chunk consists of a name of
four letters, the size of the content, and the content, padded to an even number of bytes.
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

from lightsanim.film.animation import Animation
from lightsanim.output.look.paint_film import Frame, OnFrame, frame_layout, paint_patches
from lightsanim.output.look.theme import Theme
from lightsanim.output.look.tiles import Pixels
from lightsanim.pictures.patches import (
    Disposal,
    Patch,
    Rows,
    iter_row_blocks,
    read_image_colours,
    read_image_rows,
)
from lightsanim.pictures.pillow import warnings_suppressed
from .compositing import Encoder, cached_encoder, open_patches
from .frames import (
    FrameFile,
    check_frame_size,
    check_signature,
    convert_decoder_errors,
    open_binary,
    read_exactly,
    refuse_if,
)
from .metadata import Metadata, build_metadata, replace_metadata

MILLISECONDS = 1000
# Flags of a file.  The flags for a colour profile and for EXIF, which may rotate the picture, are
# not supported.
HAS_ANIMATION, HAS_XMP, HAS_ALPHA = 0b0000_0010, 0b0000_0100, 0b0001_0000
KNOWN_FLAGS = HAS_ANIMATION | HAS_XMP | HAS_ALPHA
# Flags of a frame: clear it when its time is over; replace the canvas instead of blending.
CLEAR_FLAG, REPLACE_FLAG = 0b01, 0b10
CHUNK_ORDER = re.compile(rb"(VP8X)(ANIM)(ANMF)+(XMP )?")
FRAME_CHUNK_ORDER = re.compile(rb"(ALPH)?VP8 |VP8L")
MAX_BYTES = (1 << 32) - 2
# For lossless images "quality" sets the effort; more effort makes files a little smaller.
SAVE_OPTIONS = {"lossless": True, "quality": 20, "method": 1, "exact": True}
# Programs show the content of dc:description as the description of the file.
XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt><rdf:li \
xml:lang="x-default">{}</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF>\
</x:xmpmeta>"""


def write_webp(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an animated WebP whose pixels show every configuration exactly."""
    geometry, tiles = frame_layout(animation, theme)
    unchanged = tiles.unchanged_index
    palette = np.vstack([tiles.rgba, np.zeros((1, 4), np.uint8)])
    encode = cached_encoder(partial(_encode_image, palette))
    with path.open("wb") as file:
        file.write(b"RIFF\0\0\0\0WEBP")
        canvas = _pack_uint24(geometry.width - 1) + _pack_uint24(geometry.height - 1)
        file.write(_build_chunk(b"VP8X", struct.pack("<I", KNOWN_FLAGS) + canvas))
        file.write(_build_chunk(b"ANIM", struct.pack("<IH", 0, animation.loop)))
        for frame, delay in paint_patches(
            animation, geometry, tiles, unchanged, MILLISECONDS, on_frame
        ):
            file.write(_build_frame_chunk(frame, delay, encode, blend=unchanged is not None))
        file.write(_build_xmp_chunk(build_metadata(animation, theme)))
        size = file.tell() - 8
        if size > MAX_BYTES:
            raise OSError(errno.EFBIG, "a WebP cannot be larger than 4 GB")
        file.seek(4)
        file.write(struct.pack("<I", size))


def _build_xmp_chunk(metadata: Metadata) -> bytes:
    return _build_chunk(
        b"XMP ", XMP.format(escape(metadata.json_text, quote=False)).encode("ascii")
    )


def _renew_size(webp: bytes) -> bytes:
    return webp[:4] + struct.pack("<I", len(webp) - 8) + webp[8:]


rewrite_webp = partial(replace_metadata, _build_xmp_chunk, finish=_renew_size)


def _encode_image(table: Pixels, patch: Pixels) -> bytes:
    image = io.BytesIO()
    Image.fromarray(table[patch]).save(image, "WEBP", **SAVE_OPTIONS)
    return image.getvalue()[12:]  # the image chunk, without the file header


def _build_frame_chunk(frame: Frame, delay: int, encode: Encoder, *, blend: bool) -> bytes:
    # Build the chunk of a frame that stays on the canvas; the format requires even left and top.
    rows, columns = (slice(part.start // 2 * 2, part.stop) for part in frame.box)
    patch = frame.pixels[rows, columns]
    height, width = patch.shape
    position = _pack_uint24(columns.start // 2) + _pack_uint24(rows.start // 2)
    size = _pack_uint24(width - 1) + _pack_uint24(height - 1)
    flags = bytes([0 if blend else REPLACE_FLAG])
    return _build_chunk(b"ANMF", position + size + _pack_uint24(delay) + flags + encode(patch))


def _pack_uint24(number: int) -> bytes:
    return number.to_bytes(3, "little")


def _build_chunk(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


@contextmanager
def open_webp(path: Path) -> Iterator[FrameFile]:
    """Open an animated WebP and yield its frames as browsers show them."""
    with open_binary(path) as file:
        size, alpha, comments = _read_header_chunks(file)
        read_patches = partial(_read_patches, file, size, alpha)
        second = partial(_decode_with_libwebp, path)
        with open_patches(path, size, comments, read_patches, second) as frames:
            with convert_decoder_errors(), _open_image(path) as image:
                refuse_if(
                    getattr(image, "n_frames", 1) != sum(1 for _ in read_patches()),
                    "a number of frames on which decoders disagree",
                )
            yield frames


def _read_patches(file: BinaryIO, size: tuple[int, int], alpha: bool) -> Iterator[Patch]:
    for kind, content in _read_file_chunks(file):
        if kind == b"ANMF":
            left, top, width, height, milliseconds, flags = _parse_frame_header(content)
            yield Patch(
                shape=(height, width),
                top=top,
                left=left,
                decode=partial(_decode_frame, content, size, alpha),
                blend=not flags & REPLACE_FLAG,
                disposal=Disposal.CLEAR if flags & CLEAR_FLAG else Disposal.KEEP,
                seconds=milliseconds / MILLISECONDS,
            )


def _parse_frame_header(frame: bytes) -> tuple[int, ...]:
    # Return left, top, width, height, duration in milliseconds, and flags.
    fields = read_exactly(io.BytesIO(frame), 16)
    left, top, width, height, milliseconds = (
        _unpack_uint24(fields[start : start + 3]) for start in range(0, 15, 3)
    )
    return 2 * left, 2 * top, width + 1, height + 1, milliseconds, fields[15]


def _read_file_chunks(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    file.seek(0)
    check_signature(file, b"RIFF")
    (size,) = struct.unpack("<I", read_exactly(file, 4))
    check_signature(file, b"WEBP")
    yield from _read_chunks(file, size + 8)  # later data is not part of the WebP


def _read_chunks(file: BinaryIO, end: int) -> Iterator[tuple[bytes, bytes]]:
    while file.tell() < end:
        kind, size = struct.unpack("<4sI", read_exactly(file, 8))
        content, padding = read_exactly(file, size), read_exactly(file, size % 2)
        refuse_if(padding.strip(b"\0"), "data between its chunks")
        yield kind, content


def _read_header_chunks(file: BinaryIO) -> tuple[tuple[int, int], bool, list[str]]:
    # Return (height, width), whether pixels may be transparent, and the lines of the description.
    order, heads, texts = bytearray(), {}, []
    for kind, content in _read_file_chunks(file):
        order += kind
        if kind == b"XMP ":
            texts += _parse_xmp_description(content.decode("utf-8", "replace")).splitlines()
        elif kind != b"ANMF":
            heads[kind] = content
    refuse_if(
        not CHUNK_ORDER.fullmatch(order), "no animation, or an unknown kind or order of chunks"
    )
    head = heads[b"VP8X"]
    refuse_if(
        len(head) != 10 or len(heads[b"ANIM"]) != 6 or any(head[1:4]) or head[0] & ~KNOWN_FLAGS,
        "a colour profile, EXIF data or unknown flags",
    )
    refuse_if(
        not head[0] & HAS_ANIMATION or bool(head[0] & HAS_XMP) != order.endswith(b"XMP "),
        "flags that contradict its chunks",
    )
    size = _unpack_uint24(head[7:10]) + 1, _unpack_uint24(head[4:7]) + 1
    check_frame_size(*size)
    return size, bool(head[0] & HAS_ALPHA), texts


def _decode_frame(content: bytes, size: tuple[int, int], alpha: bool) -> Rows:
    left, top, width, height, _, flags = _parse_frame_header(content)
    file = io.BytesIO(content)
    file.seek(16)
    refuse_if(
        left + width > size[1] or top + height > size[0], "a frame that extends beyond its canvas"
    )
    order = b"".join(kind for kind, _ in _read_chunks(file, len(content)))
    refuse_if(
        not FRAME_CHUNK_ORDER.fullmatch(order) or flags > CLEAR_FLAG | REPLACE_FLAG,
        "an unknown kind of frame",
    )
    alpha_head = _build_chunk(b"VP8X", struct.pack("<I", HAS_ALPHA) + content[6:12])
    chunks = (alpha_head if order.startswith(b"ALPH") else b"") + content[16:]
    picture = b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks
    with convert_decoder_errors(), _open_image(io.BytesIO(picture)) as image:
        refuse_if(image.size != (width, height), "a frame of another size than its header says")
        image.load()
    rows = read_image_rows(image)
    parts = () if alpha or image.mode == "RGB" else iter_row_blocks((height, width))
    refuse_if(
        not all((rows(part) >> 24).all() for part in parts),
        "transparent pixels, although its header says that it has none",
    )
    return rows


def _decode_with_libwebp(path: Path) -> Generator[Rows, None, None]:
    # Yield the frames as libwebp, which Pillow uses, composites them.
    with convert_decoder_errors():
        image = _open_image(path)
    with image:
        for number in range(getattr(image, "n_frames", 1)):
            with convert_decoder_errors():
                image.seek(number)
                pixels = read_image_colours(image)
            yield pixels.__getitem__


def _open_image(file: Path | BinaryIO) -> Image.Image:
    with warnings_suppressed():
        return Image.open(file, formats=["WEBP"])


def _parse_xmp_description(xmp: str) -> str:
    _, _, rest = xmp.partition("<dc:description>")
    _, _, rest = rest.partition("<rdf:li")
    return unescape(rest.partition(">")[2].partition("</rdf:li>")[0])


def _unpack_uint24(content: bytes) -> int:
    return int.from_bytes(content, "little")
