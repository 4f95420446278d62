"""Any rule, plain or wrapped: general elimination with one bit row for each cell."""

from collections.abc import Iterable, Sequence

from lightsanim.algebra.linear import Bits, echelon, pack, unpack
from lightsanim.errors import SolverError


class EliminationFactors:
    """The matrix A of any rule in echelon form; see `lightsanim.board.board.Factors`."""

    def __init__(self, shape: tuple[int, int], neighbours: Sequence[Iterable[int]]) -> None:
        self._shape = shape
        # Row p holds the cells whose clicks flip cell p, as bits in row-major order.
        self._matrix = [sum(1 << cell for cell in cells) for cells in neighbours]
        self._echelon = echelon(self._matrix, len(neighbours))
        self.nullity = len(neighbours) - self._echelon.rank

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
