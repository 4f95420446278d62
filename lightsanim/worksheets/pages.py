"""The pages of a worksheet as drawings in millimetres: puzzles first, then their answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from lightsanim.board.board import Board
from lightsanim.board.rule import rule_of
from lightsanim.drawings.drawing import Layer
from lightsanim.drawings.letters import width_of
from lightsanim.drawings.page_layout import MARGIN, NUMBERS, SIZES, Area, Layout, check_cells
from lightsanim.drawings.worksheet_parts import (
    GREY,
    INK,
    LEADING,
    NOTE,
    Place,
    draw_answer,
    draw_line,
    draw_numbers,
    draw_rule,
    draw_start,
    wrapped,
    write,
)
from lightsanim.formats.page import diagram_of
from lightsanim.options.table import SheetOptions

# Heights of letters.
TITLE, TEXT = 7.0, 4.0

# The length of the line for a name, with the word before it.
NAME = 75.0

# Lines of a title that stand beside the name; a longer title stands under it.
BESIDE_NAME = 2

# Cells of the diagram and of the legend, and those that hold digits.
SMALL, WITH_DIGIT = 4.0, 6.0

# More solutions than these are not counted out.
MAX_SOLUTIONS = 1_000_000

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

Drawn = tuple[list[Layer], float]
"""Layers, and how far they reach down."""


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

    def draw(self, puzzles: Sequence[Any]) -> Iterator[list[Layer]]:
        """Draw the pages."""
        numbered = list(enumerate(puzzles, 1))
        for start in range(0, len(numbered), self.per_page):
            boards = zip(numbered[start : start + self.per_page], self.layout.places, strict=False)
            yield [
                *self._head[0],
                *(layer for board, place in boards for layer in self._board(*board, place)),
            ]

    @cached_property
    def _head(self) -> Drawn:
        # What stands at the top of each page, and how far it reaches down.
        right = SIZES[self.options.paper][0] - MARGIN
        layers, top = _draw_title(self.options.title, right, answers=self.answers)
        said, bottom = self.told(top, right)
        return [*layers, *said], bottom + 1.5 * TEXT

    def told(self, top: float, right: float) -> Drawn:
        """What is said at the top of a page, and how far down it reaches."""
        if self.answers:
            return draw_text(_answers_in_words(self.board), (MARGIN, top), right)
        return _draw_rule_and_legend(self.board, top, right)

    @property
    def _asked(self) -> int | None:
        return None if self.answers else self.options.per_page

    def _board(self, number: int, posed: Any, place: Place) -> Iterator[Layer]:
        (left, top), cell = place, self.layout.cell
        corner = left + NUMBERS, top + self.area.heading + NUMBERS
        yield from self._heading(number, self.heading(posed), (corner[0], top + HEADING / 2))
        yield from self.cells(posed, corner, cell)

    def cells(self, posed: Any, corner: Place, cell: float) -> Iterator[Layer]:
        """A board as it starts, or its answer."""
        yield draw_numbers(*self.board.shape, corner, cell)
        if self.answers:
            yield from draw_answer(posed, corner, cell)
        else:
            yield from draw_start(posed.start, corner, cell)

    def heading(self, posed: Any) -> str:
        """What stands beside a puzzle's number."""
        clicks = "1 click" if posed.count == 1 else f"{posed.count} clicks"
        return clicks if self.answers else f"fewest clicks: {posed.count}"

    def _heading(self, number: int, told: str, place: Place) -> Iterator[Layer]:
        left, top = place
        yield write([str(number)], place, HEADING, INK, bold=True)
        left += width_of(f"{number} ", HEADING, bold=True)
        yield write([told] if told else [], (left, top + LOWER), NOTE, GREY)
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
        room = self.layout.width - NUMBERS - number - told - OWN
        return not self.answers and not self.options.puzzle and room >= 0


def draw_foot(options: SheetOptions, seed: int, number: int, count: int) -> Iterator[Layer]:
    """What stands at the foot of a page."""
    width, height = SIZES[options.paper]
    page = f"{number} / {count}"
    yield write([f"seed {seed}"], (MARGIN, height - MARGIN), NOTE, GREY)
    yield write([page], (width - MARGIN - width_of(page, NOTE), height - MARGIN), NOTE, GREY)


def _draw_title(title: str, right: float, *, answers: bool) -> Drawn:
    layers, top, width = list[Layer](), MARGIN, right - MARGIN
    if answers:
        title = " \u2013 ".join(filter(None, [title, "answers"]))
    else:
        layers += _draw_name(right)
        beside = width - NAME - TEXT
        if len(wrapped(title, beside, TITLE, bold=True)) <= BESIDE_NAME:
            width = beside
        else:
            top += LEADING * TITLE
    lines = wrapped(title, width, TITLE, bold=True)
    layers.append(write(lines, (MARGIN, top + TITLE / 2), TITLE, INK, bold=True))
    return layers, top + LEADING * TITLE * len(lines) + TEXT


def _draw_name(right: float) -> Iterator[Layer]:
    start = right - NAME
    yield write(["Name"], (start, MARGIN + TITLE / 2 + 1), TEXT, GREY)
    yield draw_line(start + width_of("Name ", TEXT), right, MARGIN + TITLE)


def _draw_rule_and_legend(board: Board, top: float, right: float) -> Drawn:
    layers, left, bottom = list[Layer](), MARGIN, top
    offsets = rule_of(board.rule).offsets_on(3, 3, wrap=False)
    if (diagram := diagram_of(offsets)) is not None:
        _, _, across, down = diagram["box"]
        layers += draw_rule(offsets, (MARGIN, top - TEXT / 2), SMALL)
        left, bottom = MARGIN + across * SMALL + TEXT, top - TEXT / 2 + down * SMALL
    said, under = draw_text(_rule_in_words(board), (left, top), right)
    legend, last = _draw_legend(board.levels, (left, under + TEXT / 2))
    return [*layers, *said, *legend], max(bottom, last)


def draw_text(text: str, place: Place, right: float) -> Drawn:
    """A text from a place to the right margin, and how far down it reaches."""
    lines = wrapped(text, right - place[0], TEXT)
    return [write(lines, place, TEXT, INK)], place[1] + LEADING * TEXT * len(lines)


def _draw_legend(levels: int, place: Place) -> Drawn:
    # A cell of each level, and what the first and the last are.
    (left, top), layers = place, list[Layer]()
    side = SMALL if levels == 2 else WITH_DIGIT
    for level, name in enumerate(["off", *[""] * (levels - 2), "on"]):
        cell = np.full((1, 1), level, bool if levels == 2 else np.uint8)
        layers += draw_start(cell, (left, top - TEXT / 2), side)
        left += side + SMALL / 2
        layers.append(write([name], (left, top + (side - SMALL) / 2), TEXT, INK))
        left += width_of(name, TEXT) + TEXT if name else 0
    return layers, top + side - TEXT / 2


def _rule_in_words(board: Board) -> str:
    if board.levels == 2:
        does, mark = f"flips {board.says}", "Mark the cells to click"
    else:
        does = f"raises {board.says} by 1, and from {board.levels - 1} to off"
        mark = "Write in each cell how often to click it"
    joined = " Opposite edges are joined." if board.wrap else ""
    return f"Turn everything off. A click {does}.{joined} {mark}; the order does not matter."


def _answers_in_words(board: Board) -> str:
    clicks = "the cells with dots" if board.levels == 2 else "each cell as often as it says"
    solutions = board.levels ** min(board.nullity, MAX_SOLUTIONS.bit_length())
    many = str(solutions) if solutions <= MAX_SOLUTIONS else "many"
    others = f"Each board has {many} solutions, none with fewer clicks."
    if solutions == 1:
        others = "No board has another solution."
    return f"Click {clicks}, in any order. {others}"
