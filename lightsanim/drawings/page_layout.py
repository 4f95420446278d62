"""Boards of one size in rows on a page, with a heading and numbers at two of their sides."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from lightsanim.errors import OptionError
from lightsanim.options.checks import require_keys
from lightsanim.options.choices import PAPERS

# Millimetres of the papers, and their margins.
PAPER_SIZES = require_keys(PAPERS, {"a4": (210.0, 297.0), "letter": (215.9, 279.4)})
MARGIN = 15.0

# Millimetres for the numbers of rows and columns, between boards, and at most between their rows.
NUMBERS_WIDTH, GAP, MAX_GAP = 5.0, 9.0, 16.0


@dataclass(frozen=True, kw_only=True)
class PageArea:
    """Where the boards of a page stand, in millimetres, and how they look."""

    left: float  # of the area
    top: float
    width: float
    height: float
    rows: int  # of each board
    columns: int
    heading: float  # the height of what stands above each board
    min_width: float  # the width of that
    max_cell: float  # the largest side of a cell

    def cell_size(self, across: int, down: int) -> float:
        """The side of a cell, so many boards standing across and down; 0 if they do not fit."""
        width = (self.width - (across - 1) * GAP) / across
        height = (self.height - (down - 1) * GAP) / down - self.heading
        fitting = min((width - NUMBERS_WIDTH) / self.columns, (height - NUMBERS_WIDTH) / self.rows)
        return max(0.0, min(fitting, self.max_cell)) if width >= self.min_width else 0.0

    def best_layout(self, count: int) -> "BoardLayout":
        """The layout of so many boards in which their cells are largest."""
        across = max(range(1, count + 1), key=lambda n: self.cell_size(n, ceil(count / n)))
        return BoardLayout(area=self, across=across, down=ceil(count / across))

    def max_board_count(self, min_cell: float) -> int:
        """How many boards fit with cells of a side of at least so many millimetres."""
        count = 0
        while self.best_layout(count + 1).cell_size >= min_cell:
            count += 1
        return count


@dataclass(frozen=True, kw_only=True)
class BoardLayout:
    """Boards in an area: so many across, and so many down."""

    area: PageArea
    across: int
    down: int

    @property
    def cell_size(self) -> float:
        """The side of a cell."""
        return self.area.cell_size(self.across, self.down)

    @property
    def board_width(self) -> float:
        """The width of a board with its numbers, or of its heading, if that is wider."""
        return max(NUMBERS_WIDTH + self.area.columns * self.cell_size, self.area.min_width)

    @property
    def board_corners(self) -> Iterator[tuple[float, float]]:
        """The left and the top edge of each board with what belongs to it, row by row."""
        area, height = (
            self.area,
            self.area.heading + NUMBERS_WIDTH + self.area.rows * self.cell_size,
        )
        step = (area.width + GAP) / self.across
        left = area.left + ((area.width - self.board_width) / 2 if self.across == 1 else 0)
        fall = min((area.height - height) / max(1, self.down - 1), height + MAX_GAP)
        for number in range(self.across * self.down):
            row, column = divmod(number, self.across)
            yield left + column * step, area.top + row * fall


def check_board_count(area: PageArea, count: int, min_cell: float, paper: str) -> None:
    """Check that so many boards fit on a page."""
    if area.best_layout(count).cell_size >= min_cell:
        return
    capacity, size = area.max_board_count(min_cell), f"{area.columns}x{area.rows}"
    if not capacity:
        sides = (area.width, area.height - area.heading)
        columns, rows = (int((side - NUMBERS_WIDTH) / min_cell) for side in sides)
        raise OptionError(
            f"a board of {size} is too large for a page of {paper} paper; at most {columns}x{rows}"
        )
    raise OptionError(
        f"per_page must be at most {capacity} for boards of {size} on {paper} paper, not {count}"
    )
