"""The stages that `pipeline` runs one after the other: values in, values out.

Files are touched at the two ends only, by whoever calls them.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, pairwise

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.animation.animation import Move, shades_of
from lightsanim.animation.legal import order_legally
from lightsanim.animation.order import order_clicks
from lightsanim.board.board import Board, nearest_perfect
from lightsanim.errors import SolverError
from lightsanim.pictures.dither import Target, dither
from lightsanim.pictures.grey import grey_for_board
from lightsanim.pictures.picture import Picture, rows_for
from lightsanim.settings import Settings, Size, parse_size
from lightsanim.solve.fewest import Fewest, fewest_clicks
from lightsanim.solve.nearest import Nearest, nearest_accessible
from lightsanim.solve.outcome import Deadline
from lightsanim.solve.side_by_side import search_side_by_side

Say = Callable[[str], None]
Progress = Callable[[str, float, str], None]
"""Called with a stage, the share of it that is done (0..1), and what is known so far."""


def board_for(first: Picture, settings: Settings) -> Board:
    """The board of the settings, with rows from the first picture's shape where none are given.

    With ``perfect``, the nearest size at which every configuration is accessible.

    Raises:
        OptionError: if it would have too many cells, or no size near is perfect.
    """
    asked = parse_size(settings.size)
    if asked.rows is None:
        asked = Size(columns=asked.columns, rows=rows_for(first, asked.columns))
    assert asked.rows is not None
    board = Board(asked.rows, asked.columns, rule=settings.rule, wrap=settings.wrap)
    return nearest_perfect(board) if settings.perfect else board


def targets_for(picture: Picture, board: Board, settings: Settings) -> list[Target]:
    """The picture, dithered to the board; in colour, to three boards, one for each primary."""
    grey = grey_for_board(picture, board.rows, board.columns, **settings.tones)
    planes = grey.reshape(-1, board.rows, board.columns)
    return [
        dither(plane, settings.dither, picture.name, serpentine=settings.serpentine)
        for plane in planes
    ]


def find_nearest(
    board: Board, targets: Sequence[Sequence[Target]], settings: Settings, say: Say
) -> list[list[Nearest]]:
    """The nearest accessible configuration of each picture on each of its boards.

    They are searched side by side, each with the settings' time limit for itself.
    """

    def search(target: Target, deadline: Deadline) -> Nearest:
        return nearest_accessible(
            board,
            target.configuration,
            margin=target.margin,
            ip=settings.ip,
            time_limit=deadline,
            on_progress=lambda wrong, bound: say(
                f"{target.name}: {wrong} wrong cells, at least {bound}"
            ),
        )

    found = iter(search_side_by_side(search, chain(*targets), settings.time_limit))
    return [[next(found) for _ in boards] for boards in targets]


def find_fewest(
    board: Board, reached: Sequence[Sequence[Nearest]], settings: Settings, say: Say
) -> list[list[Fewest]]:
    """The fewest clicks from each picture to the next, on each board; searched side by side.

    The exclusive-or of two configurations is toggled by the exclusive-or of the click sets that
    lead to them from all-on: the start of the search, as in the paper.
    """

    def search(clicks: Bits, deadline: Deadline) -> Fewest:
        return fewest_clicks(
            board,
            clicks,
            time_limit=deadline,
            on_progress=lambda count, bound: say(f"{count} clicks, at least {bound}"),
        )

    starts = [
        [one.clicks ^ two.clicks for one, two in zip(*pictures, strict=True)]
        for pictures in pairwise(reached)
    ]
    found = iter(search_side_by_side(search, chain(*starts), settings.time_limit))
    return [[next(found) for _ in boards] for boards in starts]


def order_moves(
    board: Board,
    moves: Sequence[Sequence[Fewest]],
    reached: Sequence[Sequence[Nearest]],
    targets: Sequence[Sequence[Target]],
    settings: Settings,
    rng: np.random.Generator,
) -> list[Move]:
    """The clicks of all moves in order; for a boomerang, then back again."""
    starts = zip(reached, targets, strict=True)
    forth = [
        order_move(board, move, *start, settings, rng)
        for move, start in zip(moves, starts, strict=False)
    ]
    for move, stops in zip(forth, pairwise([*reached, reached[0]]), strict=False):
        _check_move(board, move, *stops)
    if not settings.boomerang:
        return forth
    back = [(cells[::-1], None if p is None else p[::-1]) for cells, p in reversed(forth)]
    return forth + back


def _check_move(board: Board, move: Move, start: Sequence[Nearest], end: Sequence[Nearest]) -> None:
    # The clicks are pressed once more, in the order in which they will be seen.
    shown, asked = (
        shades_of(stacked([n.configuration for n in boards])) for boards in (start, end)
    )
    board.flip(shown, *move)
    if not np.array_equal(shown, asked):
        raise SolverError("the clicks do not lead from one picture to the next; please report this")


def order_move(
    board: Board,
    boards: Sequence[Fewest],
    start: Sequence[Nearest],
    targets: Sequence[Target],
    settings: Settings,
    rng: np.random.Generator,
) -> Move:
    """The clicks of a move in order; in colour, those at one cell are one click.

    Args:
        board: the board.
        boards: the click set on each of one or three such boards.
        start: where the move starts, on each board.
        targets: of the picture that it starts from.
        settings: the options of `make`.
        rng: decides what the order leaves open.
    """
    clicks = stacked([fewest.clicks for fewest in boards])
    if settings.order == "legal":
        first = start[0].configuration
        return order_legally(board, first, clicks, rng, press=settings.press), None
    anywhere: Bits = np.logical_or.reduce(clicks) if len(boards) > 1 else clicks
    cells = order_clicks(
        anywhere,
        settings.order,
        rng,
        reverse=settings.reverse,
        spread=settings.spread,
        tone=np.mean([target.grey for target in targets], axis=0),
    )
    return cells, shades_of(clicks).ravel()[cells] if len(boards) > 1 else None


def stacked(boards: list[Bits]) -> Bits:
    """One board as it is, three as bool (3, rows, columns)."""
    return boards[0] if len(boards) == 1 else np.stack(boards)


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
