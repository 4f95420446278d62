"""Split a space of patterns into components that share no cell, to search each separately.

Clicks of the ring and x rules flip cells of one colour of a chessboard only, so their patterns
fall into two components; on a king's board where only the row count is 2 modulo 3, each column is
a component.  The reduced row echelon form of a direct sum consists of the forms of its summands,
so it reveals all components.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lightsanim.game.algebra.digits import DigitPacking, Words
from lightsanim.game.algebra.modular import Indices, Residues
from lightsanim.game.board.board import Board
from lightsanim.system.threads import cache_for_threads

# Spaces with more (patterns * bits per digit)**2 * cells are not split: it takes over a second.
MAX_REDUCTION_SIZE = 10_000_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Component:
    """Linearly independent patterns that share no cell with patterns of other components."""

    patterns: Words  # One pattern a row, (patterns, words): a packed digit for each cell.
    cells: Indices  # Cell numbers on the board, int (cells,), ascending.
    q: int

    def __len__(self) -> int:
        return len(self.patterns)

    def iter_patterns(self) -> Iterator[Residues]:
        """Yield the patterns, each uint8 (cells,), unpacked one at a time to save memory."""
        return (DigitPacking(self.q).unpack(pattern, len(self.cells)) for pattern in self.patterns)

    def restrict(self, patterns: Sequence[Words], inside: Indices) -> "Component":
        """Return some of the patterns on some of the cells, which ``inside`` numbers."""
        rows = (DigitPacking(self.q).unpack(pattern, len(self.cells)) for pattern in patterns)
        packed = np.array([DigitPacking(self.q).pack(row[inside]) for row in rows])
        return Component(patterns=packed, cells=self.cells[inside], q=self.q)

    def pattern_columns(self) -> Words:
        """Return each cell's digits in all patterns as a packed column, (cells, words)."""
        return DigitPacking(self.q).pack_columns(self.iter_patterns(), len(self))


@cache_for_threads
def find_components(board: Board) -> list[Component]:
    """Split a board's quiet patterns into components that share no cell.

    The quiet patterns of `Board.mirrored` are the parity checks of the board.
    """
    return split_components(quiet_patterns_of_board(board))


def quiet_patterns_of_board(board: Board) -> Component:
    """Return all quiet patterns of a board as one component."""
    if board.levels > 2:
        unpacked = board.quiet_patterns().reshape(board.nullity, board.cells)
        patterns = DigitPacking(board.levels).pack(unpacked)
    else:
        packed = board.packed_quiet_patterns()
        patterns = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)
    return Component(patterns=patterns, cells=np.arange(board.cells), q=board.levels)


def split_components(space: Component) -> list[Component]:
    """Split patterns into components that share no cell; the list is empty without patterns."""
    digits, cells = DigitPacking(space.q), len(space.cells)
    if len(space) ** 2 * cells * digits.bits_per_digit**2 > MAX_REDUCTION_SIZE:
        return [space]
    groups: list[tuple[Words, list[Words]]] = []  # (mask of covered cells, patterns)
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
    return [
        space.restrict(members, np.flatnonzero(digits.unpack(covered, cells)))
        for covered, members in groups
    ]
