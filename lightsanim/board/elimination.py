"""Elimination, for any rule, plain or wrapped: with two levels on packed bits, with more in a band.

With two levels bit rows are faster on boards, and the band on single rows and columns.
"""

from collections.abc import Iterator

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lightsanim.algebra.linear import Bits, pack_bits, unpack_bits
from lightsanim.algebra.modular import BandedSystem, Indices, Residues
from lightsanim.algebra.packed_elimination import BitMatrix, Check, is_invertible, lu_decompose
from lightsanim.board.rule import Rule
from lightsanim.look.levels import Lights

# Made at a time: rows of the matrix on packed bits, and clicks whose entries come into a band.
CHUNK_ROWS, CHUNK_CLICKS = 64, 256


class EliminationFactors:
    """The matrix A of any rule, decomposed; see `lightsanim.board.factors.Factors`."""

    def __init__(
        self, rule: Rule, rows: int, columns: int, *, wrap: bool, check: Check = lambda: None
    ) -> None:
        # The cost grows with the bandwidth, so the shorter side becomes the rows' direction.
        self._swap_sides = columns > rows
        if self._swap_sides:
            rule, rows, columns = rule.transposed_rule, columns, rows
        self._shape = rows, columns
        self._decomposition = lu_decompose(
            _build_flip_matrix(rule, rows, columns, wrap=wrap), rows * columns, check
        )
        self.nullity = rows * columns - self._decomposition.rank

    def solve(self, difference: Bits) -> Bits | None:
        """One click set that toggles ``difference``; None if there is none."""
        solution = self._decomposition.solve(pack_bits(self._transpose_if_swapped(difference)))
        return (
            None
            if solution is None
            else self._transpose_if_swapped(unpack_bits(solution, self._shape))
        )

    def quiet_patterns(self) -> Iterator[Bits]:
        """A basis of the null space: bool (rows, columns) each."""
        for bits in self._decomposition.null_space():
            yield self._transpose_if_swapped(unpack_bits(bits, self._shape))

    def _transpose_if_swapped(self, array: Bits) -> Bits:
        return np.ascontiguousarray(array.T) if self._swap_sides else array


def has_no_quiet_patterns(rule: Rule, rows: int, columns: int, check: Check) -> bool:
    """Whether a plain board has the nullity 0; sooner than by its factors."""
    if columns > rows:
        rule, rows, columns = rule.transposed_rule, columns, rows
    return is_invertible(_build_flip_matrix(rule, rows, columns, wrap=False), rows * columns, check)


def _build_flip_matrix(rule: Rule, rows: int, columns: int, *, wrap: bool) -> BitMatrix:
    # A: row p holds the cells whose clicks flip cell p, as bits in row-major order.  These are the
    # cells that its own click flips under the turned rule.  Around the middle of an area lies the
    # turned stencil, of which each cell sees another part.
    sides = rows, columns
    periods = sides if wrap else (2 * rows - 1, 2 * columns - 1)
    offsets = np.array(rule.rotated_rule.offsets_on_board(rows, columns, wrap=wrap), int).reshape(
        -1, 2
    )
    stencil = np.zeros(periods, bool)
    stencil[tuple((offsets % periods).T)] = True
    lags = (np.arange(1 - side, side) % period for side, period in zip(sides, periods, strict=True))
    area = stencil[np.ix_(*lags)]
    parts = sliding_window_view(area, sides)[::-1, ::-1]
    chunks = []
    for start in range(0, rows * columns, CHUNK_ROWS):
        cells = np.arange(start, min(start + CHUNK_ROWS, rows * columns))
        entries = parts[np.divmod(cells, columns)].reshape(len(cells), -1)
        chunks.append(np.packbits(entries, axis=1, bitorder="little"))
    return np.concatenate(chunks)


class BandedFactors:
    """The matrix A of any rule over GF(q), eliminated; see `lightsanim.board.factors.Factors`."""

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
        position = np.empty(size, np.int64)
        position[self._order] = np.arange(size)

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
        """One click set that makes ``difference``, the other clicks 0; None if there is none.

        Also for several differences side by side, (cells, m), of which each has its clicks.
        """
        right = difference.view(np.uint8).reshape(len(self._order), -1)
        solution = self._system.solve(right[self._order])
        return (
            None
            if solution is None
            else self._restore_cell_order(solution).reshape(difference.shape)
        )

    def quiet_patterns(self) -> Iterator[Residues]:
        """A basis of the null space: uint8 (rows, columns) each."""
        patterns = self._restore_cell_order(self._system.null_space().T).T
        yield from patterns.reshape(-1, *self._shape)

    def _restore_cell_order(self, ordered: Residues) -> Residues:
        result = np.empty_like(ordered)
        result[self._order] = ordered
        return result


def _low_bandwidth_order(rows: int, columns: int, *, wrap: bool) -> Indices:
    # An order of the cells in which those that a click raises are near it: along the shorter side,
    # and round a torus from both ends of the longer one to its middle.
    cells = np.arange(rows * columns).reshape(rows, columns)
    if columns > rows:
        cells = cells.T
    if wrap:
        outside_in = np.stack([cells, cells[::-1]], axis=1)
        cells = outside_in.reshape(-1, cells.shape[1])[: len(cells)]
    return cells.ravel()
