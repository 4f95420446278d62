"""Bit rows over GF(2): a row of a matrix is a Python int, bit j its column j.

Packing between bool arrays and such ints never loops over single entries.
"""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]


def pack_bits(array: Bits) -> int:
    """A bool array of any shape as one int, bit p = entry p in row-major order.

    >>> bin(pack_bits(np.array([[True, False], [True, True]])))
    '0b1101'
    """
    return pack_rows(array.reshape(1, -1))[0]


def unpack_bits(bits: int, shape: tuple[int, ...]) -> Bits:
    """The inverse of `pack_bits`: a bool array of ``shape``.

    >>> unpack_bits(0b1101, (2, 2)).tolist()
    [[True, False], [True, True]]
    """
    return unpack_rows([bits], math.prod(shape)).reshape(shape)


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
