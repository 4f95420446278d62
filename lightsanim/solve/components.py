"""Spaces of patterns taken apart: patterns that share no cell with the others are searched alone.

The clicks of the ring and of x keep to one colour of a chessboard, so that their patterns come in
two halves; where only the rows of a king's board are 2 modulo 3, each column has its own.  The
reduced row echelon form of a direct sum is that of its summands side by side, so it shows all
components that there are.

The column of a cell says on which patterns it lies.  It is a row of words here: bit t of a column
is bit t % 64 of word t // 64.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import reduced_rows, unpack

# Larger spaces (patterns * patterns * cells) take more than a second to reduce and are left whole.
MAX_REDUCED = 10_000_000_000

Packed = NDArray[np.uint8]  # (patterns, bytes), bit p % 8 of byte p // 8 is that of cell p
PackedColumns = NDArray[np.uint64]  # (columns, words)


@dataclass(frozen=True, kw_only=True, eq=False)
class Component:
    """Patterns that share no cell with those of other components."""

    packed: Packed  # uint8 (patterns, bytes), bit c of a pattern being that of ``cells[c]``
    cells: NDArray[np.int64]  # int (cells,), the cells that the component is about, ascending

    def __len__(self) -> int:
        return len(self.packed)


def components_of(packed: Packed, cells: int) -> list[Component]:
    """The components of a space; one of all cells where it cannot be taken apart, none if empty.

    ``packed``: uint8 (patterns, bytes).

    >>> both = np.array([[0b0011], [0b1111]], np.uint8)
    >>> [(len(part), part.cells.tolist()) for part in components_of(both, 5)]
    [(1, [0, 1]), (1, [2, 3])]
    """
    whole = [Component(packed=packed, cells=np.arange(cells))]
    if len(packed) ** 2 * cells > MAX_REDUCED:
        return whole
    groups: list[tuple[int, list[int]]] = []  # the cells of some patterns, and these
    for row in reduced_rows((int.from_bytes(bits.tobytes(), "little") for bits in packed), cells):
        together = [group for group in groups if group[0] & row]
        groups = [group for group in groups if not group[0] & row]
        covered, members = row, [row]
        for mask, rows in together:
            covered |= mask
            members += rows
        groups.append((covered, members))
    return whole if len(groups) == 1 else [_component(*group, cells) for group in groups]


def _component(covered: int, members: list[int], cells: int) -> Component:
    bits = np.array([unpack(row, (cells,)) for row in members])
    inside = np.flatnonzero(unpack(covered, (cells,)))
    return Component(packed=np.packbits(bits[:, inside], axis=1, bitorder="little"), cells=inside)


def columns_of(packed: Packed, cells: int) -> PackedColumns:
    """The columns of the cells of some patterns: uint64 (cells, words).

    ``packed``: uint8 (patterns, bytes).

    >>> columns_of(np.array([[0b011], [0b110]], np.uint8), 3).tolist()
    [[1], [3], [2]]
    """
    columns = np.zeros((-(-len(packed) // 64) * 8, cells), np.uint8)
    for bit, pattern in enumerate(packed):
        bits = np.unpackbits(pattern, count=cells, bitorder="little")
        columns[bit // 8] |= bits << bit % 8
    return np.ascontiguousarray(columns.T).view(np.uint64)
