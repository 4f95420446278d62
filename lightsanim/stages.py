"""The stages that `pipeline` runs one after the other: values in, values out."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.animation.animation import Move, stacked
from lightsanim.animation.legal import order_legally
from lightsanim.animation.order import backwards, ordered, times_of
from lightsanim.board.board import Board, nearest_perfect
from lightsanim.deadline import Deadline
from lightsanim.errors import OptionError, SolverError
from lightsanim.options import Settings
from lightsanim.pictures.dither import Target
from lightsanim.pictures.part import cropped
from lightsanim.pictures.picture import Picture, rows_for
from lightsanim.pictures.targets import with_own
from lightsanim.solve.fewest import Fewest, fewest_clicks
from lightsanim.solve.nearest import Nearest, nearest_accessible
from lightsanim.solve.parallel import search_in_parallel
from lightsanim.values import CustomOrder, Size

# Seconds to see whether another size is perfect, where nobody asked for it.
ADVICE_SECONDS = 0.5

Say = Callable[[str], None]
Progress = Callable[[str, float, str], None]
"""Called with a stage, the share of it that is done (0..1), and what is known so far."""


def untold(stage: str, share: float, note: str) -> None:
    """The `Progress` of a run that nobody watches."""


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


def advice_on(board: Board, reached: Sequence[Sequence[Nearest]], cut_short: bool) -> list[str]:
    """A sentence on what `perfect` would give, where that helps and is known at once.

    Args:
        board: the board.
        reached: what each picture is shown as, on each of its boards.
        cut_short: whether the time limit ended a search.
    """
    wrong = any(nearest.wrong for boards in reached for nearest in boards)
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


def find_fewest(
    board: Board, stops: Sequence[Sequence[Nearest]], settings: Settings, say: Say
) -> list[list[Fewest]]:
    """The fewest clicks from each picture to the next, on each board; searched side by side.

    The difference of two configurations is made by the difference of the click sets that lead to
    them from the same board: the start of the search, as in the paper.

    Args:
        board: the board.
        stops: what each picture is shown as, on each of its boards.
        settings: the options of `make`.
        say: told what is known so far.

    Raises:
        SolverError: if clicks, pressed again, do not lead from one picture to the next.
    """

    def search(move: tuple[Nearest, Nearest], deadline: Deadline) -> Fewest:
        start, end = move
        fewest = fewest_clicks(
            board,
            board.subtract(end.clicks, start.clicks),
            time_limit=deadline,
            on_progress=lambda count, bound: say(f"{count} clicks, at least {bound}"),
        )
        reached = board.add(start.configuration, board.toggles(fewest.clicks))
        if not np.array_equal(reached, end.configuration):
            raise SolverError("clicks do not lead from a picture to the next; please report this")
        return fewest

    moves = [list(zip(start, end, strict=True)) for start, end in pairwise(stops)]
    found = iter(search_in_parallel(search, chain(*moves), settings.time_limit))
    return [[next(found) for _ in boards] for boards in moves]


@dataclass(frozen=True, kw_only=True, eq=False)
class OrderedMove:
    """The cells of a move in order.

    Attributes:
        cells: int (cells,), each once.
        presses: uint8 (boards, cells), how often each is pressed on each board.
        front: float64 (cells,), when the front comes to each, see
            `lightsanim.animation.order.front_of`; None for an order without one.
    """

    cells: NDArray[np.integer]
    presses: NDArray[np.uint8]
    front: NDArray[np.float64] | None

    def back(self, levels: int) -> "OrderedMove":
        """The way back: each cell is pressed as often as is missing, the last one first."""
        return OrderedMove(
            cells=self.cells[::-1],
            presses=(levels - self.presses[:, ::-1]) % levels,
            front=None if self.front is None else backwards(self.front),
        )

    @property
    def clicks(self) -> Move:
        """The clicks in order and, in colour, their primaries."""
        return repeated(self.cells, self.presses)

    @property
    def front_of_clicks(self) -> NDArray[np.float64] | None:
        """When the front comes to each click; see `front`."""
        times = self.presses.max(axis=0, initial=0)
        return None if self.front is None else np.repeat(self.front, times)


def order_moves(
    board: Board,
    moves: Sequence[Sequence[Fewest]],
    stops: Sequence[Sequence[Nearest]],
    targets: Sequence[Sequence[Target]],
    settings: Settings,
    rng: np.random.Generator,
) -> list[OrderedMove]:
    """The clicks of all moves in order; for a boomerang, then back again.

    Args:
        board: the board.
        moves: the click sets from each picture to the next, one for each board.
        stops: what each picture is shown as.
        targets: what each picture asks for.
        settings: the options of `make`.
        rng: decides what the order leaves open.
    """
    there = [
        order_move(board, move, *start, settings, rng)
        for move, start in zip(moves, zip(stops, targets, strict=False), strict=False)
    ]
    back = [move.back(board.levels) for move in reversed(there)] if settings.boomerang else []
    return [*there, *back]


def order_move(
    board: Board,
    move: Sequence[Fewest],
    start: Sequence[Nearest],
    targets: Sequence[Target],
    settings: Settings,
    rng: np.random.Generator,
) -> OrderedMove:
    """The cells of a move in order.

    Args:
        board: the board.
        move: the click set on each of one or three such boards.
        start: where the move starts, on each board.
        targets: of the picture that it starts from.
        settings: the options of `make`.
        rng: decides what the order leaves open.

    Raises:
        SolverError: if there is no such order, or it is not one of the click set.
    """
    clicks = stacked([fewest.clicks for fewest in move])
    anywhere: Bits = np.any(clicks.reshape(-1, *board.shape) > 0, axis=0)
    if settings.order == "legal":
        first = start[0].configuration
        cells, front = order_legally(board, first, clicks, rng, press=settings.press), None
    else:
        cells, front = ordered(
            anywhere,
            settings.order,
            rng,
            reverse=settings.reverse,
            spread=settings.spread,
            tone=_mean_grey(targets) if settings.order == "tone" else None,
        )
    if not np.array_equal(np.sort(cells), np.flatnonzero(anywhere)):
        raise SolverError("the order does not click each cell once; please report this")
    presses = clicks.reshape(len(move), -1)[:, cells].astype(np.uint8)
    return OrderedMove(cells=cells, presses=presses, front=front)


def repeated(cells: NDArray[np.integer], presses: NDArray[np.uint8]) -> Move:
    """Clicks in order, with those of one cell one after the other.

    In colour, those of one cell on several boards are one click.

    Args:
        cells: int (cells,), each once.
        presses: uint8 (boards, cells), how often each is pressed on each board.

    >>> repeated(np.array([4, 7]), np.array([[2, 0], [1, 1], [0, 0]], np.uint8))
    (array([4, 4, 7]), array([3, 1, 2], dtype=uint8))
    """
    times = presses.max(axis=0, initial=0)
    which = np.repeat(np.arange(len(cells)), times)
    clicks = cells[which]
    if len(presses) == 1:
        return clicks, None
    ends = np.cumsum(times, dtype=np.int64)
    done = np.arange(len(which)) - np.repeat(ends - times, times)  # of the same cell before
    bits = np.uint8(1) << np.arange(len(presses), dtype=np.uint8)[:, None]
    primaries: NDArray[np.uint8] = ((presses[:, which] > done) * bits).sum(axis=0, dtype=np.uint8)
    return clicks, primaries


def _mean_grey(targets: Sequence[Target]) -> NDArray[np.float32]:
    mean: NDArray[np.float32] = np.mean([target.grey for target in targets], axis=0)
    return mean


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
        self.seconds[name] = round(time.perf_counter() - start, 4)
