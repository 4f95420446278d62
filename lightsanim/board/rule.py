"""What a click flips: the neighbourhood C(i, j), as offsets from the clicked cell."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.int64]  # numbers of cells, row * columns + column


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A neighbourhood of the same form at every cell.

    Attributes:
        name: what users call it.
        offsets: (row, column) offsets of the cells that a click flips, each once.
    """

    name: str
    offsets: tuple[tuple[int, int], ...]

    def flips(
        self, clicked: Cells, rows: int, columns: int, *, wrap: bool
    ) -> tuple[Cells, Cells, Cells]:
        """All flips that clicks make on a rows x columns board.

        Args:
            clicked: int (clicks,), the cells clicked.
            rows: of the board.
            columns: of the board.
            wrap: whether neighbourhoods go on at the opposite edge.

        Returns:
            For each flip the place of its click in ``clicked``, and the row and the column of the
            cell flipped.  Where a neighbourhood meets itself round a small torus, a cell is
            flipped more than once.

        >>> corner = RULES["plus"].flips(np.array([0]), 2, 3, wrap=False)
        >>> [int(row * 3 + column) for _, row, column in zip(*corner)]
        [0, 3, 1]
        """
        offsets = np.array(self.offsets)[:, :, None]
        row, column = (np.array(np.divmod(clicked, columns)) + offsets).swapaxes(0, 1)
        source = np.broadcast_to(np.arange(len(clicked)), row.shape)
        if wrap:
            return source.ravel(), (row % rows).ravel(), (column % columns).ravel()
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        return source[inside], row[inside], column[inside]


RULES = {
    rule.name: rule
    for rule in [
        # The game as sold: the cell and its orthogonal neighbours.
        Rule(name="plus", offsets=((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))),
    ]
}
