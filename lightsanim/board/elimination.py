"""Any rule, plain or wrapped: general elimination with one bit row for each cell."""

from collections.abc import Iterable

from lightsanim.algebra.linear import Bits, echelon, pack, unpack
from lightsanim.board.rule import Rule
from lightsanim.errors import SolverError


class EliminationFactors:
    """The matrix A of any rule in echelon form; see `lightsanim.board.board.Factors`."""

    def __init__(self, rows: int, columns: int, rule: Rule, wrap: bool) -> None:
        self._shape = rows, columns
        self._matrix = toggle_matrix(rows, columns, rule, wrap)
        self._echelon = echelon(self._matrix, rows * columns)
        self.nullity = rows * columns - self._echelon.rank

    def solve(self, difference: Bits) -> Bits | None:
        """One click set that toggles ``difference``, pressed again; None if there is none."""
        wanted = pack(difference)
        clicks = self._echelon.solve(wanted)
        if clicks is None:
            return None
        if self._press(clicks) != wanted:
            raise SolverError("elimination returned clicks that do not toggle the difference")
        return unpack(clicks, self._shape)

    def is_producible(self, difference: Bits) -> bool:
        """Does some click set toggle ``difference``?"""
        return self._echelon.solve(pack(difference)) is not None

    def quiet_bits(self) -> Iterable[int]:
        """A basis of the null space, each pattern packed into one int."""
        return self._echelon.null_space()

    def _press(self, clicks: int) -> int:
        return sum(((row & clicks).bit_count() & 1) << p for p, row in enumerate(self._matrix))


def toggle_matrix(rows: int, columns: int, rule: Rule, wrap: bool) -> list[int]:
    """The matrix A: row p holds the cells whose clicks flip cell p (row-major bits).

    >>> from lightsanim.board.rule import RULES
    >>> [f"{row:04b}" for row in toggle_matrix(2, 2, RULES["plus"], wrap=False)]
    ['0111', '1011', '1101', '1110']
    """
    matrix = [0] * (rows * columns)
    for down, right in rule.offsets:
        for i in range(rows):
            for j in range(columns):
                to_i, to_j = i + down, j + right
                if wrap:
                    to_i, to_j = to_i % rows, to_j % columns
                if 0 <= to_i < rows and 0 <= to_j < columns:
                    matrix[to_i * columns + to_j] ^= 1 << (i * columns + j)
    return matrix
