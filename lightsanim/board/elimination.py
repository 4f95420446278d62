"""Any rule, plain or wrapped: general elimination with one bit row for each cell."""

from collections.abc import Iterator

import numpy as np

from lightsanim.algebra.linear import Bits, echelon, pack, pack_rows, unpack
from lightsanim.board.rule import Rule
from lightsanim.errors import SolverError

# Rows of the matrix that are made at a time.
CHUNK = 64


class EliminationFactors:
    """The matrix A of any rule in echelon form; see `lightsanim.board.factors.Factors`.

    >>> from lightsanim.board.rule import RULES
    >>> EliminationFactors(RULES["x"], 5, 6, wrap=False).nullity
    0
    """

    def __init__(self, rule: Rule, rows: int, columns: int, *, wrap: bool) -> None:
        self._rule, self._wrap = rule, wrap
        # The cost grows with the bandwidth, so the shorter side becomes the rows' direction.
        self._turn = columns > rows
        if self._turn:
            rule, rows, columns = rule.transposed, columns, rows
        self._shape = rows, columns
        self._echelon = echelon(matrix_rows(rule, rows, columns, wrap=wrap), rows * columns)
        self.nullity = rows * columns - self._echelon.rank

    def solve(self, difference: Bits) -> Bits | None:
        """One click set that toggles ``difference``, checked; None if there is none."""
        solution = self._echelon.solve(pack(self._turned(difference)))
        if solution is None:
            return None
        clicks = self._turned(unpack(solution, self._shape))
        if not np.array_equal(self._rule.toggles(clicks, wrap=self._wrap), difference):
            raise SolverError("elimination returned clicks that do not toggle the difference")
        return clicks

    def quiet_bits(self) -> Iterator[int]:
        """A basis of the null space, each pattern packed into one int."""
        for bits in self._echelon.null_space():
            yield pack(self._turned(unpack(bits, self._shape)))

    def _turned(self, array: Bits) -> Bits:
        return np.ascontiguousarray(array.T) if self._turn else array


def matrix_rows(rule: Rule, rows: int, columns: int, *, wrap: bool) -> Iterator[int]:
    """The matrix A: row p holds the cells whose clicks flip cell p, as bits in row-major order.

    Args:
        rule: what a click flips.
        rows: of the board.
        columns: of the board.
        wrap: whether neighbourhoods go on at the opposite edge.

    >>> from lightsanim.board.rule import RULES
    >>> [bin(row) for row in matrix_rows(RULES["plus"], 1, 3, wrap=False)]
    ['0b11', '0b111', '0b110']
    """
    # The clicks that flip a cell are those that its own click flips under the turned rule.
    cells = np.arange(rows * columns)
    for start in range(0, len(cells), CHUNK):
        chunk = cells[start : start + CHUNK]
        source, row, column = rule.turned.flips(chunk, rows, columns, wrap=wrap)
        matrix = np.zeros((len(chunk), len(cells)), bool)
        matrix[source, row * columns + column] = True
        yield from pack_rows(matrix)
