"""The cross rule in closed form: the sums of rows and columns say it all.

A click set x raises ``d = r + c - x``, where r[i] is the sum of row i of x and c[j] that of column
j, modulo q levels.  Let S be the sum of x, and R and C the sums of the rows and columns of d.  On
m x n boards

    R[i] = (n - 1) r[i] + S,    C[j] = (m - 1) c[j] + S.

So where n - 1 is not 0 modulo q, r = (R - S) / (n - 1), which adds up to S exactly when
sum(d) = (m + n - 1) S.  Where it is 0, all R[i] must be S, and r may be anything of sum S.  The
same holds for c and m.
"""

from collections.abc import Iterator

import numpy as np

from lightsanim.algebra.modular import Residues, mod_inplace, mod_inverse, mod_negative
from lightsanim.look.levels import Lights


class CrossFactors:
    """A board of the cross rule; see `lightsanim.board.factors.Factors`.

    >>> [CrossFactors(2, 24, n).nullity for n in (24, 25)], CrossFactors(3, 24, 25).nullity
    ([0, 23], 23)
    """

    def __init__(self, levels: int, rows: int, columns: int) -> None:
        self._q, self._shape = levels, (rows, columns)
        # r is free where n is 1, and c where m is 1, except for their sums.
        self._free = (columns - 1) % levels == 0, (rows - 1) % levels == 0
        # S is not determined, but sum(d) = 0 has to be.
        self._sum_is_free = not any(self._free) and (rows + columns - 1) % levels == 0
        free_rows, free_columns = self._free
        self.nullity = free_rows * (rows - 1) + free_columns * (columns - 1) + self._sum_is_free

    def solve(self, difference: Lights) -> Residues | None:
        """One click set that makes ``difference``; None if there is none."""
        q, (rows, columns) = self._q, self._shape
        sums = [difference.sum(axis=axis, dtype=np.int64, keepdims=True) % q for axis in (1, 0)]
        grand_total = int(sums[0].sum()) % q
        if any(self._free):
            s = int(sums[self._free.index(True)].flat[0])
        elif not self._sum_is_free:
            s = grand_total * mod_inverse(rows + columns - 1, q) % q
        elif grand_total:
            return None
        else:
            s = 0
        clicks = mod_negative(difference.view(np.uint8), q)
        for total, free, length in zip(sums, self._free, (columns, rows), strict=True):
            if not free:
                part = (total - s) * mod_inverse(length - 1, q) % q
            elif (total != s).any():
                return None
            else:  # the first of the free sums takes all of it
                part = np.zeros_like(total)
                part.flat[0] = s
            clicks += part.astype(np.uint8)
        return mod_inplace(clicks, q)

    def quiet_patterns(self) -> Iterator[Residues]:
        """A basis of the null space: uint8 (rows, columns) each."""
        rows, columns = self._shape
        if self._sum_is_free:  # S = 1
            yield np.full(self._shape, mod_inverse(rows * columns, self._q), np.uint8)
        for axis, length in enumerate(self._shape):
            for line in range(1, length) if self._free[axis] else ():
                # The first sum is less by one, and another one more.
                pattern = np.zeros(self._shape, np.uint8)
                lines = pattern.T if axis else pattern
                lines[0], lines[line] = self._q - 1, 1
                yield pattern
