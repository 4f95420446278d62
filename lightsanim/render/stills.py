"""Single configurations as PNG or SVG, and sheets of several side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from lightsanim.algebra.linear import Bits
from lightsanim.animate.animation import Animation, shades_of
from lightsanim.errors import OptionError
from lightsanim.render.paint import paint
from lightsanim.render.stamps import ROUNDED, stamps_for
from lightsanim.render.theme import MAX_FRAME_PIXELS, Geometry, Theme
from lightsanim.values import check_whole

SUFFIXES = (".png", ".svg")
MAX_COUNT = 1000

# How many a sheet shows unless told otherwise, as the paper's Figure 2.
SHEET_FRAMES = 4


def write_stills(configurations: Sequence[Bits], path: Path, theme: Theme) -> None:
    """Write one configuration, or several side by side, two cells apart, as a picture.

    Args:
        configurations: bool (rows, columns) or in colour bool (3, rows, columns), all alike.
        path: ``.png`` or ``.svg``.
        theme: the look; its width is that of one still.

    Raises:
        OptionError: if the stills are too large to draw.
    """
    rows, columns = configurations[0].shape[-2:]
    geometry = theme.geometry(rows, columns)
    gutter = 2 * geometry.pitch
    write = _write_svg if path.suffix.lower() == ".svg" else _write_png
    write(configurations, path, theme, geometry, gutter)


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
        if self.path.suffix.lower() not in SUFFIXES:
            raise OptionError(
                f"a still must be a {' or '.join(SUFFIXES)} file, not {str(self.path)!r}"
            )
        if self.count is not None:
            check_whole("sheet_frames", self.count, 1, MAX_COUNT)

    def check(self, geometry: Geometry) -> None:
        """Can so many stills be drawn?

        Raises:
            OptionError: if they would be too large.
        """
        count = self.count or 1
        if count * geometry.width * geometry.height > MAX_FRAME_PIXELS:
            raise OptionError(
                f"{count} stills of {geometry.width}x{geometry.height} are more than "
                f"{MAX_FRAME_PIXELS} pixels; take fewer, or smaller cells"
            )

    def of(self, animation: Animation) -> list[Bits]:
        """The configurations to show.

        Raises:
            OptionError: if the animation has no such frame.

        >>> from lightsanim.animate.animation import animate
        >>> from lightsanim.animate.timing import Timing
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
        shown = {n: c for n, c in enumerate(animation.configurations()) if n in wanted}
        return [shown[place] for place in places]


def _write_png(
    configurations: Sequence[Bits], path: Path, theme: Theme, geometry: Geometry, gutter: int
) -> None:
    boards = 3 if configurations[0].ndim == 3 else 1
    stamps = stamps_for(theme, boards, geometry.cell)
    step = geometry.width + gutter
    sheet = np.zeros((geometry.height, step * len(configurations) - gutter), np.uint8)
    for place, configuration in enumerate(configurations):
        still = paint(shades_of(configuration), geometry, stamps)
        sheet[:, place * step : place * step + geometry.width] = still
    image = Image.fromarray(sheet)
    image.putpalette(stamps.colours.tobytes())
    image.save(path, "PNG")


def _write_svg(
    configurations: Sequence[Bits], path: Path, theme: Theme, geometry: Geometry, gutter: int
) -> None:
    width = (geometry.width + gutter) * len(configurations) - gutter
    background = theme.hex_of("background")
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{geometry.height}" '
        f'viewBox="0 0 {width} {geometry.height}">',
        f'<rect width="{width}" height="{geometry.height}" fill="{background}"/>',
    ]
    for place, configuration in enumerate(configurations):
        left = place * (geometry.width + gutter)
        lines.append(f'<g transform="translate({left} 0)">')
        lines += _svg_cells(configuration, theme, geometry)
        lines.append("</g>")
    path.write_text("\n".join([*lines, "</svg>\n"]), encoding="utf-8")


def _svg_cells(configuration: Bits, theme: Theme, geometry: Geometry) -> list[str]:
    # One path for each shade: every cell of it is drawn relative to its corner.
    boards = 3 if configuration.ndim == 3 else 1
    shades, cell = shades_of(configuration), geometry.cell
    radius = {"square": 0.0, "rounded": ROUNDED * cell, "circle": cell / 2}[theme.shape]
    side = cell - 2 * radius
    arc = f"a{radius:g} {radius:g} 0 0 1"
    outline = (
        f"h{side:g}{arc} {radius:g} {radius:g}v{side:g}{arc} {-radius:g} {radius:g}"
        f"h{-side:g}{arc} {-radius:g} {-radius:g}v{-side:g}{arc} {radius:g} {-radius:g}z"
        if radius
        else f"h{cell}v{cell}h{-cell}z"
    )
    paths = []
    for shade, rgb in enumerate(theme.shades(boards)):
        corners = geometry.gap + np.argwhere(shades == shade) * geometry.pitch
        if len(corners):
            outlines = "".join(f"M{x + radius:g} {y}{outline}" for y, x in corners.tolist())
            paths.append(f'<path fill="#{bytes(rgb).hex()}" d="{outlines}"/>')
    return paths
