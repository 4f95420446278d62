"""Linear systems over GF(q), q a prime of at most 7, on arrays of residues.

Sums are formed in uint8 and reduced afterwards: q - 1 plus a product is at most 42.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Residues = NDArray[np.uint8]  # 0 to q - 1
Indices = NDArray[np.int64]


def reduce(values: NDArray[np.unsignedinteger], q: int) -> None:
    """Reduce whole numbers modulo ``q``, in place.

    >>> values = np.array([4, 5, 11], np.uint8)
    >>> reduce(values, 5)
    >>> values.tolist()
    [4, 0, 1]
    """
    # Several times as fast as %, which numpy does not vectorise for bytes.
    values -= values // q * q


def negative(values: Residues, q: int) -> Residues:
    """The residues that add up to 0 with some others.

    >>> negative(np.array([0, 1, 2], np.uint8), 3).tolist()
    [0, 2, 1]
    """
    result = np.uint8(q) - values
    reduce(result, q)
    return result


def inverse(value: int, q: int) -> int:
    """The inverse of a number modulo ``q``.

    >>> inverse(3, 7)
    5
    """
    return pow(int(value), -1, q)


def digits_of(number: int, count: int, q: int) -> Residues:
    """A number's digits in base ``q``, the last one first."""
    digits = np.zeros(count, np.uint8)
    for place in range(count):
        number, digits[place] = divmod(number, q)
    return digits


def product(one: Residues, other: Residues, q: int) -> Residues:
    """The product of two matrices modulo ``q``.

    >>> product(np.array([[1, 2]], np.uint8), np.array([[2], [2]], np.uint8), 5).tolist()
    [[1]]
    """
    # In floating point, which is fast, and exact: with 450,000 terms sums are below 2**24.
    sums = (one.astype(np.float32) @ other.astype(np.float32)).astype(np.uint32)
    reduce(sums, q)
    return sums.astype(np.uint8)


class Step(NamedTuple):
    """What elimination does at a pivot column."""

    column: int  # of the pivot
    row: int  # the equation that it is solved by
    scale: int  # what this equation is multiplied by, which makes its leading entry 1
    rest: Residues  # the entries of the equation to the right of the pivot; 0 beyond
    others: Indices  # the equations that a multiple of it is added to
    factors: Residues  # these multiples


class BandedSystem:
    """A square matrix with its entries near the diagonal, eliminated once for any right-hand side.

    Column by column, only the equations that can have an entry there are at hand: as many as the
    band is wide below the diagonal, and those that have become zero.  So the cost is n times the
    square of the band's width, and what is kept is n times the width.

    >>> system = BandedSystem(np.array([[0, 1, 1], [1, 1, 1], [1, 1, 0]], np.uint8), 1, 3)
    >>> system.rank, system.solve(np.array([[2], [0], [1]], np.uint8)).ravel().tolist()
    (3, [2, 0, 1])
    """

    def __init__(
        self, band: Residues, low: int, q: int, check: Callable[[], None] = lambda: None
    ) -> None:
        self._q, self._size, self._steps = q, len(band), list[Step]()
        width = band.shape[1]
        # The equations at hand; column c stands at c % width.  ``rows`` tells which they are, -1
        # for a place that is free.
        lines, rows = np.zeros((low + 1, width), np.uint8), np.full(low + 1, -1)
        for column in range(-low, self._size):
            check()
            if column + low < self._size:
                free = np.flatnonzero(rows < 0)
                if not len(free):
                    lines = np.vstack([lines, np.zeros_like(lines)])
                    rows, free = np.append(rows, np.full_like(rows, -1)), np.array([len(rows)])
                lines[free[0]] = np.roll(band[column + low], column % width)
                rows[free[0]] = column + low
            if column >= 0:
                self._eliminate(lines, rows, column)
        self._zeros = rows[rows >= 0]

    def _eliminate(self, lines: Residues, rows: Indices, column: int) -> None:
        place = column % lines.shape[1]
        found = np.flatnonzero(lines[:, place])
        if not len(found):
            return
        first, others = found[0], found[1:]
        scale = inverse(lines[first, place], self._q)
        pivot = lines[first] * np.uint8(scale)
        reduce(pivot, self._q)
        factors = negative(lines[others, place], self._q)
        _add_multiples(lines, others, factors, pivot, self._q)
        rest = np.roll(pivot, -place)[1:]
        row = int(rows[first])
        self._steps.append(Step(column, row, scale, rest, rows[others], factors))
        lines[first], rows[first] = 0, -1

    @property
    def rank(self) -> int:
        """The rank of the matrix."""
        return len(self._steps)

    @property
    def pivots(self) -> list[int]:
        """The columns that are determined by the others, ascending."""
        return [step.column for step in self._steps]

    def solve(self, right: Residues) -> Residues | None:
        """One X with M X = right, free rows 0: uint8 (n, m); None if there is none.

        Free rows are 0, so X depends on the right-hand sides linearly.

        ``right``: uint8 (n, m).
        """
        right, q = right.copy(), self._q
        for step in self._steps:
            right[step.row] *= step.scale
            reduce(right[step.row], q)
            _add_multiples(right, step.others, step.factors, right[step.row], q)
        if right[self._zeros].any():
            return None
        solution = np.zeros_like(right)
        for step in self._steps:
            solution[step.column] = right[step.row]
        return self._substituted(solution)

    def null_space(self) -> Residues:
        """A basis of all x with M x = 0: uint8 (n - rank, n)."""
        free = np.setdiff1d(np.arange(self._size), self.pivots)
        start = np.zeros((self._size, len(free)), np.uint8)
        start[free, np.arange(len(free))] = 1
        return np.ascontiguousarray(self._substituted(start).T)

    def _substituted(self, x: Residues) -> Residues:
        # Takes what is known of the columns to the right from each pivot column, in place.
        for step in reversed(self._steps):
            known = x[step.column + 1 : step.column + 1 + len(step.rest)]
            used = np.flatnonzero(step.rest[: len(known)])
            terms = step.rest[used].astype(np.uint32) @ known[used]
            reduce(terms, self._q)
            x[step.column] += negative(terms.astype(np.uint8), self._q)
            reduce(x[step.column], self._q)
        return x


def _add_multiples(
    matrix: Residues, rows: Indices, factors: Residues, added: Residues, q: int
) -> None:
    # Add a row's multiples to some rows of a matrix, in place.
    if len(rows):
        changed = matrix[rows]
        changed += np.multiply.outer(factors, added)
        reduce(changed, q)
        matrix[rows] = changed
