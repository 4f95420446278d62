"""Ashes: whole numbers on a grid, from a clue in each cell about the numbers around it.

Source: Burkardt, "The Well-Posed Puzzle".  A clue is

- "sum":    the sum of a cell and of up to 8 around it, cut at the edges, or
- "slope":  the numbers above and to the right less those below and to the left.

Either is one linear map A with A transposed = A or -A.  So clues have a solution only if they are
orthogonal to each zero pattern, a grid whose clues are all 0, just as configurations of Lights Out
are to quiet patterns; and then they have one in whole numbers, see `sums` and `slopes`.
"""

from collections.abc import Callable, Mapping

import numpy as np

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_choice, counted
from lightsanim.puzzles.answer import INFEASIBLE, PuzzleAnswer
from lightsanim.puzzles.clues import LARGEST, MAX_SIDE, Clues
from lightsanim.puzzles.slopes import slope_patterns, solve_slopes
from lightsanim.puzzles.sums import solve_sums, sum_patterns
from lightsanim.solve.status import Status

# For each kind of clue a basis of the zero patterns, (nullity, rows, columns), given rows and
# columns; and a grid with some clues, which must be orthogonal to these patterns.
KINDS: Mapping[str, tuple[Callable[[int, int], Clues], Callable[[Clues], Clues]]] = {
    "sum": (sum_patterns, solve_sums),
    "slope": (slope_patterns, solve_slopes),
}


def ashes(clues: Clues, kind: str = "sum") -> PuzzleAnswer:
    """The grid of whole numbers with these clues, int (rows, columns).

    Where there is none, the answer says why.

    ``clues``: int (rows, columns).

    >>> answer = ashes(np.array([[4, 6, 4], [5, 9, 7], [4, 6, 5]]))
    >>> print(answer.drawing(), answer.said)
    1 0 2
    1 2 0
    0 1 2 This is the only grid with these clues.
    """
    check_choice("kind", kind, KINDS)
    clues, (patterns_of, solve) = _checked(clues), KINDS[kind]
    patterns = patterns_of(*clues.shape)
    for pattern in patterns:
        if total := int((pattern * clues).sum()):
            said = (
                "There is no grid with these clues: times a pattern whose own clues are all 0"
                f"{_described(pattern)}, they must add up to 0, but add up to {total}."
            )
            return PuzzleAnswer(puzzle="ashes", said=said, status=INFEASIBLE, pattern=pattern)
    grid = solve(clues)
    pattern = patterns[0] if len(patterns) else None
    return PuzzleAnswer(
        puzzle="ashes",
        said=_said(patterns),
        status=Status.OPTIMAL,
        grid=grid,
        unique=pattern is None,
        second=None if pattern is None else grid + pattern,
        pattern=pattern,
        kind=kind,
    )


def _checked(clues: Clues) -> Clues:
    clues = np.asarray(clues)
    if clues.ndim != 2 or not clues.size or max(clues.shape) > MAX_SIDE:
        raise OptionError(
            f"clues must be from 1 x 1 to {MAX_SIDE} x {MAX_SIDE}, not of shape {clues.shape}"
        )
    if not np.issubdtype(clues.dtype, np.integer) or np.abs(clues.astype(float)).max() > LARGEST:
        raise OptionError(f"clues must be whole numbers, none beyond {LARGEST}")
    return clues.astype(np.int64)


def _said(patterns: Clues) -> str:
    if not len(patterns):
        return "This is the only grid with these clues."
    count = counted(len(patterns), "pattern" if len(patterns) == 1 else "independent pattern")
    return (
        f"This is one grid of infinitely many: to any can be added {count} whose own clues are "
        f"all 0{_described(patterns[0])}."
    )


def _described(pattern: Clues) -> str:
    # Where it is in one column or row only, a pattern can be told in a few words.
    rows, columns = (np.flatnonzero(pattern.any(axis=axis)) for axis in (1, 0))
    if len(columns) == 1:
        return f", as {_listed(pattern[:, columns[0]])} down column {columns[0] + 1}"
    if len(rows) == 1:
        return f", as {_listed(pattern[rows[0]])} along row {rows[0] + 1}"
    return ""


def _listed(numbers: Clues) -> str:
    shown = [str(number) for number in numbers.tolist()]
    return " ".join(shown if len(shown) <= 8 else [*shown[:5], "..."])
