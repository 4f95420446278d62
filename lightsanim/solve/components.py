"""Spaces of patterns taken apart: patterns that share no cell with the others are searched alone.

The clicks of the ring and of x keep to one colour of a chessboard, so that their patterns come in
two halves; where only the rows of a king's board are 2 modulo 3, each column has its own.  The
reduced row echelon form of a direct sum is that of its summands side by side, so it shows all
components that there are.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.digits import Digits, Words
from lightsanim.algebra.modular import Indices, Residues
from lightsanim.board.board import Board

# Larger spaces (patterns * patterns * cells) take more than a second to reduce and are left whole.
MAX_REDUCED = 10_000_000_000

Packed = NDArray[np.uint8]  # (patterns, bytes), bit p % 8 of byte p // 8 is that of cell p


@dataclass(frozen=True, kw_only=True, eq=False)
class Component:
    """Patterns that share no cell with those of other components."""

    patterns: Words  # (patterns, words), a digit for each of ``cells``
    cells: Indices  # int (cells,), the cells that the component is about, ascending
    q: int

    def __len__(self) -> int:
        return len(self.patterns)

    def rows(self) -> Iterator[Residues]:
        """The patterns one by one, uint8 (cells,): all of them could take much memory."""
        return (Digits(self.q).unpack(pattern, len(self.cells)) for pattern in self.patterns)

    @property
    def packed(self) -> Packed:
        """With two levels the patterns, a bit for each cell."""
        return self.patterns.view(np.uint8)[:, : -(-len(self.cells) // 8)]


@lru_cache(maxsize=2)
def components_of(board: Board) -> list[Component]:
    """The components of a board's quiet patterns; one of all cells where they hang together.

    The parity checks are the quiet patterns of `Board.mirrored`.

    >>> parts = components_of(Board(3, 3, rule="ring"))
    >>> [(len(part), part.cells.tolist()) for part in parts]
    [(1, [1, 3, 5, 7]), (2, [0, 2, 4, 6, 8])]
    """
    patterns, cells = _packed_patterns(board), np.arange(board.cells)
    return taken_apart(Component(patterns=patterns, cells=cells, q=board.levels))


def taken_apart(whole: Component) -> list[Component]:
    """The components of some patterns: one where they hang together, none if there are none."""
    digits, cells = Digits(whole.q), len(whole.cells)
    if len(whole) ** 2 * cells * digits.bits**2 > MAX_REDUCED:
        return [whole]
    groups: list[tuple[Words, list[Words]]] = []  # the cells of some patterns, and these
    for row in digits.reduced_rows(whole.patterns)[0]:
        support = digits.support(row)
        together = [group for group in groups if (group[0] & support).any()]
        groups = [group for group in groups if not (group[0] & support).any()]
        covered, members = support, [row]
        for mask, rows in together:
            covered, members = covered | mask, members + rows
        groups.append((covered, members))
    if len(groups) == 1:
        return [whole]
    parts = []
    for covered, members in groups:
        inside = np.flatnonzero(digits.unpack(covered, cells))
        patterns = [digits.pack(digits.unpack(member, cells)[inside]) for member in members]
        parts.append(Component(patterns=np.array(patterns), cells=whole.cells[inside], q=whole.q))
    return parts


def _packed_patterns(board: Board) -> Words:
    if board.levels > 2:
        patterns = board.quiet_patterns().reshape(board.nullity, board.cells)
        return Digits(board.levels).pack(patterns)
    packed = board.packed_quiet_patterns()
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)


def columns_of(packed: Packed, cells: int) -> Words:
    """With two levels the columns of the cells of some patterns, a bit for each: (cells, words).

    ``packed``: uint8 (patterns, bytes).

    >>> columns_of(np.array([[0b011], [0b110]], np.uint8), 3).tolist()
    [[1], [3], [2]]
    """
    columns = np.zeros((-(-len(packed) // 64) * 8, cells), np.uint8)
    for bit, pattern in enumerate(packed):
        bits = np.unpackbits(pattern, count=cells, bitorder="little")
        columns[bit // 8] |= bits << bit % 8
    return np.ascontiguousarray(columns.T).view(np.uint64)
