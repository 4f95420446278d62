"""Single configurations as PNG or SVG, and sheets of several side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import attrs
import numpy as np

from lightsanim.animation.animation import Animation, Lights, Shades, boards_of, shades_of
from lightsanim.checks import check_whole
from lightsanim.errors import OptionError
from lightsanim.formats.indexed import indexed_image
from lightsanim.look.paint import paint
from lightsanim.look.theme import MAX_FRAME_PIXELS, Geometry, Theme
from lightsanim.look.tiles import DOTS, ROUNDED, Pixels, Tiles, tiles_for, with_mark
from lightsanim.options import MAX_STILLS, STILL_SUFFIXES
from lightsanim.values import Colour


def write_stills(
    configurations: Sequence[Lights],
    path: Path,
    theme: Theme,
    *,
    marks: Lights | None = None,
    across: int | None = None,
    levels: int = 2,
) -> None:
    """Write one configuration, or several side by side, two cells apart, as a picture.

    Args:
        configurations: bool (rows, columns) or in colour bool (3, rows, columns), all alike; with
            more than two levels uint8.
        path: ``.png`` or ``.svg``.
        theme: the look; its width is that of one still.
        marks: bool (rows, columns), cells to mark in each of them, in the theme's colour or one
            that stands out; uint8 for more dots than one each, up to six; None for none.
        across: how many stand side by side before the next row begins; None for all.
        levels: how many states a cell has.

    Raises:
        OptionError: if the stills are too large to draw.
    """
    rows, columns = configurations[0].shape[-2:]
    boards = boards_of(configurations[0])
    geometry = theme.geometry(rows, columns, boards, levels)
    sheet = _Sheet(geometry=geometry, count=len(configurations), across=across)
    dots = np.zeros((rows, columns), np.uint8) if marks is None else marks.astype(np.uint8)
    look = attrs.evolve(theme, mark=None) if marks is None else with_mark(theme, levels=levels)
    stills = [shades_of(configuration, levels) for configuration in configurations]
    if path.suffix.lower() == ".svg":
        _write_svg(stills, path, look, look.shades_with_alpha(boards, levels), sheet, dots)
    else:
        tiles = tiles_for(look, boards, geometry.cell, levels, presses=int(dots.max()))
        _write_png(stills, path, tiles, sheet, dots)


@dataclass(frozen=True, kw_only=True)
class Stills:
    """A picture to be made of some of an animation's frames.

    Attributes:
        path: ``.png`` or ``.svg``.
        frame: the one frame to show, -1 being the last.
        count: or how many, evenly spaced in clicks, the first and the last among them.

    Raises:
        OptionError: for another suffix or a count out of range.
    """

    path: Path
    frame: int = -1
    count: int | None = None

    def __post_init__(self) -> None:
        if self.path.suffix.lower() not in STILL_SUFFIXES:
            raise OptionError(
                f"a still must be a {' or '.join(STILL_SUFFIXES)} file, not {str(self.path)!r}"
            )
        if self.count is not None:
            check_whole("sheet_frames", self.count, 1, MAX_STILLS)

    def check(self, geometry: Geometry) -> None:
        """Check that the stills are small enough to be drawn.

        Raises:
            OptionError: if they would be too large.
        """
        _Sheet(geometry=geometry, count=self.count or 1)

    def of(self, animation: Animation) -> list[Lights]:
        """The configurations to show.

        Raises:
            OptionError: if the animation has no such frame.

        >>> from lightsanim.animation.animation import animate
        >>> from lightsanim.options import Timing
        >>> from lightsanim.board.board import Board
        >>> off, clicks = np.zeros((1, 3), bool), np.array([0, 1, 2])
        >>> animation = animate(Board(1, 3), off, [(clicks, None)], Timing(clicks_per_frame=1))
        >>> sheet = Stills(path=Path("sheet.png"), count=2)
        >>> [still.astype(int).tolist() for still in sheet.of(animation)]
        [[[0, 0, 0]], [[0, 1, 0]]]
        """
        frames = len(animation.frames)
        if self.count is None:
            if not -frames <= self.frame < frames:
                raise OptionError(f"frame must be {-frames} to {frames - 1}, not {self.frame}")
            places = [self.frame % frames]
        else:
            share = np.linspace(0, 1, self.count) if self.count > 1 else np.ones(1)
            clicks = np.rint(share * len(animation.clicks)).astype(int)
            places = np.searchsorted(animation.frames, clicks).tolist()
        wanted = set(places)
        so_far = islice(enumerate(animation.configurations()), max(wanted) + 1)
        shown = {number: still for number, still in so_far if number in wanted}
        return [shown[place] for place in places]


@dataclass(frozen=True, kw_only=True)
class _Sheet:
    """Where stills stand that are drawn as one picture, in pixels."""

    geometry: Geometry
    count: int
    across: int | None = None

    def __post_init__(self) -> None:
        height, width = self.size
        if height * width > MAX_FRAME_PIXELS:
            raise OptionError(
                f"{self.count} stills make a picture of {width}x{height}, more than "
                f"{MAX_FRAME_PIXELS} pixels; take fewer, or smaller cells"
            )

    @property
    def places(self) -> list[tuple[int, int]]:
        """The top and the left edge of each still."""
        gutter = 2 * self.geometry.pitch
        return [
            (row * (self.geometry.height + gutter), column * (self.geometry.width + gutter))
            for row, column in (divmod(n, self.across or self.count) for n in range(self.count))
        ]

    @property
    def size(self) -> tuple[int, int]:
        """Height and width."""
        top, left = map(max, zip(*self.places, strict=True))
        return top + self.geometry.height, left + self.geometry.width


def _write_png(
    stills: Sequence[Shades], path: Path, tiles: Tiles, sheet: _Sheet, dots: Pixels
) -> None:
    pixels = np.zeros(sheet.size, np.uint8)
    for (top, left), shades in zip(sheet.places, stills, strict=True):
        still = paint(shades + np.uint16(tiles.shades) * dots, sheet.geometry, tiles)
        pixels[top : top + len(still), left : left + still.shape[1]] = still
    indexed_image(pixels, tiles.table).save(path, "PNG")


def _write_svg(
    stills: Sequence[Shades],
    path: Path,
    theme: Theme,
    colours: Pixels,
    sheet: _Sheet,
    dots: Pixels,
) -> None:
    height, width = sheet.size
    background = theme.colour_of("background")
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" fill="{background}"/>',
    ]
    for (top, left), shades in zip(sheet.places, stills, strict=True):
        lines.append(f'<g transform="translate({left} {top})">')
        lines += _svg_cells(shades, colours, theme.shape, sheet.geometry)
        lines += _svg_marks(dots, theme, sheet.geometry)
        lines.append("</g>")
    path.write_text("\n".join([*lines, "</svg>\n"]), encoding="utf-8")


def _svg_cells(shades: Shades, colours: Pixels, shape: str, geometry: Geometry) -> list[str]:
    # One path for each shade: every cell of it is drawn relative to its corner.
    cell = geometry.cell
    radius = {"square": 0.0, "rounded": ROUNDED * cell, "circle": cell / 2}[shape]
    side = cell - 2 * radius
    arc = f"a{radius:g} {radius:g} 0 0 1"
    outline = (
        f"h{side:g}{arc} {radius:g} {radius:g}v{side:g}{arc} {-radius:g} {radius:g}"
        f"h{-side:g}{arc} {-radius:g} {-radius:g}v{-side:g}{arc} {radius:g} {-radius:g}z"
        if radius
        else f"h{cell}v{cell}h{-cell}z"
    )
    paths = []
    for shade, rgba in enumerate(colours.tolist()):
        corners = geometry.corner + np.argwhere(shades == shade) * geometry.pitch
        if len(corners):
            outlines = "".join(f"M{x + radius:g} {y}{outline}" for y, x in corners.tolist())
            paths.append(f'<path fill="{Colour(*rgba)}" d="{outlines}"/>')
    return paths


def _svg_marks(dots: Pixels, theme: Theme, geometry: Geometry) -> list[str]:
    # One path for each number of dots.
    paths = []
    for count, (share, places) in DOTS.items():
        radius = share * geometry.cell
        half = f"a{radius:g} {radius:g} 0 0 1"
        dot = f"{half} {2 * radius:g} 0{half} {-2 * radius:g} 0z"
        cells = geometry.corner + np.argwhere(dots == count) * geometry.pitch
        middles = cells[:, None] + (0.5 + np.array(places)[:, ::-1]) * geometry.cell
        drawn = "".join(f"M{x - radius:g} {y:g}{dot}" for y, x in middles.reshape(-1, 2).tolist())
        if drawn:
            paths.append(f'<path fill="{theme.mark}" d="{drawn}"/>')
    return paths
