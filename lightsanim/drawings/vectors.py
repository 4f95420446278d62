"""Stills as drawings, for the vector formats.

Every colour is a layer.  Cells that touch are drawn in runs, and each colour spreads under the
neighbours that are drawn after it: viewers smooth edges, and would show the background between
colours that only touch.

For plotters cells are drawn by strokes of a pen.  Those in the colour of the background are left
blank, the paper being that colour; if there are none, lit cells are, the paper being white.  Levels
between are drawn with fewer strokes of the same pen, and colours with a pen each.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.animation.boards import Shades
from lightsanim.drawings.drawing import (
    Boxes,
    Drawing,
    Layer,
    Lines,
    Numbers,
    background_of,
    cell_boxes,
    grid_of,
    is_joined,
    radius_of,
    run_boxes,
)
from lightsanim.drawings.paper import Sheet, words_of
from lightsanim.look.tiles import DOTS, Pixels
from lightsanim.options.colours import Colour

# Millimetres that a stroke is wide: a fineliner's.
PEN = 0.3


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


def hatched(
    stills: Sequence[Shades], sheet: Sheet, hatch: float, colours: Sequence[Colour]
) -> Iterator[Lines]:
    """The strokes of each pen, so many millimetres apart.

    ``stills``: (rows, columns).

    >>> from lightsanim.look.theme import Theme
    >>> sheet = Sheet(theme=Theme(cell=10, gap=0, print_width=6), rows=1, columns=2)
    >>> stills, colours = [np.array([[0, 1]])], [Colour(0, 0, 0), Colour(9, 9, 9)]
    >>> pen, = hatched(stills, sheet, 1.5, colours)
    >>> pen.lines.tolist()  # to and fro in the dark cell, in pixels of 0.3 mm
    [[0.5, 2.5, 9.5, 2.5], [9.5, 7.5, 0.5, 7.5]]
    """
    geometry, theme, inks = sheet.geometry, sheet.theme, dict[Colour, list[Numbers]]()
    pixel, pen = sheet.pixel, PEN / sheet.pixel
    boxes_of = run_boxes if is_joined(theme, geometry) else cell_boxes
    for shade, colour, share in _inks(colours, theme.colour_of("background"), sheet.boards == 1):
        count = max(1, round(geometry.cell * pixel / hatch * share))
        for still, place in zip(stills, sheet.board_places, strict=True):
            boxes = boxes_of(still == shade, geometry, place)
            strokes = _strokes(boxes, radius_of(theme, geometry), count, pen)
            inks.setdefault(colour, []).append(strokes)
    for colour, parts in inks.items():
        yield Lines(colour=colour, lines=np.concatenate(parts), pen=pen)


def _inks(
    colours: Sequence[Colour], background: Colour, tones: bool
) -> Iterator[tuple[int, Colour, float]]:
    # The shades that are not left blank, the colour of their ink, and how much of it.
    last = len(colours) - 1
    same = [n for n, colour in enumerate(colours) if not colour.alpha or colour == background]
    blank = same or [last]
    for shade in sorted({*range(last + 1)} - {*blank}):
        if tones:
            end = last if shade > blank[0] else 0
            yield shade, colours[end], abs(shade - blank[0]) / abs(end - blank[0])
        else:
            yield shade, colours[shade], 1


def _strokes(boxes: Numbers, radius: float, count: int, pen: float) -> Numbers:
    # Level strokes in each box, evenly spaced, whose round ends stay inside; to and fro, so that a
    # plotter that draws them in order moves little.
    left, top, width, height = boxes.T[:, :, None]
    down = (np.arange(count) + 0.5) / count * height
    into_corner = np.maximum(np.abs(down - height / 2) - (height / 2 - radius), 0)
    inset = radius - np.sqrt(np.maximum(radius**2 - into_corner**2, 0)) + pen / 2
    start, end, level = left + inset, left + width - inset, top + down
    strokes = np.stack([start, level, end, level], axis=2)
    strokes[:, 1::2] = strokes[:, 1::2][:, :, [2, 1, 0, 3]]
    long_enough: Numbers = strokes[start < end]
    return long_enough
