"""Stills as drawings, for the vector formats.

Every colour is a layer.  Cells that touch are drawn in runs, and each colour spreads under the
neighbours that are drawn after it: viewers smooth edges, and would show the background between
colours that only touch.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.animation.boards import Shades
from lightsanim.drawings.captions import words_of
from lightsanim.drawings.drawing import (
    Boxes,
    Drawing,
    Layer,
    background_of,
    cell_boxes,
    grid_of,
    is_joined,
    radius_of,
    run_boxes,
)
from lightsanim.drawings.hatch import PEN, hatched
from lightsanim.drawings.paper import Sheet
from lightsanim.look.tiles import DOTS, Pixels
from lightsanim.options.colours import Colour


def draw_stills(stills: Sequence[Shades], sheet: Sheet, marks: Pixels, title: str) -> Drawing:
    """Draw configurations side by side.

    ``stills``: (rows, columns), ``marks``: uint8 (rows, columns).
    """
    (height, width), theme, layers = sheet.size, sheet.theme, list[Layer]()
    shades = theme.shades_with_alpha(sheet.boards, sheet.levels)
    colours = [Colour(*colour) for colour in shades.tolist()]
    if theme.hatch is None:
        layers += background_of(theme, width, height)
        layers += _filled(stills, sheet, colours)
    else:
        layers += hatched(stills, sheet, theme.hatch, colours)
    if theme.mark is not None:
        pen = None if theme.hatch is None else PEN / sheet.pixel
        layers += _dots(marks, sheet, theme.mark, pen)
    layers += words_of(sheet)
    return Drawing(width=width, height=height, pixel=sheet.pixel, layers=tuple(layers), title=title)


def _filled(stills: Sequence[Shades], sheet: Sheet, colours: Sequence[Colour]) -> Iterator[Boxes]:
    geometry, theme = sheet.geometry, sheet.theme
    background = theme.colour_of("background")
    shown = [bool(colour.alpha) and colour != background for colour in colours]
    joined, radius = is_joined(theme, geometry), radius_of(theme, geometry)
    boxes_of = run_boxes if joined else cell_boxes
    for shade, colour in enumerate(colours):
        cells = [_spread(still, shade, shown) if joined else still == shade for still in stills]
        if shown[shade] and any(map(np.any, cells)):
            placed = zip(cells, sheet.board_places, strict=True)
            boxes = np.concatenate([boxes_of(some, geometry, place) for some, place in placed])
            under = shade == 0 and all(shown)
            grids = tuple(grid_of(geometry, place) for place in sheet.board_places if under)
            yield Boxes(colour=colour, boxes=boxes, radius=radius, joined=joined, grids=grids)


def _spread(still: Shades, shade: int, shown: Sequence[bool]) -> Bits:
    # The cells of a shade, and those beside them that are drawn over it.
    own = still == shade
    wide = np.pad(own, 1)
    wide = wide[:-2] | wide[1:-1] | wide[2:]
    wide = wide[:, :-2] | wide[:, 1:-1] | wide[:, 2:]
    cells: Bits = own | (wide & np.array(shown)[still] & (still > shade))
    return cells


def _dots(marks: Pixels, sheet: Sheet, colour: Colour, pen: float | None) -> Iterator[Boxes]:
    # Circles on the cells, whose places `DOTS` tells in cells from the middle.
    cell = sheet.geometry.cell
    for count, (share, places) in DOTS.items():
        boxes = [cell_boxes(marks == count, sheet.geometry, place) for place in sheet.places]
        middles = np.concatenate(boxes)[:, None, :2] + (0.5 + np.array(places)) * cell
        corners, radius = middles.reshape(-1, 2) - share * cell, share * cell
        if len(corners):
            dots = np.column_stack([corners, np.full_like(corners, 2 * radius)])
            yield Boxes(colour=colour, boxes=dots, radius=radius, pen=pen)
