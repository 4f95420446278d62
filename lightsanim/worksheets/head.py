"""What stands at the head and the foot of a worksheet's pages, in millimetres."""

from collections.abc import Iterator

import numpy as np

from lightsanim.board.board import Board
from lightsanim.board.rule import rule_of
from lightsanim.drawings.drawing import Layer
from lightsanim.drawings.letters import width_of
from lightsanim.drawings.page_layout import MARGIN, SIZES
from lightsanim.drawings.worksheet_parts import (
    GREY,
    INK,
    LEADING,
    NOTE,
    Place,
    draw_line,
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

Drawn = tuple[list[Layer], float]
"""Layers, and how far they reach down."""


def draw_head(board: Board, options: SheetOptions, *, answers: bool) -> Drawn:
    """What stands at the top of each page, and how far it reaches down."""
    right = SIZES[options.paper][0] - MARGIN
    layers, top = _draw_title(options.title, right, answers=answers)
    if answers:
        said, bottom = _draw_text(_answers_in_words(board), (MARGIN, top), right)
    else:
        said, bottom = _draw_rule_and_legend(board, top, right)
    return [*layers, *said], bottom + 1.5 * TEXT


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
    said, under = _draw_text(_rule_in_words(board), (left, top), right)
    legend, last = _draw_legend(board.levels, (left, under + TEXT / 2))
    return [*layers, *said, *legend], max(bottom, last)


def _draw_text(text: str, place: Place, right: float) -> Drawn:
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
