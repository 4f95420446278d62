"""How the cells of each shade are drawn: shapes with smooth edges, in few colours.

An edge pixel mixes a shade with the background, in one of `LEVELS` steps, so that a table of
colours that every format can hold is enough.
"""

from dataclasses import dataclass, replace

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.look.theme import Theme
from lightsanim.values import to_colour

Pixels = NDArray[np.uint8]

# Steps of mixing between two colours, and subpixels a side that are counted for them.
LEVELS = 6
SUBPIXELS = 8

# The corner's radius of a rounded cell and the radius of a mark, in cells.
ROUNDED = 0.28
MARK = 0.24

# Candidate colours of marks and cursors; the one farthest from the theme's colours is used.
ACCENTS = ("#ffa400", "#2f7bff", "#e5267e", "#12a67c")

# Smaller cells, in pixels, are drawn square, and marks fill them.
SMALLEST_SHAPED = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiles:
    """What is drawn on a frame for each cell.

    Attributes:
        colours: uint8 (colours, 3), the table of all colours that occur; the background first.
        pixels: uint8 (tiles, cell, cell), places in that table, or what `mapped_to` made of them:
            a tile for each shade, then, if clicks are marked, one for each shade of a clicked
            cell.
        background: what fills the rest of a frame, in the same terms.
        shades: how many shades there are.
    """

    colours: Pixels
    pixels: Pixels
    background: Pixels
    shades: int

    @property
    def marks(self) -> bool:
        """Are clicked cells drawn differently?"""
        return len(self.pixels) > self.shades

    def mapped_to(self, values: Pixels) -> "Tiles":
        """The same with ``values``, (colours,) or (colours, channels), for places in the table."""
        return replace(self, pixels=values[self.pixels], background=values[self.background])


def tiles_for(theme: Theme, boards: int, cell: int) -> Tiles:
    """The tiles of a look.

    Args:
        theme: the look.
        boards: 1, or in colour 3.
        cell: the side of a cell in pixels.

    >>> tiles = tiles_for(Theme(shape="circle"), 1, 12)
    >>> tiles.pixels.shape, int(tiles.pixels[1, 0, 0])  # the corner shows the background
    ((2, 12, 12), 0)
    """
    shades = theme.shades(boards)
    background = np.array([theme.colour_of("background").rgb], np.uint8)
    colours, tiles = [background], []
    covered = _coverage(cell, theme.shape)
    for shade in shades:
        tiles.append(np.where(covered, _end(colours) + covered - 1, 0))
        colours.append(_mixed(background[0], shade))
    if theme.mark is not None:
        dot = _coverage(cell, "mark")
        for plain, shade in zip(tiles[:], shades, strict=True):
            tiles.append(np.where(dot, _end(colours) + dot - 1, plain))
            colours.append(_mixed(shade, np.array(theme.mark.rgb, np.uint8)))
    return Tiles(
        colours=np.concatenate(colours),
        pixels=np.array(tiles, np.uint8),
        background=np.zeros((), np.uint8),
        shades=len(shades),
    )


def with_mark(theme: Theme) -> Theme:
    """The look with a colour for marks: its own, or one that stands out from the shades.

    >>> str(with_mark(Theme(mark="red")).mark), str(with_mark(Theme(palette="amber")).mark)
    ('#ff0000', '#2f7bff')
    """
    return theme if theme.mark else attrs.evolve(theme, mark=accent_colour(theme.shades()))


def accent_colour(shades: Pixels) -> str:
    """Of a few colours, as hex, the one that stands out most from shades, uint8 (shades, 3)."""

    def distance(accent: str) -> int:
        return int(np.abs(shades.astype(int) - to_colour(accent).rgb).sum(axis=1).min())

    return max(ACCENTS, key=distance)


def _end(colours: list[Pixels]) -> int:
    return sum(map(len, colours))


def _mixed(under: Pixels, over: Pixels) -> Pixels:
    # LEVELS colours from nearly ``under`` to ``over``.
    share = np.arange(1, LEVELS + 1)[:, None] / LEVELS
    return np.rint(under * (1 - share) + over * share).astype(np.uint8)


def _coverage(cell: int, shape: str) -> NDArray[np.uint8]:
    # How much of each pixel the shape covers, in levels: uint8 (cell, cell), 0 to LEVELS.
    if shape == "square" or cell < SMALLEST_SHAPED:
        return np.full((cell, cell), LEVELS, np.uint8)
    radius = {"circle": 0.5, "rounded": ROUNDED, "mark": MARK}[shape]
    places = (np.arange(cell * SUBPIXELS) + 0.5) / (cell * SUBPIXELS) - 0.5
    # How far outside the inner square (a point, for a circle) whose rounding is the shape.
    inner = 0.5 - ROUNDED if shape == "rounded" else 0.0
    outside = np.maximum(np.abs(places) - inner, 0)
    levels = np.empty((cell, cell), np.uint8)
    for row in range(cell):  # one by one, as the subpixels of a large cell are very many
        lines = outside[row * SUBPIXELS : (row + 1) * SUBPIXELS]
        inside = np.hypot(lines[:, None], outside) <= radius
        share = inside.reshape(SUBPIXELS, cell, SUBPIXELS).mean(axis=(0, 2))
        levels[row] = np.rint(share * LEVELS)
    return levels
