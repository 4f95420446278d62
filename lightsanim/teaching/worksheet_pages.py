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
from lightsanim.formats.page import diagram_of
from lightsanim.options.checks import counted
from lightsanim.options.worksheet import SheetOptions
from lightsanim.teaching.worksheet_parts import (
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

# Heights of letters.
TITLE, TEXT = 7.0, 4.0

# The length of the line for a name, with the word before it, and at least without.
NAME, LEAST_LINE = 75.0, 40.0

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

# The heights of what stands above a puzzle and above an answer; digits that have room there.
ABOVE_PUZZLE, ABOVE_ANSWER, DIGITS = 7.0, 6.0, 88

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
        asked = None if self.answers else self.options.per_page
        check_cells(self.area, asked or 1, LEAST, self.options.paper)

    @cached_property
    def area(self) -> Area:
        """Where the boards stand."""
        (width, height), (_, top) = SIZES[self.options.paper], self._head
        return Area(
            left=MARGIN - NUMBERS,  # so that boards and titles begin alike
            top=top,
            width=width - 2 * MARGIN + NUMBERS,
            height=height - MARGIN - 2 * NOTE - top,
            rows=self.board.rows,
            columns=self.board.columns,
            heading=ABOVE_ANSWER if self.answers else ABOVE_PUZZLE,
            narrowest=self._narrowest,
            most=MOST_OF_ANSWERS if self.answers else MOST,
        )

    @cached_property
    def layout(self) -> Layout:
        """How the boards of a page stand."""
        return self.area.layout(self.per_page)

    @cached_property
    def per_page(self) -> int:
        """Boards on a page: as asked, or as many as have large cells, evenly spread."""
        if self.options.per_page is not None and not self.answers:
            return self.options.per_page
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
        layers, top = self._title(right)
        drawn, bottom = self.told(top, right)
        return [*layers, *drawn], bottom + 1.5 * TEXT

    def told(self, top: float, right: float) -> Drawn:
        """What is said at the top of a page, and how far down it reaches."""
        if not self.answers:
            return self._rule_and_legend(top, right)
        text = said(self.options, "solution", *_answers_in_words(self.board))
        return draw_text(text, (MARGIN, top), right)

    def _board(self, number: int, posed: Any, place: Place) -> Iterator[Layer]:
        (left, top), cell = place, self.layout.cell
        corner = left + NUMBERS, top + self.area.heading + NUMBERS
        yield from self._heading(number, self.heading(posed.count), (corner[0], top + HEADING / 2))
        yield from self.cells(posed, corner, cell)

    def cells(self, posed: Any, corner: Place, cell: float) -> Iterator[Layer]:
        """A board as it starts, or its answer."""
        yield draw_numbers(*self.board.shape, corner, cell)
        if self.answers:
            yield from draw_answer(posed, corner, cell)
        else:
            yield from draw_start(posed.start, corner, cell)

    def heading(self, count: int) -> str:
        """What stands beside a puzzle's number: how many clicks it needs."""
        if self.answers:
            return said(self.options, "clicks", counted(count, "click"), count)
        fewest = said(self.options, "fewest", "fewest clicks: {count}", count)
        return fewest if self.options.fewest else ""

    def _heading(self, number: int, told: str, place: Place) -> Iterator[Layer]:
        left, top = place
        yield write([str(number)], place, HEADING, INK, bold=True)
        left += width_of(f"{number} ", HEADING)
        yield write([told] if told else [], (left, top + LOWER), NOTE, GREY)
        if self._has_room_for_own:
            right, mine = place[0] - NUMBERS + self.layout.width, said(self.options, "mine", "mine")
            start = right - OWN - width_of(f"{mine} ", NOTE)
            yield write([mine], (start, top + LOWER), NOTE, GREY)
            yield draw_line(right - OWN, right, top + HEADING / 2)

    @cached_property
    def _narrowest(self) -> float:
        # Alike for all boards, whatever their numbers.
        number = width_of(f"{self.options.count} ", HEADING)
        most = self.board.cells if self.options.puzzle else DIGITS
        return NUMBERS + number + width_of(self.heading(most), NOTE)

    @cached_property
    def _has_room_for_own(self) -> bool:
        own = width_of(f" {said(self.options, 'mine', 'mine')} ", NOTE) + OWN
        is_asked = self.options.fewest and not self.answers and not self.options.puzzle
        return is_asked and self._narrowest + own <= self.layout.width

    def _title(self, right: float) -> Drawn:
        layers, top, width = list[Layer](), MARGIN, right - MARGIN
        title = self.options.title
        if self.answers:
            answers = said(self.options, "answers", "answers")
            title = " \u2013 ".join(filter(None, [title, answers]))
        else:
            name = said(self.options, "name", "Name")
            start = right - max(NAME, width_of(name, TEXT) + LEAST_LINE)
            layers.append(write([name], (start, MARGIN + TITLE / 2 + 1), TEXT, GREY))
            layers.append(draw_line(start + width_of(f"{name} ", TEXT), right, MARGIN + TITLE))
            beside = start - MARGIN - TEXT
            if len(wrapped(title, beside, TITLE)) <= BESIDE_NAME:
                width = beside
            else:
                top += LEADING * TITLE
        lines = wrapped(title, width, TITLE)
        layers.append(write(lines, (MARGIN, top + TITLE / 2), TITLE, INK, bold=True))
        return layers, top + LEADING * TITLE * len(lines) + TEXT

    def _rule_and_legend(self, top: float, right: float) -> Drawn:
        layers, left, bottom = list[Layer](), MARGIN, top
        offsets = rule_of(self.board.rule).offsets_on(3, 3, wrap=False)
        if (diagram := diagram_of(offsets)) is not None:
            _, _, across, down = diagram["box"]
            layers += draw_rule(offsets, (MARGIN, top - TEXT / 2), SMALL)
            left, bottom = MARGIN + across * SMALL + TEXT, top - TEXT / 2 + down * SMALL
        task = said(self.options, "task", _rule_in_words(self.board))
        words, under = draw_text(task, (left, top), right)
        ends = [said(self.options, end, end) for end in ("off", "on")]
        legend, last = _draw_legend(self.board.levels, ends, (left, under + TEXT / 2))
        return [*layers, *words, *legend], max(bottom, last)


def said(options: SheetOptions, word: str, english: str, count: int | str = 0) -> str:
    """A word as the sheet has it, its own or the English one, with a number in it."""
    return (options.words or {}).get(word, english).replace("{count}", str(count))


def draw_foot(options: SheetOptions, seed: int, number: int, count: int) -> Iterator[Layer]:
    """What stands at the foot of a page."""
    width, height = SIZES[options.paper]
    page, drawn = f"{number} / {count}", said(options, "seed", "seed {count}", seed)
    yield write([drawn], (MARGIN, height - MARGIN), NOTE, GREY)
    yield write([page], (width - MARGIN - width_of(page, NOTE), height - MARGIN), NOTE, GREY)


def draw_text(text: str, place: Place, right: float) -> Drawn:
    """A text from a place to the right margin, and how far down it reaches."""
    lines = wrapped(text, right - place[0], TEXT)
    return [write(lines, place, TEXT, INK)], place[1] + LEADING * TEXT * len(lines)


def _draw_legend(levels: int, ends: Sequence[str], place: Place) -> Drawn:
    # A cell of each level, and what the first and the last are.
    (left, top), layers = place, list[Layer]()
    side = SMALL if levels == 2 else WITH_DIGIT
    for level, name in enumerate([ends[0], *[""] * (levels - 2), ends[1]]):
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


def _answers_in_words(board: Board) -> tuple[str, str]:
    # And how many solutions each board has.
    clicks = "the cells with dots" if board.levels == 2 else "each cell as often as it says"
    solutions = board.levels ** min(board.nullity, MAX_SOLUTIONS.bit_length())
    many = str(solutions) if solutions <= MAX_SOLUTIONS else "many"
    others = f"Each board has {many} solutions, none with fewer clicks."
    if solutions == 1:
        others = "No board has another solution."
    return f"Click {clicks}, in any order. {others}", many
