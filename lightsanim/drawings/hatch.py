"""Stills as strokes of a pen, for plotters.

Cells in the colour of the background are left blank, the paper being that colour; if there are
none, lit cells are, the paper being white.  Levels between are drawn with fewer strokes of the same
pen, and colours with a pen each.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from lightsanim.animation.boards import Shades
from lightsanim.drawings.drawing import (
    Lines,
    Numbers,
    cell_boxes,
    is_joined,
    radius_of,
    run_boxes,
)
from lightsanim.drawings.paper import Sheet
from lightsanim.options.colours import Colour

# Millimetres that a stroke is wide: a fineliner's.
PEN = 0.3


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
