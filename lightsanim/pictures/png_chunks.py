"""The chunks of a PNG: signature, then length, kind, content and checksum of each chunk.

Source: the PNG specification, third edition (W3C 2025), 5.
"""

import struct
import zlib
from collections.abc import Iterable, Iterator
from itertools import takewhile

from PIL import Image

from lightsanim.errors import PictureError
from .patches import Disposal, Patch, read_image_colours

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_NUMBER = (1 << 31) - 1  # Largest integer in a PNG.
# Disposals of an animated PNG, indexed by their code.
DISPOSALS = (Disposal.KEEP, Disposal.CLEAR, Disposal.RESTORE)
# Width, height, left, top, duration as a fraction of a second, disposal and blending of a frame.
FRAME_CONTROL = struct.Struct(">4xIIIIHHBB")
# Chunks without which frames are lost, beside the critical ones, whose names begin with a capital.
FRAME_CHUNKS = (b"acTL", b"fcTL", b"fdAT")
# Lengths of the chunks, beside the critical ones, that change how a picture is shown.
SHOWING_CHUNKS = {b"sRGB": 1, b"gAMA": 4, b"cHRM": 32, b"cICP": 4}


def split_png_chunks(png: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """Yield the kind and the content of each chunk up to the end, as views of the PNG's bytes.

    Metadata with a wrong checksum is left out.

    Raises:
        PictureError: for another chunk with a wrong checksum.
    """
    view, position = memoryview(png), len(SIGNATURE)
    while position + 12 <= len(png):
        length, kind = struct.unpack_from(">I4s", png, position)
        content, checksum = view[position + 8 :][:length], view[position + 8 + length :][:4]
        position += 12 + length
        if zlib.crc32(content, zlib.crc32(kind)) == int.from_bytes(checksum):
            yield kind, content
        elif kind[:1].isupper() or kind in FRAME_CHUNKS:
            raise PictureError(f"its chunk {kind.decode('latin-1')!r} is damaged")


def find_png_chunk(png: bytes, kind: bytes) -> bytes:
    """Return the content of the first chunk of a kind before the pixels, or b""."""
    before_pixels = takewhile(lambda chunk: chunk[0] != b"IDAT", split_png_chunks(png))
    return next((bytes(content) for name, content in before_pixels if name == kind), b"")


def drop_metadata(png: bytes, max_profile_bytes: int) -> tuple[bytes, bytes]:
    """Return a PNG with only what changes how it is shown, and its colour profile or b"".

    Raises:
        PictureError: for a damaged chunk that the picture needs.
    """
    chunks, profile = [], b""
    for kind, content in split_png_chunks(png):
        is_showing = kind in (b"tRNS", b"eXIf") or SHOWING_CHUNKS.get(kind) == len(content)
        if kind[:1].isupper() or is_showing:
            chunks.append((kind, bytes(content)))
        elif kind == b"iCCP":
            profile = _decompress_profile(bytes(content), max_profile_bytes)
    return build_png(chunks), profile


def _decompress_profile(content: bytes, max_bytes: int) -> bytes:
    # Returns b"" for a profile that is damaged or too large.
    _, _, packed = content.partition(b"\0")
    unpack = zlib.decompressobj()
    try:
        profile = unpack.decompress(packed[1:], max_bytes)  # a byte tells the method
    except zlib.error:
        return b""
    return profile if unpack.eof else b""


def build_png_patch(control: bytes, image: Image.Image) -> Patch:
    """Return the patch that a frame draws, by the content of its chunk fcTL and its image."""
    width, height, left, top, *_, disposal, blend = FRAME_CONTROL.unpack(control)
    return Patch(
        shape=(height, width),
        rows=lambda part: read_image_colours(image.crop((0, part.start, width, part.stop))),
        top=top,
        left=left,
        blend=blend == 1,
        disposal=DISPOSALS[min(disposal, len(DISPOSALS) - 1)],
        seconds=frame_seconds(control),
    )


def frame_seconds(control: bytes) -> float:
    """Return the duration of a frame, as stated in its chunk fcTL."""
    *_, ticks, rate, _, _ = FRAME_CONTROL.unpack(control)
    return float(ticks / (rate or 100))


def build_png(chunks: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return a PNG of chunks, each a kind and a content."""
    return SIGNATURE + b"".join(build_png_chunk(*chunk) for chunk in chunks)


def build_png_chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk with its length and its checksum."""
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
