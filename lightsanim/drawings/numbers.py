"""Whole numbers on a grid, each on a cell whose tone tells how large it is."""

from collections.abc import Iterator
from pathlib import Path

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
from lightsanim.drawings.stills import VECTORS
from lightsanim.look.theme import Geometry, Theme, unweighted, weighted
from lightsanim.look.tiles import tiles_for
from lightsanim.options.colours import Colour

Grid = NDArray[np.generic]

# Height of a number, and margin on both sides of it, in cells.
NUMBER = 0.4
MARGIN = 0.12

# Approximate width of a digit relative to its height; smallest legible height in pixels.
DIGIT = 0.62
SMALLEST = 7

Rgba = NDArray[np.uint8]


def tones(grid: Grid, theme: Theme) -> Rgba:
    """The colour of each number, between unlit and lit: uint8 (rows, columns, 4).

    ``grid``: int (rows, columns).

    >>> tones(np.array([[0, 1, 2]]), Theme(unlit="black", lit="white"))[0, :, 0].tolist()
    [0, 128, 255]
    """
    numbers, (unlit, lit) = grid.astype(float), weighted(theme.shades_with_alpha())
    share = (numbers - numbers.min()) / max(1, np.ptp(numbers))
    return unweighted(unlit + share[..., None] * (lit - unlit))


def write_numbers(grid: Grid, path: Path, theme: Theme) -> None:
    """Write numbers, int (rows, columns), as a picture, ``.png``, ``.svg`` or ``.pdf``."""
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
