"""From one configuration to the next: is it done by clicks, and by how few?"""

import time
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from lightsanim.algebra.digits import DigitPacking, Words
from lightsanim.algebra.linear import Bits
from lightsanim.algebra.modular import mod_product
from lightsanim.board.board import Board
from lightsanim.look.levels import Lights
from lightsanim.proof.cell_readers import Cells
from lightsanim.solve.components import Component, quiet_patterns_of_board
from lightsanim.solve.fewest import FRAME_SEARCH_SECONDS, fewest_clicks
from lightsanim.system.deadline import Deadline

# How far choices of the cells that are assumed not to be clicked stray from those where the least
# changed: little at first, and then at random, for rules whose clicks change cells far away.
JITTER_SCHEDULE = (*[1] * 4, *[10_000] * 8)

# Seconds for each file that searches of all click sets, the last resort, may take.
TIME_LIMIT = 10.0

# Where a cell is clicked, cells change that are no farther away than this.
WINDOW_RADIUS = 2


class BoardChange(NamedTuple):
    """What a step changes on one board."""

    cells: Cells  # the numbers of the cells that change, ascending
    raised: Lights  # by how much each is raised, modulo the levels; 1, or True, with two


class ClickCount(NamedTuple):
    """How many clicks were found that make a change, and how many it takes at least."""

    clicks: int
    bound: int


class ClickFinder:
    """Finds the clicks that make a change on a board."""

    def __init__(self, board: Board) -> None:
        self._board, self._mirrored = board, board.mirrored
        self._basis: _InformationSet | None = None
        self._seconds_left = TIME_LIMIT
        self._rng = np.random.default_rng(0)

    def count_clicks(self, change: BoardChange, limit: int | None) -> ClickCount:
        """The clicks that make this change, and no other: how many, the fewest found."""
        if not len(change.cells):
            return ClickCount(0, 0)
        if self.find_click(change) is not None:
            return ClickCount(1, 1)
        if limit is not None and limit <= 1:
            return ClickCount(2, 2)  # or none at all: more than one, either way
        nothing = np.zeros_like(self._board.reference)
        difference = nothing.copy()
        difference.flat[change.cells] = change.raised
        clicks = self._board.clicks_between(nothing, difference)
        return self._find_lightest_click_set(clicks, difference, limit)

    def find_click(self, change: BoardChange) -> int | None:
        """The cell whose click is exactly this; None if there is none.

        >>> finder = ClickFinder(Board(1, 3, levels=3))
        >>> finder.find_click(BoardChange(np.array([0, 1]), np.array([1, 1], np.uint8)))
        0
        >>> finder.find_click(BoardChange(np.array([0, 1]), np.array([2, 2], np.uint8))) is None
        True
        """
        # Only clicks that flip the first cell, the last and one between are tried: those that these
        # flip under the mirrored rule.
        changed, flips = change.cells, np.repeat(*change)
        tried = changed[[0, -1, len(changed) // 2]]
        index, cells = self._mirrored.flips(tried)
        for cell in set.intersection(*(set(cells[index == n].tolist()) for n in range(len(tried)))):
            _, flipped = self._board.flips(np.array([cell]))
            if np.array_equal(np.sort(flipped), flips):
                return int(cell)
        return None

    def _find_lightest_click_set(
        self, clicks: Lights, difference: Lights, limit: int | None
    ) -> ClickCount:
        """The lightest set found that does what some clicks do, which is not a single click.

        They differ by quiet patterns.  Suppose that some cells are not clicked, as many as the
        nullity, chosen such that the patterns are independent there: then there is just one set
        left.  It is the lightest if that one clicks none of those cells either, so they are best
        chosen far from all that changed.  What served for one frame often serves for the next.

        Source: information-set decoding, Prange 1962, with the least likely places first, as in
        ordered-statistics decoding, Fossorier and Lin 1995.
        """
        board, lightest = self._board, self._board.count(clicks)
        if board.nullity == 0:
            return ClickCount(lightest, lightest)
        if not board.can_list_patterns:
            return ClickCount(lightest, 2)
        began = time.monotonic()
        for count in self._try_click_counts(clicks, difference, quick=limit is None):
            lightest = min(lightest, count)
            if limit is not None and lightest <= limit:
                break
        if limit is None or lightest <= limit or self._seconds_left <= 0:
            return ClickCount(lightest, 2)
        fewest = fewest_clicks(board, clicks, time_limit=self._seconds_left)
        self._seconds_left -= time.monotonic() - began
        return ClickCount(min(lightest, fewest.count), max(2, fewest.bound))

    def _try_click_counts(
        self, clicks: Lights, difference: Lights, *, quick: bool
    ) -> Iterator[int]:
        # With the cells that served last time, as the makers of steps search, then with others.
        if not quick:
            if self._basis is not None:
                yield self._basis.count_clicks(clicks)
            work = Deadline(TIME_LIMIT).of_work(FRAME_SEARCH_SECONDS)
            yield fewest_clicks(self._board, clicks, time_limit=work, program=False).count
        for jitter in JITTER_SCHEDULE[:1] if quick or self._seconds_left <= 0 else JITTER_SCHEDULE:
            # Cells with the fewest changes around them first, those that are equal in any order.
            distance = _count_changes_nearby(difference > 0) + jitter * self._rng.random(
                difference.shape
            )
            self._basis = _InformationSet(*self._quiet_patterns, np.argsort(distance, axis=None))
            yield self._basis.count_clicks(clicks)

    @cached_property
    def _quiet_patterns(self) -> tuple[Component, Words]:
        # And their columns.
        patterns = quiet_patterns_of_board(self._board)
        return patterns, patterns.pattern_columns()


class _InformationSet:
    """Cells, the first in an order, that are not clicked: the patterns are independent there."""

    def __init__(self, patterns: Component, columns: Words, order: Cells) -> None:
        self._patterns, self._digits = patterns, DigitPacking(patterns.q)
        self._cells, self._inverse = self._digits.find_basis(columns, order, len(patterns))

    def count_clicks(self, clicks: Lights) -> int:
        """How many clicks of a set are left when none of the own cells is clicked."""
        left = self._digits.pack(clicks.ravel())
        times = mod_product(clicks.flat[self._cells][None], self._inverse, self._patterns.q)[0]
        for pattern in np.repeat(np.arange(len(times)), times):
            left = self._digits.subtract(left, self._patterns.patterns[pattern])
        return int(self._digits.unpack(left, clicks.size).sum())


def _count_changes_nearby(difference: Bits) -> NDArray[np.int64]:
    # How many cells changed around each.
    counts = np.pad(difference.astype(np.int64), WINDOW_RADIUS)
    for axis in (0, 1):
        counts = sliding_window_view(counts, 2 * WINDOW_RADIUS + 1, axis).sum(axis=-1)
    return counts
