"""Linear systems over GF(q), q a prime of at most 7, on arrays of residues.

Sums are formed in uint8 and reduced afterwards: q - 1 plus a product is at most 42.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Residues = NDArray[np.uint8]  # 0 to q - 1
Indices = NDArray[np.int64]
Unsigned = TypeVar("Unsigned", bound=NDArray[Any])


def mod_inplace(values: Unsigned, q: int) -> Unsigned:
    """Unsigned whole numbers modulo ``q``, reduced in place.

    >>> mod_inplace(np.array([4, 5, 11], np.uint8), 5).tolist()
    [4, 0, 1]
    """
    # Several times as fast as %, which numpy does not vectorise for bytes.
    np.subtract(values, values // q * q, out=values)
    return values


def mod_negative(values: Residues, q: int) -> Residues:
    """The residues that add up to 0 with some others.

    >>> mod_negative(np.array([0, 1, 2], np.uint8), 3).tolist()
    [0, 2, 1]
    """
    return mod_inplace(np.uint8(q) - values, q)


def mod_inverse(value: int, q: int) -> int:
    """The inverse of a number modulo ``q``.

    >>> mod_inverse(3, 7)
    5
    """
    return pow(int(value), -1, q)


def mod_product(left: Residues, right: Residues, q: int) -> Residues:
    """The product of two matrices modulo ``q``.

    >>> mod_product(np.array([[1, 2]], np.uint8), np.array([[2], [2]], np.uint8), 5).tolist()
    [[1]]
    """
    # In floating point, which is fast, and exact: with 450,000 terms sums are below 2**24.
    sums = (left.astype(np.float32) @ right.astype(np.float32)).astype(np.uint32)
    return mod_inplace(sums, q).astype(np.uint8)


class PivotStep(NamedTuple):
    """What elimination does at a pivot column."""

    column: int  # of the pivot
    row: int  # the equation that it is solved by
    # What makes the pivot's unknown: multiples of the right-hand side, and of all unknowns behind.
    terms: Residues
    changed_rows: Indices  # the equations that a multiple of it is added to
    factors: Residues  # these multiples


class BandedSystem:
    """A square matrix with its entries near the diagonal, eliminated once for any right-hand side.

    Column by column, only the equations that can have an entry there are at hand: as many as the
    band is wide below the diagonal, and those that have become zero.  So the cost is n times the
    square of the band's width, and what is kept is n times the width.

    ``band``: uint8 (n, width), the entries of column c at c % width; ``low``: how far below the
    diagonal they go.

    >>> system = BandedSystem(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], np.uint8), 1, 3)
    >>> system.rank, system.solve(np.array([[2], [0], [1]], np.uint8)).ravel().tolist()
    (3, [2, 0, 1])
    """

    def __init__(
        self, band: Residues, low: int, q: int, check: Callable[[], None] = lambda: None
    ) -> None:
        self._q, self._size, self._steps = q, len(band), list[PivotStep]()
        # The equations at hand.  ``rows`` tells which they are, -1 for a place that is free.
        lines, rows = np.zeros((low + 1, band.shape[1]), np.uint8), np.full(low + 1, -1)
        free = [*range(low + 1)]
        for column in range(-low, self._size):
            check()
            if column + low < self._size:
                if not free:
                    free = [*range(len(rows), 2 * len(rows))]
                    lines = np.vstack([lines, np.zeros_like(lines)])
                    rows = np.append(rows, np.full_like(rows, -1))
                slot = free.pop()
                lines[slot], rows[slot] = band[column + low], column + low
            if column >= 0:
                free += self._eliminate_column(lines, rows, column)
        self._zeros = rows[rows >= 0]

    def _eliminate_column(self, lines: Residues, rows: Indices, column: int) -> Iterable[int]:
        # At a column; returns the places at hand that are free now.
        q, slot = self._q, column % lines.shape[1]
        nonzero = np.flatnonzero(lines[:, slot])
        if not len(nonzero):
            return ()
        first, following = int(nonzero[0]), nonzero[1:]
        scale = mod_inverse(lines[first, slot], q)
        terms = np.concatenate((lines[first, slot:], lines[first, :slot]))
        factors = lines[following, slot]
        for values in (terms, factors):
            values *= np.uint8(q - scale)
            mod_inplace(values, q)
        terms[0] = scale
        _add_row_multiples(lines, following, factors, lines[first], q)
        self._steps.append(PivotStep(column, int(rows[first]), terms, rows[following], factors))
        lines[first], rows[first] = 0, -1
        return (first,)

    @property
    def rank(self) -> int:
        """The rank of the matrix."""
        return len(self._steps)

    @property
    def pivots(self) -> list[int]:
        """The columns that are determined by the others, ascending."""
        return [step.column for step in self._steps]

    def solve(self, right: Residues) -> Residues | None:
        """One X, uint8 (n, m), with M X = right; None if there is none.

        Free rows are 0, so X depends on the right-hand sides linearly: uint8 (n, m).
        """
        right = right.copy()
        for step in self._steps:
            _add_row_multiples(right, step.changed_rows, step.factors, right[step.row], self._q)
        if right[self._zeros].any():
            return None
        solution = np.zeros_like(right)
        solution[self.pivots] = right[[step.row for step in self._steps]]
        return self._back_substitute(solution)

    def null_space(self) -> Residues:
        """A basis of all x with M x = 0: uint8 (n - rank, n)."""
        free = np.delete(np.arange(self._size), self.pivots)
        start = np.zeros((self._size, len(free)), np.uint8)
        start[free, np.arange(len(free))] = 1
        return np.ascontiguousarray(self._back_substitute(start).T)

    def _back_substitute(self, x: Residues) -> Residues:
        # From the free unknowns, and the right-hand sides where the pivots are, all; in place.
        for step in reversed(self._steps):
            used = np.flatnonzero(step.terms)
            terms = step.terms[used].astype(np.uint32) @ x[step.column + used]
            x[step.column] = mod_inplace(terms, self._q)
        return x


def _add_row_multiples(
    matrix: Residues, rows: Indices, factors: Residues, added: Residues, q: int
) -> None:
    # Add a row's multiples to some rows of a matrix, in place.
    if len(rows):
        changed = matrix[rows]
        changed += np.multiply.outer(factors, added)
        matrix[rows] = mod_inplace(changed, q)
