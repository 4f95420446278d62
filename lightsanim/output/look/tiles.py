"""Tiles: the drawings of a cell in each shade, with smooth edges in few colours.

An edge pixel mixes a shade with the background in one of `MIX_STEPS` steps, so that all colours fit
the colour table of every format.  If there are too many shades for that, first the edges of cells
and then those of marks get fewer steps.  Edges next to a transparent colour are partly transparent.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import attrs
import numpy as np
from numpy.typing import NDArray

from lightsanim.options.checks import require_keys
from lightsanim.options.choices import SHAPES
from lightsanim.options.colours import OPAQUE_FROM, to_colour
from .theme import Theme, premultiply, unpremultiply

Pixels = NDArray[np.uint8]

# Number of steps in which one colour changes to another at an edge.
MIX_STEPS = 6
# Subpixels along each side of a pixel, to count which share of the pixel a shape covers.
SUBPIXELS = 8
# Maximum number of colours; formats need the 256th for pixels that do not change.
MAX_COLOURS = 255
# Radius of a cell's corners for each shape, as a share of the cell's side.
CORNER_RADII = require_keys(SHAPES, {"square": 0.0, "rounded": 0.28, "circle": 0.5})
# Shares of a cell's side: radius of a single dot, of each of several dots, and their offset.
MARK_RADIUS, PIP_RADIUS, _PIP_OFFSET = 0.24, 0.12, 0.26
_DIAGONAL = (-_PIP_OFFSET, _PIP_OFFSET), (_PIP_OFFSET, -_PIP_OFFSET)
_CORNERS = *_DIAGONAL, (-_PIP_OFFSET, -_PIP_OFFSET), (_PIP_OFFSET, _PIP_OFFSET)
# Radius and centres of the dots that mark each number of presses, laid out as on a die.
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
# Cells with fewer pixels on a side are drawn as squares, and marks fill them.
MIN_SHAPED_CELL = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiles:
    """The drawings of a cell in each shade, and their colours."""

    colours: Pixels  # Colour table, uint8 (colours, 3), background first.
    alphas: Pixels  # Opacity of each colour, uint8 (colours,).
    # Indices into the colour table, or values from `map_colours`: uint8 (tiles, cell, cell).  One
    # tile per shade; then, if clicks are marked, one per shade for each number of clicks.
    pixels: Pixels
    background: Pixels  # Index or value of the background, as in ``pixels``.
    shades: int  # Number of shades.
    coarse: bool  # True if edges visibly have fewer steps than `MIX_STEPS`.

    @property
    def has_marks(self) -> bool:
        """True if clicked cells are drawn differently."""
        return len(self.pixels) > self.shades

    @property
    def unchanged_index(self) -> int | None:
        """Index after the last colour, for pixels of a patch that leave those below as they are.

        None if drawing a tile or the background over another would not hide it completely.
        """
        alphas, around = self.alphas[self.pixels], self.alphas[self.background]
        shared = np.append(alphas[0], around)
        is_covering = (alphas == alphas[0]).all() and np.isin(shared, (0, 255)).all()
        return len(self.colours) if is_covering else None

    @property
    def rgba(self) -> Pixels:
        """The colours with their alphas, uint8 (colours, 4)."""
        return np.column_stack([self.colours, self.alphas])

    def with_one_bit_alpha(self) -> "Tiles":
        """Return these tiles for formats whose pixels are either opaque or fully transparent."""
        solid = self.alphas >= OPAQUE_FROM
        return replace(self, colours=self.colours * solid[:, None], alphas=solid * np.uint8(255))

    def map_colours(self, values: Pixels) -> "Tiles":
        """Return these tiles with ``values``, one for each colour, in place of the indices."""
        return replace(self, pixels=values[self.pixels], background=values[self.background])


def make_tiles(theme: Theme, planes: int, cell: int, levels: int = 2, *, presses: int = 1) -> Tiles:
    """Draw the tiles of a look for cells of ``cell`` pixels and up to ``presses`` marked clicks."""
    shades = theme.shades_with_alpha(planes, levels)
    background = np.array([theme.colour_of("background")], np.uint8)
    per_shade = (MAX_COLOURS - 1) // len(shades)
    dots = 0 if theme.mark is None else min(MIX_STEPS, per_shade - 1)
    radius = CORNER_RADII[theme.shape]
    cover = _pixel_coverage(cell, radius, inner=0.5 - radius)
    has_mixtures = _has_partial_pixels(cover)
    edges = min(MIX_STEPS, per_shade - dots) if has_mixtures else 1
    coarse = edges < MIX_STEPS and has_mixtures
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


def with_mark_colour(theme: Theme, levels: int = 2) -> Theme:
    """Return a look with a mark colour: its own, or one that stands out from its shades."""
    if theme.mark:
        return theme
    return attrs.evolve(theme, mark=choose_accent_colour(theme.shades(levels=levels)))


def choose_accent_colour(shades: Pixels) -> str:
    """Return the colour of `ACCENTS` farthest from all shades, uint8 (shades, 3)."""
    accents = np.array([to_colour(accent).rgb for accent in ACCENTS])[:, None]
    distances = np.abs(shades.astype(int) - accents).sum(axis=2).min(axis=1)
    return ACCENTS[int(distances.argmax())]


def _mix_colours(under: Pixels, over: Pixels, steps: int) -> Pixels:
    # Returns ``steps`` mixtures of two colours with ever more of ``over``; the last is ``over``.
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
    """Return the share of each pixel that is within ``radius`` of some shapes: (cell, cell).

    A shape is a point, or a square with half side ``inner``.  Lengths are in cells, and ``middles``
    are the shapes' offsets (right, down) from the tile's centre.
    """
    if cell < MIN_SHAPED_CELL or radius == 0:
        return np.ones((cell, cell), np.float32)
    positions = (np.arange(cell * SUBPIXELS) + 0.5) / (cell * SUBPIXELS) - 0.5
    cover = np.empty((cell, cell), np.float32)
    for row in range(cell):  # row by row, because a large cell has very many subpixels
        lines = positions[row * SUBPIXELS : (row + 1) * SUBPIXELS, None]
        inside = []
        for right, down in middles:
            offsets = np.abs(lines - down), np.abs(positions - right)
            outside = (np.maximum(offset - inner, 0) for offset in offsets)
            inside.append(np.hypot(*outside) <= radius)
        cover[row] = np.any(inside, axis=0).reshape(SUBPIXELS, cell, SUBPIXELS).mean(axis=(0, 2))
    return cover
