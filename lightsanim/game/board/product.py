"""Solver for product rules: stencils, such as the king's, whose nonempty rows are all equal.

The matrix of such a rule is a tensor product: the click set X (rows x columns) raises the cells by
``U X V^T``, where U and V are the matrices of a single column and of a single row of the board.
Two one-dimensional eliminations, each on whole rows of cells at a time, solve it in linear time.
Clicks can make a difference D exactly when U Y = D and then V X^T = Y^T have solutions.  The
solution Y whose free rows are 0 depends linearly on D, so it satisfies each check of V that D
satisfies.

The quiet patterns are spanned by the null space of U in every column and that of V in every row,
of which the pivot rows of U suffice.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from lightsanim.game.algebra.digits import reduced_echelon_form
from lightsanim.game.algebra.modular import (
    Indices,
    Residues,
    mod_inplace,
    mod_negative,
    mod_product,
)
from lightsanim.game.levels import Lights
from .elimination import BandedFactors
from .rule import Rule


class ProductFactors:
    """Solver for a board of a product rule; implements `lightsanim.game.board.factors.Factors`."""

    def __init__(
        self, down: Rule, right: Rule, levels: int, rows: int, columns: int, *, wrap: bool
    ) -> None:
        self._shape = rows, columns
        self._down = _ColumnFactors(down, levels, rows, wrap=wrap)
        self._right = _ColumnFactors(right.transposed_rule, levels, columns, wrap=wrap)
        self.nullity = rows * columns - self._down.rank * self._right.rank

    def solve(self, difference: Lights) -> Residues | None:
        """Return a click set that changes the cells by ``difference``, or None if none does."""
        halfway = self._down.solve(difference)
        across = None if halfway is None else self._right.solve(halfway.T)
        return None if across is None else across.T

    def quiet_patterns(self) -> Iterator[Residues]:
        """Yield a basis of the null space as uint8 arrays of shape (rows, columns)."""
        (columns, free), (rows, _) = self._down.quiet_pattern_basis, self._right.quiet_pattern_basis
        for column in columns:
            for j in range(self._shape[1]):
                pattern = np.zeros(self._shape, np.uint8)
                pattern[:, j] = column
                yield pattern
        for row in rows:
            for i in np.delete(np.arange(self._shape[0]), free):
                pattern = np.zeros(self._shape, np.uint8)
                pattern[i] = row
                yield pattern


class _ColumnFactors:
    # Factors of a board with one column.  Free variables are moved to its last rows: elimination on
    # a torus works from both ends inwards, and leaves free variables in the middle.
    def __init__(self, rule: Rule, levels: int, length: int, *, wrap: bool) -> None:
        self._factors = BandedFactors(rule, levels, length, 1, wrap=wrap)
        self._q, self._length = levels, length
        self.rank = length - self._factors.nullity

    @cached_property
    def quiet_pattern_basis(self) -> tuple[Residues, Indices]:
        # Return a basis of the null space, uint8 (nullity, length), and each pattern's free row.
        patterns = np.array([*self._factors.quiet_patterns()], np.uint8).reshape(-1, self._length)
        backwards, leading = reduced_echelon_form(patterns[:, ::-1], self._q)
        return backwards[::-1, ::-1], self._length - 1 - np.array(leading[::-1], int)

    def solve(self, right: Lights) -> Residues | None:
        # Each of the m columns of ``right``, of shape (length, m), is a system to solve.
        solution = self._factors.solve(right)
        if solution is None or not self._factors.nullity:
            return solution
        patterns, free = self.quiet_pattern_basis
        cleared = mod_product(mod_negative(patterns, self._q).T, solution[free], self._q)
        return mod_inplace(cleared + solution, self._q)
