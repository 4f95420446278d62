"""An animation's frames as pixels, each painted only where it changed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from lightsanim.animate.animation import Animation, Shades
from lightsanim.render.theme import Geometry

Pixels = NDArray[np.uint8]
OnFrame = Callable[[], None]
"""Called when a frame is written."""

# The rows of a palette, see `Theme.palette`.
BACKGROUND, SHADES = 0, 1


@dataclass(frozen=True, kw_only=True)
class Frame:
    """One painted frame.

    Attributes:
        pixels: uint8 (height, width) or (height, width, channels); the same array for all frames,
            painted over from one to the next.
        box: the part that this frame changed: rows and columns of pixels.
    """

    pixels: Pixels
    box: tuple[slice, slice]

    @property
    def changed(self) -> Pixels:
        """The pixels of `box`."""
        return self.pixels[self.box]


def paint(shades: Shades, geometry: Geometry, palette: Pixels) -> Pixels:
    """A whole frame.

    Args:
        shades: uint8 (rows, columns).
        geometry: where the cells lie.
        palette: what stands for the background and for each shade: uint8 (1 + shades,) or
            (1 + shades, channels).

    Returns:
        uint8 (height, width) or (height, width, channels).

    >>> geometry = Geometry(rows=1, columns=2, cell=1, gap=1)
    >>> paint(np.array([[1, 0]], np.uint8), geometry, np.array([0, 5, 9], np.uint8)).tolist()
    [[0, 0, 0, 0, 0], [0, 9, 0, 5, 0], [0, 0, 0, 0, 0]]
    """
    pixels = np.empty((geometry.height, geometry.width, *palette.shape[1:]), np.uint8)
    pixels[:] = palette[BACKGROUND]
    tiles = _tiles(pixels, geometry)
    tiles[:] = palette[SHADES + shades][:, :, None, None]
    return pixels


def paint_frames(
    animation: Animation, geometry: Geometry, palette: Pixels, unchanged: int | None = None
) -> Iterator[Frame]:
    """The frames of an animation one after the other; the cost grows with the clicks.

    Args:
        animation: what to paint.
        geometry: where the cells lie.
        palette: as for `paint`.
        unchanged: if given, what stands for every pixel that a frame did not paint; otherwise
            such pixels keep the look of the frame before.
    """
    changes = animation.changes()
    shades, _ = next(changes)
    pixels = paint(shades, geometry, palette)
    tiles = _tiles(pixels, geometry)
    yield Frame(pixels=pixels, box=(slice(0, geometry.height), slice(0, geometry.width)))
    if unchanged is not None:
        pixels[:] = unchanged
    for shades, touched in changes:
        rows, columns = np.divmod(touched, geometry.columns)
        tiles[rows, columns] = palette[SHADES + shades[rows, columns]][:, None, None]
        yield Frame(pixels=pixels, box=(_extent(rows, geometry), _extent(columns, geometry)))
        if unchanged is not None:
            tiles[rows, columns] = unchanged


def _tiles(pixels: Pixels, geometry: Geometry) -> Pixels:
    # A view (rows, columns, cell, cell, ...) of the cells' pixels.
    inner = pixels[geometry.gap :, geometry.gap :]
    down, right, *channel = inner.strides
    shape = (geometry.rows, geometry.columns, geometry.cell, geometry.cell, *inner.shape[2:])
    strides = (down * geometry.pitch, right * geometry.pitch, down, right, *channel)
    return as_strided(inner, shape, strides)


def _extent(cells: NDArray[np.int64], geometry: Geometry) -> slice:
    # The pixels from the first to the last of some rows or columns of cells.  A frame without
    # clicks still is one: its box is the first cell.
    first, last = (int(cells.min()), int(cells.max())) if len(cells) else (0, 0)
    start = geometry.gap + first * geometry.pitch
    return slice(start, start + (last - first) * geometry.pitch + geometry.cell)
