"""The pages of a worksheet as drawings in millimetres: puzzles first, then their answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np

from lightsanim.board.board import Board
from lightsanim.board.rule import rule_of
from lightsanim.formats.drawing import Layer, Strokes
from lightsanim.formats.letters import width_of
from lightsanim.formats.page import diagram_of
from lightsanim.lessons.layout import MARGIN, NUMBERS, PAPERS, Area, Layout, check_cells
from lightsanim.lessons.parts import (
    GREY,
    INK,
    LINE,
    PEN,
    Place,
    draw_answer,
    draw_numbers,
    draw_rule,
    draw_start,
    wrapped,
    write,
)
from lightsanim.options import SheetOptions
from lightsanim.solve.pose import Posed

# Heights of letters, and how much larger those of a title are.
TITLE, HEADING, TEXT, NOTE = 7.0, 4.8, 4.0, 3.4
LEADING = 1.3

# Length of the line for a name with the word before it, and of one for a number.
NAME, OWN = 75.0, 10.0

# Lines of a title that stand beside the name; a longer title stands under it.
BESIDE_NAME = 2

# How much lower smaller letters stand in the same line.
LOWER = 0.4

# What stands above a puzzle and above an answer: its height, and how wide it is.
ABOVE_PUZZLE, ABOVE_ANSWER = (7.0, 36.0), (6.0, 22.0)

# Sides of cells of puzzles: the least, the least that leaves room to write, and the most.
LEAST, WRITABLE, MOST = 4.0, 9.0, 20.0

# The same of answers: the least that is chosen, and the most.
READABLE, MOST_OF_ANSWERS = 4.5, 9.0

# Cells of the diagram and of the legend, and those that hold digits.
SMALL, WITH_DIGIT = 4.0, 6.0

# More ways than these are not counted out.
MAX_WAYS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Pages:
    """Puzzles, or their answers, spread over pages.

    Attributes:
        board: of all puzzles.
        options: what was asked for.
        answers: whether they are answers.

    Raises:
        OptionError: if the cells would be too small.
    """

    board: Board
    options: SheetOptions
    answers: bool

    def __post_init__(self) -> None:
        check_cells(self.area, self._asked or 1, LEAST, self.options.paper)

    @cached_property
    def area(self) -> Area:
        """Where the boards stand."""
        (width, height), (_, top) = PAPERS[self.options.paper], self._head
        heading, narrowest = ABOVE_ANSWER if self.answers else ABOVE_PUZZLE
        return Area(
            left=MARGIN - NUMBERS,  # so that boards and titles begin alike
            top=top + 1.5 * TEXT,
            width=width - 2 * MARGIN + NUMBERS,
            height=height - MARGIN - 2 * NOTE - top - 1.5 * TEXT,
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
        most = max(1, self.area.fitting(READABLE if self.answers else WRITABLE))
        return ceil(self.options.count / ceil(self.options.count / most))

    @property
    def count(self) -> int:
        """How many pages there are."""
        return ceil(self.options.count / self.per_page)

    def draw(self, puzzles: Sequence[Posed]) -> Iterator[list[Layer]]:
        """Draw the pages.

        Args:
            puzzles: as many as were asked for.
        """
        numbered = list(enumerate(puzzles, 1))
        for start in range(0, len(numbered), self.per_page):
            boards = zip(numbered[start : start + self.per_page], self.layout.places, strict=False)
            yield [
                *self._head[0],
                *(layer for board, place in boards for layer in self._board(*board, place)),
            ]

    @property
    def _asked(self) -> int | None:
        return None if self.answers else self.options.per_page

    def _board(self, number: int, posed: Posed, place: Place) -> Iterator[Layer]:
        (left, top), cell = place, self.layout.cell
        corner = left + NUMBERS, top + self.area.heading + NUMBERS
        yield from self._heading(number, posed.count, (corner[0], top + HEADING / 2))
        yield draw_numbers(*self.board.shape, corner, cell)
        yield from (draw_answer(posed, corner, cell) if self.answers else ())
        yield from (() if self.answers else draw_start(posed.start, corner, cell))

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
            yield _line(right - OWN, right, top + HEADING / 2)

    @cached_property
    def _has_room_for_own(self) -> bool:
        # Alike for all puzzles, whatever their numbers.
        number = width_of(f"{self.options.count} ", HEADING, bold=True)
        told = width_of("fewest clicks: 88 mine ", NOTE)
        return not self.answers and NUMBERS + number + told + OWN <= self.layout.width

    @cached_property
    def _head(self) -> tuple[list[Layer], float]:
        # What stands at the top of each page, and how far it reaches down.
        right, layers, top = PAPERS[self.options.paper][0] - MARGIN, list[Layer](), MARGIN
        if self.answers:
            title = " \u2013 ".join(filter(None, [self.options.title, "answers"]))
            lines = wrapped(title, right - MARGIN, TITLE, bold=True)
        else:
            layers += _name(right)
            beside = right - MARGIN - NAME - TEXT
            lines = wrapped(self.options.title, beside, TITLE, bold=True)
            if len(lines) > BESIDE_NAME:
                lines = wrapped(self.options.title, right - MARGIN, TITLE, bold=True)
                top += LEADING * TITLE
        layers.append(write(lines, (MARGIN, top + TITLE / 2), TITLE, INK, bold=True))
        top += LEADING * TITLE * len(lines) + TEXT
        said, bottom = self._answers_told(top) if self.answers else self._rule_told(top)
        return layers + said, bottom

    def _answers_told(self, top: float) -> tuple[list[Layer], float]:
        told = (
            "Click the cells with dots"
            if self.board.levels == 2
            else ("Click each cell as often as it says")
        )
        ways = self.board.levels ** min(self.board.nullity, 99)
        if ways == 1:
            others = "No board has another solution."
        elif ways > MAX_WAYS:
            others = "Each board has many solutions, none with fewer clicks."
        else:
            others = f"Each board has {ways} solutions, none with fewer clicks."
        return self._told(f"{told}, in any order. {others}", MARGIN, top)

    def _rule_told(self, top: float) -> tuple[list[Layer], float]:
        layers, left, bottom = list[Layer](), MARGIN, top
        offsets = rule_of(self.board.rule).offsets_on(3, 3, wrap=False)
        if (diagram := diagram_of(offsets)) is not None:
            _, _, across, down = diagram["box"]
            layers += draw_rule(offsets, (MARGIN, top - TEXT / 2), SMALL)
            left, bottom = MARGIN + across * SMALL + TEXT, top - TEXT / 2 + down * SMALL
        said, under = self._told(_rule_in_words(self.board), left, top)
        legend, last = self._legend((left, under + TEXT / 2))
        return [*layers, *said, *legend], max(bottom, last)

    def _told(self, text: str, left: float, top: float) -> tuple[list[Layer], float]:
        lines = wrapped(text, PAPERS[self.options.paper][0] - MARGIN - left, TEXT)
        return [write(lines, (left, top), TEXT, INK)], top + LEADING * TEXT * len(lines)

    def _legend(self, place: Place) -> tuple[list[Layer], float]:
        # A cell of each level, and what the first and the last are.
        (left, top), layers = place, list[Layer]()
        side = SMALL if self.board.levels == 2 else WITH_DIGIT
        names = ["off", *[""] * (self.board.levels - 2), "on"]
        for level, name in enumerate(names):
            cell = np.full_like(self.board.reference[:1, :1], level)
            layers += draw_start(cell, (left, top - TEXT / 2), side)
            left += side + SMALL / 2
            layers.append(write([name], (left, top + (side - SMALL) / 2), TEXT, INK))
            left += width_of(name, TEXT) + TEXT if name else 0
        return layers, top + side - TEXT / 2


def draw_foot(options: SheetOptions, seed: int, number: int, count: int) -> Iterator[Layer]:
    """What stands at the foot of a page.

    Args:
        options: the paper.
        seed: of the puzzles.
        number: of the page.
        count: of all pages.
    """
    width, height = PAPERS[options.paper]
    page = f"{number} / {count}"
    yield write([f"seed {seed}"], (MARGIN, height - MARGIN), NOTE, GREY)
    yield write([page], (width - MARGIN - width_of(page, NOTE), height - MARGIN), NOTE, GREY)


def _name(right: float) -> Iterator[Layer]:
    start = right - NAME
    yield write(["Name"], (start, MARGIN + TITLE / 2 + 1), TEXT, GREY)
    yield _line(start + width_of("Name ", TEXT), right, MARGIN + TITLE)


def _rule_in_words(board: Board) -> str:
    if board.levels == 2:
        does, mark = f"flips {board.says}", "Mark the cells to click"
    else:
        does = f"raises {board.says} by 1, and from {board.levels - 1} to off"
        mark = "Write in each cell how often to click it"
    wrapped = " Opposite edges are joined." * board.wrap
    return f"Turn everything off. A click {does}.{wrapped} {mark}; the order does not matter."


def _line(left: float, right: float, y: float) -> Strokes:
    return Strokes(colour=LINE, strokes=np.array([[left, y, right]]), pen=PEN)
