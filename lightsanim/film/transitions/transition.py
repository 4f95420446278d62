"""The form of a transition: an end for each picture, and a move from each end to the next.

A transition is a class that says what its moves are and, if a dither and the nearest configuration
will not do, what its ends are.  To add one, write it in a file of its own, give its options a class
in `lightsanim.options.stages`, and name it in `lightsanim.film.transitions.table`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any, ClassVar, TypeAlias

import numpy as np

from lightsanim.errors import OptionError, SolverError
from lightsanim.film.clicks import History
from lightsanim.film.film_reports import FilmReports, MoveReport
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights, stack_planes
from lightsanim.game.solve.nearest import Nearest, build_nearest, nearest_accessible
from lightsanim.options.choices import CYCLE, Ending
from lightsanim.options.stages import ClickOptions, PictureOptions, SolveOptions, Timing
from lightsanim.pictures.dither import Target
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import ProgressReporter, StageTimer
from lightsanim.system.threads import search_in_parallel

# Maximum memory for the steps of a film and for their search, in bytes.
MAX_STEPS_BYTES = 2_000_000_000

Targets = Sequence[Target]
"""Targets (dithered pictures) of a still or a frame, one for each colour plane."""


@dataclass(frozen=True, kw_only=True, eq=False)
class End:
    """The configuration in which a film shows a picture."""

    targets: Targets
    nearest: Sequence[Nearest]  # for each colour plane, the search for the configuration

    @property
    def lights(self) -> Lights:
        """The configuration: (planes, rows, columns)."""
        return np.stack([plane.configuration for plane in self.nearest])


Pair: TypeAlias = tuple[End, End]
"""The ends between which a move leads."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Move:
    """Clicks from one configuration, (planes, rows, columns), to another."""

    start: Lights
    clicks: History
    end: Lights
    bound: int = 0  # proven lower bound on the number of clicks
    seconds: float = 0.0
    cut_short: bool = False

    def inverse(self, board: Board) -> "Move":
        """Return the opposite move; its lower bound is trivial if there are quiet patterns."""
        move = Move(start=self.end, clicks=self.clicks.inverse(board), end=self.start)
        is_least = board.nullity == 0
        return replace(move, bound=move.click_count if is_least else min(move.click_count, 1))

    @property
    def click_count(self) -> int:
        """Number of clicks, summed over all colour planes."""
        return int(self.clicks.press_counts.sum())

    @property
    def report(self) -> MoveReport:
        """Report on the search for the move."""
        return MoveReport.from_counts(self.click_count, self.bound, self.seconds)


def press_again(
    board: Board, before: Iterable[Lights], presses: Iterable[Lights], after: Iterable[Lights]
) -> None:
    """Press the click set of each colour plane; raise SolverError if they lead elsewhere."""
    for first, clicks, last in zip(before, presses, after, strict=True):
        if not np.array_equal(board.add(first, board.toggles(clicks)), last):
            raise SolverError("the clicks found do not make the next picture; please report this")


@dataclass(frozen=True, kw_only=True, eq=False)
class Transition:
    """How one picture becomes the next, for all pictures of a film or for two successive ones."""

    board: Board
    options: ClickOptions
    pictures: PictureOptions
    timing: Timing
    search: SolveOptions
    ending: Ending
    facts: FilmReports  # notes and interrupted searches are added to it
    clock: StageTimer

    makes_steps: ClassVar = False  # whether a move consists of steps, each of many clicks

    @property
    def is_cycle(self) -> bool:
        """Whether a move leads from the last end to the first."""
        return self.ending == CYCLE

    def ends(self, targets: Sequence[Targets]) -> Sequence[End]:
        """Return an end for each picture: the accessible configurations nearest to its targets."""
        with self.clock.time_stage("nearest") as say:
            nearest = find_nearest_configurations(self.board, targets, self.search, say)
        pairs = zip(targets, nearest, strict=True)
        return [End(targets=planes, nearest=found) for planes, found in pairs]

    def moves(self, pairs: Sequence[Pair]) -> Sequence[Move]:
        """Return a move for each pair of ends; all share the generator, the cores and the time."""
        raise NotImplementedError


def connect(transition: Transition, ends: Sequence[End]) -> list[Move]:
    """Return the moves from each end to the next, and report on them."""
    facts, moves = transition.facts, list(transition.moves(list(pairwise(ends))))
    facts.moves += [move.report for move in moves]
    facts.cut_short |= any(move.cut_short for move in moves)
    return moves


def check_moves(board: Board, moves: Sequence[Move]) -> None:
    """Press all clicks again; raise SolverError unless each move begins where the last ended."""
    lights = moves[0].start
    for move in moves:
        presses = move.clicks.count_presses(board, 0, len(move.clicks))
        press_again(board, lights, presses, move.end)
        lights = move.end


def exact_ends(
    board: Board, targets: Iterable[Targets], configurations: Iterable[Lights]
) -> list[End]:
    """Return ends at accessible configurations, (planes, rows, columns), that a search chose."""
    return [
        End(
            targets=[replace(t, configuration=b) for t, b in zip(planes, lights, strict=True)],
            nearest=[build_nearest(board, b, b) for b in lights],
        )
        for planes, lights in zip(targets, configurations, strict=True)
    ]


def check_frames_fit_in_memory(
    size: int, frames: int, board: Board, film: str, remedy: str
) -> None:
    """Raise an `OptionError` with a remedy if the frames of a film do not fit in memory."""
    if size > MAX_STEPS_BYTES:
        raise OptionError(
            f"{frames} frames of {board.columns}x{board.rows} cells are too many for {film}: they "
            f"take {size / 1e9:.1f} GB of memory; choose {remedy}",
            "size",
        )


def find_nearest_configurations(
    board: Board, targets: Sequence[Targets], search: SolveOptions, say: ProgressReporter
) -> list[list[Nearest]]:
    """Find the accessible configuration nearest to each target, with a time limit for each."""
    board.factor(search.time_limit)

    def find_nearest(target: Target, deadline: Deadline) -> Nearest:
        return nearest_accessible(
            board,
            target.configuration,
            **(target.tie_break if board.nullity else {}),
            ip=search.ip,
            time_limit=deadline,
            on_progress=lambda wrong, bound: say(
                f"{target.name}: {wrong} wrong cells, lower bound {bound}"
            ),
        )

    results = iter(search_in_parallel(find_nearest, chain(*targets), search.time_limit))
    return [[next(results) for _ in planes] for planes in targets]


def describe_targets(targets: Sequence[Targets]) -> dict[str, Any]:
    """Return the names and the targets of a film's pictures, as arguments of `animate`."""
    return {
        "pictures": tuple(planes[0].name for planes in targets),
        "targets": tuple(stack_planes(list_configurations(planes)) for planes in targets),
    }


def list_configurations(targets: Targets) -> list[Lights]:
    """Return the configurations of the colour planes."""
    return [target.configuration for target in targets]


def replace_configurations(lights: Iterable[Lights], targets: Targets) -> list[Target]:
    """Return targets with other configurations."""
    pairs = zip(targets, lights, strict=True)
    return [replace(target, configuration=configuration) for target, configuration in pairs]
