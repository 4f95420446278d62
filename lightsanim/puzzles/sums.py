"""Clues that are the sums of a cell and those around it.

The map is T_m on the columns and T_n on the rows, where T adds to each number its two neighbours in
a line.  One line is solved by chasing: its first number being x, the clue of each number gives the
next.  What follows after the last must be 0: a number with x once, taken away once, or not at all,
the latter for lines of 2, 5, 8, ... numbers.  So a line has one solution in whole numbers, or, if
its length leaves 2 when divided by 3, none or any number of them: 1 -1 0 1 -1 ... sums to zero.
"""

import numpy as np
from numpy.typing import NDArray

from lightsanim.puzzles.clues import Clues

# How often x is in each number of a line whose clues are 0.
PERIOD = np.array([1, -1, 0])


def sum_patterns(rows: int, columns: int) -> Clues:
    """A basis of the grids whose sums are all 0, int (nullity, rows, columns).

    >>> [len(sum_patterns(*shape)) for shape in ((3, 3), (5, 3), (3, 5), (5, 5))]
    [0, 3, 3, 9]
    >>> sum_patterns(2, 1).tolist()
    [[[1], [-1]]]
    """
    down, along = _zero_lines(rows), _zero_lines(columns)
    units = [np.eye(side, dtype=np.int64) for side in (rows, columns)]
    # A line down that is 0 after all but the last row is a sum of the others' grids.
    below = units[0][:-1] if len(down) and len(along) else units[0]
    grids = [
        *(np.outer(line, unit) for line in down for unit in units[1]),
        *(np.outer(unit, line) for line in along for unit in below),
    ]
    return np.array(grids, np.int64).reshape(-1, rows, columns)


def solve_sums(clues: Clues) -> Clues:
    """A grid with these sums, which must be orthogonal to the patterns.

    >>> solve_sums(np.array([[3, 6, 5]])).tolist()
    [[1, 2, 3]]
    """
    return _solve_lines(_solve_lines(clues).T).T


def _solve_lines(clues: Clues) -> Clues:
    # Each column is a line.
    length = len(clues)
    chased: NDArray[np.int64] = np.zeros((length + 2, clues.shape[1]), np.int64)
    for place, clue in enumerate(clues, start=1):  # the row before the first is 0
        chased[place + 1] = clue - chased[place] - chased[place - 1]
    left = PERIOD[length % 3]
    numbers: Clues = chased[1:-1] - left * np.outer(_weights(length), chased[-1])
    return numbers


def _weights(length: int) -> Clues:
    return np.resize(PERIOD, length).astype(np.int64)


def _zero_lines(length: int) -> Clues:
    # (1, length), or (0, length) where only 0 sums to zero.
    return _weights(length)[None][: int(length % 3 == 2)]
