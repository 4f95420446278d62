"""Searches in parts: patterns that share no cell with the others can be searched on their own.

The clicks of the ring and of x keep to one colour of a chessboard, so that their patterns come in
two halves; where only the rows of a king's board are 2 modulo 3, each column has its own.  The
reduced row echelon form of a direct sum is that of its summands side by side, so it shows all parts
that there are.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import reduced_rows, unpack

# Patterns * patterns * cells: what takes a second or so to reduce.  Larger spaces are left whole.
MAX_REDUCED = 10_000_000_000

Packed = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """Patterns that share no cell with those of other parts.

    Attributes:
        packed: uint8 (patterns, octets), bit c of a pattern being that of ``cells[c]``.
        cells: int (cells,), the cells that the part is about, ascending.
    """

    packed: Packed
    cells: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.packed)

    def patterns(self) -> NDArray[np.bool_]:
        """The patterns on the part's cells: bool (patterns, cells)."""
        bits = np.unpackbits(self.packed, axis=1, count=len(self.cells), bitorder="little")
        return bits.view(bool)


def parts_of(packed: Packed, cells: int) -> list[Part]:
    """The parts of a space of patterns; one part of all cells where it cannot be taken apart.

    Args:
        packed: uint8 (patterns, octets), a basis, bit p of a pattern being that of cell p.
        cells: how many cells there are.

    >>> both = np.array([[0b0011], [0b1111]], np.uint8)
    >>> [(len(part), part.cells.tolist()) for part in parts_of(both, 5)]
    [(1, [0, 1]), (1, [2, 3])]
    """
    whole = [Part(packed=packed, cells=np.arange(cells))]
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
    return whole if len(groups) == 1 else [_part(*group, cells) for group in groups]


def _part(covered: int, members: list[int], cells: int) -> Part:
    bits = np.array([unpack(row, (cells,)) for row in members])
    inside = np.flatnonzero(unpack(covered, (cells,)))
    return Part(packed=np.packbits(bits[:, inside], axis=1, bitorder="little"), cells=inside)
