"""Solve the puzzle Submarines: find a grid of 0 and 1 with given row and column sums.

Sources: Burkardt, "The Well-Posed Puzzle", for the puzzle.  Gale, Pacific J. Math. 7 (1957)
1073-1082, and Ryser, Canad. J. Math. 9 (1957) 371-377, for the existence and construction of a
grid, and for interchanges, which lead from one grid to all others with the same sums.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError, SolverError
from lightsanim.game.algebra.linear import Bits
from lightsanim.options.checks import check_whole_number, pluralize
from .answer import PuzzleAnswer

MAX_SIDE = 1000

Sums = NDArray[np.int64]


def solve_submarines(rows: Sequence[int], columns: Sequence[int]) -> PuzzleAnswer:
    """Return a grid that has the given row and column sums, or the reason why there is none."""
    sides = _check_sums("row", rows), _check_sums("column", columns)
    total, column_total = (int(sums.sum()) for sums in sides)
    if total != column_total:
        raise OptionError(
            f"the totals of rows and columns must be equal, not {total} and {column_total}"
        )
    if message := _find_contradiction(*sides):
        return PuzzleAnswer(puzzle="submarines", message=message)
    grid = _build_grid_from_sums(*sides)
    second = _find_other_grid(grid)
    for answer in (grid, second):
        if answer is not None and [*answer.sum(1), *answer.sum(0)] != [*sides[0], *sides[1]]:
            raise SolverError("the grid found does not have the given sums; please report this")
    only = "the only" if second is None else "not the only"
    return PuzzleAnswer(
        puzzle="submarines",
        message=f"{pluralize(total, 'submarine')}; this is {only} grid with these sums.",
        grid=grid,
        value=total,
        bound=total,
        unique=second is None,
        second=second,
    )


def _find_contradiction(rows: Sums, columns: Sums) -> str:
    # Return the reason why no grid has these sums, or an empty text.  By the theorem of Gale and
    # Ryser, a grid exists if row sums and column sums have the same total and if, for each k, the k
    # largest row sums add up to at most the sum of min(c, k) over the column sums c.
    needed = np.cumsum(np.sort(rows)[::-1])
    for k, need in enumerate(needed.tolist(), start=1):
        available = int(np.minimum(columns, k).sum())
        if need > available:
            fullest, verb = pluralize(k, "row"), "needs" if k == 1 else "need"
            return (
                f"There is no grid: {fullest} {verb} {need} submarines, but the column sums "
                f"allow at most {available} in {fullest}."
            )
    return ""


def _build_grid_from_sums(rows: Sums, columns: Sums) -> Bits:
    # Fill each row in the columns with the largest remaining sums.
    grid, left = np.zeros((len(rows), len(columns)), bool), columns.copy()
    for row, count in enumerate(rows):
        fullest = np.argsort(-left, kind="stable")[:count]
        grid[row, fullest] = True
        left[fullest] -= 1
    return grid


def _find_other_grid(grid: Bits) -> Bits | None:
    # Return another grid with the same sums, or None.  Interchanging 1 0 over 0 1 with 0 1 over 1 0
    # leads to all others (Ryser).  No interchange is possible exactly if the columns filled in each
    # row are also filled in all rows whose sum is at least as large.  So it suffices to compare
    # neighbours in the order of the sums.
    for upper, lower in pairwise(np.argsort(grid.sum(axis=1), kind="stable")):
        only_upper = np.flatnonzero(grid[upper] & ~grid[lower])
        if len(only_upper):
            only_lower = np.flatnonzero(grid[lower] & ~grid[upper])
            changed = grid.copy()
            changed[np.ix_([upper, lower], [only_upper[0], only_lower[0]])] ^= True
            return changed
    return None


def _check_sums(name: str, sums: Sequence[int]) -> Sums:
    if not 1 <= len(sums) <= MAX_SIDE:
        raise OptionError(f"there must be 1 to {MAX_SIDE} {name} sums, not {len(sums)}")
    for number in sums:
        check_whole_number(f"a {name} sum", number, 0, MAX_SIDE)
    return np.array(sums, np.int64)
