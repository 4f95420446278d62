"""Files of a puzzle's answer: a picture of its grid, or the page of the Abbott's Window."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from lightsanim.errors import OutputError
from lightsanim.formats.outputs import OutputFiles, check_outputs, theme_of
from lightsanim.formats.replacing import replacing_together
from lightsanim.formats.stills import Stills, write_stills
from lightsanim.look.theme import Geometry, Theme, unweighted, weighted
from lightsanim.look.tiles import ROUNDED, tiles_for
from lightsanim.puzzles.answer import Grid, PuzzleAnswer
from lightsanim.puzzles.page import abbott_page
from lightsanim.values import Colour

# Height of a number, and margin on both sides of it, in cells.
NUMBER = 0.4
MARGIN = 0.12

# Approximate width of a digit relative to its height; smallest legible height in pixels.
DIGIT = 0.62
SMALLEST = 7

# The suffix of the page that the Abbott's Window has.
PAGE = ".html"

Rgba = NDArray[np.uint8]


def save_answer(
    answer: PuzzleAnswer, path: str | Path, *, overwrite: bool = True, **look: Any
) -> None:
    """Write the grid of an answer as a picture; the Abbott's Window also as a page to play on.

    Cells that are True are lit.  Numbers are tones between unlit, the smallest, and lit, the
    largest, with the number on it where there is room.

    Args:
        answer: what `solve_puzzle` returned.
        path: ``.png`` or ``.svg``; for the Abbott's Window also ``.html``.
        overwrite: whether a file that exists may be replaced.
        look: see `lightsanim.Theme`: ``cell``, ``palette``, ``shape``, ...

    Raises:
        OptionError: for another suffix or an unknown look.
        OutputError: if there is no solution to draw, or the file cannot be written.
    """
    save_drawings(answer, [Path(path)], overwrite=overwrite, **look)


def save_drawings(
    answer: PuzzleAnswer, paths: Sequence[Path], *, overwrite: bool = True, **look: Any
) -> None:
    """As `save_answer`, to several files: all of them, or none."""
    grid = answer.grid
    check_drawings(answer.puzzle, paths, overwrite=overwrite)
    if grid is None:
        raise OutputError(f"cannot write {paths[0]}, there is nothing to draw: {answer.said}")
    with replacing_together(overwrite=overwrite) as writing:
        for path in paths:
            with writing(path) as new:
                _draw(grid, new, look)


def check_drawings(puzzle: str, paths: Sequence[Path], *, overwrite: bool = True) -> None:
    """Refuse files that the answer to a puzzle cannot be written to; before the puzzle is solved.

    Args:
        puzzle: its name.
        paths: of the files.
        overwrite: whether files that exist may be replaced.

    Raises:
        OptionError: for a suffix that it cannot be, or a file that is named twice.
        OutputError: for a place that cannot be written to.
    """
    pages = [path for path in paths if puzzle == "abbott" and path.suffix.lower() == PAGE]
    stills = [Stills(path=path) for path in paths if path not in pages]
    check_outputs(OutputFiles(animations=tuple(pages), stills=tuple(stills), overwrite=overwrite))


def tones(grid: Grid, theme: Theme) -> Rgba:
    """The colour of each number, between unlit and lit: uint8 (rows, columns, 4).

    Args:
        grid: int (rows, columns).
        theme: whose colours.

    >>> tones(np.array([[0, 1, 2]]), Theme(unlit="black", lit="white"))[0, :, 0].tolist()
    [0, 128, 255]
    """
    numbers, (unlit, lit) = grid.astype(float), weighted(theme.shades_with_alpha())
    share = (numbers - numbers.min()) / max(1, np.ptp(numbers))
    return unweighted(unlit + share[..., None] * (lit - unlit))


def _draw(grid: Grid, path: Path, look: Mapping[str, Any]) -> None:
    if path.suffix.lower() == PAGE:
        path.write_bytes(abbott_page(len(grid)).encode())
    elif grid.dtype == bool:
        write_stills([grid.astype(bool)], path, theme_of(look))
    else:
        darker = {} if "palette" in look else {"background": "#0d0d0d"}
        theme = theme_of({"shape": "rounded", **darker, **look})
        geometry = theme.geometry(*grid.shape)
        Stills(path=path).check(geometry)
        write = _write_svg if path.suffix.lower() == ".svg" else _write_png
        write(grid, path, theme, geometry)


def _write_png(grid: Grid, path: Path, theme: Theme, geometry: Geometry) -> None:
    # How much of each pixel its cell covers: the tile of a white cell on black.
    white = Theme(shape=theme.shape, lit="white", unlit="black", background="black")
    tiles = tiles_for(white, 1, geometry.cell)
    covered = tiles.colours[:, :1][tiles.pixels[1]] / 255
    size, background = (geometry.width, geometry.height), theme.colour_of("background")
    around = weighted(np.array(background, np.uint8)) * (1 - covered)
    image = Image.new("RGBA", size, background)
    height, middle = _number_height(grid, geometry), geometry.cell / 2
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(max(height, 1))
    for number, x, y, colour, ink in _numbers(grid, theme, geometry):
        cell = unweighted(around + weighted(np.array(colour, np.uint8)) * covered)
        image.paste(Image.fromarray(cell), (x, y))
        if height >= SMALLEST:
            pen.text((x + middle, y + middle), number, ink, font, anchor="mm")
    image = image if theme.transparent_parts else image.convert("RGB")
    image.save(path, "PNG")


def _write_svg(grid: Grid, path: Path, theme: Theme, geometry: Geometry) -> None:
    width, height, cell = geometry.width, geometry.height, geometry.cell
    radius = {"square": 0.0, "rounded": ROUNDED * cell, "circle": cell / 2}[theme.shape]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" '
        f'font-size="{_number_height(grid, geometry)}" text-anchor="middle">',
        f'<rect width="{width}" height="{height}" fill="{theme.colour_of("background")}"/>',
    ]
    for number, x, y, colour, ink in _numbers(grid, theme, geometry):
        lines.append(
            f'<rect x="{x}" y="{y}" width="{cell}" height="{cell}" rx="{radius:g}" '
            f'fill="{Colour(*colour)}"/>'
            f'<text x="{x + cell / 2:g}" y="{y + cell / 2:g}" dy=".36em" '
            f'fill="{Colour(*ink)}">{number}</text>'
        )
    path.write_text("\n".join([*lines, "</svg>\n"]), encoding="utf-8")


def _number_height(grid: Grid, geometry: Geometry) -> int:
    # One height for all numbers, so that the longest fits.
    digits = max(len(str(number)) for number in grid.ravel().tolist())
    return int(geometry.cell * min(NUMBER, (1 - 2 * MARGIN) / (DIGIT * digits)))


def _numbers(
    grid: Grid, theme: Theme, geometry: Geometry
) -> Iterator[tuple[str, int, int, tuple[int, ...], tuple[int, ...]]]:
    # Each number, the corner (x, y) of its cell, the cell's colour, and that of the text: lit or
    # unlit, whichever is farther.
    ends, colours = theme.shades_with_alpha().astype(int), tones(grid, theme)
    for (row, column), number in np.ndenumerate(grid):
        colour = colours[row, column]
        ink = ends[np.abs(ends - colour).sum(axis=1).argmax()]
        top, left = geometry.corner
        x, y = left + column * geometry.pitch, top + row * geometry.pitch
        yield str(number), x, y, tuple(colour.tolist()), tuple(ink.tolist())
