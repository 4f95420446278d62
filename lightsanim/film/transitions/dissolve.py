"""The dissolve transition: the grey of each cell fades from one picture to the next.

Each frame is dithered by the same thresholds.  The level of a cell therefore moves in one
direction only, and every frame shows a mix of both pictures.
The clicks from each frame to the next are one step of the animation.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError, SolverError
from lightsanim.film.clicks import PackedSteps, packed_click_set_size
from lightsanim.film.pace import max_frames, move_progress_by_frame
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.game.solve.check_cells import CheckCells
from lightsanim.game.solve.fewest import FRAME_SEARCH_SECONDS, fewest_clicks
from lightsanim.game.solve.monotone_path import monotone_path
from lightsanim.game.solve.nearest import Nearest
from lightsanim.options.choices import BLUE_NOISE
from lightsanim.options.settings import Settings
from lightsanim.options.stencils import abbreviate_name
from lightsanim.pictures.dither import Target, tile_thresholds
from lightsanim.pictures.spot import SpotTarget, dither_to_palette
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import StageTimer
from lightsanim.system.threads import search_in_parallel
from .transition import (
    Move,
    Transition,
    check_frames_fit_in_memory,
    find_nearest_configurations,
    pair_successive_pictures,
)

# Maximum number of parity checks; at this limit, making a frame accessible takes milliseconds.
MAX_PARITY_CHECKS = 600


class FadeEndpoint(NamedTuple):
    """Start or end of a fade on a colour plane: the target and its nearest configuration."""

    target: Target
    nearest: Nearest


Times = NDArray[np.float64]


def build_dissolve(
    board: Board, targets: Sequence[Sequence[Target]], settings: Settings, clock: StageTimer
) -> Transition:
    """Build the transition that dissolves each picture into the next."""
    frames = (len(targets) - 1 + settings.is_cycle) * max_frames(settings)
    # Memory holds the moves and their concatenation.  A boomerang doubles both, but with two levels
    # the moves back are numpy views, which need no memory.
    copies = 2 if not settings.is_boomerang else 3 if board.levels == 2 else 4
    frame_bytes = packed_click_set_size((len(targets[0]), *board.shape), board.levels)
    size = copies * frames * math.prod(frame_bytes)
    remedy = "a shorter duration, or fewer frames a second"
    check_frames_fit_in_memory(size, frames, board, "a dissolve", remedy)
    check_cells = None
    with clock.time_stage("nearest") as say:
        check_nullity(board, settings, "a dissolve")
        if board.levels == 2:
            nearest = find_nearest_configurations(board, targets, settings, say)
        else:
            check_cells = CheckCells.from_order(board)
            correct = check_cells.correct_target
            nearest = [[correct(target.configuration) for target in group] for group in targets]
        endpoints = [list(map(FadeEndpoint, *both)) for both in zip(targets, nearest, strict=True)]
    with clock.time_stage("fewest"):
        pairs = pair_successive_pictures(endpoints, settings)
        moves = find_dissolve_moves(board, pairs, check_cells, settings, clock)
    return Transition(nearest=nearest, moves=moves)


def check_nullity(board: Board, settings: Settings, film: str) -> None:
    """Raise an `OptionError` if the board has too many parity checks for films of many frames."""
    board.factor(settings.time_limit)
    if board.nullity == 0:
        return
    if board.nullity > MAX_PARITY_CHECKS or not board.can_list_patterns:
        raise OptionError(
            f"a {board.columns}x{board.rows} board of rule {abbreviate_name(board.rule)} has "
            f"{board.nullity} parity checks, too many for {film}; change the size or set perfect",
            "size",
        )
    board.mirrored.factor(settings.time_limit)


def find_monotone_frames(
    board: Board,
    start: FadeEndpoint,
    end: FadeEndpoint,
    settings: Settings,
    plane: int,
    shares: Times,
) -> Iterator[Lights]:
    """Yield frames of two levels in which no cell flips twice."""
    first, last = start.nearest.configuration, end.nearest.configuration
    times = level_change_times(start.target, end.target, settings, plane)
    # Cells that are wrong in one picture flip close to it, so they are right longest.
    own_times = np.where(first == start.target.configuration, 1.0, 0.0)
    flip_times = np.where(np.isfinite(times[0]), times[0], own_times)
    return monotone_path(board, first, last, flip_times, shares)


def fade_levels(
    start: Target, end: Target, settings: Settings, plane: int, shares: Times
) -> Iterator[Lights]:
    """Yield frames in which the level of each cell rises or falls in steps."""
    times = level_change_times(start, end, settings, plane)
    first, last = start.configuration, end.configuration
    for share in shares:
        turns = (times <= share).sum(axis=0, dtype=np.uint8)
        yield np.where(last > first, first + turns, first - turns)


def fade_spot_colours(
    start: Target, end: Target, settings: Settings, plane: int, shares: Times
) -> Iterator[Lights]:
    """Yield frames of the mixtures of both pictures' colours, dithered to the palette."""
    assert isinstance(start, SpotTarget)
    assert isinstance(end, SpotTarget)
    for share in shares:
        lab = np.rint((1 - share) * start.lab + share * end.lab).astype(np.int64)
        yield dither_to_palette(lab, start.palette, settings.dither or BLUE_NOISE)


def level_change_times(start: Target, end: Target, settings: Settings, plane: int) -> Times:
    """Return when each cell crosses each level above 0 in a fade: 0 to 1, or inf for never."""
    grey, rise = start.grey, end.grey.astype(np.float64) - start.grey
    dither, levels, tone = settings.dither or BLUE_NOISE, settings.levels, settings.tone
    thresholds = tile_thresholds(grey.shape, dither, levels=levels, tone=tone, plane=plane)
    times = np.full((len(thresholds), *grey.shape), np.inf)
    for level, (threshold, time) in enumerate(zip(thresholds, times, strict=True), start=1):
        above = start.configuration >= level
        turns = above != (end.configuration >= level)
        # ``rise`` is 0 if rounding made greys equal that lay on both sides of a threshold.
        np.divide(threshold - grey, rise, out=time, where=turns & (rise != 0))
        time[turns] = time[turns].clip(0, 1)
        # A grey equal to the threshold is lit, so a cell that darkens flips just after that time.
        time[turns & above] = np.nextafter(time[turns & above], 2)
    return times


def find_dissolve_moves(
    board: Board,
    moves: Sequence[tuple[Sequence[FadeEndpoint], Sequence[FadeEndpoint]]],
    check_cells: CheckCells | None,
    settings: Settings,
    clock: StageTimer,
) -> list[Move]:
    """Find the steps from each picture to the next, in parallel."""
    plane_count, frames = len(moves[0][0]), max_frames(settings)
    total, done = len(moves) * frames, count(1)
    shares = move_progress_by_frame(settings, frames)[:-1]
    # Limit each search by counted work, not by time, so that every run finds the same clicks.
    work = min(FRAME_SEARCH_SECONDS, settings.time_limit / (plane_count * frames))

    def iter_plane_frames(start: FadeEndpoint, end: FadeEndpoint, plane: int) -> Iterator[Lights]:
        yield start.nearest.configuration
        if check_cells is None:
            yield from find_monotone_frames(board, start, end, settings, plane, shares)
        else:
            fade = fade_spot_colours if settings.spot else fade_levels
            frames = fade(start.target, end.target, settings, plane, shares)
            yield from map(check_cells.correct_configuration, frames)
        yield end.nearest.configuration

    def find_move(
        move: tuple[Sequence[FadeEndpoint], Sequence[FadeEndpoint]], deadline: Deadline
    ) -> Move:
        pairs = zip(*move, strict=True)
        planes = [iter_plane_frames(*pair, plane) for plane, pair in enumerate(pairs)]
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
    board: Board, start: Sequence[Lights], end: Sequence[Lights], deadline: Deadline, work: float
) -> tuple[Lights, int]:
    """Search for the fewest clicks from a frame to the next, on each plane, and a lower bound."""
    click_sets, total_bound = [], 0
    for before, after in zip(start, end, strict=True):
        clicks = board.clicks_between(before, after)
        bound = board.count(clicks)
        if board.nullity:
            limit = deadline.of_work(work)
            fewest = fewest_clicks(board, clicks, time_limit=limit, program=False)
            clicks, bound = fewest.clicks, fewest.bound
        if not np.array_equal(board.add(before, board.toggles(clicks)), after):
            raise SolverError("the clicks found do not make the next frame; please report this")
        click_sets.append(clicks)
        total_bound += bound
    return np.stack(click_sets), total_bound
