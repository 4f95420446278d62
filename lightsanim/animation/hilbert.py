"""A Hilbert curve through every cell of any rectangle."""

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

# Blocks are stored as an array with one column per block, and the rows start, along, long, across,
# wide and position.  A block has ``long`` cells in the direction ``along``, and ``wide`` cells in
# the direction ``across``.  The curve enters it at the corner ``start``, after ``position`` cells
# of other blocks, and leaves it at the far end of ``along``.  A direction is a difference of cell
# numbers: ``columns`` is down, 1 is right.


def hilbert_positions(shape: tuple[int, int]) -> Integers:
    """Return the position of each cell on a generalised Hilbert curve: int64 (rows, columns).

    The curve begins in the top left corner, visits every cell once, and goes from each cell to a
    neighbour.  If the sides are equal powers of two, it is the Hilbert curve.

    The construction is Jakub Červený's "gilbert" (https://github.com/jakubcerveny/gilbert).  It
    splits a block in three (up, along, down), or a long block in two.  Halves are even if possible,
    because no path leads from corner to corner along an odd side of a block whose other side is
    even.  For the same reason the curve runs along the only even side of a board, if there is one;
    it then never takes a diagonal step.  All blocks of a generation are split at once.
    """
    rows, columns = shape
    positions = np.empty(rows * columns, np.int64)
    along, across = (1, columns), (columns, rows)
    # If only one side is even, the curve runs along it; otherwise along the longer side.
    if (columns % 2, rows) > (rows % 2, columns):
        along, across = across, along
    blocks = np.array([[0, *along, *across, 0]]).T
    while blocks.size:
        _, _, long, _, wide, _ = blocks
        thin = (long == 1) | (wide == 1)
        stretched = 2 * long > 3 * wide
        _assign_cell_numbers(positions, blocks[:, thin])
        in_two, in_three = blocks[:, ~thin & stretched], blocks[:, ~thin & ~stretched]
        blocks = np.hstack([*_split_blocks_in_two(in_two), *_split_blocks_in_three(in_three)])
    return positions.reshape(shape)


def _assign_cell_numbers(positions: Integers, blocks: Integers) -> None:
    """Write the positions of cells in blocks that are one cell wide or long."""
    start, along, long, across, wide, position = blocks
    counts = long * wide
    step = np.repeat(np.where(wide == 1, along, across), counts)
    nth = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts)
    positions[np.repeat(start, counts) + nth * step] = np.repeat(position, counts) + nth


def _split_blocks_in_two(blocks: Integers) -> list[Integers]:
    """Split each block into two halves, which the curve visits one after the other."""
    start, along, long, across, wide, position = blocks
    half = _halve_to_even(long)
    return [
        np.array([start, along, half, across, wide, position]),
        np.array([start + half * along, along, long - half, across, wide, position + half * wide]),
    ]


def _split_blocks_in_three(blocks: Integers) -> list[Integers]:
    """Split each block into three parts, in which the curve runs up, along and down."""
    start, along, long, across, wide, position = blocks
    half, up = long // 2, _halve_to_even(wide)
    corner = start + (long - 1) * along + (up - 1) * across
    middle_position = position + up * half
    last_position = middle_position + long * (wide - up)
    return [
        np.array([start, across, up, along, half, position]),
        np.array([start + up * across, along, long, across, wide - up, middle_position]),
        np.array([corner, -across, up, -along, long - half, last_position]),
    ]


def _halve_to_even(length: Integers) -> Integers:
    half = length // 2
    return half + (half % 2) * (length > 2)
