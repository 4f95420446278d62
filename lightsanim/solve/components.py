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

from lightsanim.algebra.digits import DigitPacking, Words
from lightsanim.algebra.modular import Indices, Residues
from lightsanim.board.board import Board

# Larger spaces (patterns * patterns * cells) take more than a second to reduce and are left whole.
MAX_REDUCTION_SIZE = 10_000_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Component:
    """Patterns that share no cell with those of other components."""

    patterns: Words  # (patterns, words), a digit for each of ``cells``
    cells: Indices  # int (cells,), the cells that the component is about, ascending
    q: int

    def __len__(self) -> int:
        return len(self.patterns)

    def iter_patterns(self) -> Iterator[Residues]:
        """The patterns one by one, uint8 (cells,): all of them could take much memory."""
        return (DigitPacking(self.q).unpack(pattern, len(self.cells)) for pattern in self.patterns)

    def pattern_columns(self) -> Words:
        """What each cell has of the patterns, a digit for each: (cells, words)."""
        return DigitPacking(self.q).pack_columns(self.iter_patterns(), len(self))


@lru_cache(maxsize=2)
def find_components(board: Board) -> list[Component]:
    """The components of a board's quiet patterns; one of all cells where they hang together.

    The parity checks are the quiet patterns of `Board.mirrored`.

    >>> parts = find_components(Board(3, 3, rule="ring"))
    >>> [(len(part), part.cells.tolist()) for part in parts]
    [(1, [1, 3, 5, 7]), (2, [0, 2, 4, 6, 8])]
    """
    return split_components(quiet_patterns_of_board(board))


def quiet_patterns_of_board(board: Board) -> Component:
    """All quiet patterns of a board."""
    if board.levels > 2:
        unpacked = board.quiet_patterns().reshape(board.nullity, board.cells)
        patterns = DigitPacking(board.levels).pack(unpacked)
    else:
        packed = board.packed_quiet_patterns()
        patterns = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)
    return Component(patterns=patterns, cells=np.arange(board.cells), q=board.levels)


def split_components(space: Component) -> list[Component]:
    """The components of some patterns: one where they hang together, none if there are none."""
    digits, cells = DigitPacking(space.q), len(space.cells)
    if len(space) ** 2 * cells * digits.bits_per_digit**2 > MAX_REDUCTION_SIZE:
        return [space]
    groups: list[tuple[Words, list[Words]]] = []  # the cells of some patterns, and these
    for row in digits.reduced_echelon_form(space.patterns)[0]:
        support = digits.nonzero_mask(row)
        together = [group for group in groups if (group[0] & support).any()]
        groups = [group for group in groups if not (group[0] & support).any()]
        covered, members = support, [row]
        for mask, rows in together:
            covered, members = covered | mask, members + rows
        groups.append((covered, members))
    if len(groups) == 1:
        return [space]
    parts = []
    for covered, members in groups:
        inside = np.flatnonzero(digits.unpack(covered, cells))
        patterns = [digits.pack(digits.unpack(member, cells)[inside]) for member in members]
        parts.append(Component(patterns=np.array(patterns), cells=space.cells[inside], q=space.q))
    return parts
