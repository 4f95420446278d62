"""The plus and ring rules on plain boards with more than two levels, in linear time.

The method is that of `lightsanim.board.plus` over GF(q), where signs matter.  Row i of the board
requires ``x[i+1] = d[i] - T x[i] - x[i-1]``.  Let p_0 = 1, p_1(t) = t and
p_{i+1} = t p_i - p_{i-1}, the Chebyshev polynomials of the second kind in t / 2.  Row m depends on
the first row through ``f_m = (-1)^m p_m(T)``, the unit vectors are ``e_j = p_j(S) e_0``, and
chi = p_n is the characteristic polynomial of S.  The board becomes the congruence
``f_m Z + R = 0 (mod chi)``.
"""

from collections.abc import Iterator

import numpy as np
from flint import nmod_poly

from lightsanim.algebra.modular import Residues, mod_inplace


def _chebyshev_polynomial(
    n: int, t: nmod_poly, unit: nmod_poly, modulus: nmod_poly | None
) -> nmod_poly:
    # The polynomials satisfy p_{2k} = p_k**2 - p_{k-1}**2, p_{2k-1} = p_{k-1} (p_k - p_{k-2}).
    p, before = unit, 0 * unit
    for bit in f"{n:b}":
        p, before = p * p - before * before, before * (2 * p - t * before)
        if bit == "1":
            p, before = t * p - before, p
        if modulus is not None:
            p, before = p % modulus, before % modulus
    return p


class ModularPlusFactors:
    """Solver for plus or ring boards over GF(q); implements `lightsanim.board.factors.Factors`.

    >>> ModularPlusFactors("plus", 3, 5, 5).nullity  # Lights Out 2000
    3
    """

    def __init__(self, rule: str, levels: int, rows: int, columns: int) -> None:
        self._q = levels
        # Transpose wide boards: the cost grows with the square of the row length.
        self._swap_sides = columns > rows
        self._m, self._n = max(rows, columns), min(rows, columns)
        self._flips_itself = rule == "plus"  # a click of the ring does not flip its own cell
        unit, s = nmod_poly([1], levels), nmod_poly([0, 1], levels)
        chi = _chebyshev_polynomial(self._n, s, unit, None)
        f = (-1) ** self._m * _chebyshev_polynomial(self._m, s + int(self._flips_itself), unit, chi)
        self._gcd, cofactor, _ = f.xgcd(chi)
        self._modulus = chi // self._gcd
        self._inverse = cofactor % self._modulus
        self.nullity: int = self._gcd.degree()

    def solve(self, difference: Residues) -> Residues | None:
        """Return a click set that changes the cells by ``difference``, or None if none does."""
        raised = self._transpose_if_swapped(difference)
        quotient, remainder = divmod(
            self._row_to_polynomial(self._chase_rows(raised)[1]), self._gcd
        )
        if remainder:
            return None
        z = -quotient * self._inverse % self._modulus
        clicks, _ = self._chase_rows(raised, self._polynomial_to_row(z))
        return self._transpose_if_swapped(clicks)

    def quiet_patterns(self) -> Iterator[Residues]:
        """Yield a basis of the null space as uint8 arrays of shape (rows, columns)."""
        # The first row of a quiet pattern, as a polynomial, is a multiple of ``self._modulus``.
        for power in range(self.nullity):
            first = self._polynomial_to_row(self._modulus * nmod_poly([0] * power + [1], self._q))
            yield self._transpose_if_swapped(self._chase_rows(None, first)[0])

    def unreachable_difference(self, difference: Residues) -> Residues:
        """Return a correction that, subtracted from ``difference``, leaves what clicks can make."""
        # Light chasing leaves a row; clicks cannot make its remainder modulo ``self._gcd``.
        raised = self._transpose_if_swapped(difference)
        leftover = self._row_to_polynomial(self._chase_rows(raised)[1])
        part = np.zeros((self._m, self._n), np.uint8)
        part[-1] = self._polynomial_to_row(leftover % self._gcd)
        return self._transpose_if_swapped(part)

    def _chase_rows(
        self, difference: Residues | None, first: Residues | None = None
    ) -> tuple[Residues, Residues]:
        # Chase the lights; return the clicks, and the row below the board, which is 0 if solved.
        x = np.zeros((self._m + 2, self._n + 2), np.uint8)
        if first is not None:
            x[1, 1:-1] = first
        zero = np.uint8(4 * self._q)
        for i in range(self._m):
            total = x[i + 1, :-2] + x[i + 1, 2:]
            total += x[i, 1:-1]
            if self._flips_itself:
                total += x[i + 1, 1:-1]
            below = x[i + 2, 1:-1]
            np.subtract(zero, total, out=below)
            if difference is not None:
                below += difference[i]
            mod_inplace(below, self._q)
        return np.ascontiguousarray(x[1:-1, 1:-1]), x[-1, 1:-1]

    def _row_to_polynomial(self, row: Residues) -> nmod_poly:
        # Evaluate the sum of row[j] p_j, with the polynomials p_j above, by Clenshaw's recurrence.
        current, previous = np.zeros((2, len(row) + 1), np.uint8)
        for value in row[::-1]:
            previous = np.uint8(self._q) - previous
            previous[1:] += current[:-1]
            previous[0] += value
            current, previous = mod_inplace(previous, self._q), current
        return nmod_poly(current.tolist(), self._q)

    def _polynomial_to_row(self, p: nmod_poly) -> Residues:
        # Evaluate p(S) e_0, a polynomial in the matrix S times a unit vector, by Horner's rule.
        row = np.zeros(self._n, np.uint8)
        for coefficient in reversed(p.coeffs()):
            sides = np.zeros_like(row)
            sides[1:] = row[:-1]
            sides[:-1] += row[1:]
            sides[0] += np.uint8(int(coefficient))
            row = mod_inplace(sides, self._q)
        return row

    def _transpose_if_swapped(self, array: Residues) -> Residues:
        return np.ascontiguousarray(array.T) if self._swap_sides else array
