"""From one configuration to the next: is it done by clicks, and by how few?"""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.proof.cell_readers import Cells
from lightsanim.solve.fewest import fewest_clicks

# Choices of the cells that are assumed not to be clicked.
ATTEMPTS = 4

# Seconds for each file that searches of all click sets, the last resort, may take.
TIME_LIMIT = 10.0

# Where a cell is clicked, cells change that are no farther away than this.
NEAR = 2


class Found(NamedTuple):
    """How many clicks were found that make a change, and how many it takes at least."""

    clicks: int
    bound: int


class Steps:
    """Finds the clicks that make a change on a board."""

    def __init__(self, board: Board) -> None:
        self._board, self._offsets = board, board.offsets()
        self._light = _LightClicks(board)

    def clicks(self, changed: Cells, most: int | None) -> Found:
        """The clicks that change these cells, and no others: how many, the fewest found.

        Args:
            changed: the cells' numbers, ascending.
            most: a set of no more clicks is enough; None to take the first one found.

        Raises:
            InaccessibleError: if no clicks do.
        """
        if not len(changed):
            return Found(0, 0)
        if self.single(changed) is not None:
            return Found(1, 1)
        if most is not None and most <= 1:
            return Found(2, 2)  # or none at all: more than one, either way
        difference = np.zeros(self._board.shape, bool)
        difference.flat[changed] = True
        clicks = self._board.clicks_between(np.zeros(self._board.shape, bool), difference)
        if self._board.nullity == 0:
            count = int(np.count_nonzero(clicks))
            return Found(count, count)
        return self._light.find(clicks, difference, most)

    def single(self, changed: Cells) -> int | None:
        """The cell whose neighbourhood is exactly this; None if there is none.

        >>> Steps(Board(3, 3)).single(np.array([0, 1, 3])), Steps(Board(3, 3)).single(np.array([0]))
        (0, None)
        """
        # Only clicks that flip the first cell, the last and one between are tried.
        able = self._clicks_on(int(changed[0]))
        for place in (len(changed) - 1, len(changed) // 2):
            able &= self._clicks_on(int(changed[place]))
        for cell in able:
            _, flipped = self._board.flips(np.array([cell]))
            if np.array_equal(np.sort(flipped), changed):
                return cell
        return None

    def _clicks_on(self, cell: int) -> set[int]:
        # The cells whose clicks flip a cell, and perhaps some that do not.
        board = self._board
        row, column = divmod(cell, board.columns)
        places = ((row - down, column - right) for down, right in self._offsets)
        if board.wrap:
            return {r % board.rows * board.columns + c % board.columns for r, c in places}
        return {
            r * board.columns + c
            for r, c in places
            if 0 <= r < board.rows and 0 <= c < board.columns
        }


class _LightClicks:
    """Of all click sets that make a change, finds one with few clicks.

    They differ by quiet patterns.  Suppose that some cells are not clicked, as many as the nullity,
    chosen such that the patterns are independent there: then there is just one set left.  It is the
    lightest if that one clicks none of those cells either, so they are best chosen far from all
    that changed.  What served for one frame often serves for the next.

    Source: information-set decoding, Prange 1962, with the least likely places first, as in
    ordered-statistics decoding, Fossorier and Lin 1995.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._basis: _Basis | None = None
        self._seconds_left = TIME_LIMIT
        self._rng = np.random.default_rng(0)

    def find(self, clicks: Bits, difference: Bits, most: int | None) -> Found:
        """The lightest set found, which is not a single click.

        Args:
            clicks: bool (rows, columns), any set that makes the change.
            difference: bool (rows, columns), the change.
            most: a set of no more clicks is enough; None to take the first one found.
        """
        board, lightest = self._board, int(np.count_nonzero(clicks))
        if not board.can_list_patterns:
            return Found(lightest, 2)
        began = time.monotonic()
        for count in self._counts(clicks, difference, quick=most is None):
            lightest = min(lightest, count)
            if most is not None and lightest <= most:
                break
        if most is None or lightest <= most or self._seconds_left <= 0:
            return Found(lightest, 2)
        fewest = fewest_clicks(board, clicks, time_limit=self._seconds_left)
        self._seconds_left -= time.monotonic() - began
        return Found(min(lightest, fewest.count), max(2, fewest.bound))

    def _counts(self, clicks: Bits, difference: Bits, *, quick: bool) -> Iterator[int]:
        # With the cells that served last time, then with others.
        packed = np.packbits(clicks, axis=None, bitorder="little")
        if self._basis is not None and not quick:
            yield self._basis.count(packed)
        for _ in range(1 if quick or self._seconds_left <= 0 else ATTEMPTS):
            self._basis = self._far_from(difference)
            yield self._basis.count(packed)

    def _far_from(self, difference: Bits) -> "_Basis":
        # Cells with the fewest changes around them first, those that are equal in any order.
        near = _in_windows(difference) + self._rng.random(difference.shape)
        return _Basis(self._board.packed_quiet_patterns(), np.argsort(near, axis=None))


class _Basis:
    """Quiet patterns, recombined so that each has one cell of its own.

    Args:
        patterns: uint8 (nullity, bytes), packed.
        order: the cells, in the order in which they are wanted as a pattern's own.
    """

    def __init__(self, patterns: NDArray[np.uint8], order: Cells) -> None:
        self._rows = rows = patterns.copy()
        self._own = own = np.full(len(rows), -1)
        for cell in order:
            holding = np.flatnonzero(rows[:, cell >> 3] >> (cell & 7) & 1)
            free = holding[own[holding] < 0]
            if len(free):
                own[free[0]] = cell
                others = holding[holding != free[0]]
                rows[others] ^= rows[free[0]]
                if own.min() >= 0:
                    break

    def count(self, clicks: NDArray[np.uint8]) -> int:
        """How many clicks of a packed set are left when none of the own cells is clicked."""
        clicked = clicks[self._own >> 3] >> (self._own & 7) & 1 == 1
        left = clicks ^ np.bitwise_xor.reduce(self._rows[clicked], axis=0)
        return int(np.bitwise_count(left).sum())


def _in_windows(difference: Bits) -> NDArray[np.int64]:
    # How many cells changed around each.
    counts = np.pad(difference.astype(np.int64), NEAR)
    for axis in (0, 1):
        counts = sliding_window_view(counts, 2 * NEAR + 1, axis).sum(axis=-1)
    return counts
