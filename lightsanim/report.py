"""What was done and found: the facts that the command line prints and `--json` gives."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.click_sequence import ClickSequence, row_by_row
from lightsanim.board.board import Board
from lightsanim.board.text import board_text
from lightsanim.solve.fewest import Fewest
from lightsanim.solve.nearest import Nearest
from lightsanim.solve.outcome import Status, status_of
from lightsanim.solve.pose import Posed
from lightsanim.solve.solution import Solution


@dataclass(frozen=True, kw_only=True)
class PictureReport:
    """One picture's way to its configuration; in colour, of all three boards together.

    Attributes:
        path: as it was given.
        chased_wrong: the wrong cells that the heuristic left.
        wrong: the cells of the picture's frame that differ from its target.
        distance: by how many levels in all; with two levels as many as ``wrong``.
        bound: no accessible configuration differs by fewer levels.
        status: ``optimal`` when ``distance`` is proven to be the least.
        seconds: that the search took.
    """

    path: str
    chased_wrong: int | None
    wrong: int
    distance: int
    bound: int
    status: Status
    seconds: float

    @classmethod
    def of(cls, path: str, boards: Sequence[Nearest]) -> Self:
        """The facts of the searches for each board.

        Args:
            path: what the user calls the picture.
            boards: what was found on each board.
        """
        chased = [board.chased_wrong for board in boards]
        return cls(
            path=path,
            chased_wrong=sum(c for c in chased if c is not None) if None not in chased else None,
            wrong=sum(board.wrong for board in boards),
            distance=sum(board.distance for board in boards),
            **_facts(boards),
        )


@dataclass(frozen=True, kw_only=True)
class ClipReport(PictureReport):
    """A clip's way to its configurations; ``wrong`` and ``distance`` are those of the worst frame.

    Attributes:
        frames: how many it has.
        mean_wrong: wrong cells of a frame, on average.
    """

    frames: int
    mean_wrong: float

    @classmethod
    def of_frames(cls, path: str, wrong: Sequence[tuple[int, int]], seconds: float) -> Self:
        """The facts of its frames.

        Args:
            path: what the user calls the clip.
            wrong: how many cells of each frame are, and by how many levels in all.
            seconds: that the search took.
        """
        cells, distances = zip(*wrong, strict=True)
        worst = max(distances)
        return cls(
            path=path,
            chased_wrong=None,
            wrong=max(cells),
            distance=worst,
            bound=min(worst, 1),
            status=status_of(worst, min(worst, 1)),
            seconds=seconds,
            frames=len(wrong),
            mean_wrong=round(sum(cells) / len(cells), 3),
        )


@dataclass(frozen=True, kw_only=True)
class MoveReport:
    """The clicks from one picture to the next; in colour, on all three boards together."""

    clicks: int
    bound: int
    status: Status
    seconds: float

    @classmethod
    def of(cls, boards: Sequence[Fewest]) -> Self:
        """The facts of the searches for each board."""
        return cls(clicks=sum(board.count for board in boards), **_facts(boards))

    @classmethod
    def of_way_back(cls, boards: Sequence[Fewest], board: Board) -> Self:
        """The facts of the same move backwards, where the levels are more than two.

        Every cell is pressed as often as is missing; where there are quiet patterns nobody has
        looked whether others press less.

        Args:
            boards: what was found on each board.
            board: the board.
        """
        presses = [board.subtract(np.zeros_like(each.clicks), each.clicks) for each in boards]
        count = sum(int(each.sum()) for each in presses)
        proven = board.nullity == 0 or count == 0
        status = Status.OPTIMAL if proven else Status.FEASIBLE
        return cls(clicks=count, bound=count if proven else 1, status=status, seconds=0.0)


@dataclass(frozen=True, kw_only=True)
class SketchReport(MoveReport):
    """The clicks of a sketch from one picture to the next; nothing is proven of them.

    Attributes:
        fade: the clicks of the fade.
        ends: those of the wipes from and to the exact pictures; None where they are left out.
        mean_error: the root mean square by which a frame of the fade differs from the greys that it
            should show, both blurred by one cell, on average.
        worst_error: that of the worst frame.
    """

    fade: int
    ends: int | None
    mean_error: float
    worst_error: float

    @classmethod
    def of_fade(
        cls, fade: int, ends: int | None, errors: NDArray[np.float64], seconds: float = 0.0
    ) -> Self:
        """The facts of a move.

        Args:
            fade: its clicks.
            ends: those of its wipes, if it has any.
            errors: of its frames.
            seconds: that the search took.
        """
        return cls(
            clicks=fade + (ends or 0),
            bound=0,
            status=Status.FEASIBLE,
            seconds=seconds,
            fade=fade,
            ends=ends,
            mean_error=round(float(errors.mean()), 4),
            worst_error=round(float(errors.max()), 4),
        )


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

    Args:
        solution: what was found.
        sequence: its clicks in order; None if there are none.
        seed: what the order was drawn with, if it was.
    """
    if sequence is None:
        members = ("solutions_log2", "count", "bound", "status", "cut_short", "clicks")
        return {"accessible": False, **dict.fromkeys(members)}
    found = {
        "accessible": solution.accessible,
        "solutions_log2": _log2_of_ways(solution.board),
        "count": sequence.count,
        "bound": sequence.bound,
        "status": sequence.status,
        "cut_short": solution.cut_short,
        "clicks": sequence.places,
    }
    if (near := solution.nearest) is not None:
        more_levels = solution.board.levels > 2
        found["nearest"] = {
            "wrong": near.wrong,
            **({"distance": near.distance} if more_levels else {}),
            "bound": near.bound,
            "status": near.status,
            "cells": np.argwhere(solution.end != solution.goal).tolist(),
        }
    return found if seed is None else {**found, "seed": seed}


def board_report(board: Board) -> dict[str, Any]:
    """The JSON object of `board`.

    >>> board_report(Board(5, 5))
    {'rows': 5, 'columns': 5, 'rule': 'plus', 'wrap': False, 'rank': 23, 'nullity': 2}
    """
    return {**board.as_dict(), "rank": board.rank, "nullity": board.nullity}


def puzzle_report(posed: Posed, seed: int) -> dict[str, Any]:
    """The JSON object of `pose`: the start as `solve` reads it, and a smallest click set.

    Args:
        posed: the puzzle.
        seed: what it was drawn with.
    """
    board = posed.board
    return {
        **board.as_dict(),
        "start": board_text(posed.start, board.levels).splitlines(),
        "count": posed.count,
        "clicks": row_by_row(board, posed.clicks, posed.count).places,
        "seed": seed,
        "cut_short": posed.cut_short,
    }


def worksheet_report(puzzles: Sequence[Posed], seed: int) -> dict[str, Any]:
    """The JSON object of `worksheet`: the puzzles in their order, as `puzzle_report` tells them.

    Args:
        puzzles: on the worksheet.
        seed: what they were drawn with.
    """
    board = puzzles[0].board.as_dict()
    own = ("start", "count", "clicks")
    reports = [puzzle_report(posed, seed) for posed in puzzles]
    return {
        **board,
        "seed": seed,
        "cut_short": any(posed.cut_short for posed in puzzles),
        "puzzles": [{name: report[name] for name in own} for report in reports],
    }


def _log2_of_ways(board: Board) -> float:
    # A whole number with two levels, and written as one.
    return board.nullity if board.levels == 2 else board.nullity * math.log2(board.levels)


def _facts(boards: Sequence[Nearest] | Sequence[Fewest]) -> dict[str, Any]:
    optimal = all(board.status is Status.OPTIMAL for board in boards)
    return {
        "bound": sum(board.bound for board in boards),
        "status": Status.OPTIMAL if optimal else Status.FEASIBLE,
        "seconds": max(board.seconds for board in boards),
    }
