"""The dissolve: the grey of one picture fades into that of the next, under thresholds that stay.

A cell's value goes from its grey in one picture to that in the next, and its thresholds stand
still.  So its level goes one way only, at most once through each level between, and every frame
shows both pictures.  The clicks from each frame to the next are a step of the animation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise

import numpy as np

from lightsanim.animation.steps import Steps
from lightsanim.animation.timing import frames_of, shares_by_frame
from lightsanim.board.board import Board
from lightsanim.board.levels import Lights
from lightsanim.deadline import Deadline
from lightsanim.errors import OptionError, SolverError
from lightsanim.options import Settings
from lightsanim.pictures.dither import Target, reached, thresholds_on
from lightsanim.report import MoveReport
from lightsanim.solve.check_cells import CheckCells, outermost_first
from lightsanim.solve.fewest import Fewest, fewest_clicks
from lightsanim.solve.outcome import status_of
from lightsanim.solve.parallel import search_in_parallel
from lightsanim.stages import Clock, Transition

# Work that the search for fewer clicks takes at each frame of a board, in seconds on a slow
# computer: it finds nine tenths of what a hundred times as much does.
SEARCH_SECONDS = 0.01

# Bytes of memory for the steps of a film.
MAX_BYTES = 2_000_000_000


def dissolve(
    board: Board, targets: Sequence[Sequence[Target]], settings: Settings, clock: Clock
) -> Transition:
    """The transition that fades, by many clicks at once.

    Where not every configuration is accessible, some cells see to it, the same in all frames.

    Args:
        board: the board.
        targets: of each picture, one for each board.
        settings: the options of `make`.
        clock: told of the progress.

    Raises:
        OptionError: for a board with too many parity checks, or a film that is too long.
        SolverError: if a search fails.
    """
    stops = [*targets, targets[0]] if settings.cycle else targets
    _check_size(board, len(targets[0]), (len(stops) - 1) * frames_of(settings))
    with clock.stage("nearest"):
        checks = CheckCells.of(board, outermost_first(board.shape), settings.time_limit)
        shown = [[checks.nearest(target.configuration) for target in all] for all in targets]
    with clock.stage("fewest"):
        moves = find_steps(checks, stops, settings, clock)
    back = [move.backwards(board) for move in reversed(moves)] if settings.boomerang else []
    # With two levels the way back has the same clicks.
    told = moves if board.levels == 2 else [*moves, *back]
    return Transition(
        reached=shown,
        moves=[move.steps for move in (*moves, *back)],
        fronts=[None for _ in (*moves, *back)],
        reports=[move.report for move in told],
        cut_short=any(move.cut_short for move in moves),
    )


def _check_size(board: Board, boards: int, steps: int) -> None:
    planes, bytes_of_plane = Steps.of((boards, *board.shape), board.levels, []).packed.shape[1:]
    size = steps * planes * bytes_of_plane
    if size > MAX_BYTES:
        raise OptionError(
            f"{steps} frames of {board.columns}x{board.rows} cells are too many for a dissolve: "
            f"{size / 1e9:.1f} GB; take a shorter duration, or fewer frames a second"
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class FoundSteps:
    """The steps from one picture to the next, and what they are worth.

    Attributes:
        steps: a click set for each frame.
        bound: no click sets that show the same frames are smaller in all.
        seconds: how long the search took.
        cut_short: whether the clock ended it.
    """

    steps: Steps
    bound: int
    seconds: float
    cut_short: bool

    @property
    def report(self) -> MoveReport:
        """Its facts."""
        clicks = int(self.steps.counts.sum())
        status = status_of(clicks, self.bound)
        return MoveReport(clicks=clicks, bound=self.bound, status=status, seconds=self.seconds)

    def backwards(self, board: Board) -> "FoundSteps":
        """The way back; where there are quiet patterns nobody has looked for fewer clicks."""
        steps = self.steps.backwards()
        bound = int(steps.counts.sum()) if board.nullity == 0 else 0
        return FoundSteps(steps=steps, bound=bound, seconds=0.0, cut_short=False)


def find_steps(
    checks: CheckCells, stops: Sequence[Sequence[Target]], settings: Settings, clock: Clock
) -> list[FoundSteps]:
    """The steps from each picture to the next; moves are searched side by side.

    Args:
        checks: make the frames accessible.
        stops: of each picture that is shown, one for each board.
        settings: the options of `make`; all steps of a move share the time limit.
        clock: told of the progress.

    Raises:
        SolverError: if clicks, pressed again, do not lead from a frame to the next.
    """
    board, boards = checks.board, len(stops[0])
    total, done = (len(stops) - 1) * boards * frames_of(settings), count(1)

    def search(move: tuple[Sequence[Target], Sequence[Target]], deadline: Deadline) -> FoundSteps:
        films = [
            pairwise(map(checks.corrected, fade(start, end, settings, plane)))
            for plane, (start, end) in enumerate(zip(*move, strict=True))
        ]
        parts = (part for _, part in deadline.shared(range(boards * frames_of(settings))))
        bounds, cut = list[int](), list[bool]()

        def clicks(start: Lights, end: Lights) -> Lights:
            found = step(board, start, end, next(parts))
            bounds.append(found.bound)
            cut.append(found.cut_short)
            clock.progress("fewest", next(done) / total, "")
            return found.clicks

        frames = zip(*films, strict=True)
        sets = (np.stack([clicks(*change) for change in changes]) for changes in frames)
        return FoundSteps(
            steps=Steps.of((boards, *board.shape), board.levels, sets),
            bound=sum(bounds),
            seconds=deadline.seconds_used(),
            cut_short=any(cut),
        )

    return search_in_parallel(search, pairwise(stops), settings.time_limit)


def fade(start: Target, end: Target, settings: Settings, plane: int) -> Iterator[Lights]:
    """The frames from one picture to the next, both included.

    Args:
        start: the one picture.
        end: the next.
        settings: the options of `make`: the dither, and the pace.
        plane: of which primary, 0 for grey.
    """
    thresholds = thresholds_on(
        start.grey.shape,
        settings.dither,
        levels=settings.levels,
        tone=settings.tone,
        plane=plane,
    )
    # The pictures were dithered before their greys were rounded, which may cross a threshold.
    low = np.minimum(start.configuration, end.configuration)
    high = np.maximum(start.configuration, end.configuration)
    grey, rise = start.grey, end.grey.astype(np.float64) - start.grey
    yield start.configuration
    for share in shares_by_frame(settings)[:-1]:
        shown = reached(grey + share * rise, thresholds)
        yield np.maximum(low, np.minimum(shown, high))
    yield end.configuration


def step(board: Board, start: Lights, end: Lights, deadline: Deadline) -> Fewest:
    """Few clicks that turn a frame into the next.

    Args:
        board: the board.
        start: the frame.
        end: the next.
        deadline: when to stop.

    Raises:
        SolverError: if they do not.
    """
    # The clock only ends what is much slower than expected, so that others find the same.
    work = min(1.0, SEARCH_SECONDS / max(deadline.work_left, SEARCH_SECONDS))
    found = fewest_clicks(
        board,
        board.clicks_between(start, end),
        time_limit=deadline.part_of_work(work),
        program=False,
    )
    if not np.array_equal(board.add(start, board.toggles(found.clicks)), end):
        raise SolverError("clicks do not lead from a frame to the next; please report this")
    return found
