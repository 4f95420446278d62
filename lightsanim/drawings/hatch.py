"""Stills as strokes of a pen, for plotters.

Cells in the colour of the background are left blank, the paper being that colour; if there are
none, lit cells are, the paper being white.  Levels between are drawn with fewer strokes of the same
pen, and colours with a pen each.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from lightsanim.animation.boards import Shades
from lightsanim.drawings.drawing import (
    Numbers,
    Strokes,
    cell_boxes,
    is_joined,
    radius_of,
    run_boxes,
)
from lightsanim.drawings.paper import Sheet
from lightsanim.look.theme import Theme
from lightsanim.options.colours import Colour

# Millimetres that a stroke is wide: a fineliner's.
PEN = 0.3


def hatched(
    stills: Sequence[Shades],
    sheet: Sheet,
    theme: Theme,
    colours: Sequence[Colour],
    pixel: float,
    *,
    tones: bool,
) -> Iterator[Strokes]:
    """The strokes of each pen.

    ``stills``: (rows, columns).

    >>> from lightsanim.drawings.paper import pixel_of
    >>> theme = Theme(cell=10, gap=0, hatch=1.5, print_width=6)
    >>> sheet, colours = Sheet(geometry=theme.geometry(1, 2)), [Colour(0, 0, 0), Colour(9, 9, 9)]
    >>> stills = [np.array([[0, 1]])]
    >>> pen, = hatched(stills, sheet, theme, colours, pixel_of(theme, 20), tones=True)
    >>> pen.strokes.tolist()  # to and fro in the dark cell, in pixels of 0.3 mm
    [[0.5, 2.5, 9.5], [9.5, 7.5, 0.5]]
    """
    assert theme.hatch is not None
    geometry, pen, inks = sheet.geometry, PEN / pixel, dict[Colour, list[Numbers]]()
    boxes_of = run_boxes if is_joined(theme, geometry) else cell_boxes
    for shade, colour, share in _inks(colours, theme.colour_of("background"), tones):
        count = max(1, round(geometry.cell * pixel / theme.hatch * share))
        for still, place in zip(stills, sheet.boards, strict=True):
            boxes = boxes_of(still == shade, geometry, place)
            strokes = _strokes(boxes, radius_of(theme, geometry), count, pen)
            inks.setdefault(colour, []).append(strokes)
    for colour, parts in inks.items():
        yield Strokes(colour=colour, strokes=np.concatenate(parts), pen=pen)


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
    strokes = np.stack([start, level, end], axis=2)
    strokes[:, 1::2] = strokes[:, 1::2, ::-1]
    long_enough: Numbers = strokes[start < end]
    return long_enough
