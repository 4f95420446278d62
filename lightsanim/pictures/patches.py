"""The canvas on which animated pictures are composed: each frame draws a patch on it.

GIF, APNG and WebP share this model.  The canvas is transparent at first.  When the time of a patch
is over, it is kept, cleared or replaced by what it covered.

Source: the PNG specification, third edition (W3C 2025), "fcTL"; GIF has no partial transparency.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Colours = NDArray[np.uint32]
"""32-bit colours: alpha (highest byte), red, green and blue (FFmpeg's "bgra")."""

Box: TypeAlias = tuple[slice, slice]
"""A rectangle of pixels, as slices of rows and columns."""

Rows: TypeAlias = Callable[[slice], Colours]
"""A function that returns the colours, (rows, width), of the rows that a slice selects."""

OPAQUE, MIN_ALPHA = 0xFF000000, 0x01000000  # Lowest opaque colour, lowest visible colour.
BLOCK = 1 << 20  # Pixels processed at a time: their positions take 8 bytes each.


class Disposal(Enum):
    """The change to the canvas when the time of a patch is over."""

    KEEP = auto()
    CLEAR = auto()
    RESTORE = auto()  # Restore the pixels that the patch covered.


@dataclass(frozen=True, kw_only=True, eq=False)
class Patch:
    """The rectangle that one frame draws on the canvas; its pixels are decoded when needed."""

    shape: tuple[int, int]  # Height and width in pixels.
    top: int  # Distance from the top of the canvas, in pixels.
    left: int
    decode: Callable[[], Rows]  # Decodes the pixels, and raises an error if they are damaged.
    blend: bool  # Whether the canvas shows through transparent pixels.
    disposal: Disposal
    seconds: float  # Duration as stated in the file.
    redecode: Callable[[], Rows] | None = None  # Decodes the patch with another decoder.

    @property
    def canvas_box(self) -> Box:
        """The part of the canvas that the patch covers; the canvas cuts what extends beyond it."""
        height, width = self.shape
        return slice(self.top, self.top + height), slice(self.left, self.left + width)


class Opacity(NamedTuple):
    """How a patch covered the canvas."""

    is_opaque: bool  # Whether all its pixels are opaque.
    is_mixed: bool  # Whether partly transparent pixels were mixed with the canvas.


class PatchCanvas:
    """The pixels that a player shows.

    >>> canvas, kept = PatchCanvas((1, 2)), {"top": 0, "blend": True, "seconds": 1}
    >>> white, black = np.full((1, 2), 0xFFFFFFFF, np.uint32), np.full((1, 1), OPAQUE, np.uint32)
    >>> for pixels, disposal in [(white, Disposal.KEEP), (black, Disposal.CLEAR)]:
    ...     rows = pixels.__getitem__
    ...     patch = {"shape": pixels.shape, "decode": lambda: rows, "disposal": disposal}
    ...     _ = canvas.draw(Patch(left=0, **patch, **kept), rows)
    >>> [hex(colour) for colour in canvas.colours[0]]
    ['0xff000000', '0xffffffff']
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self.colours: Colours = np.zeros(size, np.uint32)
        self._removal: tuple[Box, Colours] | None = None  # pixels that will replace the last patch

    @property
    def removed_box(self) -> Box | None:
        """The part of the canvas that changes back before the next patch is drawn."""
        return None if self._removal is None else self._removal[0]

    def draw(self, patch: Patch, rows: Rows) -> Opacity:
        """Remove the last patch, unless it is kept, and draw the decoded rows of the next one."""
        if self._removal is not None:
            self.colours[self._removal[0]] = self._removal[1]
        box = patch.canvas_box
        is_restored = patch.disposal is Disposal.RESTORE
        replacement = self.colours[box].copy() if is_restored else np.zeros((1, 1), np.uint32)
        self._removal = None if patch.disposal is Disposal.KEEP else (box, replacement)
        return _draw_pixels(self.colours[box], rows, blend=patch.blend)


def _draw_pixels(canvas: Colours, rows: Rows, *, blend: bool) -> Opacity:
    # Draws the rows of a patch on the part of the canvas that it covers.
    is_opaque, is_mixed = True, False
    for part in iter_row_blocks(canvas.shape):
        pixels, covered = rows(part)[:, : canvas.shape[1]], canvas[part]
        opaque = pixels >= OPAQUE
        if opaque.all():
            covered[:] = pixels
            continue
        is_opaque = False
        if not blend:
            covered[:] = without_hidden_colours(pixels)
            continue
        np.copyto(covered, pixels, where=opaque)
        partly = (pixels >= MIN_ALPHA) & ~opaque
        if partly.any():
            is_mixed = True
            covered[partly] = _blend_over(pixels[partly], covered[partly])
    return Opacity(is_opaque, is_mixed)


def _blend_over(upper: Colours, lower: Colours) -> Colours:
    # Mixes colours (pixels,) by the operation "over" of the PNG specification, 13.16.
    parts = (colours.astype("<u4")[:, None].view(np.uint8) / 255 for colours in (upper, lower))
    top, bottom = parts  # blue, green, red and alpha
    below = bottom[:, 3:] * (1 - top[:, 3:])
    alpha = top[:, 3:] + below
    mixed = (top[:, :3] * top[:, 3:] + bottom[:, :3] * below) / alpha
    return np.asarray(np.rint(np.hstack([mixed, alpha]) * 255).astype(np.uint8).view("<u4")[:, 0])


def iter_row_blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Yield the rows of an image in slices of about `BLOCK` pixels.

    >>> list(iter_row_blocks((3, 1 << 19)))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    height, width = shape
    step = max(1, BLOCK // max(1, width))
    for start in range(0, height, step):
        yield slice(start, min(start + step, height))


def without_hidden_colours(colours: Colours) -> Colours:
    """Replace all fully transparent colours by 0.

    >>> without_hidden_colours(np.array([0xFFFFFF, 0x01FFFFFF], np.uint32)).tolist()
    [0, 33554431]
    """
    return np.where(colours >= MIN_ALPHA, colours, np.uint32(0))


def colour_codes(table: NDArray[np.uint8], alpha: NDArray[np.uint8] | int = 255) -> Colours:
    """Pack red, green and blue, uint8 (..., 3), and alpha into 32-bit colours, uint32 (...).

    >>> [hex(code) for code in colour_codes(np.array([[255, 0, 1]], np.uint8))]
    ['0xffff0001']
    """
    parts = np.empty((*table.shape[:-1], 4), np.uint8)
    for channel in range(3):  # numpy copies rows of three values four times slower
        parts[..., channel] = table[..., 2 - channel]
    parts[..., 3] = alpha
    return np.asarray(parts.view("<u4")[..., 0])


def read_image_colours(image: Image.Image) -> Colours:
    """Return the colours of an image of any mode, (height, width)."""
    if image.mode.startswith("I;16"):  # Pillow would clip these greys to 255
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    with_alpha = image if image.mode == "RGBA" else image.convert("RGBA")
    content = with_alpha.tobytes("raw", "BGRA")
    return np.frombuffer(content, "<u4").reshape(image.height, image.width)


def read_image_rows(image: Image.Image) -> Rows:
    """Return a function that returns the colours of some rows of an image of any mode."""
    return lambda part: read_image_colours(image.crop((0, part.start, image.width, part.stop)))
