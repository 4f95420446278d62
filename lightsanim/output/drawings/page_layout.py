"""The layout of a page with rows of boards, each with a heading and row and column numbers."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from lightsanim.errors import OptionError
from lightsanim.options.checks import require_keys
from lightsanim.options.choices import PAPERS

# Width and height of each paper size, in millimetres.
PAPER_SIZES = require_keys(PAPERS, {"a4": (210.0, 297.0), "letter": (215.9, 279.4)})
# Margin of a page, in millimetres.
MARGIN = 15.0
# Space for row and column numbers, gap between boards, maximum gap between rows: all in mm.
NUMBERS_WIDTH, GAP, MAX_GAP = 5.0, 9.0, 16.0


@dataclass(frozen=True, kw_only=True)
class PageLayout:
    """Boards of one size in rows on an area of a page; lengths are in millimetres."""

    left: float
    top: float
    width: float
    height: float
    rows: int  # Rows of cells of each board.
    columns: int  # Columns of cells of each board.
    heading: float  # Height of the heading above each board.
    min_width: float  # Width of the heading; boards have at least this width.
    max_cell: float  # Maximum side of a cell.
    count: int = 1  # Number of boards.

    @cached_property
    def across(self) -> int:
        """The number of boards in a row, with which cells are largest."""
        return max(range(1, self.count + 1), key=self._cell_size_in_rows_of)

    @property
    def cell_size(self) -> float:
        """The side of a cell; 0 if the boards do not fit."""
        return self._cell_size_in_rows_of(self.across)

    def _cell_size_in_rows_of(self, across: int) -> float:
        down = ceil(self.count / across)
        width = (self.width - (across - 1) * GAP) / across
        height = (self.height - (down - 1) * GAP) / down - self.heading
        fitting = min((width - NUMBERS_WIDTH) / self.columns, (height - NUMBERS_WIDTH) / self.rows)
        return max(0.0, min(fitting, self.max_cell)) if width >= self.min_width else 0.0

    def max_board_count(self, min_cell: float) -> int:
        """Return how many boards fit with cells of at least ``min_cell`` millimetres."""
        return (
            next(n for n in itertools.count(1) if replace(self, count=n).cell_size < min_cell) - 1
        )

    @property
    def board_width(self) -> float:
        """The width of a board with its numbers, or of its heading if that is wider."""
        return max(NUMBERS_WIDTH + self.columns * self.cell_size, self.min_width)

    @property
    def board_corners(self) -> Iterator[tuple[float, float]]:
        """The left and top edge of each board, including its heading and numbers, row by row."""
        height = self.heading + NUMBERS_WIDTH + self.rows * self.cell_size
        step = (self.width + GAP) / self.across
        left = self.left + ((self.width - self.board_width) / 2 if self.across == 1 else 0)
        down = ceil(self.count / self.across)
        fall = min((self.height - height) / max(1, down - 1), height + MAX_GAP)
        for number in range(self.count):
            row, column = divmod(number, self.across)
            yield left + column * step, self.top + row * fall


def check_board_count(layout: PageLayout, min_cell: float, paper: str) -> None:
    """Raise `OptionError` if the boards do not fit with cells of ``min_cell`` millimetres."""
    if layout.cell_size >= min_cell:
        return
    capacity, size = layout.max_board_count(min_cell), f"{layout.columns}x{layout.rows}"
    if not capacity:
        sides = (layout.width, layout.height - layout.heading)
        columns, rows = (int((side - NUMBERS_WIDTH) / min_cell) for side in sides)
        raise OptionError(
            f"a board of {size} is too large for {paper} paper; at most {columns}x{rows} cells fit"
        )
    raise OptionError(
        f"per_page must be at most {capacity} for {size} boards on {paper} paper, not "
        f"{layout.count}"
    )
