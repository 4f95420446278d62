"""Pages of the game's relatives: puzzles with some cells given, and their answers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.drawings.drawing import Boxes, Layer, Lines
from lightsanim.drawings.page_layout import MARGIN
from lightsanim.drawings.worksheet_parts import (
    GREY,
    INK,
    THICK,
    Place,
    boxes_of,
    discs,
    draw_labels,
    draw_numbers,
    hatch,
    outlines,
    write_in,
)
from lightsanim.options.checks import keyed
from lightsanim.options.table import PUZZLES
from lightsanim.puzzles.well_posed import WellPosed
from lightsanim.worksheets.pages import Drawn, Pages, draw_text

# What is to be done, and what is given.
RULES: Mapping[str, str] = keyed(
    PUZZLES,
    {
        "abbott": "Close some panes, so that an even number lets the light in along every row, "
        "every column and every diagonal of two panes or more. Hatched panes are closed already; "
        "those with a sun stay open.",
        "queens": "Place queens, one in each row, so that none attacks another along a row, a "
        "column or a diagonal. Some stand already.",
        "submarines": "Find the submarines. The numbers tell how many lie in each row and in each "
        "column. Some are drawn already; hatched cells are water.",
        "ashes": "Write a whole number in each cell. The small number in its corner is the sum of "
        "this cell and of all that touch it, also at a corner. Some are written already.",
    },
)
ANSWERS = "No puzzle has another answer."

# Of small numbers in corners, and of large ones: heights in cells, and at most; places in cells.
SMALL, LARGE = (0.28, 3.4), (0.45, 6.0)
CORNER, MIDDLE = (0.2, 0.21), (0.56, 0.58)

# In cells: a crown as a line, a submarine's hull and its tower as left, top, width and height, and
# the radius of a sun.
CROWN = np.array([(25, 75), (18, 32), (37, 52), (50, 24), (63, 52), (82, 32), (75, 75), (25, 75)])
HULL, TOWER = (0.14, 0.42, 0.72, 0.3), (0.42, 0.28, 0.16, 0.2)
SUN = 0.16


@dataclass(frozen=True, kw_only=True)
class RelativePages(Pages):
    """Puzzles of a relative, or their answers, spread over pages."""

    def told(self, top: float, right: float) -> Drawn:
        """What is said at the top of a page, and how far down it reaches."""
        assert self.options.puzzle is not None
        text = ANSWERS if self.answers else RULES[self.options.puzzle]
        return draw_text(text, (MARGIN, top), right)

    def heading(self, posed: WellPosed) -> str:
        """What stands beside a puzzle's number."""
        return "" if self.answers else f"given: {int(posed.given.sum())} of {posed.given.size}"

    def cells(self, posed: WellPosed, corner: Place, cell: float) -> Iterator[Layer]:
        """A board, with what is given or its answer."""
        shown = np.ones_like(posed.given) if self.answers else posed.given
        yield from DRAWN[posed.puzzle](posed, shown, corner, cell)


def _draw_window(posed: WellPosed, shown: Bits, corner: Place, cell: float) -> Iterator[Layer]:
    rows, columns = shown.shape
    yield draw_numbers(rows, columns, corner, cell)
    yield hatch(shown & ~posed.answer, corner, cell)
    yield outlines(np.ones_like(shown), corner, cell)
    frame = np.array([(*corner, columns * cell, rows * cell)])
    yield Boxes(colour=INK, boxes=frame, pen=2 * THICK)
    yield discs(posed.given & posed.answer, corner, cell, SUN, THICK)


def _draw_queens(posed: WellPosed, shown: Bits, corner: Place, cell: float) -> Iterator[Layer]:
    rows, columns = shown.shape
    yield draw_numbers(rows, columns, corner, cell)
    yield hatch(np.indices(shown.shape).sum(axis=0) % 2 > 0, corner, cell)
    yield outlines(np.ones_like(shown), corner, cell)
    for left, top, *_ in boxes_of(posed.answer & shown, corner, cell).tolist():
        points = CROWN / 100 * cell + (left, top)
        yield Lines(colour=INK, lines=np.hstack([points[:-1], points[1:]]), pen=2 * THICK)


def _draw_submarines(posed: WellPosed, shown: Bits, corner: Place, cell: float) -> Iterator[Layer]:
    clues = posed.clues
    yield draw_labels(clues["columns"], clues["rows"], corner, cell, INK)
    yield hatch(posed.given & ~posed.answer, corner, cell)
    yield outlines(np.ones_like(shown), corner, cell)
    for part in (HULL, TOWER):
        boxes = boxes_of(posed.answer & shown, corner, cell, part)
        yield Boxes(colour=INK, boxes=boxes, radius=0.45 * min(part[2:]) * cell)


def _draw_ashes(posed: WellPosed, shown: Bits, corner: Place, cell: float) -> Iterator[Layer]:
    every, clues, (rows, columns) = np.ones_like(shown), np.array(posed.clues["cells"]), shown.shape
    yield draw_numbers(rows, columns, corner, cell)
    yield outlines(every, corner, cell)
    yield write_in(clues, every, corner, cell, CORNER, SMALL, GREY)
    yield write_in(posed.answer, shown, corner, cell, MIDDLE, LARGE, INK)


DRAWN: Mapping[str, Callable[[WellPosed, Bits, Place, float], Iterator[Layer]]] = keyed(
    PUZZLES,
    {
        "abbott": _draw_window,
        "queens": _draw_queens,
        "submarines": _draw_submarines,
        "ashes": _draw_ashes,
    },
)
