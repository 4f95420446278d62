"""How the cells of each shade are drawn: shapes with smooth edges, in few colours.

An edge pixel mixes a shade with the background, in one of `MIX_STEPS` steps, so that a table of
colours that every format can hold is enough.  Where the shades are too many for that, the edges of
cells have fewer steps, and then the edges of marks.  Towards what is transparent an edge is a
partly transparent one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.look.theme import Theme, premultiply, unpremultiply
from lightsanim.options.checks import require_keys
from lightsanim.options.choices import SHAPES
from lightsanim.options.colours import OPAQUE_FROM, to_colour

Pixels = NDArray[np.uint8]
Positions = NDArray[np.float64]

# Steps of mixing between two colours, and subpixels a side that are counted for them.
MIX_STEPS = 6
SUBPIXELS = 8

# Colours in a table; formats want one more, for pixels that stay as they are.
MAX_COLOURS = 255

# The radius of a cell's corners, in cells.
CORNER_RADII = require_keys(SHAPES, {"square": 0.0, "rounded": 0.28, "circle": 0.5})

# The dots of a mark and their radius, in cells from the middle: one for each press, as on a die.
MARK_RADIUS, PIP_RADIUS, _PIP_OFFSET = 0.24, 0.12, 0.26
_DIAGONAL = (-_PIP_OFFSET, _PIP_OFFSET), (_PIP_OFFSET, -_PIP_OFFSET)
_CORNERS = *_DIAGONAL, (-_PIP_OFFSET, -_PIP_OFFSET), (_PIP_OFFSET, _PIP_OFFSET)
DOTS: dict[int, tuple[float, tuple[tuple[float, float], ...]]] = {
    1: (MARK_RADIUS, ((0, 0),)),
    2: (PIP_RADIUS, _DIAGONAL),
    3: (PIP_RADIUS, (*_DIAGONAL, (0, 0))),
    4: (PIP_RADIUS, _CORNERS),
    5: (PIP_RADIUS, (*_CORNERS, (0, 0))),
    6: (PIP_RADIUS, (*_CORNERS, (0, -_PIP_OFFSET), (0, _PIP_OFFSET))),
}

# Candidate colours of marks and cursors; the one farthest from the theme's colours is used.
ACCENTS = ("#ffa400", "#2f7bff", "#e5267e", "#12a67c")

# Smaller cells, in pixels, are drawn square, and marks fill them.
MIN_SHAPED_CELL = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiles:
    """What is drawn on a frame for each cell."""

    colours: Pixels  # uint8 (colours, 3), the table of all colours that occur; the background first
    alphas: Pixels  # uint8 (colours,), how opaque each is
    # uint8 (tiles, cell, cell), places in that table, or what `map_colours` made of them: a tile
    # for each shade, then, if clicks are marked, one for each shade of a clicked cell, and of one
    # that is clicked twice, and so on.
    pixels: Pixels
    background: Pixels  # what fills the rest of a frame, in the same terms
    shades: int  # how many shades there are
    # Whether edges have fewer steps than `MIX_STEPS`, for lack of colours, and it shows.
    coarse: bool

    @property
    def has_marks(self) -> bool:
        """Are clicked cells drawn differently?"""
        return len(self.pixels) > self.shades

    @property
    def covers_previous_pixels(self) -> bool:
        """Is nothing to be seen of a tile, or of the background, under what is drawn over it?"""
        alphas, around = self.alphas[self.pixels], self.alphas[self.background]
        shared = np.append(alphas[0], around)
        return bool((alphas == alphas[0]).all() and np.isin(shared, (0, 255)).all())

    @property
    def rgba(self) -> Pixels:
        """The colours with their alphas: uint8 (colours, 4)."""
        return np.column_stack([self.colours, self.alphas])

    def with_one_bit_alpha(self) -> "Tiles":
        """The same for formats in which a pixel is opaque or not there."""
        solid = self.alphas >= OPAQUE_FROM
        return replace(self, colours=self.colours * solid[:, None], alphas=solid * np.uint8(255))

    def map_colours(self, values: Pixels) -> "Tiles":
        """The same with ``values``, (colours,) or (colours, channels), for places in the table."""
        return replace(self, pixels=values[self.pixels], background=values[self.background])


def make_tiles(theme: Theme, planes: int, cell: int, levels: int = 2, *, presses: int = 1) -> Tiles:
    """The tiles of a look.

    >>> tiles = make_tiles(Theme(shape="circle"), 1, 12)
    >>> tiles.pixels.shape, int(tiles.pixels[1, 0, 0])  # the corner shows the background
    ((2, 12, 12), 0)
    >>> make_tiles(Theme(shape="circle"), 3, 12, levels=5).coarse
    True
    """
    shades = theme.shades_with_alpha(planes, levels)
    background = np.array([theme.colour_of("background")], np.uint8)
    per_shade = (MAX_COLOURS - 1) // len(shades)
    dots = 0 if theme.mark is None else min(MIX_STEPS, per_shade - 1)
    edges = min(MIX_STEPS, per_shade - dots)
    radius = CORNER_RADII[theme.shape]
    cover = _pixel_coverage(cell, radius, inner=0.5 - radius)
    coarse = edges < MIX_STEPS and _has_partial_pixels(cover)
    covered, numbers = _quantize_coverage(cover, edges), np.arange(len(shades), dtype=np.uint8)
    colours = [background, *(_mix_colours(background[0], shade, edges) for shade in shades)]
    tiles = [np.where(covered, np.add.outer(edges * numbers, covered), 0)]
    if theme.mark is not None:
        first = edges * len(shades)
        for times in range(1, presses + 1):
            cover = _pixel_coverage(cell, *DOTS[times])
            coarse |= dots < MIX_STEPS and _has_partial_pixels(cover)
            dot = _quantize_coverage(cover, dots)
            tiles.append(np.where(dot, np.add.outer(first + dots * numbers, dot), tiles[0]))
        mark = np.array(theme.mark, np.uint8)
        colours += [_mix_colours(shade, mark, dots) for shade in shades]
    *channels, alphas = np.concatenate(colours).T
    return Tiles(
        colours=np.column_stack(channels),
        alphas=alphas,
        pixels=np.concatenate(tiles),
        background=np.zeros((), np.uint8),
        shades=len(shades),
        coarse=coarse,
    )


def with_mark_colour(theme: Theme, planes: int = 1, levels: int = 2) -> Theme:
    """The look with a colour for marks: its own, or one that stands out from the shades.

    >>> [str(with_mark_colour(theme).mark) for theme in (Theme(mark="red"), Theme(palette="amber"))]
    ['#ff0000', '#2f7bff']
    """
    if theme.mark:
        return theme
    return attrs.evolve(theme, mark=choose_accent_colour(theme.shades(planes, levels)))


def choose_accent_colour(shades: Pixels) -> str:
    """Of a few colours, as hex, the one that stands out most from shades, uint8 (shades, 3)."""

    def min_colour_distance(accent: str) -> int:
        return int(np.abs(shades.astype(int) - to_colour(accent).rgb).sum(axis=1).min())

    return max(ACCENTS, key=min_colour_distance)


def _mix_colours(under: Pixels, over: Pixels, steps: int) -> Pixels:
    # So many colours from nearly ``under`` to ``over``.
    share = np.arange(1, steps + 1)[:, None] / steps
    return unpremultiply(premultiply(under) * (1 - share) + premultiply(over) * share)


def _quantize_coverage(cover: NDArray[np.float32], steps: int) -> Pixels:
    return np.asarray(np.rint(cover * np.float32(steps)), np.uint8)


def _has_partial_pixels(cover: NDArray[np.float32]) -> bool:
    return bool(((cover > 0) & (cover < 1)).any())


def _pixel_coverage(
    cell: int,
    radius: float,
    middles: Sequence[tuple[float, float]] = ((0, 0),),
    *,
    inner: float = 0,
) -> NDArray[np.float32]:
    """The share of each pixel that is near some middles: float32 (cell, cell).

    Near is what lies within a radius of a point, or of an inner square of which half a side is
    given; all is told in cells, and middles by how far right and down they are of the tile's own.
    """
    if cell < MIN_SHAPED_CELL or radius == 0:
        return np.ones((cell, cell), np.float32)
    positions = (np.arange(cell * SUBPIXELS) + 0.5) / (cell * SUBPIXELS) - 0.5
    cover = np.empty((cell, cell), np.float32)
    for row in range(cell):  # one by one, as the subpixels of a large cell are very many
        lines = positions[row * SUBPIXELS : (row + 1) * SUBPIXELS, None]
        inside = [
            np.hypot(
                _distance_outside_square(lines - down, inner),
                _distance_outside_square(positions - right, inner),
            )
            <= radius
            for right, down in middles
        ]
        covered = np.any(inside, axis=0).reshape(SUBPIXELS, cell, SUBPIXELS)
        cover[row] = covered.mean(axis=(0, 2))
    return cover


def _distance_outside_square(positions: Positions, inner: float) -> Positions:
    # How far outside an inner square, along one side.
    return np.maximum(np.abs(positions) - inner, 0)
