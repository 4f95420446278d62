"""Stencils that are some rows and of each of them the same columns, such as the king's.

The matrix of such a rule is a tensor product: the click set X (rows x columns) raises
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

from lightsanim.algebra.modular import Residues
from lightsanim.board.banded import BandedFactors
from lightsanim.board.levels import Lights
from lightsanim.board.rule import Rule


class ProductFactors:
    """A board of the product of two rules; see `lightsanim.board.factors.Factors`.

    >>> from lightsanim.board.rule import rule_of
    >>> king = rule_of("1/1/1"), rule_of("111")
    >>> [ProductFactors(*king, 2, 5, n, wrap=False).nullity for n in (3, 4, 5)]
    [3, 4, 9]
    """

    def __init__(
        self, down: Rule, right: Rule, levels: int, rows: int, columns: int, *, wrap: bool
    ) -> None:
        self._shape = rows, columns
        self._down = BandedFactors(down, levels, rows, 1, wrap=wrap)
        self._right = BandedFactors(right, levels, 1, columns, wrap=wrap)
        rank = len(self._down.pivots) * len(self._right.pivots)
        self.nullity = rows * columns - rank

    def solve(self, difference: Lights) -> Residues | None:
        """One click set that makes ``difference``; None if there is none."""
        halfway = self._down.solve(difference)
        across = None if halfway is None else self._right.solve(halfway.T)
        return None if across is None else across.T

    def quiet_patterns(self) -> Iterator[Residues]:
        """A basis of the null space: uint8 (rows, columns) each."""
        for column in self._down.quiet_patterns():
            for j in range(self._shape[1]):
                pattern = np.zeros(self._shape, np.uint8)
                pattern[:, j] = column[:, 0]
                yield pattern
        for row in self._right.quiet_patterns():
            for i in self._down.pivots:
                pattern = np.zeros(self._shape, np.uint8)
                pattern[i] = row[0]
                yield pattern
