"""Clues that are the numbers above and to the right less those below and to the left.

With (S x)_j = x_(j+1) - x_(j-1) along a row, the clues c_i of row i say x_(i+1) = x_(i-1) + S x_i -
c_i: chasing gives every row from the first, z, and the row after the last, F z + r, must be 0.

F is F_(m+1)(S), F_(n+1) the characteristic polynomial of S, with the Fibonacci polynomials F_0 = 0,
F_1 = 1, F_(k+1) = t F_k + F_(k-1); with d the greatest common divisor of m + 1 and n + 1, F_d is
that of F_(m+1) and F_(n+1), even as ideals of Z[t], for F_(k+l) = F_(k+1) F_l + F_k F_(l-1) and
neighbours have the ideal of 1.  Hence d - 1 independent zero patterns; and what has a solution has
exactly one in which the last d - 1 numbers of z are 0, and that in whole numbers.
"""

from math import gcd

import numpy as np

from lightsanim.puzzles.clues import Clues


def slope_patterns(rows: int, columns: int) -> Clues:
    """A basis of the grids whose slopes are all 0, int (nullity, rows, columns).

    Those of (d - 1) x (d - 1) cells begin with any row; larger ones consist of these, mirrored in
    rows and columns of 0: a row i beyond such a row is (-1)^(i+1) times that i before.

    >>> [len(slope_patterns(*shape)) for shape in ((3, 3), (3, 4), (5, 8), (7, 3))]
    [3, 0, 2, 3]
    >>> slope_patterns(2, 2).tolist()
    [[[1, 0], [0, -1]], [[0, 1], [1, 0]]]
    """
    d = gcd(rows + 1, columns + 1)
    first: Clues = np.zeros((d - 1, columns + 1), np.int64)
    first[:, : d - 1] = np.eye(d - 1, dtype=np.int64)
    for start in range(d, columns, d):
        signs = (-1) ** np.arange(d - 1)
        first[:, start : start + d - 1] = signs * first[:, start - 2 :: -1][:, : d - 1]
    zero = np.zeros((rows, columns), np.int64)
    patterns = [_chase(zero, row[:-1, None])[:-1, :, 0] for row in first]
    return np.array(patterns, np.int64).reshape(-1, rows, columns)


def solve_slopes(clues: Clues) -> Clues:
    """A grid with these slopes, which must be orthogonal to the patterns.

    >>> solve_slopes(np.array([[-1, -5], [5, -1]])).tolist()
    [[0, 0], [1, 5]]
    """
    rows, columns = clues.shape
    if columns > rows:  # the first row is the shorter side; seen in a mirror, slopes change signs
        return solve_slopes(-clues.T).T
    unknown = columns + 1 - gcd(rows + 1, columns + 1)
    starts = np.eye(columns, unknown, dtype=np.int64)
    last = _chase(np.zeros_like(clues), starts)[-1]
    remaining = _chase(clues, np.zeros((columns, 1), np.int64))[-1, :, 0]
    first = starts @ _solve_exactly(last, -remaining)
    return _chase(clues, first[:, None])[:-1, :, 0]


def _chase(clues: Clues, first: Clues) -> Clues:
    # The rows that follow from each of k first rows (columns, k), and the one after the last:
    # (rows + 1, columns, k).
    before, row = np.zeros_like(first), first
    rows = [row]
    for clue in clues:
        padded = np.pad(row, ((1, 1), (0, 0)))
        before, row = row, before + padded[2:] - padded[:-2] - clue[:, None]
        rows.append(row)
    return np.array(rows)


def _solve_exactly(matrix: Clues, right: Clues) -> Clues:
    # The whole x with ``matrix`` x = ``right``; the columns of ``matrix`` are independent.
    from flint import fmpz_mat

    across, sides = matrix.T.astype(object), (matrix.shape[1], matrix.shape[1])
    square = fmpz_mat(*sides, (across @ matrix).ravel().tolist())
    found = square.solve(fmpz_mat(sides[0], 1, (across @ right).tolist()))
    return np.array([int(number.p) for number in found.entries()], np.int64)
