"""Paint a board as a frame of pixels."""

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from lightsanim.game.levels import Shades
from .theme import FrameGeometry
from .tiles import Pixels, Tiles


def paint_frame(
    shades: Shades, geometry: FrameGeometry, tiles: Tiles, presses: Shades | None = None
) -> Pixels:
    """Paint a frame from shades: uint8 (height, width), plus channels if the tiles have some."""
    pixels = np.empty((geometry.height, geometry.width, *tiles.pixels.shape[3:]), np.uint8)
    pixels[:] = tiles.background
    view = view_cell_pixels(pixels, geometry)
    view[: geometry.rows, : geometry.columns] = tiles.pixels[shades]
    if geometry.panel is not None:
        down, right = geometry.panel
        view[down:, right:] = tiles.pixels[0 if presses is None else presses]
    return pixels


def view_cell_pixels(pixels: NDArray[Any], geometry: FrameGeometry) -> NDArray[Any]:
    """Return a view of a frame's pixels, grouped by cell: (rows, columns, cell, cell, ...)."""
    top, left = geometry.top_left_corner
    inner = pixels[top:, left:]
    down, right, *channel = inner.strides
    shape = (*geometry.shape_with_panel, geometry.cell, geometry.cell, *inner.shape[2:])
    strides = (down * geometry.cell_pitch, right * geometry.cell_pitch, down, right, *channel)
    return as_strided(inner, shape, strides)


def pixel_extent_of_cells(
    rows: NDArray[np.int64], columns: NDArray[np.int64], geometry: FrameGeometry
) -> tuple[slice, slice]:
    """Return the slices of pixels that enclose some cells; without cells, those of cell (0, 0)."""

    def extent_along_side(cells: NDArray[np.int64], corner: int) -> slice:
        first, last = (int(cells.min()), int(cells.max())) if len(cells) else (0, 0)
        start = corner + first * geometry.cell_pitch
        return slice(start, start + (last - first) * geometry.cell_pitch + geometry.cell)

    top, left = geometry.top_left_corner
    return extent_along_side(rows, top), extent_along_side(columns, left)
