"""The dissolve: the grey of one picture fades into that of the next, under thresholds that stay.

A cell's value goes from its grey in one picture to that in the next, and its thresholds stand
still.  So its level goes one way only, at most once through each level between, and every frame
shows both pictures.  The clicks from each frame to the next are a step of the animation.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.clicks import PackedSteps, packed_click_set_size
from lightsanim.animation.timing import max_frames, move_progress_by_frame
from lightsanim.animation.transition import (
    Move,
    Transition,
    check_frames_fit_in_memory,
    find_nearest_configurations,
    pair_successive_pictures,
)
from lightsanim.board.board import Board
from lightsanim.errors import OptionError, SolverError
from lightsanim.look.levels import Lights
from lightsanim.options.choices import BLUE_NOISE
from lightsanim.options.settings import Settings
from lightsanim.options.stencils import abbreviate_name
from lightsanim.pictures.dither import Target, tile_thresholds
from lightsanim.solve.check_cells import CheckCells
from lightsanim.solve.fewest import FRAME_SEARCH_SECONDS, fewest_clicks
from lightsanim.solve.monotone_path import monotone_path
from lightsanim.solve.nearest import Nearest
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import ProgressReporter, StageTimer
from lightsanim.system.threads import search_in_parallel

# Parity checks that frames are made to fulfil in some milliseconds each.
MAX_PARITY_CHECKS = 600


class FadeEndpoint(NamedTuple):
    """A picture on one of its boards: what it asks for, and what it is shown as."""

    target: Target
    nearest: Nearest


Times = NDArray[np.float64]

FramesBetween = Callable[[FadeEndpoint, FadeEndpoint, Times, Times], Iterator[Lights]]
"""The frames between two pictures on a board, by `level_change_times` and each frame's share."""


def build_dissolve(
    board: Board, targets: Sequence[Sequence[Target]], settings: Settings, clock: StageTimer
) -> Transition:
    """The transition that fades, by many clicks at once."""
    frames = (len(targets) - 1 + settings.cycle) * max_frames(settings)
    # The moves, and all of them joined; of the ways back those of two levels are views until then.
    copies = 2 if not settings.boomerang else 3 if board.levels == 2 else 4
    size = (
        copies
        * frames
        * math.prod(packed_click_set_size((len(targets[0]), *board.shape), board.levels))
    )
    remedy = "a shorter duration, or fewer frames a second"
    check_frames_fit_in_memory(size, frames, board, "a dissolve", remedy)
    find_frames = find_monotone_frames if board.levels == 2 else find_corrected_frames
    with clock.time_stage("nearest") as say:
        check_nullity(board, settings, "a dissolve")
        nearest, between = find_frames(board, targets, settings, say)
        ends_by_picture = [
            list(map(FadeEndpoint, *pair)) for pair in zip(targets, nearest, strict=True)
        ]
    with clock.time_stage("fewest"):
        moves = find_dissolve_moves(
            board, pair_successive_pictures(ends_by_picture, settings), between, settings, clock
        )
    return Transition(nearest=nearest, moves=moves)


def check_nullity(board: Board, settings: Settings, film: str) -> None:
    """Can frame after frame be made accessible?"""
    board.factor(settings.time_limit)
    if board.nullity == 0:
        return
    if board.nullity > MAX_PARITY_CHECKS or not board.can_list_patterns:
        raise OptionError(
            f"a {board.columns}x{board.rows} board of rule {abbreviate_name(board.rule)} has "
            f"{board.nullity} parity checks, too many for {film}; choose another size, or perfect",
            "size",
        )
    board.mirrored.factor(settings.time_limit)


def find_monotone_frames(
    board: Board, targets: Sequence[Sequence[Target]], settings: Settings, say: ProgressReporter
) -> tuple[list[list[Nearest]], FramesBetween]:
    """With two levels: the nearest accessible configurations, and between them no cell turns twice.

    Where not all are accessible, cells turn a little earlier or later than their greys say.
    """

    def find_frames_between(
        start: FadeEndpoint, end: FadeEndpoint, times: Times, shares: Times
    ) -> Iterator[Lights]:
        first, last = start.nearest.configuration, end.nearest.configuration
        # Cells that are wrong in one picture alone are right as long as can be.
        late = np.where(first == start.target.configuration, 1.0, 0.0)
        return monotone_path(
            board, first, last, np.where(np.isfinite(times[0]), times[0], late), shares
        )

    return find_nearest_configurations(board, targets, settings, say), find_frames_between


def find_corrected_frames(
    board: Board, targets: Sequence[Sequence[Target]], settings: Settings, say: ProgressReporter
) -> tuple[list[list[Nearest]], FramesBetween]:
    """With more levels: some cells at the edge, always the same, make all frames accessible."""
    check_cells = CheckCells.from_order(board)

    def find_frames_between(
        start: FadeEndpoint, end: FadeEndpoint, times: Times, shares: Times
    ) -> Iterator[Lights]:
        first, last = start.target.configuration, end.target.configuration
        rising = last > first
        for share in shares:
            turns = (times <= share).sum(axis=0, dtype=np.uint8)
            yield check_cells.correct_configuration(np.where(rising, first + turns, first - turns))

    nearest = [
        [check_cells.correct_target(target.configuration) for target in group] for group in targets
    ]
    return nearest, find_frames_between


def level_change_times(start: Target, end: Target, settings: Settings, plane: int) -> Times:
    """When a cell goes up to each level, or down from it, while its grey fades evenly.

    Returns (levels - 1, rows, columns), for the board of a primary (0..2).
    """
    grey, rise = start.grey, end.grey.astype(np.float64) - start.grey
    thresholds = tile_thresholds(
        grey.shape,
        settings.dither or BLUE_NOISE,
        levels=settings.levels,
        tone=settings.tone,
        plane=plane,
    )
    times = np.full((len(thresholds), *grey.shape), np.inf)
    for level, (threshold, time) in enumerate(zip(thresholds, times, strict=True), start=1):
        above = start.configuration >= level
        turns = above != (end.configuration >= level)
        # Greys that are equal once they are rounded may lie on either side of a threshold.
        np.divide(threshold - grey, rise, out=time, where=turns & (rise != 0))
        time[turns] = time[turns].clip(0, 1)
        time[turns & above] = np.nextafter(time[turns & above], 2)  # lit at the threshold itself
    return times


def find_dissolve_moves(
    board: Board,
    moves: Sequence[tuple[Sequence[FadeEndpoint], Sequence[FadeEndpoint]]],
    between: FramesBetween,
    settings: Settings,
    clock: StageTimer,
) -> list[Move]:
    """The steps from each picture to the next; moves are searched side by side."""
    plane_count, frames = len(moves[0][0]), max_frames(settings)
    total, done, shares = (
        len(moves) * frames,
        count(1),
        move_progress_by_frame(settings, frames)[:-1],
    )
    # Counted, so that every run finds the same; the clock is for all of them together.
    work = min(FRAME_SEARCH_SECONDS, settings.time_limit / (plane_count * frames))

    def iter_plane_frames(start: FadeEndpoint, end: FadeEndpoint, plane: int) -> Iterator[Lights]:
        times = level_change_times(start.target, end.target, settings, plane)
        yield start.nearest.configuration
        yield from between(start, end, times, shares)
        yield end.nearest.configuration

    def find_move(
        move: tuple[Sequence[FadeEndpoint], Sequence[FadeEndpoint]], deadline: Deadline
    ) -> Move:
        planes = [
            iter_plane_frames(*pair, plane) for plane, pair in enumerate(zip(*move, strict=True))
        ]
        bounds = list[int]()

        def find_clicks(start: Sequence[Lights], end: Sequence[Lights]) -> Lights:
            click_set, bound = find_frame_clicks(board, start, end, deadline, work)
            bounds.append(bound)
            clock.progress("fewest", next(done) / total, "")
            return click_set

        click_sets = (find_clicks(*change) for change in pairwise(zip(*planes, strict=True)))
        return Move(
            clicks=PackedSteps.pack((plane_count, *board.shape), board.levels, click_sets),
            bound=sum(bounds),
            seconds=deadline.seconds_used(),
            cut_short=deadline.cut_short,
        )

    return search_in_parallel(find_move, moves, settings.time_limit)


def find_frame_clicks(
    board: Board,
    start: Sequence[Lights],
    end: Sequence[Lights],
    deadline: Deadline,
    work: float,
) -> tuple[Lights, int]:
    """Few clicks that turn a frame into the next, and how many it takes at least.

    ``start`` and ``end`` have a configuration for each board, each with a search of so much work;
    returns the clicks as (boards, rows, columns).
    """
    click_sets, total_bound = [], 0
    for before, after in zip(start, end, strict=True):
        clicks = board.clicks_between(before, after)
        bound = board.count(clicks)
        if board.nullity:
            limit = deadline.of_work(work)
            fewest = fewest_clicks(board, clicks, time_limit=limit, program=False)
            clicks, bound = fewest.clicks, fewest.bound
        if not np.array_equal(board.add(before, board.toggles(clicks)), after):
            raise SolverError("clicks do not lead from a frame to the next; please report this")
        click_sets.append(clicks)
        total_bound += bound
    return np.stack(click_sets), total_bound
