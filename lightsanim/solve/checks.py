"""The parity checks of a board, with its cells sorted into classes that serve equally well."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits, echelon, pack, unpack
from lightsanim.board.board import Board


@dataclass(frozen=True, kw_only=True)
class Checks:
    """Cells with the same check bits are one class; cells on no quiet pattern are in none.

    Attributes:
        matrix: bool (nullity, classes); column c holds the check bits of class c.
        cells: int (classes,), the cell that stands for each class (row-major number).
        class_of: int (rows * columns,), each cell's class, -1 for none.
    """

    matrix: Bits
    cells: NDArray[np.int_]
    class_of: NDArray[np.int_]

    def classes_of(self, wrong: Bits) -> Bits:
        """The classes of which a set of wrong cells holds an odd number: bool (classes,)."""
        classes = self.class_of[np.flatnonzero(wrong)]
        odd: Bits = np.bincount(classes[classes >= 0], minlength=len(self.cells)) % 2 == 1
        return odd

    def cells_of(self, classes: Bits, shape: tuple[int, int]) -> Bits:
        """The cells that stand for ``classes``: bool ``shape``."""
        wrong = np.zeros(shape, bool)
        wrong.flat[self.cells[classes]] = True
        return wrong

    def explain(self, syndrome: Bits) -> Bits:
        """Some classes, at most nullity, that explain a syndrome: bool (classes,)."""
        rows = [pack(row) for row in self.matrix]
        classes = echelon(rows, len(self.cells)).solve(pack(syndrome))
        assert classes is not None, "quiet patterns are independent, so every syndrome is reached"
        return unpack(classes, self.cells.shape)


def checks_of(board: Board, margin: NDArray[np.floating]) -> Checks:
    """The checks of ``board``; of each class the cell with the smallest margin stands for it.

    >>> checks = checks_of(Board(5, 5), np.zeros((5, 5)))
    >>> checks.matrix.shape  # 25 cells, but only 3 different columns of 2 check bits
    (2, 3)
    """
    patterns = board.quiet_patterns().reshape(board.nullity, board.cells)
    shows_least_first = np.argsort(margin, axis=None, kind="stable")
    octets = np.packbits(patterns[:, shows_least_first], axis=0).T
    columns = np.ascontiguousarray(octets).view(f"V{octets.shape[1]}").ravel()
    _, first, inverse = np.unique(columns, return_index=True, return_inverse=True)
    # The column of all zeros, if there is one, sorts first: cells that can never help.
    skip = int(not patterns[:, shows_least_first[first[0]]].any())
    cells = shows_least_first[first[skip:]]
    class_of = np.empty(board.cells, int)
    class_of[shows_least_first] = inverse - skip
    return Checks(matrix=patterns[:, cells], cells=cells, class_of=class_of)
