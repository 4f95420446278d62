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

from collections.abc import Iterator, Sequence

import numpy as np

from lightsanim.algebra.linear import (
    Bits,
    echelon,
    multiply_rows,
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

    Args:
        down: the rule of a single column.
        right: the rule of a single row.
        rows: of the board.
        columns: of the board.
        wrap: whether neighbourhoods go on at the opposite edge.

    >>> from lightsanim.board.rule import rule_of
    >>> king = rule_of("1/1/1"), rule_of("111")
    >>> [ProductFactors(*king, 5, n, wrap=False).nullity for n in (3, 4, 5)]
    [3, 4, 9]
    """

    def __init__(self, down: Rule, right: Rule, rows: int, columns: int, *, wrap: bool) -> None:
        self._rows, self._columns = rows, columns
        self._down = list(matrix_rows(down, rows, 1, wrap=wrap))
        self._right = list(matrix_rows(right, 1, columns, wrap=wrap))
        self.nullity = rows * columns - rank(self._down, rows) * rank(self._right, columns)

    def solve(self, difference: Bits) -> Bits | None:
        """One click set that toggles ``difference``, pressed again; None if there is none."""
        wanted = pack_rows(difference)
        halfway = solve_rows(self._down, self._rows, wanted)
        if halfway is None:
            return None
        across = _transposed(halfway, self._columns)
        clicks = solve_rows(self._right, self._columns, across)
        if clicks is None:
            return None
        pressed = multiply_rows(self._right, clicks) == across
        if not pressed or multiply_rows(self._down, halfway) != wanted:
            raise SolverError("the product's clicks do not toggle the difference")
        return np.ascontiguousarray(unpack_rows(clicks, self._rows).T)

    def is_producible(self, difference: Bits) -> bool:
        """Whether some click set toggles ``difference``."""
        return self.nullity == 0 or self.solve(difference) is not None

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


def _transposed(rows: Sequence[int], columns: int) -> list[int]:
    return pack_rows(np.ascontiguousarray(unpack_rows(rows, columns).T))
