"""What was done and found: the facts that the command line prints and `--json` gives."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from lightsanim.animation.click_sequence import ClickSequence, order_clicks_by_row
from lightsanim.animation.film_reports import MoveReport, PictureReport, SketchReport
from lightsanim.board.board import Board
from lightsanim.board.perfect import nearest_perfect_board
from lightsanim.board.text import board_text
from lightsanim.errors import OptionError, SolverError
from lightsanim.solve.covering_radius import HardestStart
from lightsanim.solve.pose import PosedPuzzle
from lightsanim.solve.solution import Solution

if TYPE_CHECKING:
    from lightsanim.puzzles.well_posed import WellPosedPuzzle

# Seconds to see whether another size is perfect, where nobody asked for it.
ADVICE_SECONDS = 0.5


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that `make` did.

    Attributes:
        outputs: the files written.
        board: rows, columns, rule, wrap and nullity.
        pictures, moves: one report for each.
        frames: how many the animation has.
        fps: frames a second.
        boards: 1, or in colour 3; clicks are counted on each of them.
        duration: seconds that the animation lasts.
        seed: give it again to get the same clicks in the same order.
        order: of the clicks, given or chosen; None where there is none to choose, as in a dissolve.
        seconds: that each stage took.
        cut_short: whether the time limit ended a search, so that another run may find other clicks.
        notes: what else there is to know, in a sentence each.
    """

    outputs: list[str] = field(default_factory=list)
    board: dict[str, Any]
    pictures: list[PictureReport]
    moves: Sequence[MoveReport]
    frames: int
    fps: float
    boards: int
    duration: float
    seed: int | None
    order: str | None = None
    seconds: dict[str, float]
    cut_short: bool
    notes: list[str] = field(default_factory=list)

    @property
    def sketched(self) -> list[SketchReport]:
        """The moves of a sketch; none of another transition."""
        return [move for move in self.moves if isinstance(move, SketchReport)]

    def as_dict(self) -> dict[str, Any]:
        """The report as the JSON object of ``--json``."""
        return asdict(self)


def perfect_size_advice(
    board: Board, pictures: Sequence[PictureReport], cut_short: bool
) -> list[str]:
    """A sentence on what `perfect` would give, where that helps and is known at once."""
    has_wrong = any(picture.wrong for picture in pictures)
    if board.nullity == 0 or not (has_wrong or cut_short):
        return []
    try:
        better = nearest_perfect_board(board, time_limit=ADVICE_SECONDS)
    except (OptionError, SolverError):
        return []
    return [f"--perfect would give {better.columns}x{better.rows} cells, every picture exactly."]


def solution_report(
    solution: Solution, sequence: ClickSequence | None, seed: int | None = None
) -> dict[str, Any]:
    """The JSON object of `solve`; rows and columns count from 0, row first.

    With more than two levels a cell that is pressed several times is there as often, one press
    after the other.

    Where no clicks lead to the goal, all members but ``accessible`` are null.  With the nearest
    configuration in its place they are about the clicks that lead there, and ``nearest`` tells how
    far it is from the goal: with more than two levels ``bound`` is that of the ``distance``, by how
    many levels the cells differ in all.
    """
    if sequence is None:
        members = ("solutions_log2", "count", "bound", "status", "cut_short", "clicks")
        return {"accessible": False, **dict.fromkeys(members)}
    board = solution.board
    answer: dict[str, Any] = {
        "accessible": solution.accessible,
        # A whole number with two levels, and written as one.
        "solutions_log2": board.nullity * (1 if board.levels == 2 else math.log2(board.levels)),
        "count": sequence.count,
        "bound": sequence.bound,
        "status": sequence.status,
        "cut_short": solution.cut_short,
        "clicks": sequence.places,
    }
    if (near := solution.nearest) is not None:
        more_levels = board.levels > 2
        answer["nearest"] = {
            "wrong": near.wrong,
            **({"distance": near.distance} if more_levels else {}),
            "bound": near.bound,
            "status": near.status,
            "cells": np.argwhere(solution.end != solution.goal).tolist(),
        }
    return answer if seed is None else {**answer, "seed": seed}


def board_report(board: Board, hardest: HardestStart | None = None) -> dict[str, Any]:
    """The JSON object of `board`."""
    report = {**board.as_dict(), "rank": board.rank, "nullity": board.nullity}
    if hardest is not None:
        report["hardest"] = {
            "count": hardest.count,
            "bound": hardest.bound,
            "status": hardest.status,
            "clicks": np.argwhere(hardest.clicks).tolist(),
        }
    return report


def puzzle_report(posed: PosedPuzzle, seed: int) -> dict[str, Any]:
    """The JSON object of `pose`: the start as `solve` reads it, and a smallest click set."""
    board = posed.board
    return {
        **board.as_dict(),
        "start": board_text(posed.start, board.levels).splitlines(),
        "count": posed.count,
        "clicks": order_clicks_by_row(board, posed.clicks, posed.count).places,
        "link": posed.link,
        "seed": seed,
        "cut_short": posed.cut_short,
        **({} if posed.bound is None else {"bound": posed.bound}),
    }


def worksheet_report(puzzles: Sequence[PosedPuzzle], seed: int) -> dict[str, Any]:
    """The JSON object of `worksheet`: the puzzles in their order, as `puzzle_report` tells them."""
    board = puzzles[0].board.as_dict()
    own = ("start", "count", "clicks")
    reports = [puzzle_report(posed, seed) for posed in puzzles]
    return {
        **board,
        "seed": seed,
        "cut_short": any(posed.cut_short for posed in puzzles),
        "puzzles": [{name: report[name] for name in own} for report in reports],
    }


def related_puzzles_report(puzzles: Sequence["WellPosedPuzzle"], seed: int) -> dict[str, Any]:
    """The JSON object of `worksheet` for a relative: the puzzles in their order."""
    board = puzzles[0].board
    return {
        "puzzle": puzzles[0].puzzle,
        "rows": board.rows,
        "columns": board.columns,
        "seed": seed,
        "puzzles": [posed.as_json() for posed in puzzles],
    }
