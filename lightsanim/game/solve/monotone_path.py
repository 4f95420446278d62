"""Find a path of accessible configurations between two others, for boards with two levels.

Every cell that differs has a time at which it should change.  If exactly the cells that are due
change, some parity checks may fail.  Then some cells whose times are near change earlier or later:
an elimination adds cells, those nearest in time first, until some of their columns add up to the
failing checks.  A solution always exists: all cells that are due, so that none of them changes.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.digits import DigitPacking, Words, reduced_echelon_form
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.algebra.modular import Indices
from lightsanim.game.board.board import Board
from .components import quiet_patterns_of_board


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
    columns = quiet_patterns_of_board(board.mirrored).pattern_columns()[cells]
    times, current, left = times.flat[cells], start.copy(), np.arange(len(cells))
    for moment in moments:  # ``left`` indexes unchanged cells
        due = int(np.searchsorted(times[left], moment, side="right"))
        fails = np.bitwise_xor.reduce(columns[left[:due]], axis=0)
        nearest = left[np.argsort(np.abs(times[left] - moment), kind="stable")]
        shifted = nearest[find_summands(columns[nearest], fails, board.nullity)]
        flipped = np.setxor1d(left[:due], shifted)
        left = np.setdiff1d(left, flipped, assume_unique=True)
        current.flat[cells[flipped]] ^= True
        yield current.copy()


def find_summands(columns: Words, total: Words, digits: int) -> Indices:
    """Return the indices of some columns, the first possible, that add up to ``total`` over GF(2).

    ``columns`` is (n, words), of ``digits`` digits each, ``total`` (words,).
    """
    packing, count = DigitPacking(2), digits if total.any() else 0
    while True:
        beside = packing.unpack(np.vstack([columns[:count], total]), digits).T
        rows, leading = reduced_echelon_form(beside, 2)
        if not leading or leading[-1] < beside.shape[1] - 1:
            return np.asarray(np.array(leading, np.int64)[rows[:, -1] == 1])
        count *= 2
