"""Cells that make any configuration accessible: always the same, as many as parity checks.

A configuration is accessible when it fulfils the parity checks.  Where the columns of some cells in
the checks are a basis, just one choice of these cells does that, whatever the others show; in
coding theory they are check positions, and the code is then systematic.  With ``M`` for the
square of these columns and ``s`` for the syndrome, they are to be lowered by ``M^-1 s``.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.digits import DigitPacking
from lightsanim.algebra.modular import Residues
from lightsanim.board.board import Board
from lightsanim.look.levels import Lights
from lightsanim.solve.components import quiet_patterns_of_board
from lightsanim.solve.nearest import Nearest, build_nearest

# The golden ratio's fractions leave no large gaps however many of them are taken.
GOLDEN_RATIO = (np.sqrt(5) - 1) / 2


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckCells:
    """Cells that make any configuration accessible.

    >>> board, lit = Board(1, 2, levels=3), np.array([[0, 2]], np.uint8)
    >>> check_cells = CheckCells.from_order(board, np.array([0, 1]))
    >>> check_cells.correct_configuration(lit).tolist()  # both are always equal
    [[2, 2]]
    """

    board: Board  # whose
    cells: NDArray[np.int64]  # int64 (nullity,)
    # uint8 (nullity, nullity), by how much each parity check that is not fulfilled raises each of
    # the cells.
    inverse: Residues

    @classmethod
    def from_order(cls, board: Board, order: NDArray[np.int64] | None = None) -> "CheckCells":
        """Those that come first in an order."""
        order = order_cells_from_edge(board.shape) if order is None else order
        if board.nullity == 0:
            return cls(board=board, cells=order[:0], inverse=np.zeros((0, 0), np.uint8))
        columns = quiet_patterns_of_board(board.mirrored).pattern_columns()
        cells, inverse = DigitPacking(board.levels).find_basis(columns, order, board.nullity)
        return cls(board=board, cells=cells, inverse=inverse)

    def correct_configuration(self, configuration: Lights) -> Lights:
        """A configuration made accessible, by changing these cells alone."""
        if not len(self.cells):
            return configuration
        syndrome = self.board.syndrome(configuration).astype(np.int64)
        wrong = np.zeros_like(configuration)
        wrong.flat[self.cells] = self.inverse @ syndrome % self.board.levels
        return self.board.subtract(configuration, wrong)

    def correct_target(self, target: Lights) -> Nearest:
        """The corrected target, with the clicks that lead to it."""
        configuration = self.correct_configuration(target)
        bound = int((configuration != target).any())  # it is not accessible itself
        return build_nearest(self.board, target, configuration, bound)


def order_cells_from_edge(shape: tuple[int, int]) -> NDArray[np.int64]:
    """All cells of a board, those at its edge first; equally far in, they are spread evenly.

    >>> order_cells_from_edge((3, 3)).tolist()
    [0, 7, 2, 3, 8, 1, 6, 5, 4]
    """
    rows, columns = np.indices(shape)
    depth = np.minimum.reduce([rows, columns, shape[0] - 1 - rows, shape[1] - 1 - columns])
    # Clockwise round each ring, and there in the order of fractions.
    angle = np.arctan2(rows - (shape[0] - 1) / 2, columns - (shape[1] - 1) / 2)
    rank = np.empty(depth.size)
    in_rings = np.lexsort((angle.ravel(), depth.ravel()))
    rank[in_rings] = np.arange(depth.size) * GOLDEN_RATIO % 1
    return np.lexsort((rank, depth.ravel()))
