"""Stencils that are some rows and of each of them the same columns, such as the king's.

The matrix of such a rule is a tensor product: the click set X (rows x columns) toggles
``U X V^T``, where U and V are the matrices of a single column and of a single row of the board.
Two one-dimensional eliminations, each on whole rows of cells at a time, solve it in time linear in
the board.  A difference D is producible exactly when U Y = D and V X^T = Y^T can be solved one
after the other: a solution Y with its free rows 0 depends on D linearly, so that a check of V that
is satisfied by D is satisfied by Y.

The quiet patterns are the null space of U in every column, and that of V in every row: of the
latter, rows that are pivots of U are enough.
"""

from collections.abc import Iterator

import numpy as np

from lightsanim.algebra.linear import (
    Bits,
    echelon,
    pack,
    pack_rows,
    rank,
    solve_rows,
    unpack,
    unpack_rows,
)
from lightsanim.board.elimination import matrix_rows
from lightsanim.board.rule import Rule
from lightsanim.errors import SolverError


class ProductFactors:
    """A board of the product of two rules; see `lightsanim.board.factors.Factors`.

    >>> from lightsanim.board.rule import rule_of
    >>> king = rule_of("1/1/1"), rule_of("111")
    >>> [ProductFactors(*king, 5, n, wrap=False).nullity for n in (3, 4, 5)]
    [3, 4, 9]
    """

    def __init__(self, down: Rule, right: Rule, rows: int, columns: int, *, wrap: bool) -> None:
        self._rows, self._columns = rows, columns
        self._rules, self._wrap = (down, right), wrap
        self._down = list(matrix_rows(down, rows, 1, wrap=wrap))
        self._right = list(matrix_rows(right, 1, columns, wrap=wrap))
        self.nullity = rows * columns - rank(self._down, rows) * rank(self._right, columns)

    def solve(self, difference: Bits) -> Bits | None:
        """One click set that toggles ``difference``, checked; None if there is none."""
        halfway = solve_rows(self._down, self._rows, pack_rows(difference))
        if halfway is None:
            return None
        across = pack_rows(np.ascontiguousarray(unpack_rows(halfway, self._columns).T))
        solution = solve_rows(self._right, self._columns, across)
        if solution is None:
            return None
        clicks = toggled = np.ascontiguousarray(unpack_rows(solution, self._rows).T)
        for rule in self._rules:
            toggled = rule.toggles(toggled, wrap=self._wrap)
        if not np.array_equal(toggled, difference):
            raise SolverError("the product's clicks do not toggle the difference")
        return clicks

    def quiet_bits(self) -> Iterator[int]:
        """A basis of the null space, each pattern packed into one int."""
        down = echelon(self._down, self._rows)
        for column in down.null_space():
            # The bits of the first column of cells; each further column shifts them by one place.
            bits = self._pattern(column, 1)
            yield from (bits << j for j in range(self._columns))
        for row in echelon(self._right, self._columns).null_space():
            yield from (self._pattern(1 << i, row) for i in down.pivots)

    def _pattern(self, column: int, row: int) -> int:
        # The cells whose row is in ``column`` and whose column is in ``row``.
        shape = self._rows, self._columns
        return pack(np.outer(unpack(column, shape[:1]), unpack(row, shape[1:])))
