"""Animated pictures, patch by patch: composed as their specifications say, and encoded once each.

GIF, APNG and WebP are alike in this: each frame is a patch that is laid on a canvas, which is
transparent at first, and taken away again in one of three ways.  Players agree on that much.  They
do not on how colours are rounded that lie over each other and are partly transparent, so that every
pixel of a patch through which others show has to be opaque or clear.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

import numpy as np

from lightsanim.errors import AnimationError
from lightsanim.formats.raster import (
    LEAST_ALPHA,
    OPAQUE,
    Box,
    Colours,
    PixelRaster,
    row_blocks,
    without_hidden_colours,
)
from lightsanim.look.tiles import Pixels

# A patch of up to this many pixels is remembered once it is encoded: one click changes at most
# 3 x 3 cells, which have only 512 looks.
MAX_REMEMBERED_PIXELS = 128 * 128
MAX_REMEMBERED_PATCHES = 4096

# Browsers show what asks for 10 ms or less for this long.
LEAST_SECONDS, INSTEAD = 0.011, 0.1


class Disposal(Enum):
    """What becomes of a patch when its time is over."""

    KEEP = auto()
    CLEAR = auto()
    RESTORE = auto()  # what was there before


@dataclass(frozen=True, kw_only=True, eq=False)
class Patch:
    """What one frame changes."""

    pixels: Colours  # uint32 (height, width); each opaque or clear, if what is there shows through
    top: int  # where it lies
    left: int
    over: bool  # whether what is there shows through its clear pixels
    disposal: Disposal  # what becomes of it
    seconds: float  # how long it is shown, as the file says

    @property
    def box(self) -> Box:
        """The part of the canvas that it covers."""
        height, width = self.pixels.shape
        return slice(self.top, self.top + height), slice(self.left, self.left + width)


def composed(
    size: tuple[int, int], patches: Iterator[Patch]
) -> Iterator[tuple[PixelRaster, float]]:
    """The frames that patches make, all of them on one canvas, and the seconds they are shown.

    >>> white, black = np.full((1, 2), 0xFFFFFFFF, np.uint32), np.full((1, 1), OPAQUE, np.uint32)
    >>> kept = {"top": 0, "over": True, "disposal": Disposal.KEEP, "seconds": 1}
    >>> patches = [Patch(pixels=white, left=0, **kept), Patch(pixels=black, left=1, **kept)]
    >>> for raster, _ in composed((1, 2), iter(patches)):
    ...     print([hex(pixel) for pixel in raster.pixels[0]], *raster.changed())
    ['0xffffffff', '0xffffffff'] [0 1]
    ['0xffffffff', '0xff000000'] [1]
    """
    canvas = np.zeros(size, np.uint32)
    gone: tuple[Box, Colours] | None = None  # what takes the place of the last patch
    for number, patch in enumerate(patches):
        box = _hull(gone[0], patch.box) if gone else patch.box
        if not number:
            box = whole(size)
        before = canvas[box].copy() if number else None
        if gone is not None:
            canvas[gone[0]] = gone[1]
        gone = _after(canvas, patch)
        covered = _lay(canvas[patch.box], patch, number) and box == patch.box
        seconds = patch.seconds if patch.seconds >= LEAST_SECONDS else INSTEAD
        yield PixelRaster(canvas, box, before, covered=covered), seconds


def whole(size: tuple[int, int]) -> Box:
    """All of a picture of some height and width."""
    return slice(0, size[0]), slice(0, size[1])


def _after(canvas: Colours, patch: Patch) -> tuple[Box, Colours] | None:
    # What takes the place of a patch that is about to be laid on the canvas.
    match patch.disposal:
        case Disposal.CLEAR:
            return patch.box, np.zeros((1, 1), np.uint32)
        case Disposal.RESTORE:
            return patch.box, canvas[patch.box].copy()
    return None


def _lay(below: Colours, patch: Patch, number: int) -> bool:
    # Draws a patch; is it opaque everywhere?
    covers = True
    for rows in row_blocks(below.shape):
        pixels = patch.pixels[rows]
        opaque = pixels >= OPAQUE
        if opaque.all():
            below[rows] = pixels
            continue
        covers = False
        if not patch.over:
            below[rows] = without_hidden_colours(pixels)
            continue
        if ((pixels >= LEAST_ALPHA) & ~opaque).any():
            raise AnimationError(
                f"frame {number} is partly transparent, which players show in different colours"
            )
        np.copyto(below[rows], pixels, where=opaque)
    return covers


def _hull(one: Box, other: Box) -> Box:
    rows, columns = (
        slice(min(a.start, b.start), max(a.stop, b.stop)) for a, b in zip(one, other, strict=True)
    )
    return rows, columns


Encode = Callable[[Pixels], bytes]


def remembering(encode: Encode) -> Encode:
    """The same encoder of palette indices, which remembers small patches.

    >>> encode = remembering(lambda patch: print("encoding") or bytes(patch))
    >>> [encode(np.zeros((1, 2), np.uint8)) for _ in range(3)]
    encoding
    [b'\\x00\\x00', b'\\x00\\x00', b'\\x00\\x00']
    """

    @lru_cache(MAX_REMEMBERED_PATCHES)
    def remembered(shape: tuple[int, ...], content: bytes) -> bytes:
        return encode(np.frombuffer(content, np.uint8).reshape(shape))

    def encoded(patch: Pixels) -> bytes:
        small = patch.size <= MAX_REMEMBERED_PIXELS
        return remembered(patch.shape, patch.tobytes()) if small else encode(patch)

    return encoded
