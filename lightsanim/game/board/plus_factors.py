"""The plus and ring rules on plain boards, in linear time.

The map S adds the levels of a row's left and right neighbours.  T raises a row by its own clicks:
it is S + 1 for the plus, and S for the ring, which does not flip the clicked cell.  Row i of the
board requires ``x[i+1] = d[i] - T x[i] - x[i-1]``, so the first row z determines all others, and
clicks can make the difference d exactly when x[m] = 0.  Let p_0 = 1, p_1(t) = t and
p_{i+1} = t p_i - p_{i-1}, the Chebyshev polynomials of the second kind in t / 2.  Row m depends on
the first row through ``f_m = (-1)^m p_m(T)``, the unit vectors are ``e_j = p_j(S) e_0``, and
chi = p_n is the characteristic polynomial of S.  With the first row and the row x[m] for z = 0
written as polynomials Z and R in S applied to e_0, the board becomes one congruence

    f_m Z + R = 0  (mod chi).

Let g = gcd(f_m, chi).  The nullity is deg g, d can be made exactly when g divides R, and
Z = -(R / g) (f_m / g)**-1 modulo chi / g.

Source: Sutner, Theoretical Computer Science 230 (2000) 49-73; Hunziker, Machiavelo and Park,
Theoretical Computer Science 320 (2004) 465-483.  They eliminate on n x n matrices; arithmetic
modulo chi replaces this here, because e_0 is a cyclic vector of S, so rows are polynomials.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from flint import nmod_poly

from lightsanim.game.algebra.linear import Bits, pack_rows, unpack_rows
from lightsanim.game.algebra.modular import Residues, mod_inplace
from .plus import ROW_MAPS, chase_rows, toggle_side_neighbours

# Maximum number of columns at which a wide board is solved faster without transposing it.
MAX_UNSWAPPED = 4096


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


class PlusFactors:
    """Solver for plus or ring boards over GF(q); implements `game.board.factors.Factors`."""

    def __init__(self, rule: str, levels: int, rows: int, columns: int) -> None:
        self._rule, self._q = rule, levels
        # Transpose wide boards: the cost grows with the square of the row length.
        self._factor_matrix(rows, columns, swap=columns > rows)

    def _factor_matrix(self, rows: int, columns: int, *, swap: bool) -> None:
        self._swap_sides, (self._m, self._n) = swap, (columns, rows) if swap else (rows, columns)
        unit, s = nmod_poly([1], self._q), nmod_poly([0, 1], self._q)
        chi = _chebyshev_polynomial(self._n, s, unit, None)
        t = s + int(self._rule == "plus")
        f = (-1) ** self._m * _chebyshev_polynomial(self._m, t, unit, chi)
        self._gcd, cofactor, _ = f.xgcd(chi)
        self._modulus = chi // self._gcd
        self._inverse = cofactor % self._modulus
        self.nullity: int = self._gcd.degree()

    def solve(self, difference: Any) -> Any:
        """Return a click set that changes the cells by ``difference``, or None if none does."""
        raised = self._to_rows(difference)
        leftover = self._row_to_polynomial(self._chase_rows(raised)[1])
        quotient, remainder = divmod(leftover, self._gcd)
        if remainder:
            return None
        z = -quotient * self._inverse % self._modulus
        return self._from_rows(self._chase_rows(raised, self._polynomial_to_row(z))[0])

    def quiet_patterns(self) -> Iterator[Any]:
        """Yield a basis of the null space as arrays of shape (rows, columns)."""
        # The first row of a quiet pattern, as a polynomial, is a multiple of ``self._modulus``.
        for power in range(self.nullity):
            first = self._polynomial_to_row(self._modulus * nmod_poly([0] * power + [1], self._q))
            yield self._from_rows(self._chase_rows(None, first)[0])

    def unreachable_difference(self, difference: Residues) -> Any:
        """Return a correction that, subtracted from ``difference``, leaves what clicks can make."""
        # Light chasing leaves a row; clicks cannot make its remainder modulo ``self._gcd``.
        raised = self._to_rows(difference)
        leftover = self._row_to_polynomial(self._chase_rows(raised)[1])
        part = np.zeros((self._m, self._n), np.uint8)
        part[-1] = self._polynomial_to_row(leftover % self._gcd)
        return self._from_rows(part)

    def _chase_rows(self, difference: Any, first: Any = None) -> tuple[Any, Any]:
        # Chase the lights; return the clicks, and the row below the board, which is 0 if solved.
        x = np.zeros((self._m + 2, self._n + 2), np.uint8)
        if first is not None:
            x[1, 1:-1] = first
        zero = np.uint8(4 * self._q)
        for i in range(self._m):
            total = x[i + 1, :-2] + x[i + 1, 2:]
            total += x[i, 1:-1]
            if self._rule == "plus":  # a click of the ring does not flip its own cell
                total += x[i + 1, 1:-1]
            below = x[i + 2, 1:-1]
            np.subtract(zero, total, out=below)
            if difference is not None:
                below += difference[i]
            mod_inplace(below, self._q)
        return np.ascontiguousarray(x[1:-1, 1:-1]), x[-1, 1:-1]

    def _row_to_polynomial(self, row: Any) -> nmod_poly:
        # Evaluate the sum of row[j] p_j, with the polynomials p_j above, by Clenshaw's recurrence.
        current, previous = np.zeros((2, len(row) + 1), np.uint8)
        for value in row[::-1]:
            previous = np.uint8(self._q) - previous
            previous[1:] += current[:-1]
            previous[0] += value
            current, previous = mod_inplace(previous, self._q), current
        return nmod_poly(current.tolist(), self._q)

    def _polynomial_to_row(self, p: nmod_poly) -> Any:
        # Evaluate p(S) e_0, a polynomial in the matrix S times a unit vector, by Horner's rule.
        row = np.zeros(self._n, np.uint8)
        for coefficient in reversed(p.coeffs()):
            sides = np.zeros_like(row)
            sides[1:] = row[:-1]
            sides[:-1] += row[1:]
            sides[0] += np.uint8(int(coefficient))
            row = mod_inplace(sides, self._q)
        return row

    def _to_rows(self, array: Any) -> Any:
        return np.ascontiguousarray(array.T) if self._swap_sides else array

    def _from_rows(self, rows: Any) -> Any:
        return np.ascontiguousarray(rows.T) if self._swap_sides else rows


class BinaryPlusFactors(PlusFactors):
    """Solver for two levels, where a row is an int whose bit j is column j."""

    def __init__(self, rule: str, levels: int, rows: int, columns: int) -> None:
        super().__init__(rule, levels, rows, columns)
        if self._swap_sides and self.nullity == 0 and columns <= MAX_UNSWAPPED:
            # The click set is unique, so chasing without transposing finds the same one, faster.
            self._factor_matrix(rows, columns, swap=False)

    def quiet_patterns(self) -> Iterator[Bits]:
        """Yield a basis of the null space as bool arrays of shape (rows, columns)."""
        # Multiples of ``self._modulus`` by powers of T are first rows of quiet patterns.
        first = self._polynomial_to_row(self._modulus)
        for _ in range(self.nullity):
            yield self._from_rows(self._chase_rows(None, first)[0])
            first = ROW_MAPS[self._rule](first, self._mask)

    @property
    def _mask(self) -> int:
        return (1 << self._n) - 1

    def _chase_rows(self, difference: Any, first: int = 0) -> tuple[list[int], int]:
        rows = [0] * self._m if difference is None else difference
        return chase_rows(first, rows, self._mask, ROW_MAPS[self._rule])

    def _row_to_polynomial(self, row: int) -> nmod_poly:
        current = previous = 0
        for bit in f"{row:0{self._n}b}":
            current, previous = (current << 1) ^ previous ^ (bit == "1"), current
        return nmod_poly([int(bit) for bit in f"{current:b}"[::-1]], 2)

    def _polynomial_to_row(self, p: nmod_poly) -> int:
        row, mask = 0, self._mask
        for coefficient in reversed(p.coeffs()):
            row = toggle_side_neighbours(row, mask) ^ int(coefficient)
        return row

    def _to_rows(self, array: Bits) -> list[int]:
        return pack_rows(super()._to_rows(array))

    def _from_rows(self, rows: list[int]) -> Bits:
        return super()._from_rows(unpack_rows(rows, self._n))  # type: ignore[no-any-return]
