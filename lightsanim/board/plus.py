"""The plus and the ring rule on a plain board, in time linear in the board.

Row i of a click set is an int x[i] (bit j = column j).  ``S v = (v << 1) + (v >> 1)``, cut to n
bits, toggles the left and right neighbours of a row's clicks.  T is all that clicks flip in their
own row: S + 1 for the plus, and S for the ring, which leaves the clicked cell alone.  Row i of the
board asks ``x[i+1] = T x[i] + x[i-1] + d[i]``, so the first row z fixes all others, and the
difference d is toggled exactly when x[m] = 0.  With ``x[m] = f_m(S) z + r`` and the row z read as a
polynomial Z in S applied to e_0, the board becomes one congruence

    f_m Z = R  (mod chi),    chi = the characteristic polynomial of S.

With g = gcd(f_m, chi): the nullity is deg g, d is producible exactly when g divides R, and
Z = (R / g) (f_m / g)**-1 modulo chi / g.

Source: Sutner, Theoretical Computer Science 230 (2000) 49-73; Hunziker, Machiavelo and Park,
Theoretical Computer Science 320 (2004) 465-483.  That e_0 is a cyclic vector of S, which makes
rows polynomials, turns their elimination on n x n matrices into arithmetic modulo chi.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from lightsanim.algebra import polynomial
from lightsanim.algebra.linear import Bits, pack_rows, unpack_rows
from lightsanim.errors import SolverError

RowMap = Callable[[int, int], int]
"""T, given a row and a mask of n one bits."""


def _toggle_side_neighbours(row: int, mask: int) -> int:
    # S, which is T of the ring: the left and right neighbours of each cell of the row toggled.
    return (row << 1 ^ row >> 1) & mask


def toggle_row_neighbours(row: int, mask: int) -> int:
    """T of the plus: each cell of the row toggled together with its left and right neighbour.

    >>> bin(toggle_row_neighbours(0b00100, 0b11111))
    '0b1110'
    """
    return (row ^ row << 1 ^ row >> 1) & mask


# Columns up to which the square of them is less than the time to turn a board.
MAX_UNSWAPPED = 4096

# The rules whose clicks flip the cells above and below, and these in their own row.
ROW_MAPS: dict[str, RowMap] = {"plus": toggle_row_neighbours, "ring": _toggle_side_neighbours}


def chase_rows(
    first: int, difference: Sequence[int], mask: int, row_map: RowMap = toggle_row_neighbours
) -> tuple[list[int], int]:
    """Light chasing: click row by row below what is still wrong."""
    clicks, above, row = [], 0, first
    for wrong in difference:
        clicks.append(row)
        above, row = row, row_map(row, mask) ^ above ^ wrong
    return clicks, row


def rows_toggled_by_clicks(
    clicks: Sequence[int], mask: int, row_map: RowMap = toggle_row_neighbours
) -> Iterator[int]:
    """The rows of cells that a click set flips."""
    above, row = 0, clicks[0]
    for below in [*clicks[1:], 0]:
        yield row_map(row, mask) ^ above ^ below
        above, row = row, below


def _row_to_polynomial(row: int, n: int) -> int:
    # Clenshaw's recurrence for the sum of row_j p_j, p_0 = 1, p_1 = s, p_{j+1} = s p_j + p_{j-1}:
    # e_j = p_j(S) e_0.
    current = previous = 0
    for bit in f"{row:0{n}b}":
        current, previous = (current << 1) ^ previous ^ (bit == "1"), current
    return current


def _polynomial_to_row(p: int, mask: int) -> int:
    # Horner's rule with S in place of the variable, applied to e_0.
    row = 0
    for bit in f"{p:b}":
        row = _toggle_side_neighbours(row, mask) ^ (bit == "1")
    return row


def _characteristic_polynomial(n: int) -> int:
    # p_n, where p_0 = 1, p_1 = s, p_{i+1} = s p_i + p_{i-1}.
    before, p = 0, 1
    for _ in range(n):
        before, p = p, p << 1 ^ before
    return p


def _build_chase_polynomial(m: int, chi: int, t: int) -> int:
    # f_m modulo chi: f_0 = 1, f_1 = t, f_{i+1} = t f_i + f_{i-1}, where t is s + 1 or s.
    n, before, f = polynomial.degree(chi), 0, 1
    for _ in range(m):
        before, f = f, (f << 1 ^ f ^ before) if t & 1 else f << 1 ^ before
        if f >> n:
            f ^= chi
    return f


class PlusFactors:
    """A plain board of the plus or ring rule; see `lightsanim.board.factors.Factors`.

    >>> PlusFactors("plus", 5, 5).nullity, PlusFactors("plus", 19, 19).nullity  # OEIS A159257
    (2, 16)
    >>> PlusFactors("ring", 5, 8).nullity  # gcd(5 + 1, 8 + 1) - 1
    2
    """

    def __init__(self, rule: str, rows: int, columns: int) -> None:
        # The cost grows with the square of n, so the shorter side becomes the rows' direction.
        self._factor_flip_matrix(rule, rows, columns, swap=columns > rows)
        if self._swap_sides and self.nullity == 0 and columns <= MAX_UNSWAPPED:
            # The only clicks that there are come out either way, and turning boards takes longer.
            self._factor_flip_matrix(rule, rows, columns, swap=False)

    def _factor_flip_matrix(self, rule: str, rows: int, columns: int, *, swap: bool) -> None:
        self._swap_sides, (self._m, self._n) = swap, (columns, rows) if swap else (rows, columns)
        self._mask = (1 << self._n) - 1
        self._row_map = ROW_MAPS[rule]
        # T e_0 is the polynomial t, as S e_0 = e_1 is s.
        t = self._row_map(1, 0b11)
        chi = _characteristic_polynomial(self._n)
        g, cofactor = polynomial.gcd_and_cofactor(_build_chase_polynomial(self._m, chi, t), chi)
        self._gcd = g
        self._modulus = polynomial.divide(chi, g)[0]
        self._inverse = polynomial.divide(cofactor, self._modulus)[1]
        self.nullity = polynomial.degree(g)

    def solve(self, difference: Bits) -> Bits | None:
        """One click set that toggles ``difference``, checked; None if there is none."""
        rows = pack_rows(self._transpose_if_swapped(difference))
        # R: the lights that chasing from an empty first row leaves wrong, as a polynomial.
        leftover = _row_to_polynomial(self._chase_rows(0, rows)[1], self._n)
        quotient, remainder = polynomial.divide(leftover, self._gcd)
        if remainder:
            return None
        z = polynomial.multiply_modulo(quotient, self._inverse, self._modulus)
        clicks, _ = self._chase_rows(_polynomial_to_row(z, self._mask), rows)
        if list(rows_toggled_by_clicks(clicks, self._mask, self._row_map)) != rows:
            raise SolverError("the linear-time method's clicks do not toggle the difference")
        return self._transpose_if_swapped(unpack_rows(clicks, self._n))

    def quiet_patterns(self) -> Iterator[Bits]:
        """A basis of the null space: bool (rows, columns) each."""
        # Their first rows are the multiples of chi / g; multiplying by t is applying T.
        first = _polynomial_to_row(self._modulus, self._mask)
        for _ in range(self.nullity):
            rows, _ = self._chase_rows(first, [0] * self._m)
            yield self._transpose_if_swapped(unpack_rows(rows, self._n))
            first = self._row_map(first, self._mask)

    def _chase_rows(self, first: int, difference: Sequence[int]) -> tuple[list[int], int]:
        return chase_rows(first, difference, self._mask, self._row_map)

    def _transpose_if_swapped(self, array: Bits) -> Bits:
        return np.ascontiguousarray(array.T) if self._swap_sides else array
