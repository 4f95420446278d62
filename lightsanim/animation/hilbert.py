"""A Hilbert curve through every cell of any rectangle."""

import numpy as np
from numpy.typing import NDArray

Side = tuple[int, int]
"""A side of a block: the difference of neighbouring cells' numbers, and the number of cells."""


def hilbert_positions(shape: tuple[int, int]) -> NDArray[np.int64]:
    """Return the position of each cell on a generalised Hilbert curve: int64 (rows, columns).

    The construction is Jakub Červený's "gilbert" (https://github.com/jakubcerveny/gilbert).  It
    splits a block in three (up, along, down), or a long block in two.  Halves are even if possible,
    because no path leads from corner to corner along an odd side of a block whose other side is
    even.
    """
    rows, columns = shape
    along, across = (1, columns), (columns, rows)
    # If only one side is even, the curve runs along it; otherwise along the longer side.
    if (columns % 2, rows) > (rows % 2, columns):
        along, across = across, along
    return np.argsort(_list_cells(0, along, across)).reshape(shape)


def _list_cells(start: int, along: Side, across: Side) -> list[int]:
    """Return the cells of a block in the order from its corner to the end of ``along``."""
    (step, long), (aside, wide) = along, across
    if wide == 1:
        return [start + n * step for n in range(long)]
    if long == 1:
        return [start + n * aside for n in range(wide)]
    if 2 * long > 3 * wide:
        half = _halve_to_even(long)
        rest = _list_cells(start + half * step, (step, long - half), across)
        return _list_cells(start, (step, half), across) + rest
    half, up = long // 2, _halve_to_even(wide)
    corner = start + (long - 1) * step + (up - 1) * aside
    return [
        *_list_cells(start, (aside, up), (step, half)),
        *_list_cells(start + up * aside, along, (aside, wide - up)),
        *_list_cells(corner, (-aside, up), (-step, long - half)),
    ]


def _halve_to_even(length: int) -> int:
    half = length // 2
    return half + (half % 2) * (length > 2)
