"""Gaussian elimination on the matrix of a board, for any stencil, with or without wrapping.

With two levels the matrix is packed in bits; with more, only its band is stored.  For single
columns the band is faster with two levels, too; see `lightsanim.game.board.product`.
"""

from collections.abc import Iterator

import numpy as np

from lightsanim.game.algebra.linear import Bits, pack_bits, unpack_bits
from lightsanim.game.algebra.modular import BandedSystem, Indices, Residues
from lightsanim.game.algebra.packed_elimination import BitMatrix, Check, lu_decompose
from lightsanim.game.levels import Lights
from .rule import Rule

# Number of matrix rows packed into bits at a time, which bounds the memory.
CHUNK_ROWS = 64
# Number of clicks (matrix columns) written to the band matrix at a time.
CHUNK_CLICKS = 256


class EliminationFactors:
    """LU decomposition of a board's matrix over GF(2); see `game.board.factors.Factors`."""

    def __init__(
        self, rule: Rule, rows: int, columns: int, *, wrap: bool, check: Check = lambda: None
    ) -> None:
        # Transpose wide boards: shorter rows make the band of the matrix narrower.
        self._swap_sides = columns > rows
        if self._swap_sides:
            rule, rows, columns = rule.transposed_rule, columns, rows
        self._shape = rows, columns
        matrix = _build_flip_matrix(rule, rows, columns, wrap=wrap)
        self._decomposition = lu_decompose(matrix, rows * columns, check)
        self.nullity = rows * columns - self._decomposition.rank

    def solve(self, difference: Bits) -> Bits | None:
        """Return a click set that toggles ``difference``, or None if there is none."""
        solution = self._decomposition.solve(pack_bits(self._transpose_if_swapped(difference)))
        if solution is None:
            return None
        return self._transpose_if_swapped(unpack_bits(solution, self._shape))

    def quiet_patterns(self) -> Iterator[Bits]:
        """Yield a basis of the null space as bool arrays of shape (rows, columns)."""
        for bits in self._decomposition.null_space():
            yield self._transpose_if_swapped(unpack_bits(bits, self._shape))

    def _transpose_if_swapped(self, array: Bits) -> Bits:
        return np.ascontiguousarray(array.T) if self._swap_sides else array


def _build_flip_matrix(rule: Rule, rows: int, columns: int, *, wrap: bool) -> BitMatrix:
    # Row p of the matrix marks, in row-major order, the cells whose clicks flip cell p.  These are
    # the cells that a click on p flips under the rotated rule.
    rule, chunks = rule.rotated_rule, []
    for start in range(0, rows * columns, CHUNK_ROWS):
        cells = np.arange(start, min(start + CHUNK_ROWS, rows * columns))
        source, row, column = rule.flips_of_clicks(cells, rows, columns, wrap=wrap)
        entries = np.zeros((len(cells), rows * columns), bool)
        entries[source, row * columns + column] = True
        chunks.append(np.packbits(entries, axis=1, bitorder="little"))
    return np.concatenate(chunks)


class BandedFactors:
    """Banded elimination of a board's matrix over GF(q); see `game.board.factors.Factors`."""

    def __init__(
        self,
        rule: Rule,
        levels: int,
        rows: int,
        columns: int,
        *,
        wrap: bool,
        check: Check = lambda: None,
    ) -> None:
        self._shape, self._order = (rows, columns), _low_bandwidth_order(rows, columns, wrap=wrap)
        size = rows * columns
        self._position = position = np.argsort(self._order)  # position of each cell in the order

        def matrix_entries() -> Iterator[tuple[Indices, Indices]]:
            for start in range(0, size, CHUNK_CLICKS):
                clicked = np.arange(start, min(start + CHUNK_CLICKS, size))
                source, row, column = rule.flips_of_clicks(
                    clicked, rows, columns, wrap=wrap, levels=levels
                )
                yield position[row * columns + column], position[clicked[source]]

        low = high = 0
        for cell, click in matrix_entries():
            low = max(low, int((cell - click).max(initial=0)))
            high = max(high, int((click - cell).max(initial=0)))
        width = low + high + 1
        band = np.zeros((size, width), np.uint8)
        for cell, click in matrix_entries():
            np.add.at(band, (cell, click % width), 1)
        self._system = BandedSystem(band, low, levels, check)
        self.nullity = size - self._system.rank

    def solve(self, difference: Lights) -> Residues | None:
        """Solve for a difference, or for each column of a (cells, m) array; None if impossible."""
        right = difference.view(np.uint8).reshape(len(self._order), -1)
        solution = self._system.solve(right[self._order])
        if solution is None:
            return None
        return solution[self._position].reshape(difference.shape)

    def quiet_patterns(self) -> Iterator[Residues]:
        """Yield a basis of the null space as uint8 arrays of shape (rows, columns)."""
        yield from self._system.null_space()[:, self._position].reshape(-1, *self._shape)


def _low_bandwidth_order(rows: int, columns: int, *, wrap: bool) -> Indices:
    # Return the cells in an order that keeps the band of the matrix narrow: line by line along the
    # shorter side; on a torus, lines from both ends of the longer side alternate.
    cells = np.arange(rows * columns).reshape(rows, columns)
    if columns > rows:
        cells = cells.T
    if wrap:
        outside_in = np.stack([cells, cells[::-1]], axis=1)
        cells = outside_in.reshape(-1, cells.shape[1])[: len(cells)]
    return cells.ravel()
