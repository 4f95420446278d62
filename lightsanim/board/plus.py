"""The plus and ring rules on plain boards with two levels, in linear time.

Row i of a click set is an int x[i], whose bit j is column j.  The map
``S v = (v << 1) + (v >> 1)``, cut to n bits, toggles the left and right neighbours of a row's
clicks.  T maps a row of clicks to all cells that they flip in that row: it is S + 1 for the plus,
and S for the ring, which does not flip the clicked cell.  Row i of the board requires
``x[i+1] = T x[i] + x[i-1] + d[i]``, so the first row z determines all others, and the difference d
is toggled exactly when x[m] = 0.  Let ``x[m] = f_m(S) z + r``, and write the rows z and r as
polynomials Z and R in S applied to e_0.  The board becomes one congruence

    f_m Z = R  (mod chi),    chi = the characteristic polynomial of S.

Let g = gcd(f_m, chi).  The nullity is deg g, d can be toggled exactly when g divides R, and
Z = (R / g) (f_m / g)**-1 modulo chi / g.

Source: Sutner, Theoretical Computer Science 230 (2000) 49-73; Hunziker, Machiavelo and Park,
Theoretical Computer Science 320 (2004) 465-483.  They eliminate on n x n matrices; arithmetic
modulo chi replaces this here, because e_0 is a cyclic vector of S, so rows are polynomials.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from lightsanim.algebra import polynomial
from lightsanim.algebra.linear import Bits, pack_rows, unpack_rows
from lightsanim.errors import SolverError

RowMap = Callable[[int, int], int]
"""Function that applies the map T (see the module) to a row; its mask has n one bits."""


def _toggle_side_neighbours(row: int, mask: int) -> int:
    # This is the map S (see the module); for the ring rule it is also the map T.
    return (row << 1 ^ row >> 1) & mask


def toggle_row_neighbours(row: int, mask: int) -> int:
    """Return the cells of a row that clicks in the same row flip: the map T of the plus rule.

    >>> bin(toggle_row_neighbours(0b00100, 0b11111))
    '0b1110'
    """
    return (row ^ row << 1 ^ row >> 1) & mask


# Maximum number of columns at which a wide board is solved faster without transposing it.
MAX_UNSWAPPED = 4096
# The map T (see the module) of each rule that this module solves.
ROW_MAPS: dict[str, RowMap] = {"plus": toggle_row_neighbours, "ring": _toggle_side_neighbours}


def chase_rows(
    first: int, difference: Sequence[int], mask: int, row_map: RowMap = toggle_row_neighbours
) -> tuple[list[int], int]:
    """Chase the lights; return the rows of clicks, and the row below the board, 0 if solved."""
    clicks, above, row = [], 0, first
    for wrong in difference:
        clicks.append(row)
        above, row = row, row_map(row, mask) ^ above ^ wrong
    return clicks, row


def rows_toggled_by_clicks(
    clicks: Sequence[int], mask: int, row_map: RowMap = toggle_row_neighbours
) -> Iterator[int]:
    """Yield, row by row, the cells that a click set flips."""
    above, row = 0, clicks[0]
    for below in [*clicks[1:], 0]:
        yield row_map(row, mask) ^ above ^ below
        above, row = row, below


def _row_to_polynomial(row: int, n: int) -> int:
    # Evaluate the sum of row[j] p_j by Clenshaw's recurrence.  The polynomials p_j are those of
    # _characteristic_polynomial; the unit vector e_j is p_j(S) e_0.
    current = previous = 0
    for bit in f"{row:0{n}b}":
        current, previous = (current << 1) ^ previous ^ (bit == "1"), current
    return current


def _polynomial_to_row(p: int, mask: int) -> int:
    # Evaluate p(S) e_0, a polynomial in the map S applied to a unit vector, by Horner's rule.
    row = 0
    for bit in f"{p:b}":
        row = _toggle_side_neighbours(row, mask) ^ (bit == "1")
    return row


def _characteristic_polynomial(n: int) -> int:
    # Return p_n, the polynomial of the map S: p_0 = 1, p_1 = s, p_{i+1} = s p_i + p_{i-1}.
    before, p = 0, 1
    for _ in range(n):
        before, p = p, p << 1 ^ before
    return p


def _build_chase_polynomial(m: int, chi: int, t: int) -> int:
    # Return f_m modulo chi (see the module): f_0 = 1, f_1 = t, f_{i+1} = t f_i + f_{i-1}.
    n, before, f = polynomial.degree(chi), 0, 1
    for _ in range(m):
        before, f = f, (f << 1 ^ f ^ before) if t & 1 else f << 1 ^ before
        if f >> n:
            f ^= chi
    return f


class PlusFactors:
    """Solver for plus or ring boards over GF(2); implements `lightsanim.board.factors.Factors`.

    >>> PlusFactors("plus", 5, 5).nullity, PlusFactors("plus", 19, 19).nullity  # OEIS A159257
    (2, 16)
    >>> PlusFactors("ring", 5, 8).nullity  # gcd(5 + 1, 8 + 1) - 1
    2
    """

    def __init__(self, rule: str, rows: int, columns: int) -> None:
        # Transpose wide boards: the cost grows with the square of the row length.
        self._factor_flip_matrix(rule, rows, columns, swap=columns > rows)
        if self._swap_sides and self.nullity == 0 and columns <= MAX_UNSWAPPED:
            # The click set is unique, so chasing without transposing finds the same one, faster.
            self._factor_flip_matrix(rule, rows, columns, swap=False)

    def _factor_flip_matrix(self, rule: str, rows: int, columns: int, *, swap: bool) -> None:
        self._swap_sides, (self._m, self._n) = swap, (columns, rows) if swap else (rows, columns)
        self._mask = (1 << self._n) - 1
        self._row_map = ROW_MAPS[rule]
        # The map T multiplies polynomials in s by t: s + 1 for the plus, s for the ring.
        t = self._row_map(1, 0b11)
        chi = _characteristic_polynomial(self._n)
        g, cofactor = polynomial.gcd_and_cofactor(_build_chase_polynomial(self._m, chi, t), chi)
        self._gcd = g
        self._modulus = polynomial.divide(chi, g)[0]
        self._inverse = polynomial.divide(cofactor, self._modulus)[1]
        self.nullity = polynomial.degree(g)

    def solve(self, difference: Bits) -> Bits | None:
        """Return a verified click set that toggles ``difference``, or None if there is none."""
        rows = pack_rows(self._transpose_if_swapped(difference))
        # This is R, the row that chasing leaves if no cell of the first row is clicked.
        leftover = _row_to_polynomial(self._chase_rows(0, rows)[1], self._n)
        quotient, remainder = polynomial.divide(leftover, self._gcd)
        if remainder:
            return None
        z = polynomial.multiply_modulo(quotient, self._inverse, self._modulus)
        clicks, _ = self._chase_rows(_polynomial_to_row(z, self._mask), rows)
        if list(rows_toggled_by_clicks(clicks, self._mask, self._row_map)) != rows:
            raise SolverError("the clicks found do not toggle the difference; please report this")
        return self._transpose_if_swapped(unpack_rows(clicks, self._n))

    def quiet_patterns(self) -> Iterator[Bits]:
        """Yield a basis of the null space as bool arrays of shape (rows, columns)."""
        # The first row of a quiet pattern, as a polynomial, is a multiple of ``self._modulus``.
        first = _polynomial_to_row(self._modulus, self._mask)
        for _ in range(self.nullity):
            rows, _ = self._chase_rows(first, [0] * self._m)
            yield self._transpose_if_swapped(unpack_rows(rows, self._n))
            first = self._row_map(first, self._mask)

    def _chase_rows(self, first: int, difference: Sequence[int]) -> tuple[list[int], int]:
        return chase_rows(first, difference, self._mask, self._row_map)

    def _transpose_if_swapped(self, array: Bits) -> Bits:
        return np.ascontiguousarray(array.T) if self._swap_sides else array
