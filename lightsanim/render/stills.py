"""Single configurations as PNG or SVG, and sheets of several side by side."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from lightsanim.algebra.linear import Bits
from lightsanim.animate.animation import Animation, shades_of
from lightsanim.errors import OptionError
from lightsanim.render.paint import paint
from lightsanim.render.stamps import ROUNDED, stamps_for
from lightsanim.render.theme import Geometry, Theme
from lightsanim.values import check_whole

SUFFIXES = (".png", ".svg")


def write_stills(
    configurations: Sequence[Bits], path: Path, theme: Theme, gutter: int | None = None
) -> None:
    """Write one configuration, or several side by side, as a picture.

    Args:
        configurations: bool (rows, columns) or in colour bool (3, rows, columns), all alike.
        path: ``.png`` or ``.svg``.
        theme: the look; its width is that of one still.
        gutter: pixels between two stills; None for two cells.

    Raises:
        OptionError: for another suffix, or stills too large to draw.
    """
    rows, columns = configurations[0].shape[-2:]
    geometry = theme.geometry(rows, columns)
    gutter = 2 * geometry.pitch if gutter is None else gutter
    writers = {".png": _write_png, ".svg": _write_svg}
    if path.suffix.lower() not in writers:
        raise OptionError(f"a still is a {' or '.join(SUFFIXES)}, not {path.name!r}")
    writers[path.suffix.lower()](configurations, path, theme, geometry, gutter)


def stills_of(animation: Animation, count: int) -> list[Bits]:
    """So many configurations, evenly spaced in clicks, the first and the last among them.

    >>> from lightsanim.animate.animation import animate
    >>> from lightsanim.animate.timing import Timing
    >>> from lightsanim.board.board import Board
    >>> off, clicks = np.zeros((1, 3), bool), np.array([0, 1, 2])
    >>> animation = animate(Board(1, 3), off, [(clicks, None)], Timing(clicks_per_frame=1))
    >>> [still.astype(int).tolist() for still in stills_of(animation, 2)]
    [[[0, 0, 0]], [[0, 1, 0]]]
    """
    check_whole("sheet_frames", count, 1, 1000)
    share = np.linspace(0, 1, count) if count > 1 else np.ones(1)
    wanted = np.rint(share * len(animation.clicks)).astype(int)
    places = np.searchsorted(animation.frames, wanted, side="left")
    frames = dict.fromkeys(places.tolist())
    shown = {n: c for n, c in enumerate(animation.configurations()) if n in frames}
    return [shown[place] for place in places.tolist()]


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
