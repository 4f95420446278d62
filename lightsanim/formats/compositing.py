"""Animated pictures, patch by patch: composed as their specifications say, and encoded once each.

GIF, APNG and WebP are alike in this: each frame is a patch that is laid on a canvas, which is
transparent at first, and taken away again in one of three ways.  Players agree on that much.  They
do not on how colours are rounded that lie over each other and are partly transparent, so that every
pixel of a patch through which others show has to be opaque or clear.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

import numpy as np

from lightsanim.errors import AnimationError
from lightsanim.formats.frames import (
    MIN_ALPHA,
    OPAQUE,
    Box,
    Colours,
    LosslessRaster,
    Rows,
    check_decoding_work,
    iter_row_blocks,
    unsupported_error,
    without_hidden_colours,
)
from lightsanim.look.tiles import Pixels

# A patch of up to this many pixels is remembered once it is encoded: one click changes at most
# 3 x 3 cells, which have only 512 looks.
MAX_CACHED_PIXELS = 128 * 128
MAX_CACHED_PATCHES = 4096

# Pixels of a canvas that another decoder composes, too, and holds some copies of.
MAX_COMPOSITED_PIXELS = 10_000_000

# Browsers show what asks for 10 ms or less for this long.
MIN_SECONDS, BROWSER_DELAY = 0.011, 0.1


class Disposal(Enum):
    """What becomes of a patch when its time is over."""

    KEEP = auto()
    CLEAR = auto()
    RESTORE = auto()  # what was there before


@dataclass(frozen=True, kw_only=True, eq=False)
class Patch:
    """What one frame changes."""

    shape: tuple[int, int]  # height and width
    rows: Rows  # its pixels; each opaque or clear, if what is there shows through
    top: int  # where it lies
    left: int
    blend: bool  # whether what is there shows through its clear pixels
    disposal: Disposal  # what becomes of it
    seconds: float  # how long it is shown, as the file says
    redecode: Callable[[], Rows] | None = None  # what another decoder makes of it alone, if asked

    @property
    def canvas_box(self) -> Box:
        """The part of the canvas that it covers."""
        height, width = self.shape
        return slice(self.top, self.top + height), slice(self.left, self.left + width)


def check_patches(
    patches: Iterable[tuple[Disposal, int, int]], size: tuple[int, int], length: int
) -> bool:
    """Do patches just lie on those before them?  Then each is decoded alone, not the whole canvas.

    ``patches``: of each its disposal, height and width; ``length``: the file's bytes.

    Raises:
        AnimationError: if they are too much work for so small a file.
    """
    overlays_only, count, pixels = True, 0, 0
    for disposal, height, width in patches:
        overlays_only &= disposal is Disposal.KEEP or (
            disposal is Disposal.CLEAR and size == (height, width)
        )
        count, pixels = count + 1, pixels + height * width
    if not overlays_only and size[0] * size[1] > MAX_COMPOSITED_PIXELS:
        raise unsupported_error(f"patches that are taken away again, on {size[1]}x{size[0]} pixels")
    check_decoding_work(pixels if overlays_only else count * size[0] * size[1], length)
    return overlays_only


def composite_frames(
    size: tuple[int, int], patches: Iterator[Patch]
) -> Iterator[tuple[LosslessRaster, float]]:
    """The frames that patches make, all of them on one canvas, and the seconds they are shown.

    >>> white, black = np.full((1, 2), 0xFFFFFFFF, np.uint32), np.full((1, 1), OPAQUE, np.uint32)
    >>> kept = {"top": 0, "blend": True, "disposal": Disposal.KEEP, "seconds": 1}
    >>> patches = [
    ...     Patch(shape=pixels.shape, rows=pixels.__getitem__, left=left, **kept)
    ...     for left, pixels in enumerate([white, black])
    ... ]
    >>> for raster, _ in composite_frames((1, 2), iter(patches)):
    ...     print([hex(p) for p in raster.pixels[0]], *(m for _, m in raster.changed_pixels()))
    ['0xffffffff', '0xffffffff'] [[ True  True]]
    ['0xffffffff', '0xff000000'] [[ True]]
    """
    canvas = np.zeros(size, np.uint32)
    removal: tuple[Box, Colours] | None = None  # what takes the place of the last patch
    number = 0
    for patch in patches:  # a large one must be gone before the next one is decoded
        box, second_box = _changed_boxes(removal[0] if removal else None, patch.canvas_box)
        if not number:
            box = slice(0, size[0]), slice(0, size[1])
        previous = canvas[box].copy() if number else None
        extra = (second_box, canvas[second_box].copy()) if second_box else None
        if removal is not None:
            canvas[removal[0]] = removal[1]
        removal = _area_to_restore(canvas, patch)
        opaque = _draw_patch(canvas[patch.canvas_box], patch, number) and box == patch.canvas_box
        seconds = patch.seconds if patch.seconds >= MIN_SECONDS else BROWSER_DELAY
        raster = LosslessRaster(canvas, box, previous, opaque=opaque, extra=extra)
        del patch, previous, extra
        yield raster, seconds
        raster.forget_previous_pixels()
        number += 1  # noqa: SIM113, as enumerate would hold a patch


def _area_to_restore(canvas: Colours, patch: Patch) -> tuple[Box, Colours] | None:
    # What takes the place of a patch that is about to be laid on the canvas.
    if patch.disposal is Disposal.KEEP:
        return None
    is_cleared = patch.disposal is Disposal.CLEAR
    return patch.canvas_box, np.zeros((1, 1), np.uint32) if is_cleared else canvas[
        patch.canvas_box
    ].copy()


def _draw_patch(canvas: Colours, patch: Patch, number: int) -> bool:
    # Draws a patch; is it opaque everywhere?
    is_opaque = True
    for rows in iter_row_blocks(canvas.shape):
        pixels = patch.rows(rows)
        opaque = pixels >= OPAQUE
        if opaque.all():
            canvas[rows] = pixels
            continue
        is_opaque = False
        if not patch.blend:
            canvas[rows] = without_hidden_colours(pixels)
            continue
        if ((pixels >= MIN_ALPHA) & ~opaque).any():
            reason = "is partly transparent, which players show in different colours"
            raise AnimationError(f"frame {number} {reason}")
        np.copyto(canvas[rows], pixels, where=opaque)
    return is_opaque


def _changed_boxes(removed: Box | None, new: Box) -> tuple[Box, Box | None]:
    # What a patch that goes and a new one change: one box around both, or both if that is less.
    if removed is None:
        return new, None
    rows, columns = (
        slice(min(a.start, b.start), max(a.stop, b.stop)) for a, b in zip(removed, new, strict=True)
    )
    hull = rows, columns
    return (
        (hull, None) if _box_area(hull) <= _box_area(removed) + _box_area(new) else (new, removed)
    )


def _box_area(box: Box) -> int:
    rows, columns = box
    return int((rows.stop - rows.start) * (columns.stop - columns.start))


Encoder = Callable[[Pixels], bytes]


def cached_encoder(encode: Encoder) -> Encoder:
    """The same encoder of palette indices, which remembers small patches.

    >>> encode = cached_encoder(lambda patch: print("encoding") or bytes(patch))
    >>> [encode(np.zeros((1, 2), np.uint8)) for _ in range(3)]
    encoding
    [b'\\x00\\x00', b'\\x00\\x00', b'\\x00\\x00']
    """

    @lru_cache(MAX_CACHED_PATCHES)
    def encode_small_patch(shape: tuple[int, ...], content: bytes) -> bytes:
        return encode(np.frombuffer(content, np.uint8).reshape(shape))

    def encode_patch(patch: Pixels) -> bytes:
        is_small = patch.size <= MAX_CACHED_PIXELS
        return encode_small_patch(patch.shape, patch.tobytes()) if is_small else encode(patch)

    return encode_patch
