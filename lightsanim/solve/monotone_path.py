"""Find a path of accessible configurations between two others, for boards with two levels.

Every cell that differs has a time at which it should change.  If exactly the cells that are due
change, some parity checks may fail.  Then some cells whose times are near change earlier or later:
an elimination adds cells, those nearest in time first, until some of their columns add up to the
failing checks.  A solution always exists: all cells that are due, so that none of them changes.
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
    """Yield an accessible configuration for each moment; no cell changes more than once.

    ``start`` and ``end``, bool (rows, columns), are accessible.  ``times``, (rows, columns), are
    those at which cells should change, on the same scale as ``moments``, which ascend.
    """
    if board.nullity == 0:
        yield from (np.where(times <= moment, end, start) for moment in moments)
        return
    cells = np.flatnonzero(start != end)
    cells = cells[np.argsort(times.flat[cells], kind="stable")]
    words = quiet_patterns_of_board(board.mirrored).pattern_columns()[cells]
    # Bit t of a column says whether the cell is in parity check t.
    times, columns = times.flat[cells], [int.from_bytes(word.tobytes(), "little") for word in words]
    current, left = start.copy(), np.arange(len(cells))  # ``left`` indexes unchanged cells
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
    """Return the names of some columns that add up to ``total`` over GF(2).

    ``columns`` yields pairs of a name and a column; only the first that suffice are read.

    >>> find_summands(0b110, [(7, 0b011), (8, 0b011), (9, 0b101), (10, 0b110)])
    [7, 9]
    """
    basis = dict[int, tuple[int, int]]()  # highest bit: (sum, mask of its summands)
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
