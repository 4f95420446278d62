"""Draw the pages of a worksheet, in millimetres: puzzles, or their answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from lightsanim.game.board.board import Board
from lightsanim.game.board.rule import parse_rule
from lightsanim.game.levels import dtype_of
from lightsanim.options.page_words import PageWords, english_words
from lightsanim.options.sheet_options import SheetOptions
from lightsanim.options.stencils import STENCILS
from lightsanim.output.drawings.drawing import Layer
from lightsanim.output.drawings.page_layout import (
    MARGIN,
    NUMBERS_WIDTH,
    PAPER_SIZES,
    PageLayout,
    check_board_count,
)
from lightsanim.output.formats.page import neighbourhood_diagram
from lightsanim.pictures.font import text_width
from .worksheet_drawing import (
    GREY,
    INK,
    LEADING,
    NOTE,
    Point,
    draw_answer,
    draw_numbers,
    draw_related_puzzle,
    draw_rule_diagram,
    draw_start_board,
    draw_writing_line,
    wrap_text,
    write_lines,
)

# Letter heights of the title and of texts.  All lengths in this module are in millimetres.
TITLE, TEXT = 7.0, 4.0
# Width of the word "Name" and the line after it, and minimum width of the line alone.
NAME_WIDTH, MIN_NAME_LINE = 75.0, 40.0
# Lines of text; a longer title is placed below the line for the name, not beside it.
MAX_BESIDE_NAME = 2
# Cell sizes: in the rule diagram and the legend, and in a legend with digits.
SMALL, WITH_DIGIT = 4.0, 6.0
# Larger numbers of solutions are printed as "many".
MAX_SOLUTIONS = 1_000_000
# Letter height of a puzzle's number, and length of the line for the solver's own click count.
HEADING, OWN = 4.8, 10.0
# Downward shift that aligns small text with the baseline of a puzzle's number.
BASELINE_SHIFT = 0.4
# Height of the heading above a board: of a puzzle, and of an answer.
ABOVE_PUZZLE, ABOVE_ANSWER = 7.0, 6.0
# Headings have room for a number of clicks as wide as this one.
MAX_COUNT = 88
# Cell sizes of puzzles: minimum, minimum with room to write, maximum.
MIN_CELL, WRITABLE_CELL, MAX_CELL = 4.0, 9.0, 20.0
# Cell sizes of answers: preferred minimum, and maximum.
READABLE_CELL, MAX_ANSWER_CELL = 4.5, 9.0

Block = tuple[list[Layer], float]
"""Drawn layers, and the height of their bottom edge on the page."""


@dataclass(frozen=True, kw_only=True)
class WorksheetPages:
    """Worksheet pages with puzzles, or with their answers."""

    board: Board  # The board that all puzzles share.
    options: SheetOptions
    answers: bool  # Whether the pages show answers.

    def __post_init__(self) -> None:
        per_page = None if self.answers else self.options.per_page
        layout = replace(self._single_layout, count=per_page or 1)
        check_board_count(layout, MIN_CELL, self.options.paper)

    @cached_property
    def _single_layout(self) -> PageLayout:
        # Return the layout of a page with a single board.
        (width, height), (_, top) = PAPER_SIZES[self.options.paper], self._draw_page_head
        return PageLayout(
            left=MARGIN - NUMBERS_WIDTH,  # so that boards align with the title
            top=top,
            width=width - 2 * MARGIN + NUMBERS_WIDTH,
            height=height - MARGIN - 2 * NOTE - top,
            rows=self.board.rows,
            columns=self.board.columns,
            heading=ABOVE_ANSWER if self.answers else ABOVE_PUZZLE,
            min_width=self._min_board_width,
            max_cell=MAX_ANSWER_CELL if self.answers else MAX_CELL,
        )

    @cached_property
    def page_layout(self) -> PageLayout:
        """The size and the positions of the boards on a page."""
        return replace(self._single_layout, count=self.boards_per_page)

    @cached_property
    def boards_per_page(self) -> int:
        """The number of boards on a page: as requested, or as many as fit with large cells."""
        if self.options.per_page is not None and not self.answers:
            return self.options.per_page
        wanted_cell = READABLE_CELL if self.answers else WRITABLE_CELL
        cell = min(wanted_cell, self._single_layout.cell_size)
        max_boards = self._single_layout.max_board_count(cell)
        return ceil(self.options.count / ceil(self.options.count / max_boards))

    @property
    def page_count(self) -> int:
        """The number of pages."""
        return ceil(self.options.count / self.boards_per_page)

    def draw_pages(self, puzzles: Sequence[Any]) -> Iterator[list[Layer]]:
        """Draw the puzzles, or their answers, page by page."""
        numbered, step = list(enumerate(puzzles, 1)), self.boards_per_page
        for start in range(0, len(numbered), step):
            page = zip(numbered[start : start + step], self.page_layout.board_corners, strict=False)
            boards = (layer for board, point in page for layer in self._draw_board(*board, point))
            yield [*self._draw_page_head[0], *boards]

    def draw_foot(self, seed: int, number: int, count: int) -> Iterator[Layer]:
        """Draw the seed and the page number at the foot of a page."""
        width, height = PAPER_SIZES[self.options.paper]
        page, seed_text = f"{number} / {count}", self.text("seed", n=seed)
        right, y = width - MARGIN - text_width(page, NOTE), height - MARGIN
        yield write_lines([seed_text], (MARGIN, y), NOTE, GREY)
        yield write_lines([page], (right, y), NOTE, GREY)

    def text(self, name: str, **values: object) -> str:
        """Return a text of the sheet in its language, with values in place of its placeholders."""
        return self._words.text(f"sheet.{name}", **values)

    @property
    def _words(self) -> PageWords:
        return self.options.language or english_words()

    @cached_property
    def _draw_page_head(self) -> Block:
        # Draw the top of each page: title, line for the name, and introduction.
        right = PAPER_SIZES[self.options.paper][0] - MARGIN
        layers, top = self._draw_title(right)
        intro, bottom = self._draw_introduction(top, right)
        return [*layers, *intro], bottom + 1.5 * TEXT

    def _draw_introduction(self, top: float, right: float) -> Block:
        # Draw the text at the top of a page: the task and a legend, or how to read answers.
        puzzle = self.options.puzzle
        if puzzle is None and not self.answers:
            return self._draw_rule_and_legend(top, right)
        if puzzle is None:
            text = self._describe_answers()
        else:
            task = self._words.texts.get(f"clues.{puzzle}_task")  # as on the page of the puzzle
            text = self.text("only_answer" if self.answers else f"{puzzle}_task", task=task)
        return _draw_text(text, (MARGIN, top), right)

    def _draw_board(self, number: int, posed: Any, point: Point) -> Iterator[Layer]:
        left, top = point[0] + NUMBERS_WIDTH, point[1]
        yield from self._draw_heading(
            number, self._heading_text(posed.count), (left, top + HEADING / 2)
        )
        corner = left, top + self.page_layout.heading + NUMBERS_WIDTH
        cell = self.page_layout.cell_size
        if self.options.puzzle:
            yield from draw_related_puzzle(posed, corner, cell, answers=self.answers)
            return
        yield draw_numbers(*self.board.shape, corner, cell)
        if self.answers:
            yield from draw_answer(posed, corner, cell)
        else:
            yield from draw_start_board(posed.start, corner, cell)

    def _heading_text(self, count: int) -> str:
        # Return the text beside a puzzle's number: how many clicks it needs or cells are given.
        if self.options.puzzle:
            label = self.text("given", n=count, cells=self.board.cells)
            return "" if self.answers else label
        if self.answers:
            return self.text("clicks", n=count)
        return self.text("fewest", n=count) if self.options.fewest else ""

    def _draw_heading(self, number: int, label: str, point: Point) -> Iterator[Layer]:
        left, top = point
        yield write_lines([str(number)], point, HEADING, INK, bold=True)
        left += text_width(f"{number} ", HEADING)
        yield write_lines([label] if label else [], (left, top + BASELINE_SHIFT), NOTE, GREY)
        if self._has_room_for_own_count:
            right = point[0] - NUMBERS_WIDTH + self.page_layout.board_width
            mine = self.text("mine")
            start = right - OWN - text_width(f"{mine} ", NOTE)
            yield write_lines([mine], (start, top + BASELINE_SHIFT), NOTE, GREY)
            yield draw_writing_line(right - OWN, right, top + HEADING / 2)

    @cached_property
    def _min_board_width(self) -> float:
        # Assume the widest numbers, so that the width is the same for all boards.
        number = text_width(f"{self.options.count} ", HEADING)
        max_count = self.board.cells if self.options.puzzle else MAX_COUNT
        return NUMBERS_WIDTH + number + text_width(self._heading_text(max_count), NOTE)

    @cached_property
    def _has_room_for_own_count(self) -> bool:
        own = text_width(f" {self.text('mine')} ", NOTE) + OWN
        is_asked = self.options.fewest and not self.answers and not self.options.puzzle
        return is_asked and self._min_board_width + own <= self.page_layout.board_width

    def _draw_title(self, right: float) -> Block:
        layers, top, width = list[Layer](), MARGIN, right - MARGIN
        title = self.options.title
        if self.answers:
            title = " \u2013 ".join(filter(None, [title, self.text("answers")]))
        else:
            name = self.text("name")
            start = right - max(NAME_WIDTH, text_width(name, TEXT) + MIN_NAME_LINE)
            line_start = start + text_width(f"{name} ", TEXT)
            layers.append(write_lines([name], (start, MARGIN + TITLE / 2 + 1), TEXT, GREY))
            layers.append(draw_writing_line(line_start, right, MARGIN + TITLE))
            beside = start - MARGIN - TEXT
            if len(wrap_text(title, beside, TITLE)) <= MAX_BESIDE_NAME:
                width = beside
            else:
                top += LEADING * TITLE
        lines = wrap_text(title, width, TITLE)
        layers.append(write_lines(lines, (MARGIN, top + TITLE / 2), TITLE, INK, bold=True))
        return layers, top + LEADING * TITLE * len(lines) + TEXT

    def _draw_rule_and_legend(self, top: float, right: float) -> Block:
        layers, left, bottom = list[Layer](), MARGIN, top
        offsets = parse_rule(self.board.rule).offsets_on_board(3, 3, wrap=False)
        if (diagram := neighbourhood_diagram(offsets)) is not None:
            _, _, across, down = diagram["box"]
            layers += draw_rule_diagram(offsets, (MARGIN, top - TEXT / 2), SMALL)
            left, bottom = MARGIN + across * SMALL + TEXT, top - TEXT / 2 + down * SMALL
        words, under = _draw_text(self._describe_task(), (left, top), right)
        names = [self.text(end) for end in ("off", "on")]
        legend, last = _draw_legend(self.board.levels, names, (left, under + TEXT / 2))
        return [*layers, *words, *legend], max(bottom, last)

    def _describe_task(self) -> str:
        board, words = self.board, self._words
        cells = words.text(f"rules.{board.rule if board.rule in STENCILS else 'stencil'}")
        click, task = words.text("page.flips", cells=cells), "task"
        if board.levels > 2:
            click = self.text("raises", cells=cells, highest=board.levels - 1)
            task = "task_in_levels"
        return self.text(task, click=f"{click} {self.text('joined')}" if board.wrap else click)

    def _describe_answers(self) -> str:
        board, name = self.board, "solutions"
        clicks = self.text("marked" if board.levels == 2 else "counted")
        solutions = board.levels ** min(board.nullity, MAX_SOLUTIONS.bit_length())
        if solutions == 1 or solutions > MAX_SOLUTIONS:
            name = "only_solution" if solutions == 1 else "many_solutions"
        return f"{clicks} {self.text(name, n=solutions)}"


def _draw_text(text: str, point: Point, right: float) -> Block:
    # Draw a text, wrapped between a point and the right margin.
    lines = wrap_text(text, right - point[0], TEXT)
    return [write_lines(lines, point, TEXT, INK)], point[1] + LEADING * TEXT * len(lines)


def _draw_legend(levels: int, names: Sequence[str], point: Point) -> Block:
    # Draw the legend: a cell of each level, with names for the lowest and the highest.
    (left, top), layers = point, list[Layer]()
    side = SMALL if levels == 2 else WITH_DIGIT
    for level, name in enumerate([names[0], *[""] * (levels - 2), names[1]]):
        cell = np.full((1, 1), level, dtype_of(levels))
        layers += draw_start_board(cell, (left, top - TEXT / 2), side)
        left += side + SMALL / 2
        layers.append(write_lines([name], (left, top + (side - SMALL) / 2), TEXT, INK))
        left += text_width(name, TEXT) + TEXT if name else 0
    return layers, top + side - TEXT / 2
