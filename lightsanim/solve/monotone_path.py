"""From one accessible configuration to another, through accessible ones, with two levels.

Every cell that differs has a time at which it should change.  When the cells whose time has come
change together, some parity checks fail; so cells whose time has just come, or comes next, change
a little later or earlier.  Those are found by elimination: one cell after the other, the nearest in
time first, until their columns in the checks sum up to the checks that fail.  The cells that are
due do it in any case, so there always is a choice; as few as there are checks are looked at, and no
cell ever changes twice.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.solve.components import quiet_patterns_of_board


def monotone_path(
    board: Board, start: Bits, end: Bits, times: NDArray[np.floating], moments: Iterable[float]
) -> Iterator[Bits]:
    """Configurations on the way, each reachable from the last, in which no cell changes twice.

    ``start``: bool (rows, columns), ``end``: bool (rows, columns), ``times``: (rows, columns).
    """
    if board.nullity == 0:
        yield from (np.where(times <= moment, end, start) for moment in moments)
        return
    cells = np.flatnonzero(start != end)
    cells = cells[np.argsort(times.flat[cells], kind="stable")]
    # The columns of the parity checks, bit t for check t.
    words = quiet_patterns_of_board(board.mirrored).pattern_columns()[cells]
    times, columns = times.flat[cells], [int.from_bytes(word.tobytes(), "little") for word in words]
    current, left = start.copy(), np.arange(len(cells))  # places in ``cells``
    for moment in moments:
        due = int(np.searchsorted(times[left], moment, side="right"))
        fails = 0
        for index in left[:due].tolist():
            fails ^= columns[index]
        nearest = left[np.argsort(np.abs(times[left] - moment), kind="stable")] if fails else left
        shifted = find_summands(fails, ((index, columns[index]) for index in nearest.tolist()))
        flipped = np.setxor1d(left[:due], shifted).astype(np.int64)
        left = np.setdiff1d(left, flipped, assume_unique=True)
        current.flat[cells[flipped]] ^= True
        yield current.copy()


def find_summands(total: int, columns: Iterable[tuple[int, int]]) -> list[int]:
    """Names of columns that sum up to a total over GF(2), out of the first that can do it.

    >>> find_summands(0b110, [(7, 0b011), (8, 0b011), (9, 0b101), (10, 0b110)])
    [7, 9]
    """
    basis = dict[int, tuple[int, int]]()  # by the highest bit: a sum, and what it is a sum of
    names = list[int]()

    def reduce_by_basis(bits: int, of: int) -> tuple[int, int]:
        while entry := basis.get(bits.bit_length()):
            bits, of = bits ^ entry[0], of ^ entry[1]
        return bits, of

    left, combination = total, 0
    for name, column in columns:
        if not left:
            break
        bits, of = reduce_by_basis(column, 1 << len(names))
        if bits:
            names.append(name)
            basis[bits.bit_length()] = bits, of
            left, combination = reduce_by_basis(left, combination)
    return [name for number, name in enumerate(names) if combination >> number & 1]
