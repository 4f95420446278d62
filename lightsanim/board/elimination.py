"""Any rule, plain or wrapped: general elimination with one bit row for each cell."""

from collections.abc import Iterator

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lightsanim.algebra.dense import Check, Packed, decompose, is_invertible
from lightsanim.algebra.linear import Bits, pack, unpack
from lightsanim.board.rule import Rule
from lightsanim.errors import SolverError

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
        self._rule, self._wrap = rule, wrap
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
        """One click set that toggles ``difference``, checked; None if there is none."""
        solution = self._decomposition.solve(pack(self._turned(difference)))
        if solution is None:
            return None
        clicks = self._turned(unpack(solution, self._shape))
        if not np.array_equal(self._rule.toggles(clicks, wrap=self._wrap), difference):
            raise SolverError("elimination returned clicks that do not toggle the difference")
        return clicks

    def quiet_bits(self) -> Iterator[int]:
        """A basis of the null space, each pattern packed into one int."""
        for bits in self._decomposition.null_space():
            yield pack(self._turned(unpack(bits, self._shape)))

    def _turned(self, array: Bits) -> Bits:
        return np.ascontiguousarray(array.T) if self._turn else array


def has_no_quiet_patterns(rule: Rule, rows: int, columns: int, check: Check) -> bool:
    """Whether a plain board has the nullity 0; sooner than by its factors."""
    if columns > rows:
        rule, rows, columns = rule.transposed, columns, rows
    return is_invertible(_matrix(rule, rows, columns, wrap=False), rows * columns, check)


def matrix_rows(rule: Rule, rows: int, columns: int, *, wrap: bool) -> Iterator[int]:
    """The matrix A: row p holds the cells whose clicks flip cell p, as bits in row-major order.

    >>> from lightsanim.board.rule import RULES
    >>> [bin(row) for row in matrix_rows(RULES["plus"], 1, 3, wrap=False)]
    ['0b11', '0b111', '0b110']
    """
    for chunk in _matrix_chunks(rule, rows, columns, wrap=wrap):
        yield from (int.from_bytes(row.tobytes(), "little") for row in chunk)


def _matrix(rule: Rule, rows: int, columns: int, *, wrap: bool) -> Packed:
    return np.concatenate(list(_matrix_chunks(rule, rows, columns, wrap=wrap)))


def _matrix_chunks(rule: Rule, rows: int, columns: int, *, wrap: bool) -> Iterator[Packed]:
    # The clicks that flip a cell are those that its own click flips under the turned rule.  Around
    # the middle of an area lies the turned stencil, of which each cell sees another part.
    sides = rows, columns
    periods = sides if wrap else (2 * rows - 1, 2 * columns - 1)
    offsets = np.array(rule.turned.offsets_on(rows, columns, wrap=wrap), int).reshape(-1, 2)
    stencil = np.zeros(periods, bool)
    stencil[tuple((offsets % periods).T)] = True
    away = (np.arange(1 - side, side) % period for side, period in zip(sides, periods, strict=True))
    area = stencil[np.ix_(*away)]
    parts = sliding_window_view(area, sides)[::-1, ::-1]
    for start in range(0, rows * columns, CHUNK):
        cells = np.arange(start, min(start + CHUNK, rows * columns))
        seen = parts[np.divmod(cells, columns)].reshape(len(cells), -1)
        yield np.packbits(seen, axis=1, bitorder="little")
