"""The fewest clicks: of all click sets that toggle the same cells, the smallest.

Given one, all others are its sums with the quiet patterns' combinations, 2**nullity in all.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.errors import SolverError
from lightsanim.solve.outcome import Deadline, OnProgress, Status, status_of

# Up to this nullity all combinations are weighed: 2**24 weights of 4 bytes.
MAX_ENUMERATED_NULLITY = 24


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
    on_progress: OnProgress | None = None,
) -> Fewest:
    """The smallest click set that toggles the same cells as ``clicks``.

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
    difference = board.toggles(clicks)
    if board.nullity == 0:
        found, bound = clicks, int(clicks.sum())
    elif board.nullity <= MAX_ENUMERATED_NULLITY:
        found = _lightest_combination(board.quiet_patterns(), clicks)
        bound = int(found.sum())
    else:
        from lightsanim.solve import scip

        program = scip.fewest_clicks_program(board, difference, clicks)
        answer = scip.solve(program, deadline, on_progress)
        found, bound = answer.values.reshape(board.shape), answer.bound
    count = int(found.sum())
    if not np.array_equal(board.toggles(found), difference) or bound > count:
        raise SolverError(f"the solver's answer does not hold: {count} clicks, bound {bound}")
    return Fewest(
        clicks=found,
        count=count,
        bound=bound,
        status=status_of(count, bound),
        seconds=deadline.seconds_used(),
    )


def _lightest_combination(patterns: Bits, clicks: Bits) -> Bits:
    weights = combination_weights(patterns.reshape(len(patterns), -1), clicks.ravel())
    combination = int(weights.argmin())
    chosen = [t for t in range(len(patterns)) if combination >> t & 1]
    lightest: Bits = clicks ^ np.bitwise_xor.reduce(patterns[chosen], axis=0, initial=False)
    return lightest


def combination_weights(patterns: Bits, clicks: Bits) -> NDArray[np.int32]:
    """The size of ``clicks`` plus each combination of ``patterns``: int32 (2**k,).

    Entry c is for the sum of the patterns t with bit t of c set.  All sizes come from one
    Walsh-Hadamard transform: a cell whose column of pattern bits is v is clicked under c when
    x + <v, c> is odd, so the size is (cells - sum over v of h[v] (-1)**<v, c>) / 2, where h[v] is
    the sum of (-1)**x over the cells with column v.  k 2**k additions replace 2**k popcounts of
    the whole board.

    Args:
        patterns: bool (k, cells).
        clicks: bool (cells,).

    >>> combination_weights(np.array([[True, True, False]]), np.array([True, True, True])).tolist()
    [3, 1]
    """
    k, cells = patterns.shape
    columns = (patterns.T * (1 << np.arange(k))).sum(axis=1, dtype=np.int64)
    signs = np.where(clicks, -1, 1)
    h = np.bincount(columns, weights=signs, minlength=1 << k).astype(np.int32)
    for t in range(k):
        halves = h.reshape(-1, 2, 1 << t)
        low, high = halves[:, 0].copy(), halves[:, 1]
        halves[:, 0] += high
        np.subtract(low, high, out=high)
    weights: NDArray[np.int32] = (cells - h) // 2
    return weights
