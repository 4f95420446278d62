"""The chunks of a PNG, the frames of an animated one, and the patches that they draw.

After the signature come length, kind, content and checksum of each chunk.

Source: the PNG specification, third edition (W3C 2025), 5, "fcTL" and "fdAT".
"""

import io
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import NamedTuple

from PIL import Image

from lightsanim.errors import PictureError
from .patches import Disposal, Patch, read_image_rows

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_NUMBER = (1 << 31) - 1  # Largest integer in a PNG.
# Chunks without which frames are lost, beside the critical ones, whose names begin with a capital.
FRAME_CHUNKS = (b"acTL", b"fcTL", b"fdAT")
# Lengths of the chunks, beside the critical ones, that change how a picture is shown.
SHOWING_CHUNKS = {b"sRGB": 1, b"gAMA": 4, b"cHRM": 32, b"cICP": 4}
# Disposals of frames, indexed by their code.
DISPOSALS = (Disposal.KEEP, Disposal.CLEAR, Disposal.RESTORE)
# Width, height, left, top, duration as a fraction of a second, disposal and blending of a frame.
FRAME_CONTROL = struct.Struct(">4xIIIIHHBB")
# Chunks that a frame shares with the others, in an allowed order.
SHARED_CHUNKS = (*SHOWING_CHUNKS, b"iCCP", b"PLTE", b"tRNS")


def read_png_chunks(read: Callable[[int], bytes]) -> Iterator[tuple[bytes, bytes, bool]]:
    """Yield the kind and the content of each chunk, and whether its checksum is right.

    ``read`` reads the next bytes after the signature.  If it returns too few of them at the end of
    the file, an incomplete last chunk is left out, or has a wrong checksum.
    """
    while len(head := read(8)) == 8:
        length, kind = struct.unpack(">I4s", head)
        content, checksum = read(length), read(4)
        if len(content) + len(checksum) >= 4:
            is_right = zlib.crc32(content, zlib.crc32(kind)) == int.from_bytes(checksum)
            yield kind, content, is_right


def split_png_chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the kind and the content of each chunk; leave out metadata with a wrong checksum.

    Raises:
        PictureError: for another chunk with a wrong checksum.
    """
    file = io.BytesIO(png)
    file.seek(len(SIGNATURE))
    for kind, content, is_right in read_png_chunks(file.read):
        if is_right:
            yield kind, content
        elif kind[:1].isupper() or kind in FRAME_CHUNKS:
            raise PictureError(f"its chunk {kind.decode('latin-1')!r} is damaged")


def find_png_chunk(png: bytes, kind: bytes) -> bytes:
    """Return the content of the first chunk of a kind before the pixels, or b""."""
    before_pixels = takewhile(lambda chunk: chunk[0] != b"IDAT", split_png_chunks(png))
    return next((content for name, content in before_pixels if name == kind), b"")


def drop_metadata(png: bytes, max_profile_bytes: int) -> tuple[bytes, bytes]:
    """Return a PNG with only what changes how it is shown, and its colour profile or b"".

    Raises:
        PictureError: for a damaged chunk that the picture needs.
    """
    chunks, profile = [], b""
    for kind, content in split_png_chunks(png):
        is_showing = kind in (b"tRNS", b"eXIf") or SHOWING_CHUNKS.get(kind) == len(content)
        if kind[:1].isupper() or is_showing:
            chunks.append((kind, content))
        elif kind == b"iCCP":
            profile = _decompress_profile(content, max_profile_bytes)
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


class PngFrame(NamedTuple):
    """A frame as it is stored."""

    control: bytes  # Content of its frame control chunk.
    data: bytes  # Its compressed pixels.

    def build_png(self, head: Mapping[bytes, bytes]) -> bytes:
        """Return a PNG of this frame alone, given the chunks that precede the first frame."""
        header = self.control[4:12] + head[b"IHDR"][8:]  # width and height of the frame
        shared = [(kind, head[kind]) for kind in SHARED_CHUNKS if kind in head]
        return build_png([(b"IHDR", header), *shared, (b"IDAT", self.data), (b"IEND", b"")])

    def build_patch(self, decode_image: Callable[["PngFrame"], Image.Image]) -> Patch:
        """Return the patch that the frame draws; an undefined disposal restores."""
        width, height, left, top, ticks, rate, disposal, blend = FRAME_CONTROL.unpack(self.control)
        return Patch(
            shape=(height, width),
            top=top,
            left=left,
            decode=lambda: read_image_rows(decode_image(self)),
            blend=blend == 1,
            disposal=DISPOSALS[min(disposal, len(DISPOSALS) - 1)],
            seconds=ticks / (rate or 100),
        )


def split_png_frames(
    chunks: Iterable[tuple[bytes, bytes]], control: bytes = b""
) -> Iterator[PngFrame]:
    """Yield the frames that have chunks of pixels.

    Pixels before the first frame control chunk are left out, as they are for programs that cannot
    play the frames, unless ``control`` is given for them.
    """
    parts: list[bytes] = []
    for kind, content in chunks:
        if kind == b"fcTL" and len(content) == FRAME_CONTROL.size:
            if parts:
                yield PngFrame(control, b"".join(parts))
            control, parts = content, []
        elif kind in (b"IDAT", b"fdAT") and control:
            parts.append(content if kind == b"IDAT" else content[4:])  # fdAT: after its number
    if parts:
        yield PngFrame(control, b"".join(parts))


def build_png(chunks: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return a PNG of chunks, each a kind and a content."""
    return SIGNATURE + b"".join(build_png_chunk(*chunk) for chunk in chunks)


def build_png_chunk(kind: bytes, content: bytes) -> bytes:
    """Return a chunk with its length and its checksum."""
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)
