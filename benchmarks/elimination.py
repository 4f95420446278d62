"""The method compared with the linear-time one: elimination of n x n equations over GF(2).

Light chasing turns a board of the plus rule into the system ``f_m(T) z = r`` for the clicks z of
the first row (see `game.board.plus_factors`).  Elimination takes time of order n**3.  This
module makes it as fast as it can:

- f_m(T) commutes with T, so its columns follow from the first one as the unit vectors do from
  e_0.  One chase and n row operations build the matrix; chasing n unit vectors would take n**3.
- The elimination is the Method of the Four Russians: one addition per row clears a block of
  columns, with a table of all sums of the block's pivot rows.  Rows are Python ints whose leading
  bits are cleared first, so that they become shorter during the elimination.

Source: Arlazarov, Dinic, Kronrod and Faradzev, Soviet Mathematics 11 (1970) 1209-1210.
"""

from lightsanim.game.algebra.linear import Bits, pack_rows, unpack_rows
from lightsanim.game.board.plus import chase_rows, toggle_row_neighbours

# Columns of a block; with more, the table of 2**columns sums no longer fits the processor's cache.
MAX_BLOCK_COLUMNS = 10


def clicks_by_elimination(start: Bits, goal: Bits) -> Bits | None:
    """Return a click set that turns ``start`` into ``goal``, or None if there is none.

    >>> import numpy as np
    >>> lights = np.zeros((2, 2), bool)
    >>> clicks_by_elimination(lights, ~lights).astype(int).tolist()
    [[1, 1], [1, 1]]
    """
    m, n = start.shape
    mask = (1 << n) - 1
    rows = pack_rows(start ^ goal)
    _, leftover = chase_rows(0, rows, mask)
    first = solve(chase_matrix(m, n), leftover)
    if first is None:
        return None
    clicks, _ = chase_rows(first, rows, mask)
    return unpack_rows(clicks, n)


def chase_matrix(m: int, n: int) -> list[int]:
    """Return f_m(T) as n bit rows, which maps a first row to the result of chasing m rows.

    The matrix is symmetric, so its rows are also its columns.

    >>> chase_matrix(2, 3)  # T T + 1
    [5, 0, 5]
    """
    mask = (1 << n) - 1
    _, column = chase_rows(1, [0] * m, mask)
    columns, before = [], 0
    for _ in range(n):
        columns.append(column)
        before, column = column, toggle_row_neighbours(column, mask) ^ column ^ before
    return columns


def solve(matrix: list[int], right: int) -> int | None:
    """Return one x with ``matrix`` x = ``right`` (bit i = equation i), or None.

    >>> solve([0b011, 0b110, 0b101], 0b011), solve([0b011, 0b110, 0b101], 0b001)
    (2, None)
    """
    # Bit 0 of a row is the right-hand side of its equation, bit j + 1 is column j.
    rows = [row << 1 | right >> i & 1 for i, row in enumerate(matrix)]
    pivots: list[int] = []
    block = min(MAX_BLOCK_COLUMNS, max(1, len(matrix).bit_length() - 3))
    for top in range(len(matrix), 0, -block):
        low = max(top - block, 0) + 1
        found, rows = _take_pivots(rows, low, top + 1 - low)
        sums = _sums(found, low, 1 << (top + 1 - low))
        rows = [row ^ sums[row >> low] for row in rows]
        pivots += found
    return None if any(rows) else _substitute(pivots)


def _take_pivots(rows: list[int], low: int, wanted: int) -> tuple[list[int], list[int]]:
    # Return rows that are independent on the columns from ``low`` up, and the remaining rows.
    found: list[int] = []
    rest: list[int] = []
    for scanned, row in enumerate(rows):
        if len(found) == wanted:
            return found, rest + rows[scanned:]
        reduced = row
        for pivot in found:
            reduced = min(reduced, reduced ^ pivot)  # clears the pivot's leading bit
        if reduced >> low:
            found.append(reduced)
        else:
            rest.append(reduced)
    return found, rest


def _sums(pivots: list[int], low: int, size: int) -> list[int]:
    # Return a table of sums of pivots, indexed by their leading bits.
    sums, table = [0], [0] * size
    for pivot in pivots:
        sums += [sum_ ^ pivot for sum_ in sums]
    for sum_ in sums:
        table[sum_ >> low] = sum_
    return table


def _substitute(pivots: list[int]) -> int:
    # Substitute columns from the lowest up.  Bit 0 is the right-hand side; free columns are 0.
    x = 1
    for row in sorted(pivots, key=int.bit_length):
        x |= ((row & x).bit_count() & 1) << (row.bit_length() - 1)
    return x >> 1
