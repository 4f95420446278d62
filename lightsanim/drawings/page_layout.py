"""The layout of a page with rows of boards, each with a heading and row and column numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
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
class PageArea:
    """The area of a page that boards of one size can fill; lengths are in millimetres."""

    left: float
    top: float
    width: float
    height: float
    rows: int  # Rows of cells of each board.
    columns: int  # Columns of cells of each board.
    heading: float  # Height of the heading above each board.
    min_width: float  # Width of the heading; boards have at least this width.
    max_cell: float  # Maximum side of a cell.

    def cell_size(self, across: int, down: int) -> float:
        """Return the side of a cell for ``across`` x ``down`` boards; 0 if they do not fit."""
        width = (self.width - (across - 1) * GAP) / across
        height = (self.height - (down - 1) * GAP) / down - self.heading
        fitting = min((width - NUMBERS_WIDTH) / self.columns, (height - NUMBERS_WIDTH) / self.rows)
        return max(0.0, min(fitting, self.max_cell)) if width >= self.min_width else 0.0

    def best_layout(self, count: int) -> "BoardLayout":
        """Return the layout of ``count`` boards in which cells are largest."""
        across = max(range(1, count + 1), key=lambda n: self.cell_size(n, ceil(count / n)))
        return BoardLayout(area=self, across=across, down=ceil(count / across))

    def max_board_count(self, min_cell: float) -> int:
        """Return how many boards fit with cells of at least ``min_cell`` millimetres."""
        count = 0
        while self.best_layout(count + 1).cell_size >= min_cell:
            count += 1
        return count


@dataclass(frozen=True, kw_only=True)
class BoardLayout:
    """Boards on a page, in rows and columns."""

    area: PageArea
    across: int  # Number of boards in a row.
    down: int  # Number of rows of boards.

    @property
    def cell_size(self) -> float:
        """The side of a cell, in millimetres."""
        return self.area.cell_size(self.across, self.down)

    @property
    def board_width(self) -> float:
        """The width of a board with its numbers, or of its heading if that is wider."""
        return max(NUMBERS_WIDTH + self.area.columns * self.cell_size, self.area.min_width)

    @property
    def board_corners(self) -> Iterator[tuple[float, float]]:
        """The left and top edge of each board, including its heading and numbers, row by row."""
        area = self.area
        height = area.heading + NUMBERS_WIDTH + area.rows * self.cell_size
        step = (area.width + GAP) / self.across
        left = area.left + ((area.width - self.board_width) / 2 if self.across == 1 else 0)
        fall = min((area.height - height) / max(1, self.down - 1), height + MAX_GAP)
        for number in range(self.across * self.down):
            row, column = divmod(number, self.across)
            yield left + column * step, area.top + row * fall


def check_board_count(area: PageArea, count: int, min_cell: float, paper: str) -> None:
    """Raise `OptionError` if ``count`` boards with cells of ``min_cell`` millimetres do not fit."""
    if area.best_layout(count).cell_size >= min_cell:
        return
    capacity, size = area.max_board_count(min_cell), f"{area.columns}x{area.rows}"
    if not capacity:
        sides = (area.width, area.height - area.heading)
        columns, rows = (int((side - NUMBERS_WIDTH) / min_cell) for side in sides)
        raise OptionError(
            f"a board of {size} is too large for {paper} paper; at most {columns}x{rows} cells fit"
        )
    raise OptionError(
        f"per_page must be at most {capacity} for {size} boards on {paper} paper, not {count}"
    )
