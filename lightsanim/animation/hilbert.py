"""A Hilbert curve through every cell of any rectangle."""

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

# In a table of blocks a column is one block, and the rows are start, along, long, across, wide and
# position.  A block is run through from its corner start: it is ``long`` steps along ``along`` and
# ``wide`` steps along ``across``, and the curve enters it at ``start`` and leaves it at the far end
# of ``along``.  ``position`` is how many cells the curve has passed when it gets there.  Cells and
# steps are numbers of cells: down is ``columns``, right is 1.


def hilbert_positions(shape: tuple[int, int]) -> Integers:
    """The place of each cell on a generalised Hilbert curve: int64 (rows, columns), from 0.

    The curve begins in the top left corner, passes every cell once, and goes from each cell to one
    beside it.  Where the sides are powers of two it is Hilbert's own.

    The construction is Jakub Červený's "gilbert" (https://github.com/jakubcerveny/gilbert): a block
    is cut in three, up, along and down again, or in two where it is long; halves are made even
    where that is possible, because no path leads from corner to corner along an odd side of a block
    whose other side is even.  For the same reason the curve runs along the board's even side where
    just one is even; then it never takes a diagonal step.  Here all blocks of a generation are cut
    at once.
    """
    rows, columns = shape
    positions = np.empty(rows * columns, np.int64)
    along, across = (1, columns), (columns, rows)
    # Along the even side where just one is even, else along the longer.
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
    """Number the cells of blocks that are one cell wide or long."""
    start, along, long, across, wide, position = blocks
    counts = long * wide
    step = np.repeat(np.where(wide == 1, along, across), counts)
    nth = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts)
    positions[np.repeat(start, counts) + nth * step] = np.repeat(position, counts) + nth


def _split_blocks_in_two(blocks: Integers) -> list[Integers]:
    """One behind the other."""
    start, along, long, across, wide, position = blocks
    half = _halve_to_even(long)
    return [
        np.array([start, along, half, across, wide, position]),
        np.array([start + half * along, along, long - half, across, wide, position + half * wide]),
    ]


def _split_blocks_in_three(blocks: Integers) -> list[Integers]:
    """Up the near side, along the far end, and down the other side."""
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
