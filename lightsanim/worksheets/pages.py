"""The pages of a worksheet as drawings in millimetres: puzzles first, then their answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from lightsanim.board.board import Board
from lightsanim.drawings.drawing import Layer
from lightsanim.drawings.letters import width_of
from lightsanim.drawings.page_layout import MARGIN, NUMBERS, SIZES, Area, Layout, check_cells
from lightsanim.drawings.worksheet_parts import (
    GREY,
    INK,
    NOTE,
    Place,
    draw_answer,
    draw_line,
    draw_numbers,
    draw_start,
    write,
)
from lightsanim.options.table import SheetOptions
from lightsanim.solve.pose import Posed
from lightsanim.worksheets.head import draw_head

# The height of a puzzle's number, and the length of the line for one's own number of clicks.
HEADING, OWN = 4.8, 10.0

# How much lower smaller letters stand in the same line.
LOWER = 0.4

# What stands above a puzzle and above an answer: its height, and how wide it is.
ABOVE_PUZZLE, ABOVE_ANSWER = (7.0, 36.0), (6.0, 22.0)

# Sides of cells of puzzles: the least, the least that leaves room to write, and the most.
LEAST, WRITABLE, MOST = 4.0, 9.0, 20.0

# The same of answers: the least that is chosen, and the most.
READABLE, MOST_OF_ANSWERS = 4.5, 9.0


@dataclass(frozen=True, kw_only=True)
class Pages:
    """Puzzles, or their answers, spread over pages."""

    board: Board  # of all puzzles
    options: SheetOptions  # what was asked for
    answers: bool  # whether they are answers

    def __post_init__(self) -> None:
        check_cells(self.area, self._asked or 1, LEAST, self.options.paper)

    @cached_property
    def area(self) -> Area:
        """Where the boards stand."""
        (width, height), (_, top) = SIZES[self.options.paper], self._head
        heading, narrowest = ABOVE_ANSWER if self.answers else ABOVE_PUZZLE
        return Area(
            left=MARGIN - NUMBERS,  # so that boards and titles begin alike
            top=top,
            width=width - 2 * MARGIN + NUMBERS,
            height=height - MARGIN - 2 * NOTE - top,
            rows=self.board.rows,
            columns=self.board.columns,
            heading=heading,
            narrowest=narrowest,
            most=MOST_OF_ANSWERS if self.answers else MOST,
        )

    @cached_property
    def layout(self) -> Layout:
        """How the boards of a page stand."""
        return self.area.layout(self.per_page)

    @cached_property
    def per_page(self) -> int:
        """Boards on a page: as asked, or as many as have large cells, evenly spread."""
        if self._asked is not None:
            return self._asked
        wanted = READABLE if self.answers else WRITABLE
        most = self.area.fitting(min(wanted, self.area.layout(1).cell))
        return ceil(self.options.count / ceil(self.options.count / most))

    @property
    def count(self) -> int:
        """How many pages there are."""
        return ceil(self.options.count / self.per_page)

    def draw(self, puzzles: Sequence[Posed]) -> Iterator[list[Layer]]:
        """Draw the pages."""
        numbered = list(enumerate(puzzles, 1))
        for start in range(0, len(numbered), self.per_page):
            boards = zip(numbered[start : start + self.per_page], self.layout.places, strict=False)
            yield [
                *self._head[0],
                *(layer for board, place in boards for layer in self._board(*board, place)),
            ]

    @cached_property
    def _head(self) -> tuple[list[Layer], float]:
        return draw_head(self.board, self.options, answers=self.answers)

    @property
    def _asked(self) -> int | None:
        return None if self.answers else self.options.per_page

    def _board(self, number: int, posed: Posed, place: Place) -> Iterator[Layer]:
        (left, top), cell = place, self.layout.cell
        corner = left + NUMBERS, top + self.area.heading + NUMBERS
        yield from self._heading(number, posed.count, (corner[0], top + HEADING / 2))
        yield draw_numbers(*self.board.shape, corner, cell)
        if self.answers:
            yield from draw_answer(posed, corner, cell)
        else:
            yield from draw_start(posed.start, corner, cell)

    def _heading(self, number: int, count: int, place: Place) -> Iterator[Layer]:
        left, top = place
        yield write([str(number)], place, HEADING, INK, bold=True)
        left += width_of(f"{number} ", HEADING, bold=True)
        clicks = "1 click" if count == 1 else f"{count} clicks"
        told = clicks if self.answers else f"fewest clicks: {count}"
        yield write([told], (left, top + LOWER), NOTE, GREY)
        if self._has_room_for_own:
            right = place[0] - NUMBERS + self.layout.width
            start = right - OWN - width_of("mine ", NOTE)
            yield write(["mine"], (start, top + LOWER), NOTE, GREY)
            yield draw_line(right - OWN, right, top + HEADING / 2)

    @cached_property
    def _has_room_for_own(self) -> bool:
        # Alike for all puzzles, whatever their numbers.
        number = width_of(f"{self.options.count} ", HEADING, bold=True)
        told = width_of("fewest clicks: 88 mine ", NOTE)
        return not self.answers and NUMBERS + number + told + OWN <= self.layout.width
