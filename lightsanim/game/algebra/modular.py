"""Linear systems over GF(q), for primes q up to 7, on uint8 arrays of residues.

Sums need no wider type: a residue plus a product of two residues is at most 42.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Residues = NDArray[np.uint8]  # Values from 0 to q - 1.
Indices = NDArray[np.int64]
Unsigned = TypeVar("Unsigned", bound=NDArray[Any])


def mod_inplace(values: Unsigned, q: int) -> Unsigned:
    """Reduce unsigned integers modulo ``q`` in place, and return them."""
    # This is several times as fast as %, which numpy does not vectorise for uint8.
    np.subtract(values, values // q * q, out=values)
    return values


def mod_negative(values: Residues, q: int) -> Residues:
    """Return the additive inverses of residues."""
    return mod_inplace(np.uint8(q) - values, q)


def mod_inverse(value: int, q: int) -> int:
    """Return the multiplicative inverse of an integer modulo ``q``."""
    return pow(int(value), -1, q)


def mod_product(left: Residues, right: Residues, q: int) -> Residues:
    """Return the product of two matrices of residues modulo ``q``."""
    # float32 products use fast BLAS and are exact: sums of up to 450,000 terms are below 2**24.
    sums = (left.astype(np.float32) @ right.astype(np.float32)).astype(np.uint32)
    return mod_inplace(sums, q).astype(np.uint8)


class PivotStep(NamedTuple):
    """One step of the elimination, which determines the unknown of one column."""

    column: int
    row: int  # Number of the pivot equation, which is solved for the unknown.
    terms: Residues  # The unknown is the sum of these multiples of right side and later unknowns.
    changed_rows: Indices  # Equations to which multiples of the pivot equation are added.
    factors: Residues  # Factors of these multiples, uint8 (changed_rows,).


class BandedSystem:
    """A band matrix over GF(q), eliminated once and then solved for any right-hand side.

    The elimination keeps only the equations that can have an entry in the current column: as many
    as the band reaches below the diagonal, and equations that have become zero.  It takes about
    n * width**2 steps and memory for n * width residues.

    ``band`` is uint8 (n, width), with the entry of column c at index c % width.  ``low`` is the
    number of diagonals below the main one.  ``check`` is called for each column and may raise.
    """

    def __init__(
        self, band: Residues, low: int, q: int, check: Callable[[], None] = lambda: None
    ) -> None:
        self._q, self._size, self._steps = q, len(band), list[PivotStep]()
        # ``lines`` holds the current equations, ``rows`` their numbers; -1 marks a free slot.
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
        # Eliminate one column; return the slots of ``lines`` that become free.
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
        """The pivot columns, ascending."""
        return [step.column for step in self._steps]

    def solve(self, right: Residues) -> Residues | None:
        """Solve M X = ``right`` for X, both uint8 (n, m); return None if there is no solution.

        Rows of X without a pivot are 0, so that X depends linearly on the right-hand side.
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
        """Return a basis, uint8 (n - rank, n), of the null space of the matrix."""
        free = np.delete(np.arange(self._size), self.pivots)
        start = np.zeros((self._size, len(free)), np.uint8)
        start[free, np.arange(len(free))] = 1
        return np.ascontiguousarray(self._back_substitute(start).T)

    def _back_substitute(self, x: Residues) -> Residues:
        # Solve for the pivot unknowns in place; at first they hold the right-hand side.
        for step in reversed(self._steps):
            used = np.flatnonzero(step.terms)
            terms = step.terms[used].astype(np.uint32) @ x[step.column + used]
            x[step.column] = mod_inplace(terms, self._q)
        return x


def _add_row_multiples(
    matrix: Residues, rows: Indices, factors: Residues, added: Residues, q: int
) -> None:
    if len(rows):
        changed = matrix[rows]
        changed += np.multiply.outer(factors, added)
        matrix[rows] = mod_inplace(changed, q)
