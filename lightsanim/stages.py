"""The stages that `pipeline` runs one after the other: values in, values out."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Move
from lightsanim.animation.order import times_of
from lightsanim.animation.steps import Steps
from lightsanim.board.board import Board, nearest_perfect
from lightsanim.deadline import Deadline
from lightsanim.errors import OptionError, SolverError
from lightsanim.options import Settings
from lightsanim.pictures.dither import Target
from lightsanim.pictures.part import cropped
from lightsanim.pictures.picture import Picture, rows_for
from lightsanim.pictures.targets import with_own
from lightsanim.report import MoveReport, PictureReport
from lightsanim.solve.nearest import Nearest, nearest_accessible
from lightsanim.solve.parallel import search_in_parallel
from lightsanim.values import CustomOrder, Size

# Seconds to see whether another size is perfect, where nobody asked for it.
ADVICE_SECONDS = 0.5

# Bytes of memory for the steps of a film, or the search for them.
MAX_BYTES = 2_000_000_000

Say = Callable[[str], None]
Progress = Callable[[str, float, str], None]
"""Called with a stage, the share of it that is done (0..1), and what is known so far."""


def untold(stage: str, share: float, note: str) -> None:
    """The `Progress` of a run that nobody watches."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Transition:
    """What leads from each picture to the next.

    Attributes:
        reached: what each picture is shown as, on each of its boards.
        moves: the clicks, or the steps, of each move, in order.
        fronts: for each move when each click is made, see
            `lightsanim.animation.animation.animate`; None where they are made evenly.
        reports: of each move, and where another number of clicks leads back, of the ways back.
        cut_short: whether the time limit ended a search.
        notes: what else there is to know, in a sentence each.
    """

    reached: Sequence[Sequence[Nearest]]
    moves: Sequence[Move | Steps]
    fronts: Sequence[NDArray[np.float64] | None]
    reports: Sequence[MoveReport]
    cut_short: bool
    notes: Sequence[str] = ()


def board_for(first: Picture, settings: Settings) -> Board:
    """The board of the settings, with rows from the first picture's shape where none are given.

    With ``perfect``, the nearest size at which every configuration is accessible.

    Args:
        first: the first picture.
        settings: the options of `make`.

    Raises:
        OptionError: if it would have too many cells, no size near is perfect, or a custom order is
            none for it.
    """
    columns, rows = settings.size.columns, settings.size.rows
    if rows is None:
        rows = rows_for(cropped(first, with_own(settings, first).crop), columns)
        Size(columns=columns, rows=rows)  # is it too large?
    board = Board(rows, columns, rule=settings.rule, wrap=settings.wrap, levels=settings.levels)
    if settings.perfect:
        board = nearest_perfect(board, time_limit=settings.time_limit)
    if isinstance(settings.order, CustomOrder):
        times_of(settings.order, board.shape, np.random.default_rng(0))  # is it one for this board?
    return board


def check_memory(size: int, frames: int, board: Board, film: str, less: str) -> None:
    """Do the frames of a film fit in memory?

    Args:
        size: bytes that they take.
        frames: how many there are.
        board: whose cells they are of.
        film: what they are for, for the message.
        less: what makes them fewer.

    Raises:
        OptionError: if not.
    """
    if size > MAX_BYTES:
        raise OptionError(
            f"{frames} frames of {board.columns}x{board.rows} cells are too many for {film}: "
            f"{size / 1e9:.1f} GB; take {less}",
            "size",
        )


def advice_on(board: Board, pictures: Sequence[PictureReport], cut_short: bool) -> list[str]:
    """A sentence on what `perfect` would give, where that helps and is known at once.

    Args:
        board: the board.
        pictures: the facts of each.
        cut_short: whether the time limit ended a search.
    """
    wrong = any(picture.wrong for picture in pictures)
    if board.nullity == 0 or not (wrong or cut_short):
        return []
    try:
        better = nearest_perfect(board, time_limit=ADVICE_SECONDS)
    except (OptionError, SolverError):
        return []
    return [f"--perfect would give {better.columns}x{better.rows} cells, every picture exactly."]


def find_nearest(
    board: Board, targets: Sequence[Sequence[Target]], settings: Settings, say: Say
) -> list[list[Nearest]]:
    """The nearest accessible configuration of each picture on each of its boards.

    They are searched side by side, each with the settings' time limit for itself; before, the
    elimination that they share has the same.

    Args:
        board: the board.
        targets: of each picture, one for each board.
        settings: the options of `make`.
        say: told what is known so far.

    Raises:
        SolverError: if the elimination is not done in time, or a solver fails.
    """
    board.factor(settings.time_limit)

    def search(target: Target, deadline: Deadline) -> Nearest:
        return nearest_accessible(
            board,
            target.configuration,
            margin=target.margin,
            in_levels=None if target.margin is not None else target.in_levels,
            ip=settings.ip,
            time_limit=deadline,
            on_progress=lambda wrong, bound: say(
                f"{target.name}: {wrong} wrong cells, at least {bound}"
            ),
        )

    found = iter(search_in_parallel(search, chain(*targets), settings.time_limit))
    return [[next(found) for _ in boards] for boards in targets]


class Clock:
    """Times the stages and tells of them."""

    def __init__(self, progress: Progress) -> None:
        self.seconds: dict[str, float] = {}
        self.progress = progress

    @contextmanager
    def stage(self, name: str) -> Iterator[Say]:
        """A stage; what it yields tells what is known so far."""
        start = time.perf_counter()
        self.progress(name, 0.0, "")
        yield lambda note: self.progress(name, 0.0, note)
        self.progress(name, 1.0, "")
        seconds = self.seconds.get(name, 0.0) + time.perf_counter() - start
        self.seconds[name] = round(seconds, 4)
