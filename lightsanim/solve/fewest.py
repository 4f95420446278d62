"""The fewest clicks: of all click sets that toggle the same cells, the smallest.

Given one, all others are its sums with the quiet patterns' combinations, 2**nullity in all; where
the patterns fall into parts, each is searched on its own.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.errors import SolverError
from lightsanim.solve.checks import MAX_PATTERN_BITS
from lightsanim.solve.combinations import BLOCK_BITS, lightest_of_blocks
from lightsanim.solve.outcome import Deadline, OnProgress, Status, status_of
from lightsanim.solve.parts import Part, parts_of

# Improving in random parts of the space ends when so many in a row gave nothing.
PATIENCE = 60

# Beyond this nullity nobody lives to see all combinations weighed.
MAX_WEIGHED_NULLITY = 50

# What the paper's basic program can do something with, in cells times the flips of a click.
MAX_PROGRAM_FLIPS = 25_000


@dataclass(frozen=True, kw_only=True)
class Fewest:
    """The smallest click set found, and what it is worth.

    Attributes:
        clicks: bool (rows, columns).
        count: how many clicks.
        bound: no click set that toggles the same cells is smaller than this.
        status: OPTIMAL when ``bound`` equals ``count``.
        seconds: that the search took.
    """

    clicks: Bits
    count: int
    bound: int
    status: Status
    seconds: float


def fewest_clicks(
    board: Board,
    clicks: Bits,
    *,
    time_limit: float | Deadline = 30.0,
    on_progress: OnProgress = lambda best, bound: None,
) -> Fewest:
    """The smallest click set that toggles the same cells as ``clicks``.

    Where the time allows, all combinations of quiet patterns are weighed, which proves the answer.
    Where it does not, random parts of their space are, and the paper's basic program takes over.

    Args:
        board: any board.
        clicks: bool (rows, columns), any click set; the start of the search.
        time_limit: seconds, or a `Deadline` to share.
        on_progress: told the clicks of the best found and the proven bound.

    Raises:
        OptionError: for a wrong shape or a time limit that is not positive.
        SolverError: if a solver's answer does not hold when pressed again.

    >>> on, off = np.ones((5, 5), bool), np.zeros((5, 5), bool)
    >>> fewest_clicks(Board(5, 5), Board(5, 5).clicks_between(on, off)).count  # OEIS A075464
    15
    """
    deadline = time_limit if isinstance(time_limit, Deadline) else Deadline(time_limit)
    clicks = board.checked(clicks, "clicks")
    difference = board.toggles(clicks)
    if board.nullity == 0:
        found, bound = clicks, int(np.count_nonzero(clicks))
    else:
        found, bound = _search(board, difference, clicks, deadline, on_progress)
    count = int(np.count_nonzero(found))
    if not np.array_equal(board.toggles(found), difference) or bound > count:
        raise SolverError(f"the solver's answer does not hold: {count} clicks, bound {bound}")
    return Fewest(
        clicks=found,
        count=count,
        bound=bound,
        status=status_of(count, bound),
        seconds=deadline.seconds_used(),
    )


def _search(
    board: Board, difference: Bits, clicks: Bits, deadline: Deadline, on_progress: OnProgress
) -> tuple[Bits, int]:
    # The clicks found and the proven bound: first what every click flips at most.
    bound = -(-int(np.count_nonzero(difference)) // max(1, board.most_flips))
    if board.nullity * board.cells > MAX_PATTERN_BITS:
        return clicks, bound
    best, proven = clicks.ravel().copy(), np.ones(board.cells, bool)
    parts = parts_of(board.packed_quiet_patterns(), board.cells)
    for left, part in zip(range(len(parts), 0, -1), parts, strict=True):
        elsewhere = int(np.count_nonzero(np.delete(best, part.cells)))

        def say(count: int, elsewhere: int = elsewhere) -> None:
            on_progress(elsewhere + count, bound)

        until = deadline.part(1 / left)
        best[part.cells], complete = _lightest(part, best[part.cells], until, say)
        proven[part.cells] = complete
    bound = max(bound, int(np.count_nonzero(best & proven)))
    if proven.all():
        return best.reshape(board.shape), bound
    if board.cells * board.most_flips <= MAX_PROGRAM_FLIPS and not deadline.expired:
        from lightsanim.solve import scip

        program = scip.fewest_clicks_program(board, difference, best.reshape(board.shape))
        answer = scip.solve(program, deadline, on_progress)
        best, bound = answer.values, max(bound, answer.bound)
    return best.reshape(board.shape), bound


def _lightest(
    part: Part, clicks: Bits, deadline: Deadline, say: Callable[[int], None]
) -> tuple[Bits, bool]:
    # The lightest click set found on the part's cells, and whether it is proven to be the lightest.
    if len(part) > BLOCK_BITS:
        clicks = _improve(part.packed, clicks, deadline, say)
    if len(part) > MAX_WEIGHED_NULLITY:
        return clicks, False
    return _weigh_all(part.patterns(), clicks, deadline, say)


def _weigh_all(
    patterns: Bits, clicks: Bits, deadline: Deadline, say: Callable[[int], None]
) -> tuple[Bits, bool]:
    # The lightest of all combinations, and whether all were weighed.  What cannot be completed in
    # time is given up at once.
    fewest, chosen = int(np.count_nonzero(clicks)), 0
    blocks, begun = 1 << max(0, len(patterns) - BLOCK_BITS), deadline.remaining
    for done, (count, combination) in enumerate(lightest_of_blocks(patterns, clicks), start=1):
        if np.count_nonzero(add_patterns(patterns, clicks, combination)) != count:
            raise SolverError(
                f"the solver's answer does not hold: a combination has not {count} clicks"
            )
        if count < fewest:
            fewest, chosen = count, combination
            say(fewest)
        spent = begun - deadline.remaining
        # Nothing was spent and nothing is left where there was no time to begin with.
        if done < blocks and spent * (blocks - done) >= deadline.remaining * done:
            return add_patterns(patterns, clicks, chosen), False
    return add_patterns(patterns, clicks, chosen), True


def _improve(
    packed: NDArray[np.uint8], clicks: Bits, deadline: Deadline, say: Callable[[int], None]
) -> Bits:
    # All combinations in one small random part of the space after the other.
    rng, vain = np.random.default_rng(0), 0
    while vain < PATIENCE and not deadline.expired:
        mix = rng.random((BLOCK_BITS, len(packed))) < 0.5
        mixed = np.array([np.bitwise_xor.reduce(packed[chosen], axis=0) for chosen in mix])
        part = np.unpackbits(mixed, axis=1, count=clicks.size, bitorder="little").view(bool)
        count, combination = next(lightest_of_blocks(part, clicks))
        vain += 1
        if count < np.count_nonzero(clicks):
            clicks, vain = add_patterns(part, clicks, combination), 0
            say(count)
    return clicks


def add_patterns(patterns: Bits, clicks: Bits, combination: int) -> Bits:
    """``clicks`` (cells,) plus the patterns (k, cells) whose bits are set in ``combination``.

    >>> add_patterns(np.eye(3, dtype=bool), np.ones(3, bool), 0b101).tolist()
    [False, True, False]
    """
    chosen = [t for t in range(len(patterns)) if combination >> t & 1]
    added: Bits = clicks ^ np.bitwise_xor.reduce(patterns[chosen], axis=0)
    return added
