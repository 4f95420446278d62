"""Which algebra solves which board with more than two levels, and all but that of the plus."""

from collections.abc import Iterator
from functools import partial
from typing import Protocol

import numpy as np

from lightsanim.algebra.dense import Check
from lightsanim.algebra.modular import Indices, Residues, inverse, negative, reduce
from lightsanim.board.factors import Algebra
from lightsanim.board.modular_elimination import ModularEliminationFactors, RuleSystem, checked
from lightsanim.board.plus import ROW_MAPS
from lightsanim.board.rule import RULES, Rule

# So many take a few seconds to eliminate under x and on wrapped boards, half a minute with 9 x 9
# stencils, and minutes with the largest.
MAX_ELIMINATION_CELLS = 20_000


class ModularFactors(Protocol):
    """A board's matrix A over GF(q), factored once and reused for every configuration."""

    @property
    def nullity(self) -> int:
        """The dimension of the null space of A."""

    def solve(self, difference: Residues) -> Residues | None:
        """One click set that raises each cell by ``difference``, checked; None if there is none."""

    def quiet_patterns(self) -> Iterator[Residues]:
        """A basis of the null space: uint8 (rows, columns) each."""


def modular_algebra_of(
    rule: Rule, levels: int, *, wrap: bool, check: Check = lambda: None
) -> Algebra[ModularFactors]:
    """The fastest algebra for a rule; the table of `lightsanim.board.factors.algebra_of` holds."""
    if rule.offsets is None:
        return Algebra(partial(_CrossFactors, levels))
    if rule.name in ROW_MAPS and not wrap:
        return Algebra(partial(_plus_factors, rule.name, levels))
    if rule.factors:
        return Algebra(partial(_ProductFactors, *rule.factors, levels, wrap))
    return Algebra(
        partial(ModularEliminationFactors, rule, levels, wrap, check), MAX_ELIMINATION_CELLS
    )


def _plus_factors(rule: str, levels: int, rows: int, columns: int) -> ModularFactors:
    from lightsanim.board.modular_plus import ModularPlusFactors  # and with it, flint

    return ModularPlusFactors(rule, levels, rows, columns)


class _CrossFactors:
    """The cross rule in closed form, by the sums of rows and columns.

    A click set x raises ``d = r + c - x``, where r[i] is the sum of row i of x and c[j] that of
    column j.  Let S be the sum of x, and R and C the sums of the rows and columns of d.  On m x n
    boards

        R[i] = (n - 1) r[i] + S,    C[j] = (m - 1) c[j] + S.

    So where n - 1 is not 0 modulo q, r = (R - S) / (n - 1), which adds up to S exactly when
    sum(d) = (m + n - 1) S.  Where it is 0, all R[i] must be S, and r may be anything of sum S.  The
    same holds for c and m.
    """

    def __init__(self, levels: int, rows: int, columns: int) -> None:
        self._q, self._shape = levels, (rows, columns)
        # r is free where n is 1, and c where m is 1, except for their sums.
        self._free = (columns - 1) % levels == 0, (rows - 1) % levels == 0
        # S is not determined, but sum(d) = 0 has to be.
        self._any_sum = not any(self._free) and (rows + columns - 1) % levels == 0
        free_rows, free_columns = self._free
        self.nullity = free_rows * (rows - 1) + free_columns * (columns - 1) + self._any_sum

    def solve(self, difference: Residues) -> Residues | None:
        q, (rows, columns) = self._q, self._shape
        sums = [difference.sum(axis=axis, dtype=np.int64) % q for axis in (1, 0)]
        for total, free in zip(sums, self._free, strict=True):
            if free and (total != total[0]).any():
                return None
        everything = int(sums[0].sum()) % q
        if self._any_sum:
            if everything:
                return None
            s = 0
        elif any(self._free):
            s = int(sums[0][0] if self._free[0] else sums[1][0])
        else:
            s = everything * inverse(rows + columns - 1, q) % q
        r, c = (
            # The first of the free sums takes all of it.
            np.where(np.arange(len(total)) == 0, s, 0)
            if free
            else (total - s) * inverse(length - 1, q) % q
            for total, free, length in zip(sums, self._free, (columns, rows), strict=True)
        )
        return checked(self._clicks(r, c, difference), difference, [RULES["cross"]], q, wrap=False)

    def quiet_patterns(self) -> Iterator[Residues]:
        q, (rows, columns) = self._q, self._shape
        nothing = np.zeros(self._shape, np.uint8)
        if self._any_sum:  # S = 1
            r, c = (
                np.full(n, inverse(1 - other, q)) for n, other in ((rows, columns), (columns, rows))
            )
            yield self._clicks(r, c, nothing)
        for axis, length in enumerate(self._shape):
            for other in range(1, length) if self._free[axis] else ():
                # The first sum is less by one, and another one more.
                r, c = np.zeros(rows, np.int64), np.zeros(columns, np.int64)
                (r, c)[axis][[0, other]] = q - 1, 1
                yield self._clicks(r, c, nothing)

    def _clicks(self, r: Indices, c: Indices, difference: Residues) -> Residues:
        clicks = negative(difference, self._q)
        clicks += r.astype(np.uint8)[:, None]
        clicks += c.astype(np.uint8)
        reduce(clicks, self._q)
        return clicks


class _ProductFactors:
    """The product of two rules, one-dimensional each; see `lightsanim.board.product`."""

    def __init__(
        self, down: Rule, right: Rule, levels: int, wrap: bool, rows: int, columns: int
    ) -> None:
        self._rules, self._q, self._wrap, self._shape = (down, right), levels, wrap, (rows, columns)
        self._down = RuleSystem(down, levels, rows, 1, wrap=wrap)
        self._right = RuleSystem(right, levels, 1, columns, wrap=wrap)
        self.nullity = rows * columns - self._down.rank * self._right.rank

    def solve(self, difference: Residues) -> Residues | None:
        halfway = self._down.solve(difference)
        across = None if halfway is None else self._right.solve(halfway.T)
        if across is None:
            return None
        return checked(across.T, difference, self._rules, self._q, wrap=self._wrap)

    def quiet_patterns(self) -> Iterator[Residues]:
        rows, columns = (np.eye(length, dtype=np.uint8) for length in self._shape)
        for column in self._down.null_space():
            yield from (np.outer(column, unit) for unit in columns)
        for row in self._right.null_space():
            yield from (np.outer(rows[i], row) for i in self._down.pivots)
