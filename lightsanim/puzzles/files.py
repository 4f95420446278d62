"""Files of a puzzle's answer: a picture of its grid, or the page of the Abbott's Window."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from lightsanim.algebra.linear import Bits
from lightsanim.drawings.drawing import (
    Boxes,
    Drawing,
    Layer,
    Words,
    background_of,
    cell_boxes,
    radius_of,
)
from lightsanim.drawings.paper import Sheet, check_print, dots_per_inch, pixel_of
from lightsanim.drawings.stills import VECTORS, Stills, write_stills
from lightsanim.errors import OptionError, OutputError
from lightsanim.formats.outputs import OutputFiles, check_outputs, theme_of
from lightsanim.formats.replacing import replacing_together
from lightsanim.look.theme import Geometry, Theme, unweighted, weighted
from lightsanim.look.tiles import tiles_for
from lightsanim.options.values import Colour
from lightsanim.puzzles.answer import Grid, PuzzleAnswer
from lightsanim.puzzles.page import abbott_page

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
        path: ``.png``, ``.svg`` or ``.pdf``; for the Abbott's Window also ``.html``.
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
    look = {**look, "show_clicks": None}  # there are none
    if path.suffix.lower() == PAGE:
        path.write_bytes(abbott_page(len(grid)).encode())
    elif grid.dtype == bool:
        write_stills([grid.astype(bool)], path, theme_of(look))
    else:
        darker = {} if "palette" in look else {"background": "#0d0d0d"}
        theme = theme_of({"shape": "rounded", **darker, **look})
        if theme.hatch is not None:
            raise OptionError("hatch is for cells that are lit or not, and these hold numbers")
        sheet = Sheet(geometry=theme.geometry(*grid.shape))
        check_print(path, theme, sheet)
        write = VECTORS.get(path.suffix.lower())
        if write is None:
            _write_png(grid, path, theme, sheet.geometry)
        else:
            write(_drawing(grid, theme, sheet.geometry), path)


def _write_png(grid: Grid, path: Path, theme: Theme, geometry: Geometry) -> None:
    # How much of each pixel its cell covers: the tile of a white cell on black.
    white = Theme(shape=theme.shape, lit="white", unlit="black", background="black")
    tiles = tiles_for(white, 1, geometry.cell)
    covered = tiles.colours[:, :1][tiles.pixels[1]] / 255
    size, background = (geometry.width, geometry.height), theme.colour_of("background")
    around = weighted(np.array(background, np.uint8)) * (1 - covered)
    image = Image.new("RGBA", size, background)
    height, half = _number_height(grid, geometry), geometry.cell / 2
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(max(height, 1))
    colours, inks = _colours(grid, theme)
    corners = cell_boxes(np.ones(grid.shape, bool), geometry)[:, :2].astype(int).tolist()
    for (place, number), (x, y) in zip(np.ndenumerate(grid), corners, strict=True):
        cell = unweighted(around + weighted(colours[place]) * covered)
        image.paste(Image.fromarray(cell), (x, y))
        if height >= SMALLEST:
            ink = tuple(inks[place].tolist())
            pen.text((x + half, y + half), str(number), ink, font, anchor="mm")
    image = image if theme.transparent_parts else image.convert("RGB")
    image.save(path, "PNG", dpi=dots_per_inch(theme, image.width))


def _drawing(grid: Grid, theme: Theme, geometry: Geometry) -> Drawing:
    width, height, radius = geometry.width, geometry.height, radius_of(theme, geometry)
    colours, inks = _colours(grid, theme)
    layers: list[Layer] = [*background_of(theme, width, height)]
    for colour, cells in _by_colour(colours):
        layers.append(Boxes(colour=colour, boxes=cell_boxes(cells, geometry), radius=radius))
    size = _number_height(grid, geometry)
    for ink, cells in _by_colour(inks) if size else ():
        places = cell_boxes(cells, geometry)[:, :2] + geometry.cell / 2
        words = tuple(map(str, grid[cells].tolist()))
        layers.append(Words(colour=ink, words=words, places=places, height=size))
    pixel = pixel_of(theme, width)
    return Drawing(
        width=width, height=height, pixel=pixel, layers=tuple(layers), title="Numbers on a grid"
    )


def _by_colour(colours: Rgba) -> Iterator[tuple[Colour, Bits]]:
    # The cells of each colour.
    for colour in np.unique(colours.reshape(-1, 4), axis=0):
        yield Colour(*colour.tolist()), (colours == colour).all(axis=2)


def _number_height(grid: Grid, geometry: Geometry) -> int:
    # One height for all numbers, so that the longest fits.
    digits = max(len(str(number)) for number in grid.ravel().tolist())
    return int(geometry.cell * min(NUMBER, (1 - 2 * MARGIN) / (DIGIT * digits)))


def _colours(grid: Grid, theme: Theme) -> tuple[Rgba, Rgba]:
    # Of each cell, and of the number on it: lit or unlit, whichever is farther.
    ends, colours = theme.shades_with_alpha(), tones(grid, theme)
    apart = np.abs(ends.astype(int) - colours[:, :, None]).sum(axis=3)
    return colours, ends[apart.argmax(axis=2)]
