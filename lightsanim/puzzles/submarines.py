"""Submarines: a grid of cells that are taken or not, from the sums of its rows and columns.

Sources: Gale, Pacific J. Math. 7 (1957) 1073-1082, and Ryser, Canad. J. Math. 9 (1957) 371-377, for
when there is a grid, how to find one, and that any other follows from it by interchanges; the
puzzle as in Burkardt, "The Well-Posed Puzzle".
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.errors import OptionError, SolverError
from lightsanim.options.checks import check_whole_number, pluralize
from lightsanim.puzzles.answer import INFEASIBLE, PuzzleAnswer
from lightsanim.solve.status import Status

MAX_SIDE = 1000

Sums = NDArray[np.int64]


def solve_submarines(rows: Sequence[int], columns: Sequence[int]) -> PuzzleAnswer:
    """A grid with given numbers of submarines in its rows and columns, bool (rows, columns).

    Where there is none, the answer says why.

    >>> print(solve_submarines([2, 1, 1], [1, 2, 1]).solution_text())
    # # .
    . # .
    . . #
    """
    sides = _check_sums("row", rows), _check_sums("column", columns)
    total, column_total = (int(sums.sum()) for sums in sides)
    if total != column_total:
        raise OptionError(
            f"the rows add up to {total} and the columns to {column_total}; they must be the same"
        )
    if message := _find_contradiction(*sides):
        return PuzzleAnswer(puzzle="submarines", message=message, status=INFEASIBLE)
    grid = _build_grid_from_sums(*sides)
    second = _find_other_grid(grid)
    for answer in (grid, second):
        if answer is not None and [*answer.sum(1), *answer.sum(0)] != [*sides[0], *sides[1]]:
            raise SolverError("the grid does not have the sums asked for; please report this")
    only = "the only" if second is None else "not the only"
    return PuzzleAnswer(
        puzzle="submarines",
        message=f"{pluralize(total, 'submarine')}; {only} grid with these sums.",
        status=Status.OPTIMAL,
        grid=grid,
        value=total,
        bound=total,
        unique=second is None,
        second=second,
    )


def _find_contradiction(rows: Sums, columns: Sums) -> str:
    # Why there is no grid with these sums, which add up to the same number; empty if there is: for
    # each k the k fullest rows need no more than the columns have for them, min(c, k) for a column
    # with sum c (Gale; Ryser).
    needed = np.cumsum(np.sort(rows)[::-1])
    for k, need in enumerate(needed.tolist(), start=1):
        available = int(np.minimum(columns, k).sum())
        if need > available:
            fullest, verb = pluralize(k, "row"), "needs" if k == 1 else "need"
            return (
                f"There is no grid: {fullest} {verb} {need} submarines, "
                f"but the columns have at most {available} for {fullest}."
            )
    return ""


def _build_grid_from_sums(rows: Sums, columns: Sums) -> Bits:
    # A grid with these sums: each row takes the columns that need most.
    grid, left = np.zeros((len(rows), len(columns)), bool), columns.copy()
    for row, count in enumerate(rows):
        fullest = np.argsort(-left, kind="stable")[:count]
        grid[row, fullest] = True
        left[fullest] -= 1
    return grid


def _find_other_grid(grid: Bits) -> Bits | None:
    # Another grid with the same sums, None if there is none.  Any other can be reached by
    # interchanges, 1 0 over 0 1 for 0 1 over 1 0 (Ryser).  There is none to be made exactly when
    # each row lies within all that are as full, so that it is enough to look at neighbours in the
    # order of their sums.
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
        raise OptionError(f"give from 1 to {MAX_SIDE} {name} sums, not {len(sums)}")
    for number in sums:
        check_whole_number(f"a {name} sum", number, 0, MAX_SIDE)
    return np.array(sums, np.int64)
