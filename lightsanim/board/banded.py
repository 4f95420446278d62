"""Any rule with any number of levels, plain or wrapped: elimination on a banded matrix.

With two levels it is for single rows and columns: elimination on packed bits is faster on boards.
"""

from collections.abc import Iterator

import numpy as np

from lightsanim.algebra.dense import Check
from lightsanim.algebra.modular import BandedSystem, Indices, Residues
from lightsanim.board.rule import Rule
from lightsanim.look.levels import Lights

# Clicks whose entries of the matrix are made at a time.
CHUNK = 256


class BandedFactors:
    """The matrix A of any rule over GF(q), eliminated; see `lightsanim.board.factors.Factors`.

    >>> from lightsanim.board.rule import RULES
    >>> BandedFactors(RULES["x"], 3, 5, 6, wrap=False).nullity
    0
    """

    def __init__(
        self,
        rule: Rule,
        levels: int,
        rows: int,
        columns: int,
        *,
        wrap: bool,
        check: Check = lambda: None,
    ) -> None:
        self._shape, self._order = (rows, columns), _narrow_order(rows, columns, wrap=wrap)
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
        width = low + high + 1
        band = np.zeros((size, width), np.uint8)
        for cell, click in entries():
            np.add.at(band, (cell, click % width), 1)
        self._system = BandedSystem(band, low, levels, check)
        self.nullity = size - self._system.rank

    def solve(self, difference: Lights) -> Residues | None:
        """One click set that makes ``difference``, the other clicks 0; None if there is none.

        Also for several differences side by side, (cells, m), of which each has its clicks.
        """
        right = difference.view(np.uint8).reshape(len(self._order), -1)
        solution = self._system.solve(right[self._order])
        return None if solution is None else self._to_cells(solution).reshape(difference.shape)

    def quiet_patterns(self) -> Iterator[Residues]:
        """A basis of the null space: uint8 (rows, columns) each."""
        patterns = self._to_cells(self._system.null_space().T).T
        yield from patterns.reshape(-1, *self._shape)

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
