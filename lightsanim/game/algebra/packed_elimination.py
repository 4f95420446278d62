"""Elimination over GF(2) on packed bytes, for matrices that are dense or become dense.

This is the Method of the Four Russians.  Eight columns are one byte of each row.  Among the
remaining rows, at most eight have independent bytes; these become pivot rows, each with a pivot
column.  A table holds all sums of the pivot rows, and adding one of them clears the byte of any
other remaining row.  Rows whose byte is 0 are skipped, so a banded matrix costs only its band.

The pivot rows added to a row are recorded in the row itself, at their pivot columns, where it has
become 0.  In the end, a row holds its part of L before its pivot column and its part of U from
there on: M = L U up to permutations of rows and columns.

Source: Arlazarov, Dinic, Kronrod and Faradzev, Soviet Mathematics 11 (1970) 1209-1210; in place, as
in Albrecht, Bard and Pernet, Efficient Dense Gaussian Elimination over GF(2) (arXiv:1111.6549).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .linear import unpack_bits

BitMatrix = NDArray[np.uint8]

Check = Callable[[], None]
"""A function that an elimination calls regularly; it may raise to end the elimination."""

# Number of rows changed at a time; with the table of sums, they fit the processor's cache.
CHUNK_ROWS = 128


class PivotRow(NamedTuple):
    """A pivot row of the matrix M."""

    row: int  # Number of the row in M.
    column: int  # Number of the pivot column.
    lower: int  # Mask of the pivot columns of the rows that were added to this row.
    upper: int  # This row after the additions; it is 0 at the pivot columns of earlier rows.


@dataclass(frozen=True, kw_only=True)
class LUDecomposition:
    """An LU decomposition of a matrix M over GF(2), for solving M x = b with any b."""

    pivots: tuple[PivotRow, ...]  # The pivot rows, in the order of the elimination.
    zero_rows: tuple[tuple[int, int], ...]  # Rows that became 0: (row, lower) as in `PivotRow`.
    columns: int  # Number of columns of M.

    @property
    def rank(self) -> int:
        """The rank of M."""
        return len(self.pivots)

    def solve(self, right: int) -> int | None:
        """Return a solution x of M x = ``right``, or None; bit i of ``right`` is for row i of M."""
        right_bits = unpack_bits(right, (self.rank + len(self.zero_rows),)).tolist()
        values, solved = [], 0
        for pivot in self.pivots:
            value = (pivot.lower & solved).bit_count() & 1 ^ right_bits[pivot.row]
            solved |= value << pivot.column
            values.append(value)
        if any((lower & solved).bit_count() & 1 ^ right_bits[row] for row, lower in self.zero_rows):
            return None
        return self._back_substitute(0, values)

    def null_space(self) -> Iterator[int]:
        """Yield a basis of all x with M x = 0: one vector for each column without a pivot."""
        pivot_columns, zeros = {pivot.column for pivot in self.pivots}, [0] * self.rank
        free = (column for column in range(self.columns) if column not in pivot_columns)
        return (self._back_substitute(1 << column, zeros) for column in free)

    def _back_substitute(self, x: int, values: list[int]) -> int:
        for pivot, value in zip(reversed(self.pivots), reversed(values), strict=True):
            x |= ((pivot.upper & x).bit_count() & 1 ^ value) << pivot.column
        return x


def lu_decompose(matrix: BitMatrix, columns: int, check: Check = lambda: None) -> LUDecomposition:
    """Compute the LU decomposition of a matrix, uint8 (rows, bytes), which is overwritten."""
    pivots, waiting = list[PivotRow](), np.ones(len(matrix), bool)
    for index in range(matrix.shape[1]):  # byte after byte, that is eight columns at a time
        check()
        rows = np.flatnonzero(matrix[:, index] * waiting)
        chosen = _choose_independent_rows(matrix, index, rows)
        if chosen:
            waiting[list(chosen)] = False
            _clear_byte_column(matrix, index, rows[waiting[rows]], chosen)
        pivots += [
            PivotRow(
                row=row,
                column=8 * index + (byte & -byte).bit_length() - 1,
                lower=_bits_to_int(matrix[row, :index]) | added << 8 * index,
                upper=(_bits_to_int(matrix[row, index + 1 :]) << 8 | byte) << 8 * index,
            )
            for row, (byte, added) in chosen.items()
        ]
    zeros = tuple((row, _bits_to_int(matrix[row])) for row in np.flatnonzero(waiting).tolist())
    return LUDecomposition(pivots=tuple(pivots), zero_rows=zeros, columns=columns)


def _choose_independent_rows(
    matrix: BitMatrix, index: int, rows: NDArray[np.intp]
) -> dict[int, tuple[int, int]]:
    # Choose rows with independent bytes.  Add earlier chosen rows to each, so that it becomes 0 at
    # their pivot columns.  Return each row's new byte, and a mask of the added rows' pivot columns.
    values, first = matrix[rows, index], np.zeros(256, np.intp)
    first[values] = rows
    chosen: dict[int, tuple[int, int]] = {}
    for value in np.flatnonzero(np.bincount(values, minlength=256)).tolist():
        byte, added, summands = value, 0, []
        for row, (pivot_byte, _) in chosen.items():
            if byte & pivot_byte & -pivot_byte:
                byte, added = byte ^ pivot_byte, added | pivot_byte & -pivot_byte
                summands.append(row)
        if byte:
            row = int(first[value])
            for summand in summands:
                matrix[row, index + 1 :] ^= matrix[summand, index + 1 :]
            chosen[row] = byte, added
            if len(chosen) == 8:
                break
    return chosen


def _clear_byte_column(
    matrix: BitMatrix, index: int, rows: NDArray[np.intp], chosen: Mapping[int, tuple[int, int]]
) -> None:
    # Clear one byte of the given rows by adding pivot rows; record in it which rows were added.
    rest = matrix[list(chosen), index + 1 :]
    width = int(np.flatnonzero(np.append(True, rest.any(axis=0)))[-1])  # Bytes up to the last 1.
    # Each table row is a sum of pivot rows: its byte, the mask of its summands, its other bytes.
    heads = np.array([(byte, byte & -byte) for byte, _ in chosen.values()], np.uint8)
    table = np.zeros((1 << len(chosen), 2 + width), np.uint8)
    for number, row in enumerate(np.hstack([heads, rest[:, :width]])):
        np.bitwise_xor(table[: 1 << number], row, out=table[1 << number : 2 << number])
    clearing = np.zeros(256, np.intp)
    clearing[table[:, 0]] = np.arange(len(table))
    needed = clearing[matrix[rows, index]]
    matrix[rows, index] = table[needed, 1]
    for start in range(0, len(rows), CHUNK_ROWS):
        piece = slice(start, start + CHUNK_ROWS)
        matrix[rows[piece], index + 1 : index + 1 + width] ^= table[needed[piece], 2:]


def _bits_to_int(packed: BitMatrix) -> int:
    return int.from_bytes(packed.tobytes(), "little")
