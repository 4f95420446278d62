"""Closed-form solver for the cross rule, in which a click flips its whole row and column.

A click set x raises the cells by ``d = r + c - x`` modulo q levels, where r[i] is the sum of row i
of x and c[j] the sum of column j.  Let S be the sum of x, and R and C the sums of the rows and
columns of d.  On m x n boards

    R[i] = (n - 1) r[i] + S,    C[j] = (m - 1) c[j] + S.

If n - 1 is not 0 modulo q, then r = (R - S) / (n - 1), and r adds up to S exactly when
sum(d) = (m + n - 1) S.  If n - 1 is 0 modulo q, all R[i] must equal S, and r may be any vector with
the sum S.  The same holds for c and m.
"""

from collections.abc import Iterator

import numpy as np

from lightsanim.game.algebra.modular import Residues, mod_inplace, mod_inverse, mod_negative
from lightsanim.game.levels import Lights


class CrossFactors:
    """Solver for a board of the cross rule; implements `lightsanim.game.board.factors.Factors`."""

    def __init__(self, levels: int, rows: int, columns: int) -> None:
        self._q, self._shape = levels, (rows, columns)
        # If columns = 1 modulo q, the difference determines only the total of the clicks' row sums;
        # if rows = 1 modulo q, only the total of their column sums.
        self._free = (columns - 1) % levels == 0, (rows - 1) % levels == 0
        # If instead rows + columns = 1 modulo q, it does not determine the total of the clicks.
        self._sum_is_free = not any(self._free) and (rows + columns - 1) % levels == 0
        free_rows, free_columns = self._free
        self.nullity = free_rows * (rows - 1) + free_columns * (columns - 1) + self._sum_is_free

    def solve(self, difference: Lights) -> Residues | None:
        """Return a click set that changes the cells by ``difference``, or None if none does."""
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
            else:  # any sums with the total s are valid: choose s, 0, 0, ...
                part = np.zeros_like(total)
                part.flat[0] = s
            clicks += part.astype(np.uint8)
        return mod_inplace(clicks, q)

    def quiet_patterns(self) -> Iterator[Residues]:
        """Yield a basis of the null space as uint8 arrays of shape (rows, columns)."""
        rows, columns = self._shape
        if self._sum_is_free:  # the presses of this pattern add up to 1 modulo q
            yield np.full(self._shape, mod_inverse(rows * columns, self._q), np.uint8)
        for axis, length in enumerate(self._shape):
            for line in range(1, length) if self._free[axis] else ():
                # A row (or column) pressed q - 1 times and another one pressed once cancel out.
                pattern = np.zeros(self._shape, np.uint8)
                lines = pattern.T if axis else pattern
                lines[0], lines[line] = self._q - 1, 1
                yield pattern
