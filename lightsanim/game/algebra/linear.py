"""Bit rows over GF(2): a row of a matrix is a Python int whose bit j is column j."""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]


def pack_bits(array: Bits) -> int:
    """Pack a bool array of any shape into an int: bit p is entry p in row-major order."""
    return pack_rows(array.reshape(1, -1))[0]


def unpack_bits(bits: int, shape: tuple[int, ...]) -> Bits:
    """Unpack an int to a bool array of ``shape``: the inverse of `pack_bits`."""
    return unpack_rows([bits], math.prod(shape)).reshape(shape)


def pack_rows(array: Bits) -> list[int]:
    """Pack a bool array (m, n) into m ints of n bits: bit j is column j."""
    packed = np.packbits(array, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def unpack_rows(rows: Iterable[int], n: int) -> Bits:
    """Unpack m ints to a bool array (m, n): the inverse of `pack_rows`."""
    width = (n + 7) // 8
    packed = np.frombuffer(b"".join(row.to_bytes(width, "little") for row in rows), np.uint8)
    return np.unpackbits(packed.reshape(-1, width), axis=1, count=n, bitorder="little").view(bool)
