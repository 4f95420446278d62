"""The fewest clicks: of all click sets that toggle the same cells, the smallest.

Given one, all others are its sums with the quiet patterns' combinations, 2**nullity in all.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.board.rule import RULES
from lightsanim.errors import SolverError
from lightsanim.solve.checks import MAX_PATTERN_BITS
from lightsanim.solve.combinations import BLOCK_BITS, lightest_of_blocks
from lightsanim.solve.outcome import Deadline, OnProgress, Status, status_of

# Improving in random parts of the space ends when so many in a row gave nothing.
PATIENCE = 60

# Beyond this nullity nobody lives to see all combinations weighed.
MAX_WEIGHED_NULLITY = 50

# What the paper's basic program can do something with, in cells.
MAX_PROGRAM_CELLS = 5_000


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
    bound = -(-int(np.count_nonzero(difference)) // len(RULES[board.rule].offsets))
    if board.nullity * board.cells > MAX_PATTERN_BITS:
        return clicks, bound

    def say(count: int) -> None:
        on_progress(count, bound)

    best = clicks.ravel()
    if board.nullity > BLOCK_BITS:
        best = _improve(board.packed_quiet_patterns(), best, deadline, say)
    if board.nullity <= MAX_WEIGHED_NULLITY:
        patterns = board.quiet_patterns().reshape(board.nullity, board.cells)
        best, complete = _weigh_all(patterns, best, deadline, say)
        if complete:
            return best.reshape(board.shape), int(np.count_nonzero(best))
    if board.cells <= MAX_PROGRAM_CELLS and not deadline.expired:
        from lightsanim.solve import scip

        program = scip.fewest_clicks_program(board, difference, best.reshape(board.shape))
        answer = scip.solve(program, deadline, on_progress)
        best, bound = answer.values, max(bound, answer.bound)
    return best.reshape(board.shape), bound


def _weigh_all(
    patterns: Bits, clicks: Bits, deadline: Deadline, say: Callable[[int], None]
) -> tuple[Bits, bool]:
    # The lightest of all combinations, and whether all were weighed.  What cannot be completed in
    # time is given up at once.
    fewest, chosen = int(np.count_nonzero(clicks)), 0
    blocks, begun = 1 << max(0, len(patterns) - BLOCK_BITS), deadline.remaining
    for done, (count, combination) in enumerate(lightest_of_blocks(patterns, clicks), start=1):
        if count < fewest:
            fewest, chosen = count, combination
            say(fewest)
        spent = begun - deadline.remaining
        if done < blocks and spent * (blocks - done) > deadline.remaining * done:
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
    added: Bits = clicks ^ np.bitwise_xor.reduce(patterns[chosen], axis=0, initial=False)
    return added
