"""The sizes of a click set's sums with all combinations of quiet patterns, 2**k at a time.

A cell whose column of pattern bits is v is clicked under combination c when x + <v, c> is odd.  So
the size is (cells - sum over v of h[v] (-1)**<v, c>) / 2, where h[v] is the sum of (-1)**x over the
cells with column v, and all sizes come from one Walsh-Hadamard transform of h: k 2**k additions
instead of 2**k popcounts of the whole board.  The transform is cut into blocks that fit the cache;
a block is the transform over the low bits, for fixed high bits of c.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits

# A block is a table of 2**LOW_BITS rows, transformed by additions of whole rows, and 2**MIDDLE_BITS
# columns, one for each value of the next bits of c: 1 MB of int16.
LOW_BITS = 12
MIDDLE_BITS = 7
BLOCK_BITS = LOW_BITS + MIDDLE_BITS


def lightest_of_blocks(patterns: Bits, clicks: Bits) -> Iterator[tuple[int, int]]:
    """Block by block, the smallest size in the block and its combination.

    Args:
        patterns: bool (k, cells), k at most 62.
        clicks: bool (cells,).

    Yields:
        2**(k - `BLOCK_BITS`) pairs, at least one: a size, and the combination as an int whose bit
        t says whether pattern t is added.

    >>> patterns = np.array([[True, True, False], [True, False, True]])
    >>> list(lightest_of_blocks(patterns, np.array([True, False, False])))
    [(1, 0)]
    """
    k, cells = patterns.shape
    low_bits = min(k, LOW_BITS)
    middle_bits = min(k - low_bits, MIDDLE_BITS)
    columns = (patterns.T @ (1 << np.arange(k, dtype=np.int64))).astype(np.int64)
    order = np.argsort(columns & (1 << low_bits) - 1, kind="stable")
    columns, signs = columns[order], np.where(clicks, np.int8(-1), np.int8(1))[order]
    low = columns & (1 << low_bits) - 1
    middle = columns >> low_bits & (1 << middle_bits) - 1
    high = columns >> (low_bits + middle_bits)
    count = np.int16 if cells < 1 << 15 else np.int32
    terms = _hadamard(middle_bits)[middle] * signs[:, None]
    starts = np.flatnonzero(np.diff(low, prepend=-1))
    table, spare = np.empty((2, 1 << low_bits, 1 << middle_bits), count)
    for block in range(1 << (k - low_bits - middle_bits)):
        flips = 1 - 2 * (np.bitwise_count(high & block) & 1).astype(np.int8)
        table.fill(0)
        table[low[starts]] = np.add.reduceat(terms * flips[:, None], starts, axis=0, dtype=count)
        sums = _transform(table, spare)
        lightest = int(sums.argmax())
        row, column = divmod(lightest, 1 << middle_bits)
        combination = row | column << low_bits | block << (low_bits + middle_bits)
        yield (cells - int(sums.flat[lightest])) // 2, combination


def _transform(table: NDArray[np.integer], spare: NDArray[np.integer]) -> NDArray[np.integer]:
    # The Walsh-Hadamard transform over the rows, to and fro between two tables.
    rows, columns = table.shape
    step = 1
    while step < rows:
        source = table.reshape(-1, 2, step * columns)
        target = spare.reshape(-1, 2, step * columns)
        np.add(source[:, 0], source[:, 1], out=target[:, 0])
        np.subtract(source[:, 0], source[:, 1], out=target[:, 1])
        table, spare, step = spare, table, 2 * step
    return table


def _hadamard(bits: int) -> NDArray[np.int8]:
    matrix = np.ones((1, 1), np.int8)
    for _ in range(bits):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix
