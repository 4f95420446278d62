"""Any rule with more than two levels, plain or wrapped: elimination on a banded matrix."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from lightsanim.algebra.dense import Check
from lightsanim.algebra.modular import BandedSystem, Indices, Residues
from lightsanim.board.rule import Rule
from lightsanim.errors import SolverError

# Clicks whose entries of the matrix are made at a time.
CHUNK = 256


def checked(
    clicks: Residues, difference: Residues, rules: Iterable[Rule], levels: int, *, wrap: bool
) -> Residues:
    """``clicks`` as an array of its own, pressed again.

    ``clicks``: uint8 (rows, columns).
    """
    clicks = raised = np.ascontiguousarray(clicks)
    for rule in rules:
        raised = rule.raises(raised, levels, wrap=wrap)
    if not np.array_equal(raised, difference):
        raise SolverError("the clicks found do not make the difference; please report this")
    return clicks


class ModularEliminationFactors:
    """A board of any rule; see `lightsanim.board.modular_factors.ModularFactors`."""

    def __init__(
        self, rule: Rule, levels: int, wrap: bool, check: Check, rows: int, columns: int
    ) -> None:
        self._rule, self._q, self._wrap, self._shape = rule, levels, wrap, (rows, columns)
        self._system = RuleSystem(rule, levels, rows, columns, wrap=wrap, check=check)
        self.nullity = self._system.nullity

    def solve(self, difference: Residues) -> Residues | None:
        """One click set that raises each cell by ``difference``, checked; None if there is none."""
        solution = self._system.solve(difference.reshape(-1, 1))
        if solution is None:
            return None
        clicks = solution.reshape(self._shape)
        return checked(clicks, difference, [self._rule], self._q, wrap=self._wrap)

    def quiet_patterns(self) -> Iterator[Residues]:
        """A basis of the null space: uint8 (rows, columns) each."""
        yield from self._system.null_space().reshape(-1, *self._shape)


class RuleSystem:
    """The matrix A of any rule over GF(q), eliminated; cells in row-major order."""

    def __init__(
        self,
        rule: Rule,
        levels: int,
        rows: int,
        columns: int,
        *,
        wrap: bool,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._order = _narrow_order(rows, columns, wrap=wrap)
        size = rows * columns
        place = np.empty(size, np.int64)
        place[self._order] = np.arange(size)

        def entries() -> Iterator[tuple[Indices, Indices]]:
            for start in range(0, size, CHUNK):
                clicked = np.arange(start, min(start + CHUNK, size))
                source, row, column = rule.flips(clicked, rows, columns, wrap=wrap, levels=levels)
                yield place[row * columns + column], place[clicked[source]]

        low = high = 0
        for cell, click in entries():
            low = max(low, int((cell - click).max(initial=0)))
            high = max(high, int((click - cell).max(initial=0)))
        band = np.zeros((size, low + high + 1), np.uint8)
        for cell, click in entries():
            np.add.at(band, (cell, click - cell + low), 1)
        self._system = BandedSystem(band, low, levels, check)
        self.rank = self._system.rank
        self.nullity = size - self.rank

    @property
    def pivots(self) -> Indices:
        """The cells whose clicks are determined by the others."""
        return self._order[self._system.pivots]

    def solve(self, right: Residues) -> Residues | None:
        """One X with A X = right, uint8 (cells, m) both; free rows are 0; None if there is none."""
        solution = self._system.solve(right[self._order])
        return None if solution is None else self._to_cells(solution)

    def null_space(self) -> Residues:
        """A basis of the quiet patterns: uint8 (nullity, cells)."""
        return self._to_cells(self._system.null_space().T).T

    def _to_cells(self, ordered: Residues) -> Residues:
        result = np.empty_like(ordered)
        result[self._order] = ordered
        return result


def _narrow_order(rows: int, columns: int, *, wrap: bool) -> Indices:
    # An order of the cells in which those that a click raises are near it: along the shorter side,
    # and round a torus from both ends of the longer one to its middle.
    cells = np.arange(rows * columns).reshape(rows, columns)
    if columns > rows:
        cells = cells.T
    if wrap:
        ends = np.stack([cells, cells[::-1]], axis=1)
        cells = ends.reshape(-1, cells.shape[1])[: len(cells)]
    return cells.ravel()
