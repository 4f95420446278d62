"""Any rule with two levels, plain or wrapped: elimination with one bit row for each cell."""

from collections.abc import Iterator

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lightsanim.algebra.dense import Check, Packed, decompose, is_invertible
from lightsanim.algebra.linear import Bits, pack, unpack
from lightsanim.board.rule import Rule

# Rows of the matrix that are made at a time.
CHUNK = 64


class EliminationFactors:
    """The matrix A of any rule, decomposed; see `lightsanim.board.factors.Factors`.

    >>> from lightsanim.board.rule import RULES
    >>> EliminationFactors(RULES["x"], 5, 6, wrap=False).nullity
    0
    """

    def __init__(
        self, rule: Rule, rows: int, columns: int, *, wrap: bool, check: Check = lambda: None
    ) -> None:
        # The cost grows with the bandwidth, so the shorter side becomes the rows' direction.
        self._turn = columns > rows
        if self._turn:
            rule, rows, columns = rule.transposed, columns, rows
        self._shape = rows, columns
        self._decomposition = decompose(
            _matrix(rule, rows, columns, wrap=wrap), rows * columns, check
        )
        self.nullity = rows * columns - self._decomposition.rank

    def solve(self, difference: Bits) -> Bits | None:
        """One click set that toggles ``difference``; None if there is none."""
        solution = self._decomposition.solve(pack(self._turned(difference)))
        return None if solution is None else self._turned(unpack(solution, self._shape))

    def quiet_patterns(self) -> Iterator[Bits]:
        """A basis of the null space: bool (rows, columns) each."""
        for bits in self._decomposition.null_space():
            yield self._turned(unpack(bits, self._shape))

    def _turned(self, array: Bits) -> Bits:
        return np.ascontiguousarray(array.T) if self._turn else array


def has_no_quiet_patterns(rule: Rule, rows: int, columns: int, check: Check) -> bool:
    """Whether a plain board has the nullity 0; sooner than by its factors."""
    if columns > rows:
        rule, rows, columns = rule.transposed, columns, rows
    return is_invertible(_matrix(rule, rows, columns, wrap=False), rows * columns, check)


def _matrix(rule: Rule, rows: int, columns: int, *, wrap: bool) -> Packed:
    # A: row p holds the cells whose clicks flip cell p, as bits in row-major order.  These are the
    # cells that its own click flips under the turned rule.  Around the middle of an area lies the
    # turned stencil, of which each cell sees another part.
    sides = rows, columns
    periods = sides if wrap else (2 * rows - 1, 2 * columns - 1)
    offsets = np.array(rule.turned.offsets_on(rows, columns, wrap=wrap), int).reshape(-1, 2)
    stencil = np.zeros(periods, bool)
    stencil[tuple((offsets % periods).T)] = True
    away = (np.arange(1 - side, side) % period for side, period in zip(sides, periods, strict=True))
    area = stencil[np.ix_(*away)]
    parts = sliding_window_view(area, sides)[::-1, ::-1]
    chunks = []
    for start in range(0, rows * columns, CHUNK):
        cells = np.arange(start, min(start + CHUNK, rows * columns))
        seen = parts[np.divmod(cells, columns)].reshape(len(cells), -1)
        chunks.append(np.packbits(seen, axis=1, bitorder="little"))
    return np.concatenate(chunks)
