"""Check cells: changing only these cells can make any configuration of a board accessible.

A configuration is accessible when it satisfies all parity checks.  If the columns of some cells in
the checks form a basis, exactly one choice of their levels satisfies the checks, whatever the other
cells show; coding theory calls them the check positions of a systematic code.  If ``M``
is the square matrix of these columns and ``s`` the syndrome, the cells are lowered by ``M^-1 s``.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.digits import DigitPacking
from lightsanim.game.algebra.modular import Residues
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from .components import quiet_patterns_of_board
from .nearest import Nearest, build_nearest

# The ratio's multiples modulo 1 are spread evenly over 0..1, however many are taken.
GOLDEN_RATIO = (np.sqrt(5) - 1) / 2


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckCells:
    """The check cells of a board, which can make any configuration accessible."""

    board: Board
    cells: NDArray[np.int64]  # Cell numbers, int64 (nullity,).
    inverse: Residues  # Inverse of the cells' parity-check columns, uint8 (nullity, nullity).
    checks: Lights  # Basis of the parity checks; `Board.syndrome` does not list it for each frame.

    @classmethod
    def from_order(cls, board: Board, order: NDArray[np.int64] | None = None) -> "CheckCells":
        """Choose the first possible check cells in ``order``; by default, start from the edge."""
        order = order_cells_from_edge(board.shape) if order is None else order
        if board.nullity == 0:
            empty = np.zeros((0, 0), np.uint8)
            return cls(board=board, cells=order[:0], inverse=empty, checks=empty)
        checks = board.packed_parity_checks() if board.levels == 2 else board.parity_checks()
        columns = quiet_patterns_of_board(board.mirrored).pattern_columns()
        cells, inverse = DigitPacking(board.levels).find_basis(columns, order, board.nullity)
        return cls(board=board, cells=cells, inverse=inverse, checks=checks)

    def correct_configuration(self, configuration: Lights) -> Lights:
        """Return the accessible configuration that differs from this one in check cells only."""
        if not len(self.cells):
            return configuration
        syndrome = self.board.syndrome(configuration).astype(np.int64)
        wrong = np.zeros_like(configuration)
        wrong.flat[self.cells] = self.inverse @ syndrome % self.board.levels
        return self.board.subtract(configuration, wrong)

    def correct_target(self, target: Lights) -> Nearest:
        """Make a target accessible; return the result with the clicks that lead to it."""
        configuration = self.correct_configuration(target)
        bound = int((configuration != target).any())  # at least 1 wrong cell if inaccessible
        return build_nearest(self.board, target, configuration, bound)


def order_cells_from_edge(shape: tuple[int, int]) -> NDArray[np.int64]:
    """List the cells ring by ring from the edge; successive cells of a ring lie far apart."""
    rows, columns = np.indices(shape)
    depth = np.minimum.reduce([rows, columns, shape[0] - 1 - rows, shape[1] - 1 - columns])
    # Rank the cells of a ring, taken clockwise, by successive multiples of the ratio modulo 1.
    angle = np.arctan2(rows - (shape[0] - 1) / 2, columns - (shape[1] - 1) / 2)
    rank = np.empty(depth.size)
    in_rings = np.lexsort((angle.ravel(), depth.ravel()))
    rank[in_rings] = np.arange(depth.size) * GOLDEN_RATIO % 1
    return np.lexsort((rank, depth.ravel()))
