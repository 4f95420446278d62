"""The blocks of a GIF, and the patches that its images draw.

Source: the GIF89a specification, CompuServe 1990.
"""

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from PIL import Image

from lightsanim.pictures.canvas import Disposal, Patch, colour_codes

ReadBytes: TypeAlias = Callable[[int], bytes]
"""A function that reads the next bytes of a file; it raises an error if there are fewer, but may
return no byte for one at the end of the file."""

IMAGE, GRAPHIC_CONTROL, COMMENT, APPLICATION = b",", b"!\xf9", b"!\xfe", b"!\xff"
TRAILER = b";"
CENTISECONDS = 100  # A GIF's delays are in hundredths of a second.
# Disposals, indexed by their code; code 0 (unspecified) has the same effect as code 1.
DISPOSALS = (Disposal.KEEP, Disposal.KEEP, Disposal.CLEAR, Disposal.RESTORE)


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
    def disposal_code(self) -> int:
        """Number of the disposal; only 0 to 3 are defined."""
        return self.control[0] >> 2 & 7

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of an image."""
        width, height = struct.unpack_from("<HH", self.bounds, 4)
        return height, width


def read_gif_blocks(read: ReadBytes) -> Iterator[GifBlock]:
    """Yield the blocks up to the trailer, the end of the file or an unknown kind of block."""
    control = bytes(4)
    while (kind := read(1)) not in (TRAILER, b""):
        if kind == b"!":
            block = GifBlock(kind + read(1), _read_sub_blocks(read))
            if block.kind == GRAPHIC_CONTROL:
                control = block.data[1:5].ljust(4, b"\0")
            yield block
        elif kind == IMAGE:
            bounds = read(9)
            table, code_size = read_colour_table(read, bounds[8]), ord(read(1) or b"\0")
            yield GifBlock(kind, _read_sub_blocks(read), control, bounds, table, code_size)
            control = bytes(4)
        else:
            yield GifBlock(kind)
            return


def read_colour_table(read: ReadBytes, flags: int) -> bytes:
    """Read the colour table if the flags say that there is one; otherwise return b""."""
    return read(3 * (2 << (flags & 7))) if flags & 0x80 else b""


def _read_sub_blocks(read: ReadBytes) -> bytes:
    data = bytearray()
    while size := read(1).strip(b"\0"):
        data += size + read(size[0])
    return bytes(data) + b"\0"


def split_sub_blocks(data: bytes) -> Iterator[bytes]:
    """Yield the contents of sub-blocks.

    >>> list(split_sub_blocks(b"\\2ab\\1c\\0"))
    [b'ab', b'c']
    """
    position = 0
    while size := data[position]:
        yield data[position + 1 : position + 1 + size]
        position += 1 + size


def build_gif_patch(image: GifBlock, global_table: bytes) -> tuple[Patch, bool]:
    """Decode an image as a patch, and return whether the colour table has all its colours.

    Pixels without a colour are transparent.  Pillow raises an error for damaged data.
    """
    left, top, width, height, flags = struct.unpack("<HHHHB", image.bounds)
    control, delay, clear = struct.unpack("<BHB", image.control)
    palette = np.frombuffer(image.table or global_table, np.uint8).reshape(-1, 3)
    arguments = image.code_size, flags >> 6 & 1, -1  # the second is set if rows are interlaced
    pixels = Image.frombytes("P", (width, height), image.data, "gif", arguments)
    indices = np.asarray(pixels)
    codes, in_table = np.zeros(256, np.uint32), np.arange(256) < len(palette)
    codes[in_table] = colour_codes(palette)
    if control & 1:
        codes[clear], in_table[clear] = 0, True
    is_complete = indices.max() < len(palette) or bool(in_table.take(indices).all())
    patch = Patch(
        shape=(height, width),
        rows=lambda part: codes.take(indices[part]),
        top=top,
        left=left,
        blend=True,
        disposal=DISPOSALS[min(image.disposal_code, 3)],
        seconds=delay / CENTISECONDS,
    )
    return patch, is_complete
