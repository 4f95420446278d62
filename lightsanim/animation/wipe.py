"""The wipe: the fewest clicks from each picture to the next, one after the other in an order."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.animation.clicks import Clicks
from lightsanim.animation.order import ordered
from lightsanim.animation.press_order import order_legally
from lightsanim.animation.transition import Move, Targets, Transition, find_nearest, pairs_of
from lightsanim.board.board import Board
from lightsanim.errors import SolverError
from lightsanim.look.levels import stacked
from lightsanim.options.settings import Settings
from lightsanim.solve.fewest import Fewest, fewest_clicks
from lightsanim.solve.nearest import Nearest
from lightsanim.solve.parallel import search_in_parallel
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import Clock, Say


def wipe(board: Board, targets: Sequence[Targets], settings: Settings, clock: Clock) -> Transition:
    """The transition of single clicks."""
    with clock.stage("nearest") as say:
        reached = find_nearest(board, targets, settings, say)
    with clock.stage("fewest") as say:
        moves = find_fewest(board, pairs_of(reached, settings), settings, say)
    with clock.stage("order"):
        rng = np.random.default_rng(settings.seed)
        starts = zip(moves, reached, targets, strict=False)
        in_order = [order_move(board, *each, settings, rng) for each in starts]
    return Transition(reached=reached, moves=in_order)


def find_fewest(
    board: Board,
    moves: Sequence[tuple[Sequence[Nearest], Sequence[Nearest]]],
    settings: Settings,
    say: Say,
) -> list[list[Fewest]]:
    """The fewest clicks of each move, on each board; searched side by side.

    The difference of two configurations is made by the difference of the click sets that lead to
    them from the same board: the start of the search, as in the paper.
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

    boards = [list(zip(*move, strict=True)) for move in moves]
    found = iter(search_in_parallel(search, chain(*boards), settings.time_limit))
    return [[next(found) for _ in each] for each in boards]


@dataclass(frozen=True, kw_only=True, eq=False)
class OrderedMove(Move):
    """The cells of a move in order."""

    cells: NDArray[np.integer]  # int (cells,), each once
    presses: NDArray[np.uint8]  # uint8 (boards, cells), how often each is pressed on each board
    # float64 (cells,), when the front comes to each, see `lightsanim.animation.order.front_of`;
    # None for an order or a pace without one.
    front_of_cells: NDArray[np.float64] | None = None

    def back(self, board: Board) -> "OrderedMove":
        """The way back: each cell is pressed as often as is missing, the last one first.

        With more than two levels and quiet patterns nobody has looked whether others press less.
        """
        presses, front = (board.levels - self.presses[:, ::-1]) % board.levels, self.front_of_cells
        count = int(presses.sum(dtype=np.int64))
        return OrderedMove(
            cells=self.cells[::-1],
            presses=presses,
            front_of_cells=None if front is None else 1 - front[::-1],
            bound=count if board.nullity == 0 else min(count, 1),
        )

    @property
    def clicks(self) -> Clicks:
        """The clicks in order, with those of one cell one after the other.

        In colour, those of one cell on several boards are one click.

        >>> cells, presses = np.array([4, 7]), np.array([[2, 0], [1, 1], [0, 0]], np.uint8)
        >>> clicks = OrderedMove(cells=cells, presses=presses).clicks
        >>> clicks.cells.tolist(), clicks.primaries.tolist()
        ([4, 4, 7], [3, 1, 2])
        """
        times = self.presses.max(axis=0, initial=0)
        which = np.repeat(np.arange(len(self.cells)), times)
        if len(self.presses) == 1:
            return Clicks(self.cells[which], None)
        ends = np.cumsum(times, dtype=np.int64)
        done = np.arange(len(which)) - np.repeat(ends - times, times)  # of the same cell before
        bits = np.uint8(1) << np.arange(len(self.presses), dtype=np.uint8)[:, None]
        made = (self.presses[:, which] > done) * bits
        return Clicks(self.cells[which], made.sum(axis=0, dtype=np.uint8))

    @property
    def front(self) -> NDArray[np.float64] | None:
        """When the front comes to each click; see `front_of_cells`."""
        times = self.presses.max(axis=0, initial=0)
        return None if self.front_of_cells is None else np.repeat(self.front_of_cells, times)


def order_move(
    board: Board,
    move: Sequence[Fewest],
    start: Sequence[Nearest],
    targets: Targets,
    settings: Settings,
    rng: np.random.Generator,
) -> OrderedMove:
    """The cells of a move in order."""
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
            tone=np.mean([target.grey for target in targets], axis=0),
        )
    if not np.array_equal(np.sort(cells), np.flatnonzero(anywhere)):
        raise SolverError("the order does not click each cell once; please report this")
    presses = clicks.reshape(len(move), -1)[:, cells].astype(np.uint8)
    return OrderedMove(
        cells=cells,
        presses=presses,
        front_of_cells=front if settings.ease == "front" else None,
        bound=sum(fewest.bound for fewest in move),
        seconds=max(fewest.seconds for fewest in move),
        cut_short=any(fewest.cut_short for fewest in move),
    )
