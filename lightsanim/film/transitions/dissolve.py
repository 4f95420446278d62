"""The dissolve transition: the grey of each cell fades from one picture to the next.

Each frame is dithered by the same thresholds.  The level of a cell therefore moves in one
direction only, and every frame shows a mix of both pictures.
The clicks from each frame to the next are one step of the animation.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, count, pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError
from lightsanim.film.clicks import PackedSteps, packed_click_set_size
from lightsanim.film.pace import max_frames, move_progress_by_frame
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.game.solve.check_cells import CheckCells
from lightsanim.game.solve.fewest import FRAME_SEARCH_SECONDS, fewest_clicks
from lightsanim.game.solve.monotone_path import monotone_path
from lightsanim.game.solve.nearest import Nearest
from lightsanim.options.choices import BLUE_NOISE, BOOMERANG
from lightsanim.options.stages import PictureOptions
from lightsanim.options.stencils import abbreviate_name
from lightsanim.pictures.dither import Target, tile_thresholds
from lightsanim.pictures.spot import SpotTarget, dither_to_palette
from lightsanim.system.deadline import Deadline
from lightsanim.system.threads import search_in_parallel
from .transition import (
    End,
    Move,
    Pair,
    Targets,
    Transition,
    check_frames_fit_in_memory,
    press_again,
)

# Maximum number of parity checks; at this limit, making a frame accessible takes milliseconds.
MAX_PARITY_CHECKS = 600


Times = NDArray[np.float64]


class Dissolve(Transition):
    """Dissolves, in which the grey of each cell fades."""

    makes_steps = True

    def ends(self, targets: Sequence[Targets]) -> Sequence[End]:
        """Return the configurations nearest to the targets, or changed in few cells only."""
        frames = (len(targets) - 1 + self.is_cycle) * max_frames(self.timing)
        self._check_memory(frames, len(targets[0]))
        check_nullity(self.board, self.search.time_limit, "a dissolve")
        if self.board.levels == 2:
            return super().ends(targets)
        with self.clock.time_stage("nearest"):
            correct = self.check_cells.correct_target
            nearest = [[correct(t.configuration) for t in planes] for planes in targets]
        pairs = zip(targets, nearest, strict=True)
        return [End(targets=planes, nearest=found) for planes, found in pairs]

    def _check_memory(self, frames: int, planes: int) -> None:
        """Raise an OptionError if the steps do not fit in memory, which also holds their copy."""
        copies = 2
        if self.ending == BOOMERANG:  # with two levels the moves back are views of the moves there
            copies = 3 if self.board.levels == 2 else 4
        frame_bytes = packed_click_set_size((planes, *self.board.shape), self.board.levels)
        size = copies * frames * math.prod(frame_bytes)
        remedy = "a shorter duration, or fewer frames a second"
        check_frames_fit_in_memory(size, frames, self.board, "a dissolve", remedy)

    @cached_property
    def check_cells(self) -> CheckCells:
        """The cells that are changed to make frames of more than two levels accessible."""
        return CheckCells.from_order(self.board)

    def moves(self, pairs: Sequence[Pair]) -> list[Move]:
        """Find the steps of each move, in parallel."""
        shares = move_progress_by_frame(self.timing, max_frames(self.timing))[:-1]
        total, done = len(pairs) * (len(shares) + 1), count(1)
        # Limit each search by counted work, not by time, so that every run finds the same clicks.
        searches = len(pairs[0][0].targets) * (len(shares) + 1)
        work = min(FRAME_SEARCH_SECONDS, self.search.time_limit / searches)

        def find_move(pair: Pair, deadline: Deadline) -> Move:
            bounds = list[int]()

            def find_steps() -> Iterator[Lights]:
                for change in pairwise(zip(*self._fade_planes(pair, shares), strict=True)):
                    click_set, bound = find_frame_clicks(self.board, *change, deadline, work)
                    bounds.append(bound)
                    self.clock.progress("fewest", next(done) / total, "")
                    yield click_set

            start, end = pair
            steps = PackedSteps.pack(start.lights.shape, self.board.levels, find_steps())
            return Move(
                start=start.lights,
                clicks=steps,
                end=end.lights,
                bound=sum(bounds),
                seconds=deadline.seconds_used(),
                cut_short=deadline.cut_short,
            )

        with self.clock.time_stage("fewest"):
            return search_in_parallel(find_move, pairs, self.search.time_limit)

    def _fade_planes(self, pair: Pair, shares: Times) -> list[Iterator[Lights]]:
        """Return the frames of each colour plane, from the start to the end."""
        start, end = pair
        planes = zip(start.targets, start.nearest, end.targets, end.nearest, strict=True)
        return [
            chain([near.configuration], self._fade(*plane, number, shares), [last.configuration])
            for number, plane in enumerate(planes)
            for _, near, _, last in [plane]
        ]

    def _fade(
        self, start: Target, near: Nearest, end: Target, last: Nearest, plane: int, shares: Times
    ) -> Iterator[Lights]:
        """Return the frames of a colour plane between two pictures; they are accessible."""
        if self.board.levels > 2:
            fade = fade_spot_colours if self.pictures.spot else fade_levels
            frames = fade(start, end, self.pictures, plane, shares)
            return map(self.check_cells.correct_configuration, frames)
        times = level_change_times(start, end, self.pictures, plane)
        # Cells that are wrong in one picture flip close to it, so they are right longest.
        own_times = np.where(near.configuration == start.configuration, 1.0, 0.0)
        flip_times = np.where(np.isfinite(times[0]), times[0], own_times)
        first, final = near.configuration, last.configuration
        return monotone_path(self.board, first, final, flip_times, shares)


def check_nullity(board: Board, seconds: float, film: str) -> None:
    """Raise an `OptionError` if the board has too many parity checks for films of many frames."""
    board.factor(seconds)
    if board.nullity == 0:
        return
    if board.nullity > MAX_PARITY_CHECKS or not board.can_list_patterns:
        raise OptionError(
            f"a {board.columns}x{board.rows} board of rule {abbreviate_name(board.rule)} has "
            f"{board.nullity} parity checks, too many for {film}; change the size or set perfect",
            "size",
        )
    board.mirrored.factor(seconds)


def fade_levels(
    start: Target, end: Target, options: PictureOptions, plane: int, shares: Times
) -> Iterator[Lights]:
    """Yield frames in which the level of each cell rises or falls in steps."""
    times = level_change_times(start, end, options, plane)
    first, last = start.configuration, end.configuration
    for share in shares:
        turns = (times <= share).sum(axis=0, dtype=np.uint8)
        yield np.where(last > first, first + turns, first - turns)


def fade_spot_colours(
    start: Target, end: Target, options: PictureOptions, plane: int, shares: Times
) -> Iterator[Lights]:
    """Yield frames of the mixtures of both pictures' colours, dithered to the palette."""
    assert isinstance(start, SpotTarget)
    assert isinstance(end, SpotTarget)
    for share in shares:
        lab = np.rint((1 - share) * start.lab + share * end.lab).astype(np.int64)
        yield dither_to_palette(lab, start.palette, options.dither or BLUE_NOISE)


def level_change_times(start: Target, end: Target, options: PictureOptions, plane: int) -> Times:
    """Return when each cell crosses each level above 0 in a fade: 0 to 1, or inf for never."""
    grey, rise = start.grey, end.grey.astype(np.float64) - start.grey
    dither, levels, tone = options.dither or BLUE_NOISE, len(start.shown), options.tone
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


def find_frame_clicks(
    board: Board, start: Sequence[Lights], end: Sequence[Lights], deadline: Deadline, work: float
) -> tuple[Lights, int]:
    """Search for the fewest clicks from a frame to the next, on each plane, and a lower bound."""
    click_sets, total_bound = [], 0
    for before, after in zip(start, end, strict=True):
        clicks = board.clicks_between(before, after)
        bound = board.count(clicks)
        if board.nullity:
            limit = deadline.part(work=work)
            fewest = fewest_clicks(board, clicks, time_limit=limit, program=False)
            clicks, bound = fewest.clicks, fewest.bound
        click_sets.append(clicks)
        total_bound += bound
    press_again(board, start, click_sets, end)
    return np.stack(click_sets), total_bound
