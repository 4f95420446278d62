"""Linear systems over GF(2) on bit rows: a row of a matrix is a Python int, bit j its column j.

Also the packing between bool arrays and such ints, which never loops over single entries.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]


def pack(array: Bits) -> int:
    """A bool array of any shape as one int, bit p = entry p in row-major order.

    >>> bin(pack(np.array([[True, False], [True, True]])))
    '0b1101'
    """
    return int.from_bytes(np.packbits(array, axis=None, bitorder="little").tobytes(), "little")


def unpack(bits: int, shape: tuple[int, ...]) -> Bits:
    """The inverse of `pack`: a bool array of ``shape``.

    >>> unpack(0b1101, (2, 2)).tolist()
    [[True, False], [True, True]]
    """
    size = int(np.prod(shape))
    packed = np.frombuffer(bits.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.unpackbits(packed, count=size, bitorder="little").view(bool).reshape(shape)


def pack_rows(array: Bits) -> list[int]:
    """A bool array (m, n) as m ints of n bits, bit j = column j.

    >>> pack_rows(np.array([[True, False, False], [False, True, True]]))
    [1, 6]
    """
    packed = np.packbits(array, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def unpack_rows(rows: Iterable[int], n: int) -> Bits:
    """The inverse of `pack_rows`: a bool array (m, n).

    >>> unpack_rows([1, 6], 3).tolist()
    [[True, False, False], [False, True, True]]
    """
    width = (n + 7) // 8
    packed = np.frombuffer(b"".join(row.to_bytes(width, "little") for row in rows), np.uint8)
    return np.unpackbits(packed.reshape(-1, width), axis=1, count=n, bitorder="little").view(bool)


def parities(packed: NDArray[np.uint8], array: Bits) -> Bits:
    """Whether each of some sets holds an odd number of the entries that are True.

    ``packed``: uint8 (sets, bytes), returns bool (sets,).

    >>> parities(np.array([[0b011], [0b110]], np.uint8), np.array([True, False, False])).tolist()
    [True, False]
    """
    bits = np.packbits(array, bitorder="little")
    # One after the other: all of them at once could take as much memory again as the sets.
    return np.array([np.bitwise_count(row & bits).sum() & 1 for row in packed], bool)


def ones(bits: int) -> Iterator[int]:
    """The positions of the 1 bits, lowest first.

    >>> list(ones(0b1101))
    [0, 2, 3]
    """
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


@dataclass(frozen=True, kw_only=True)
class Echelon:
    """A matrix M (n columns) in echelon form."""

    rows: list[int]  # reduced; the lowest bit of each is its pivot column
    columns: int  # n

    def null_space(self) -> Iterator[int]:
        """A basis of all x with M x = 0, one for each column without a pivot."""
        pivots = [row & -row for row in self.rows]
        for bit in (1 << column for column in range(self.columns)):
            if bit not in pivots:
                yield bit | sum(
                    pivot for pivot, row in zip(pivots, self.rows, strict=True) if row & bit
                )


def echelon(matrix: Iterable[int], columns: int) -> Echelon:
    """Row reduction of ``matrix`` (bit rows with bits 0..columns-1).

    >>> e = echelon([0b011, 0b110, 0b101], 3)
    >>> len(e.rows), [bin(x) for x in e.null_space()]
    (2, ['0b111'])
    """
    return Echelon(rows=reduced_rows(matrix, columns), columns=columns)


def reduced_rows(matrix: Iterable[int], columns: int) -> list[int]:
    """The reduced row echelon form of ``matrix``, without zero rows.

    Bits from ``columns`` on are changed along with the others, but are no pivots.

    >>> [bin(row) for row in reduced_rows([0b011, 0b110, 0b101], 3)]
    ['0b101', '0b110']
    """
    pivots: dict[int, int] = {}
    for row in matrix:
        while (column := (row & -row).bit_length() - 1) in pivots:
            row ^= pivots[column]
        if 0 <= column < columns:
            pivots[column] = row
    reduced: dict[int, int] = {}
    for column in sorted(pivots, reverse=True):
        row = pivots[column]
        for other, known in reduced.items():
            if row >> other & 1:
                row ^= known
        reduced[column] = row
    return list(reduced.values())[::-1]


def solve_rows(matrix: Iterable[int], columns: int, right: Iterable[int]) -> list[int]:
    """The matrix X with M X = R, all columns of R at once, where M has an inverse.

    >>> solve_rows([0b01, 0b11], 2, [0b1100, 0b1010])
    [12, 6]
    """
    beside = (row | wanted << columns for row, wanted in zip(matrix, right, strict=True))
    return [row >> columns for row in reduced_rows(beside, columns)]
