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
    Lines,
    Numbers,
    cell_boxes,
    grid_of,
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
    shades = sheet.theme.shades_with_alpha(sheet.boards, sheet.levels)
    colours = [Colour(*colour) for colour in shades.tolist()]
    draw = _filled if sheet.theme.hatch is None else hatched
    layers = [*draw(stills, sheet, colours), *_dots(marks, sheet), *words_of(sheet)]
    return sheet.drawing(layers, title)


def _filled(stills: Sequence[Shades], sheet: Sheet, colours: Sequence[Colour]) -> Iterator[Boxes]:
    geometry, joined = sheet.geometry, sheet.is_joined
    background = sheet.theme.colour_of("background")
    shown = [bool(colour.alpha) and colour != background for colour in colours]
    boxes_of = run_boxes if joined else cell_boxes
    for shade, colour in enumerate(colours):
        cells = [_spread(still, shade, shown) if joined else still == shade for still in stills]
        if shown[shade] and any(map(np.any, cells)):
            placed = zip(cells, sheet.board_places, strict=True)
            boxes = np.concatenate([boxes_of(some, geometry, place) for some, place in placed])
            under = shade == 0 and all(shown)
            grids = tuple(grid_of(geometry, place) for place in sheet.board_places if under)
            yield Boxes(colour=colour, boxes=boxes, radius=sheet.radius, joined=joined, grids=grids)


def _spread(still: Shades, shade: int, shown: Sequence[bool]) -> Bits:
    # The cells of a shade, and those beside them that are drawn over it.
    own = still == shade
    wide = np.pad(own, 1)
    wide = wide[:-2] | wide[1:-1] | wide[2:]
    wide = wide[:, :-2] | wide[:, 1:-1] | wide[:, 2:]
    cells: Bits = own | (wide & np.array(shown)[still] & (still > shade))
    return cells


def _dots(marks: Pixels, sheet: Sheet) -> Iterator[Boxes]:
    # Circles on the cells, whose places `DOTS` tells in cells from the middle.
    cell, colour = sheet.geometry.cell, sheet.theme.mark
    pen = None if sheet.theme.hatch is None else PEN / sheet.pixel
    for count, (share, places) in DOTS.items():
        boxes = [cell_boxes(marks == count, sheet.geometry, place) for place in sheet.places]
        middles = np.concatenate(boxes)[:, None, :2] + (0.5 + np.array(places)) * cell
        corners, radius = middles.reshape(-1, 2) - share * cell, share * cell
        if len(corners) and colour is not None:
            dots = np.column_stack([corners, np.full_like(corners, 2 * radius)])
            yield Boxes(colour=colour, boxes=dots, radius=radius, pen=pen)


def hatched(stills: Sequence[Shades], sheet: Sheet, colours: Sequence[Colour]) -> Iterator[Lines]:
    """The strokes of each pen.

    ``stills``: (rows, columns).

    >>> from lightsanim.look.theme import Theme
    >>> sheet = Sheet(theme=Theme(cell=10, gap=0, hatch=1.5, print_width=6), shape=(1, 2))
    >>> stills, colours = [np.array([[0, 1]])], [Colour(0, 0, 0), Colour(9, 9, 9)]
    >>> pen, = hatched(stills, sheet, colours)
    >>> pen.lines.tolist()  # to and fro in the dark cell, in pixels of 0.3 mm
    [[0.5, 2.5, 9.5, 2.5], [9.5, 7.5, 0.5, 7.5]]
    """
    geometry, theme, inks = sheet.geometry, sheet.theme, dict[Colour, list[Numbers]]()
    assert theme.hatch is not None
    pixel, pen = sheet.pixel, PEN / sheet.pixel
    boxes_of = run_boxes if sheet.is_joined else cell_boxes
    for shade, colour, share in _inks(colours, theme.colour_of("background"), sheet.boards == 1):
        count = max(1, round(geometry.cell * pixel / theme.hatch * share))
        for still, place in zip(stills, sheet.board_places, strict=True):
            boxes = boxes_of(still == shade, geometry, place)
            strokes = _strokes(boxes, sheet.radius, count, pen)
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
