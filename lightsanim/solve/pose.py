"""New puzzles: a start that needs a given number of clicks.

Every part of a smallest click set is a smallest click set itself: if fewer clicks could replace the
part, they could replace it in the whole.  So one click set that needs many clicks gives puzzles of
all smaller numbers.
"""

from dataclasses import dataclass

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.checks import check_whole
from lightsanim.deadline import Deadline
from lightsanim.errors import OptionError, SolverError
from lightsanim.solve.components import components_of
from lightsanim.solve.covering_radius import most_clicks
from lightsanim.solve.fewest import fewest_clicks
from lightsanim.solve.outcome import Status
from lightsanim.solve.solution import click_sets
from lightsanim.stencils import shortened

# Quiet patterns of a component whose combinations are weighed in about half a minute.
MAX_WEIGHED_PATTERNS = 28

# Share of the time limit spent proving a refusal.
REFUSAL_SHARE = 0.2

# Largest board, in cells times flips of a click, on which clicks that do not meet are looked for.
MAX_SPREAD_FLIPS = 5_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Posed:
    """A puzzle: turn the start all off.

    Attributes:
        board: the board.
        start: bool (rows, columns).
        clicks: bool (rows, columns), a smallest click set that does it.
        count: how many clicks; proven to be the fewest.
        seconds: how long the search took.
        cut_short: whether the clock ended a search, so that another run may find another puzzle.
    """

    board: Board
    start: Bits
    clicks: Bits
    count: int
    seconds: float
    cut_short: bool


def pose(
    board: Board,
    clicks: int,
    rng: np.random.Generator,
    *,
    time_limit: float | Deadline = 30.0,
) -> Posed:
    """A start that needs a given number of clicks to be turned all off, and no fewer.

    Args:
        board: any board.
        clicks: how many, at least 1.
        rng: decides between all such starts.
        time_limit: seconds, or a `Deadline` to share.

    Raises:
        OptionError: if no start of the board needs as many, or the time limit is not positive.
        SolverError: if none was found in time.

    >>> posed = pose(Board(5, 5), 15, np.random.default_rng(0))
    >>> fewest_clicks(posed.board, posed.clicks).count
    15
    """
    check_whole("clicks", clicks, 1)
    deadline = Deadline.of(time_limit)
    board.factor(deadline)
    large = _random_smallest(board, rng, deadline)
    if np.count_nonzero(large) < clicks:
        large = _large_smallest(board, clicks, large, rng, deadline)
    chosen = np.zeros(board.cells, bool)
    chosen[rng.choice(np.flatnonzero(large), clicks, replace=False)] = True
    smallest = chosen.reshape(board.shape)
    if np.count_nonzero(next(click_sets(board, smallest))) != clicks:
        raise SolverError(f"the start found does not need {clicks} clicks; please report this")
    return Posed(
        board=board,
        start=board.toggles(smallest),
        clicks=smallest,
        count=clicks,
        seconds=deadline.seconds_used(),
        cut_short=deadline.cut_short,
    )


def _random_smallest(board: Board, rng: np.random.Generator, deadline: Deadline) -> Bits:
    # The smallest click set that toggles the same cells as a random one; empty where that takes too
    # long to prove.
    clicks = rng.random(board.shape) < 0.5
    if board.can_list_patterns:
        components = components_of(board.packed_quiet_patterns(), board.cells)
        if all(len(component) <= MAX_WEIGHED_PATTERNS for component in components):
            fewest = fewest_clicks(board, clicks, time_limit=deadline.part(0.7))
            if fewest.status is Status.OPTIMAL:
                return fewest.clicks
    return np.zeros(board.shape, bool)


def _large_smallest(
    board: Board, wanted: int, known: Bits, rng: np.random.Generator, deadline: Deadline
) -> Bits:
    # A smallest click set of at least as many clicks as are wanted.
    most = most_clicks(board, wanted=wanted, rng=rng, time_limit=deadline)
    if most.bound < wanted:
        raise OptionError(_refusal(board, wanted, deadline))
    large = max(known, most.clicks, _spread(board, wanted, rng), key=np.count_nonzero)
    reached = int(np.count_nonzero(large))
    if reached < wanted:
        when = f" in {deadline.seconds_used():.0f} s" if deadline.expired else ""
        raise SolverError(
            f"no start that needs {wanted} clicks was found{when}; the most reached is {reached}, "
            f"and none needs more than {most.bound}"
        )
    return large


def _refusal(board: Board, wanted: int, deadline: Deadline) -> str:
    most = most_clicks(board, time_limit=deadline.part(REFUSAL_SHARE))
    proven = most.status is Status.OPTIMAL
    others = f"the most that any needs is {most.count}" if proven else f"at most {most.bound}"
    rule = "" if board.rule == "plus" else f" of rule {shortened(board.rule)}"
    wrapped = " wrapped" if board.wrap else ""
    return f"no {board.columns}x{board.rows} board{rule}{wrapped} needs {wanted} clicks; {others}"


def _spread(board: Board, wanted: int, rng: np.random.Generator) -> Bits:
    """Clicks that do not meet: bool (rows, columns).

    Each flips as many cells as any click can, and no two flip the same cell; so fewer clicks cannot
    flip as many cells.
    """
    clicks, flipped = np.zeros(board.cells, bool), np.zeros(board.cells, bool)
    if board.cells * board.most_flips > MAX_SPREAD_FLIPS:
        return clicks.reshape(board.shape)
    flips = board.mirrored.neighbours()
    for cell in rng.permutation(board.cells):
        if len(flips[cell]) == board.most_flips and not flipped[flips[cell]].any():
            clicks[cell] = flipped[flips[cell]] = True
            if np.count_nonzero(clicks) == wanted:
                break
    return clicks.reshape(board.shape)
