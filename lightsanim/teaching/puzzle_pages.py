"""Draw worksheet pages of related puzzles, such as queens: some cells given, or the answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from lightsanim.drawings.drawing import Layer, Lines
from lightsanim.drawings.page_layout import MARGIN
from lightsanim.games.puzzle_files import load_puzzle_rules
from lightsanim.options.sheet_options import TASKS
from lightsanim.puzzles.well_posed import WellPosedPuzzle
from lightsanim.teaching.worksheet_drawing import (
    GREY,
    INK,
    THICK,
    Point,
    cell_boxes,
    draw_digits,
    draw_labels,
    draw_numbers,
    hatch_cells,
    outline_cells,
)
from lightsanim.teaching.worksheet_pages import Block, WorksheetPages, draw_text

# Symbols as polylines (a sun, a crown, a submarine): x y x y ..., in hundredths of a cell.
MARKS: Mapping[str, str] = {
    "abbott": "50 34 61 39 66 50 61 61 50 66 39 61 34 50 39 39 50 34",
    "queens": "25 75 18 32 37 52 50 24 63 52 82 32 75 75 25 75",
    "submarines": "24 48 44 48 44 34 56 34 56 48 76 48 88 59 76 70 24 70 12 59 24 48",
}

# Styles of a cell's sum and of its number: position as a fraction of the cell, height as a fraction
# of the cell, and maximum height in millimetres.
SUM_STYLE, NUMBER_STYLE = ((0.2, 0.21), (0.28, 3.4)), ((0.56, 0.58), (0.45, 6.0))


@dataclass(frozen=True, kw_only=True)
class RelatedPuzzlePages(WorksheetPages):
    """Worksheet pages with related puzzles of one kind, such as queens, or with their answers."""

    def draw_introduction(self, top: float, right: float) -> Block:
        """Draw the text at the top of a page: the task, or a note on the answers."""
        puzzle = str(self.options.puzzle)
        text = self.text(TASKS[puzzle], " ".join(load_puzzle_rules(puzzle)))
        if self.answers:
            text = self.text("puzzle_solution", "Each puzzle has only this answer.")
        return draw_text(text, (MARGIN, top), right)

    def heading_text(self, count: int) -> str:
        """Return the text beside a puzzle's number: how many cells are given."""
        label = self.text("given", f"given: {{count}} of {self.board.cells}", count)
        return "" if self.answers else label

    def draw_cells(self, posed: WellPosedPuzzle, corner: Point, cell: float) -> Iterator[Layer]:
        """Draw a board with its given cells, or its answer."""
        answer, is_given, clues = posed.answer, posed.is_given, posed.clues
        (rows, columns), all_cells = answer.shape, np.ones_like(is_given)
        visible = all_cells if self.answers else is_given
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
            yield draw_numbers(rows, columns, corner, cell)
        if marked.any():
            points = np.array(MARKS[posed.puzzle].split(), float).reshape(-1, 2) * cell / 100
            mark, boxes = np.hstack([points[:-1], points[1:]]), cell_boxes(marked, corner, cell)
            lines = mark + np.tile(boxes[:, None, :2], 2)
            yield Lines(colour=INK, lines=lines.reshape(-1, 4), pen=2 * THICK)
        if "sums" in clues:
            yield draw_digits(np.array(clues["sums"]), all_cells, corner, cell, *SUM_STYLE, GREY)
            yield draw_digits(answer, visible, corner, cell, *NUMBER_STYLE, INK)
