"""Pictures of a grid of integers; the colour of a cell shows the size of its number."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lightsanim.game.algebra.linear import Bits
from lightsanim.options.colours import Colour
from lightsanim.output.look.theme import Theme, premultiply, unpremultiply
from lightsanim.output.look.tiles import make_tiles
from .drawing import Boxes, Drawing, Words, cell_boxes
from .sheet import Sheet
from .stills import VECTOR_WRITERS

Grid = NDArray[np.generic]

# Font size of a number, and margin on each side of it, as shares of a cell's side.
NUMBER, MARGIN = 0.4, 0.12
# Approximate width of a digit, as a share of the font size.
DIGIT = 0.62
# Smallest legible font size, in pixels.
MIN_HEIGHT = 7

Rgba = NDArray[np.uint8]


def tone_colours(grid: Grid, theme: Theme) -> Rgba:
    """Return colours from unlit (smallest number) to lit (largest): uint8 (rows, columns, 4)."""
    numbers, (unlit, lit) = grid.astype(float), premultiply(theme.shades_with_alpha())
    share = (numbers - numbers.min()) / max(1, np.ptp(numbers))
    return unpremultiply(unlit + share[..., None] * (lit - unlit))


def write_number_picture(grid: Grid, path: Path, theme: Theme) -> None:
    """Write a grid of integers as a picture: ``.png``, ``.svg`` or ``.pdf``."""
    sheet = Sheet(theme=theme, shape=grid.shape)
    sheet.check_paper_size(path)
    write = VECTOR_WRITERS.get(path.suffix.lower())
    if write is None:
        _write_png(grid, path, sheet)
    else:
        write([_draw_number_grid(grid, sheet)], path)


def _write_png(grid: Grid, path: Path, sheet: Sheet) -> None:
    # The brightness of a white cell on black is the share of each pixel that the cell covers.
    theme, geometry, colours = sheet.theme, sheet.geometry, tone_colours(grid, sheet.theme)
    white = Theme(shape=theme.shape, lit="white", unlit="black", background="black")
    tiles = make_tiles(white, 1, geometry.cell)
    covered = tiles.colours[:, :1][tiles.pixels[1]] / 255
    background = theme.colour_of("background")
    around = premultiply(np.array(background, np.uint8)) * (1 - covered)
    image = Image.new("RGBA", (geometry.width, geometry.height), background)
    corners = cell_boxes(np.ones(grid.shape, bool), geometry)[:, :2].astype(int).tolist()
    for colour, corner in zip(colours.reshape(-1, 4), corners, strict=True):
        cell = unpremultiply(around + premultiply(colour) * covered)
        image.paste(Image.fromarray(cell), tuple(corner))
    image = image if theme.transparent_parts else image.convert("RGB")
    words = [words for words in _build_number_layers(grid, sheet) if words.height >= MIN_HEIGHT]
    sheet.write_png(image, words, path)


def _draw_number_grid(grid: Grid, sheet: Sheet) -> Drawing:
    (corner,) = sheet.still_corners
    radius = sheet.corner_radius
    cells = [
        Boxes(colour=colour, boxes=cell_boxes(cells, sheet.geometry, corner), radius=radius)
        for colour, cells in _cells_by_colour(tone_colours(grid, sheet.theme))
    ]
    return sheet.build_drawing([*cells, *_build_number_layers(grid, sheet)], "Numbers on a grid")


def _build_number_layers(grid: Grid, sheet: Sheet) -> Iterator[Words]:
    # Each number has the colour of lit or of unlit cells, whichever differs more from its cell.
    both, colours = sheet.theme.shades_with_alpha(), tone_colours(grid, sheet.theme)
    apart = np.abs(both.astype(int) - colours[:, :, None]).sum(axis=3)
    # All numbers have the same font size, at which the longest one fits.
    digits = max(len(str(number)) for number in grid.ravel().tolist())
    height = int(sheet.geometry.cell * min(NUMBER, (1 - 2 * MARGIN) / (DIGIT * digits)))
    for ink, cells in _cells_by_colour(both[apart.argmax(axis=2)]) if height else ():
        boxes = cell_boxes(cells, sheet.geometry, sheet.still_corners[0])
        points = boxes[:, :2] + sheet.geometry.cell / 2
        yield Words(
            colour=ink, words=tuple(map(str, grid[cells].tolist())), points=points, height=height
        )


def _cells_by_colour(colours: Rgba) -> Iterator[tuple[Colour, Bits]]:
    for colour in np.unique(colours.reshape(-1, 4), axis=0):
        yield Colour(*colour.tolist()), (colours == colour).all(axis=2)
