"""Reports of the results of commands, which `--json` prints as JSON objects."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from lightsanim.errors import OptionError, SolverError
from lightsanim.film.animation import Animation
from lightsanim.film.film_reports import FilmReports, MoveReport, PictureReport, SketchReport
from lightsanim.game.board.board import Board
from lightsanim.game.board.perfect import nearest_perfect_board
from lightsanim.game.board.text import board_text
from lightsanim.game.solve.click_sequence import ClickSequence, order_clicks_by_row
from lightsanim.game.solve.hardest_start import HardestStart
from lightsanim.game.solve.pose import PosedPuzzle
from lightsanim.game.solve.solution import Solution
from lightsanim.system.deadline import CUT_SHORT_NOTE

if TYPE_CHECKING:
    from lightsanim.game.relatives.well_posed import WellPosedPuzzle

ADVICE_SECONDS = 0.5  # Time limit for finding a perfect size to recommend.


@dataclass(frozen=True, kw_only=True)
class Report:
    """The report of a run of `make`.

    Attributes:
        outputs: paths of the files written.
        board: rows, columns, rule, wrap, levels and nullity.
        pictures, moves: a report for each picture and for each transition.
        boomerang: whether the moves back follow, which ``moves`` contains only above two levels.
        frames: number of frames.
        fps: frames per second.
        boards: number of colour planes, 1 or 3; clicks are counted in each of them.
        duration: length of the animation in seconds.
        seed: random seed, with which another run repeats the clicks in the same order.
        order: click order, given or chosen; None if there is no choice, as in a dissolve.
        seconds: duration of each stage.
        cut_short: True if the time limit ended a search; another run may then find other clicks.
        notes: further information, one sentence each.
    """

    outputs: list[str] = field(default_factory=list)
    board: dict[str, Any]
    pictures: list[PictureReport]
    moves: Sequence[MoveReport]
    boomerang: bool = False
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
    def moves_there(self) -> Sequence[MoveReport]:
        """The reports of the moves without the moves back of a boomerang."""
        is_doubled = self.boomerang and "levels" in self.board
        return self.moves[: len(self.moves) // 2] if is_doubled else self.moves

    @property
    def sketched(self) -> list[SketchReport]:
        """The reports in `moves_there` that are of sketches; empty for other transitions."""
        return [move for move in self.moves_there if isinstance(move, SketchReport)]

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object that ``--json`` prints."""
        return asdict(self)


def report_film(
    film: Animation,
    facts: FilmReports,
    seconds: dict[str, float],
    *,
    order: str | None,
    boomerang: bool,
    notes: Sequence[str],
    advises_size: bool,
) -> Report:
    """Return the report of a film; ``notes`` are those on its pictures."""
    board, more = film.board, [CUT_SHORT_NOTE] if facts.cut_short else []
    advice = perfect_size_advice(board, facts.pictures, facts.cut_short) if advises_size else []
    return Report(
        board={**board.as_dict(), "nullity": board.nullity},
        pictures=facts.pictures,
        moves=facts.moves,
        boomerang=boomerang,
        frames=len(film),
        fps=film.fps,
        boards=film.boards,
        duration=round(float(film.durations().sum()), 3),
        seed=film.seed,
        order=order,
        seconds=seconds,
        cut_short=facts.cut_short,
        notes=[*notes, *more, *facts.notes, *advice],
    )


def perfect_size_advice(
    board: Board, pictures: Sequence[PictureReport], cut_short: bool
) -> list[str]:
    """Return a list with a sentence that recommends `perfect`; empty if it would not help."""
    if board.nullity == 0 or not (any(picture.wrong for picture in pictures) or cut_short):
        return []
    try:
        better = nearest_perfect_board(board, time_limit=ADVICE_SECONDS)
    except (OptionError, SolverError):
        return []
    size = f"{better.columns}x{better.rows}"
    return [f"At {size} cells, clicks can form every picture exactly: add --perfect."]


def solution_report(
    solution: Solution, sequence: ClickSequence | None, seed: int | None = None
) -> dict[str, Any]:
    """Return what `solve --json` prints.

    ``clicks`` holds rows and columns from 0, and repeats cells that are clicked several times.  If
    no clicks lead to the goal, all members except ``accessible`` are null, or describe the clicks
    to the nearest configuration; ``nearest`` then holds its difference from the goal.
    """
    if sequence is None:
        return {
            "accessible": False,
            **dict.fromkeys(("solutions_log2", "count", "bound", "status", "cut_short", "clicks")),
        }
    board = solution.board
    answer: dict[str, Any] = {
        "accessible": solution.accessible,
        # Binary logarithm: an int with two levels, a float with more.
        "solutions_log2": board.nullity * (1 if board.levels == 2 else math.log2(board.levels)),
        "count": sequence.count,
        "bound": sequence.bound,
        "status": sequence.status,
        "cut_short": solution.cut_short,
        "clicks": sequence.places,
    }
    if (near := solution.nearest) is not None:
        answer["nearest"] = {
            "wrong": near.wrong,
            **({"distance": near.distance} if board.levels > 2 else {}),
            "bound": near.bound,
            "status": near.status,
            "cells": np.argwhere(solution.end != solution.goal).tolist(),
        }
    return answer if seed is None else {**answer, "seed": seed}


def board_report(board: Board, hardest: HardestStart | None = None) -> dict[str, Any]:
    """Return what `board --json` prints."""
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
    """Return what `pose --json` prints: the start as a text board, and a minimum click set."""
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
    """Return what `worksheet --json` prints: for each puzzle, part of its `puzzle_report`."""
    reports = [puzzle_report(posed, seed) for posed in puzzles]
    names = ("start", "count", "clicks")
    return {
        **puzzles[0].board.as_dict(),
        "seed": seed,
        "cut_short": any(posed.cut_short for posed in puzzles),
        "puzzles": [{name: report[name] for name in names} for report in reports],
    }


def related_puzzles_report(puzzles: Sequence["WellPosedPuzzle"], seed: int) -> dict[str, Any]:
    """Return what `worksheet --json` prints for queens, sums and other related puzzles."""
    board = puzzles[0].board
    return {
        "puzzle": puzzles[0].puzzle,
        "rows": board.rows,
        "columns": board.columns,
        "seed": seed,
        "puzzles": [posed.as_json() for posed in puzzles],
    }
