"""The cross rule in closed form: the parities of rows and columns say it all.

A click set x toggles ``A x = x + r + c``, where r[i] is the parity of row i of x and c[j] that of
column j.  Let S be the parity of x, and R and C the parities of the rows and columns of the
difference d = A x.  On m x n boards

    R[i] = (n + 1) r[i] + S,    C[j] = (m + 1) c[j] + S.

So where n is even r = R + S is known; where n is odd all R[i] must be S, and r may be anything of
sum S.  The same holds for c and m.  Where both are even, the sum of all R[i] is S itself, and A is
its own inverse: x = d + R + C.
"""

from collections.abc import Iterator

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.board.rule import RULES
from lightsanim.errors import SolverError


class CrossFactors:
    """A board of the cross rule; see `lightsanim.board.factors.Factors`.

    >>> CrossFactors(24, 24).nullity, CrossFactors(24, 25).nullity, CrossFactors(25, 25).nullity
    (0, 23, 48)
    """

    def __init__(self, rows: int, columns: int) -> None:
        self._rows, self._columns = rows, columns
        # r is free where n is odd, and c where m is odd, except for their sums.
        self._free_rows, self._free_columns = columns % 2 == 1, rows % 2 == 1
        self.nullity = self._free_rows * (rows - 1) + self._free_columns * (columns - 1)

    def solve(self, difference: Bits) -> Bits | None:
        """One click set that toggles ``difference``, checked; None if there is none."""
        row = np.bitwise_xor.reduce(difference, axis=1)
        column = np.bitwise_xor.reduce(difference, axis=0)
        if self._free_rows and (row != row[0]).any():
            return None
        if self._free_columns and (column != column[0]).any():
            return None
        if self._free_rows or self._free_columns:
            total = row[0] if self._free_rows else column[0]
        else:
            total = np.bitwise_xor.reduce(row)
        # The first of the free parities takes the whole sum.
        r = (np.arange(self._rows) == 0) & total if self._free_rows else row ^ total
        c = (np.arange(self._columns) == 0) & total if self._free_columns else column ^ total
        clicks: Bits = difference ^ r[:, None] ^ c
        if not np.array_equal(RULES["cross"].toggles(clicks, wrap=False), difference):
            raise SolverError("the closed form's clicks do not toggle the difference")
        return clicks

    def quiet_bits(self) -> Iterator[int]:
        """A basis of the null space, each pattern packed into one int."""
        # Two whole rows, or two whole columns: the first and any other.
        row = (1 << self._columns) - 1
        column = ((1 << self._rows * self._columns) - 1) // row
        if self._free_rows:
            for i in range(1, self._rows):
                yield row | row << i * self._columns
        if self._free_columns:
            for j in range(1, self._columns):
                yield column | column << j
