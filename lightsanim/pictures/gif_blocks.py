"""The blocks of a GIF, and the patches that its images draw.

Source: the GIF89a specification, CompuServe 1990.
"""

import io
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .patches import OPAQUE, Disposal, Patch, Rows, colour_codes

ReadBytes: TypeAlias = Callable[[int], bytes]
"""A function that reads the next bytes of a file; it raises an error if there are fewer, but may
return no byte for one at the end of the file."""

SIGNATURE_BYTES = 6  # Length of "GIF87a" or "GIF89a".
IMAGE, GRAPHIC_CONTROL, COMMENT, APPLICATION = b",", b"!\xf9", b"!\xfe", b"!\xff"
TRAILER = b";"
CENTISECONDS = 100  # A GIF's delays are in hundredths of a second.
# Disposals, indexed by their code.  Code 0 is "unspecified"; for the undefined codes from 4 on,
# browsers do the following.
KEEP, CLEAR, RESTORE = Disposal.KEEP, Disposal.CLEAR, Disposal.RESTORE
DISPOSALS = (KEEP, KEEP, CLEAR, RESTORE, RESTORE, KEEP, KEEP, KEEP)
MAX_DEFINED_DISPOSAL = 3


class GifBlock(NamedTuple):
    """A block of a GIF after its colour table: an image or an extension."""

    kind: bytes  # `IMAGE`, or "!" and the label of an extension; any other byte is no block.
    data: bytes = b""  # Sub-blocks, including the empty block that ends them.
    # Parts of images.
    control: bytes = bytes(4)  # Content of the graphic control extension.
    bounds: bytes = b""  # Image descriptor, 9 bytes.
    table: bytes = b""  # Local colour table, 3 bytes per colour; may be empty.
    code_size: int = 0  # Minimum LZW code size in bits.

    @property
    def clear_index(self) -> int | None:
        """Colour number of transparent pixels, or None if there are none."""
        return self.control[3] if self.control[0] & 1 else None

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of an image."""
        left, top, width, height = struct.unpack_from("<HHHH", self.bounds)
        return left, top, width, height


def read_gif_screen(read: ReadBytes) -> tuple[tuple[int, int], bytes, int]:
    """Read height and width of the screen after the signature, colour table, and aspect ratio.

    The table is of images without their own, and may be empty.  The ratio 0 means square pixels.
    """
    width, height, flags, _, aspect = struct.unpack("<HHBBB", read(7))
    return (height, width), read_colour_table(read, flags), aspect


def read_gif_blocks(read: ReadBytes) -> Iterator[GifBlock]:
    """Yield the blocks up to the trailer, the end of the file or an unknown kind of block."""
    control = bytes(4)
    while (kind := read(1)) not in (TRAILER, b""):
        if kind == b"!":
            block = GifBlock(kind + read(1), b"".join(_read_sub_blocks(read)) + b"\0")
            if block.kind == GRAPHIC_CONTROL:
                control = block.data[1:5].ljust(4, b"\0")
            yield block
        elif kind == IMAGE:
            bounds = read(9)
            table, code_size = read_colour_table(read, bounds[8]), ord(read(1) or b"\0")
            data = b"".join(_read_sub_blocks(read)) + b"\0"
            yield GifBlock(kind, data, control, bounds, table, code_size)
            control = bytes(4)
        else:
            yield GifBlock(kind)
            return


def read_colour_table(read: ReadBytes, flags: int) -> bytes:
    """Read the colour table if the flags say that there is one; otherwise return b""."""
    return read(3 * (2 << (flags & 7))) if flags & 0x80 else b""


def _read_sub_blocks(read: ReadBytes) -> Iterator[bytes]:
    # Yield sub-blocks, each a byte that states its size and its content, up to the empty one.
    while size := read(1).strip(b"\0"):
        yield size + read(size[0])


def join_sub_blocks(data: bytes) -> bytes:
    """Return the joined contents of sub-blocks.

    >>> join_sub_blocks(b"\\2ab\\1c\\0")
    b'abc'
    """
    return b"".join(block[1:] for block in _read_sub_blocks(io.BytesIO(data).read))


def decode_gif_indices(image: GifBlock) -> NDArray[np.uint8]:
    """Decode an image's colour numbers, uint8 (height, width); Pillow raises its own errors."""
    _, _, width, height = image.box
    is_interlaced = image.bounds[8] >> 6 & 1
    arguments = image.code_size, is_interlaced, -1
    return np.asarray(Image.frombytes("P", (width, height), image.data, "gif", arguments))


def build_gif_patch(
    image: GifBlock,
    global_table: bytes,
    decode_indices: Callable[[GifBlock], NDArray[np.uint8]],
) -> Patch:
    """Return the patch that an image draws; colour numbers without a colour are black.

    ``decode_indices`` is `decode_gif_indices`, with errors and checks of the caller's.
    """
    left, top, width, height = image.box

    def decode() -> Rows:
        """Look up the colours of the image's colour numbers."""
        indices = decode_indices(image)
        palette = np.frombuffer(image.table or global_table, np.uint8).reshape(-1, 3)
        codes = np.full(256, OPAQUE, np.uint32)
        codes[: len(palette)] = colour_codes(palette)
        if image.clear_index is not None:
            codes[image.clear_index] = 0
        return lambda part: codes.take(indices[part])

    return Patch(
        shape=(height, width),
        top=top,
        left=left,
        decode=decode,
        blend=True,
        disposal=DISPOSALS[image.control[0] >> 2 & 7],
        seconds=int.from_bytes(image.control[1:3], "little") / CENTISECONDS,
    )
