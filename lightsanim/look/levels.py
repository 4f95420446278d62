"""A configuration on one board, or in colour on three; and as one number for each cell."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Lights = NDArray[Any]
"""A configuration or a click set: bool with two levels, otherwise uint8 from 0 to levels - 1."""

Shades = NDArray[np.uint8]
"""(rows, columns), the boards' levels at a cell as one number; at two levels a bit for each."""


def pack_levels(configuration: NDArray[Any], levels: int = 2) -> Shades:
    """The levels of all boards at each cell as one number, uint8 (rows, columns).

    In base ``levels`` it has a digit for each board, the first one lowest.
    """
    *lower, highest = configuration.reshape(-1, *configuration.shape[-2:])
    shades: Shades = highest.astype(np.uint8)
    for plane in reversed(lower):
        shades *= levels
        shades += plane
    return shades


def unpack_levels(shades: Shades, planes: int, levels: int = 2) -> NDArray[Any]:
    """The inverse of `pack_levels`: bool (planes, rows, columns), of more than two levels uint8."""
    digits = np.arange(planes, dtype=np.uint8)[:, None, None]
    if levels == 2:  # shifting is many times as fast as dividing
        return np.asarray(shades >> digits & 1 == 1)
    return np.asarray(shades // np.uint8(levels) ** digits % np.uint8(levels))


def stack_planes(planes: Sequence[Lights]) -> Lights:
    """One board as it is, three as (3, rows, columns)."""
    return planes[0] if len(planes) == 1 else np.stack(planes)


def count_planes(configuration: NDArray[Any]) -> int:
    """How many boards a configuration is of: 1, or in colour 3."""
    return 3 if configuration.ndim == 3 else 1


# Numbers whose bits are laid out at a time, as each bit takes a byte then; a multiple of 8, so
# that a block ends with a whole byte.
BLOCK = 1 << 13


def pack_bits(numbers: NDArray[np.generic]) -> tuple[bytes, int]:
    """The bits of whole numbers, highest first, and how many each takes.

    >>> pack_bits(np.array([1, 2, 3]))  # 01 10 11
    (b'l', 2)
    """
    values = numbers.ravel()
    width = int(values.max(initial=1)).bit_length()
    packed = bytearray()
    for start in range(0, len(values), BLOCK):
        block = values[start : start + BLOCK].astype(">u8")  # the highest byte first
        bits = np.unpackbits(block.view(np.uint8).reshape(-1, 8), axis=1)
        packed += np.packbits(bits[:, 64 - width :]).tobytes()
    return bytes(packed), width
