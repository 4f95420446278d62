"""Draw the parts of a worksheet, in millimetres: boards, answers, rule diagrams and text.

Unlit cells are hatched, not grey: hatching survives photocopying, saves ink, and leaves pencil
marks visible.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.linear import Bits
from lightsanim.game.levels import Lights
from lightsanim.game.relatives.well_posed import WellPosedPuzzle
from lightsanim.game.solve.pose import PosedPuzzle
from lightsanim.options.colours import Colour
from lightsanim.options.stencils import Offsets
from lightsanim.output.drawings.drawing import Boxes, Layer, Lines, Numbers, Words
from lightsanim.pictures.font import text_width

Point = tuple[float, float]
"""A point on a page: millimetres from the left, and from the top."""

INK, GREY, LINE, HATCH = (Colour(*[tone] * 3) for tone in (26, 92, 110, 150))
# Letter height of small text, in millimetres.
NOTE = 3.4
# Distance between lines of text, as a multiple of the letter height.
LEADING = 1.3
# Line widths, in millimetres.
PEN, THICK, THIN = 0.25, 0.35, 0.2
# Distance between hatch lines in millimetres, and the minimum number of hatch lines in a cell.
HATCH_SPACING, MIN_HATCH_LINES = 1.7, 3
# Heights of digits, and of row and column numbers: share of a cell, and maximum in millimetres.
DIGIT_HEIGHTS, LABEL_HEIGHTS = (0.4, 5.0), (0.55, 3.2)
# Radius of the dot on a clicked cell, as a share of the cell's side.
DOT_RADIUS = 0.22
# Distance between the board and its row and column numbers, in millimetres.
LABEL_GAP = 2.5
# Symbols as polylines (a sun, a crown, a submarine): x y x y ..., in hundredths of a cell.
MARKS: Mapping[str, str] = {
    "abbott": "50 34 61 39 66 50 61 61 50 66 39 61 34 50 39 39 50 34",
    "queens": "25 75 18 32 37 52 50 24 63 52 82 32 75 75 25 75",
    "submarines": "24 48 44 48 44 34 56 34 56 48 76 48 88 59 76 70 24 70 12 59 24 48",
}

# Styles of a cell's sum and of its number: position as a fraction of the cell, height as a fraction
# of the cell, and maximum height in millimetres.
SUM_STYLE, NUMBER_STYLE = ((0.2, 0.21), (0.28, 3.4)), ((0.56, 0.58), (0.45, 6.0))


def write_lines(
    lines: Sequence[str], point: Point, height: float, colour: Colour, *, bold: bool = False
) -> Words:
    """Draw lines of text, one below the other."""
    left, top = point
    points = np.array([(left, top + LEADING * height * number) for number in range(len(lines))])
    return Words(
        colour=colour,
        words=tuple(lines),
        points=points.reshape(-1, 2),
        height=height,
        from_left=True,
        bold=bold,
    )


def wrap_text(text: str, width: float, height: float) -> list[str]:
    """Break a text into lines that fit a width; words that are too wide are broken, too."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if text_width(longer, height) <= width:
            lines[-1] = longer
            continue
        lines += [""] * bool(lines[-1])
        for letter in word:
            if text_width(lines[-1] + letter, height) > width:
                lines.append("")
            lines[-1] += letter
    return lines


def draw_start_board(start: Lights, corner: Point, cell: float) -> Iterator[Layer]:
    """Draw a board to solve: hatched unlit cells, and with more than two levels, their digits."""
    yield hatch_cells(start == 0, corner, cell)
    yield outline_cells(start.shape, corner, cell)
    if start.dtype != bool:
        # Place digits in a corner of the cell, to leave room to write the number of clicks.
        yield draw_digits(start, start > 0, corner, cell, (0.25, 0.25))


def draw_answer(posed: PosedPuzzle, corner: Point, cell: float) -> Iterator[Layer]:
    """Draw the cells to click: as dots on the start, or as numbers with more than two levels."""
    if posed.clicks.dtype == bool:
        yield from draw_start_board(posed.start, corner, cell)
        yield draw_dots(posed.clicks, corner, cell)
    else:
        yield outline_cells(posed.clicks.shape, corner, cell)
        yield draw_digits(posed.clicks, posed.clicks > 0, corner, cell, (0.5, 0.5))


def draw_related_puzzle(
    posed: WellPosedPuzzle, corner: Point, cell: float, *, answers: bool
) -> Iterator[Layer]:
    """Draw a puzzle such as queens with its given cells, or its answer."""
    answer, is_given, clues = posed.answer, posed.is_given, posed.clues
    all_cells = np.ones_like(is_given)
    visible = all_cells if answers else is_given
    hatched, marked = {
        "abbott": (visible & (answer == 0), is_given & (answer > 0)),
        "queens": (np.indices(answer.shape).sum(axis=0) % 2 > 0, visible & (answer > 0)),
        "submarines": (is_given & (answer == 0), visible & (answer > 0)),
        "ashes": (~all_cells, ~all_cells),
    }[posed.puzzle]
    yield hatch_cells(hatched, corner, cell)
    yield outline_cells(answer.shape, corner, cell)
    if "rows" in clues:
        yield draw_labels(clues["columns"], clues["rows"], corner, cell, INK)
    else:
        yield draw_numbers(*posed.board.shape, corner, cell)
    if marked.any():
        points = np.array(MARKS[posed.puzzle].split(), float).reshape(-1, 2) * cell / 100
        mark, boxes = np.hstack([points[:-1], points[1:]]), cell_boxes(marked, corner, cell)
        lines = mark + np.tile(boxes[:, None, :2], 2)
        yield Lines(colour=INK, lines=lines.reshape(-1, 4), pen=2 * THICK)
    if "sums" in clues:
        yield draw_digits(np.array(clues["sums"]), all_cells, corner, cell, *SUM_STYLE, GREY)
        yield draw_digits(answer, visible, corner, cell, *NUMBER_STYLE, INK)


def draw_numbers(rows: int, columns: int, corner: Point, cell: float) -> Words:
    """Draw the numbers of rows and columns, counted from 1."""
    return draw_labels(range(1, columns + 1), range(1, rows + 1), corner, cell, GREY)


def draw_labels(
    columns: Sequence[int], rows: Sequence[int], corner: Point, cell: float, colour: Colour
) -> Words:
    """Draw a number above each column and to the left of each row."""
    left, top = corner
    points = [(left + (column + 0.5) * cell, top - LABEL_GAP) for column in range(len(columns))]
    points += [(left - LABEL_GAP, top + (row + 0.5) * cell) for row in range(len(rows))]
    return Words(
        colour=colour,
        words=tuple(map(str, (*columns, *rows))),
        points=np.array(points),
        height=min(LABEL_HEIGHTS[0] * cell, LABEL_HEIGHTS[1]),
    )


def draw_rule_diagram(offsets: Offsets, corner: Point, cell: float) -> Iterator[Layer]:
    """Draw the cells that a click flips, with a dot on the clicked cell."""
    up, left = (min(0, *side) for side in zip(*offsets, strict=True))
    clicked = corner[0] - left * cell, corner[1] - up * cell
    points = [(clicked[0] + right * cell, clicked[1] + down * cell) for down, right in offsets]
    yield Boxes(colour=INK, boxes=np.array([(*point, cell, cell) for point in points]), pen=THICK)
    yield draw_dots(np.ones((1, 1), bool), clicked, cell)


def draw_writing_line(left: float, right: float, y: float) -> Lines:
    """Draw a line to write on."""
    return Lines(colour=LINE, lines=np.array([[left, y, right, y]]), pen=PEN)


def hatch_cells(cells: Bits, corner: Point, cell: float) -> Lines:
    """Hatch cells, bool (rows, columns), with diagonal lines that continue from cell to cell."""
    spacing = min(HATCH_SPACING, 2 * cell / (MIN_HATCH_LINES + 1))
    boxes = cell_boxes(cells, corner, cell)
    left, top = boxes[:, :1], boxes[:, 1:2]
    # Measured from the corner of the board, x + y is a multiple of the spacing on each line.
    origin = sum(corner)
    first = np.ceil((left + top - origin) / spacing + 1e-6)
    total = origin + (first + np.arange(int(2 * cell / spacing) + 1)) * spacing
    start, end = np.maximum(left, total - top - cell), np.minimum(left + cell, total - top)
    lines = np.stack([start, total - start, end, total - end], axis=-1)
    return Lines(colour=HATCH, lines=lines[end - start > 0.1], pen=THIN)


def outline_cells(shape: tuple[int, ...], corner: Point, cell: float) -> Boxes:
    """Draw the outlines of all cells of a board."""
    return Boxes(colour=LINE, boxes=cell_boxes(np.ones(shape, bool), corner, cell), pen=PEN)


def draw_dots(cells: Bits, corner: Point, cell: float) -> Boxes:
    """Draw a dot in the middle of each of the cells, bool (rows, columns)."""
    boxes, radius = cell_boxes(cells, corner, cell), DOT_RADIUS * cell
    boxes[:, :2] += cell / 2 - radius
    boxes[:, 2:] = 2 * radius
    return Boxes(colour=INK, boxes=boxes, radius=radius)


def draw_digits(
    numbers: NDArray[Any],
    cells: Bits,
    corner: Point,
    cell: float,
    point: Point,
    height: tuple[float, float] = DIGIT_HEIGHTS,
    colour: Colour = INK,
) -> Words:
    """Draw a number in each cell, at ``point``: fractions of the cell from its left and top."""
    return Words(
        colour=colour,
        words=tuple(map(str, numbers[cells].tolist())),
        points=cell_boxes(cells, corner, cell)[:, :2] + np.array(point) * cell,
        height=min(height[0] * cell, height[1]),
    )


def cell_boxes(cells: Bits, corner: Point, cell: float) -> Numbers:
    """Return the box of each cell: left, top, width, height."""
    corners = np.argwhere(cells)[:, ::-1] * cell + corner
    return np.column_stack([corners, np.full(corners.shape, cell)])
