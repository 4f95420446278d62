"""Search for the fewest clicks that lead from one configuration to the next."""

import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from lightsanim.game.algebra.digits import DigitPacking, Words
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.algebra.modular import mod_product
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.game.solve.components import Component, quiet_patterns_of_board
from lightsanim.game.solve.fewest import FRAME_SEARCH_SECONDS, fewest_clicks
from lightsanim.system.deadline import Deadline
from .cell_readers import Cells

# Scale of the random noise in each attempt to choose cells that are assumed not to be clicked.
# Little noise prefers cells far from changes; much suits rules whose clicks change distant cells.
JITTER_SCHEDULE = (*[1] * 4, *[10_000] * 8)
TIME_LIMIT = 10.0  # Seconds per file for exhaustive searches, which are the last resort.
WINDOW_RADIUS = 2  # Distance from a changed cell, in cells, up to which clicks are likely.


class BoardChange(NamedTuple):
    """The change that a step makes in one colour plane."""

    cells: Cells  # Numbers of the changed cells, ascending.
    raised: Lights  # Increase of each of these cells' levels, modulo the number of levels.


class ClickCount(NamedTuple):
    """The number of clicks found for a change, and a lower bound of the fewest clicks."""

    clicks: int
    bound: int
    presses: Lights | int | None = None  # The clicks, or the cell of a single one, if found.


class ClickFinder:
    """Finder of the fewest clicks that make a change on a board."""

    def __init__(self, board: Board) -> None:
        self._board, self._mirrored = board, board.mirrored
        self._basis: _InformationSet | None = None
        self._seconds_left = TIME_LIMIT
        self._rng = np.random.default_rng(0)

    def count_step_clicks(
        self, changes: Sequence[BoardChange], limit: int | None
    ) -> list[ClickCount]:
        """Count the clicks of a step, which changes each colour plane; ``limit`` is their sum."""
        counts = [self.count_clicks(change, limit) for change in changes]
        if limit is not None and len(changes) > 1:
            # If the total is too large, search the planes again for fewer clicks.
            for index, change in enumerate(changes):
                excess = sum(count.clicks for count in counts) - limit
                if excess > 0:
                    counts[index] = self.count_clicks(change, counts[index].clicks - excess)
        return counts

    def count_clicks(self, change: BoardChange, limit: int | None) -> ClickCount:
        """Find clicks that make exactly a change, if possible at most ``limit`` of them."""
        if not len(change.cells):
            return ClickCount(0, 0)
        if cells := self.find_clicks(change):
            return ClickCount(1, 1, cells[0])
        if limit is not None and limit <= 1:
            return ClickCount(2, 2)  # even if no clicks make the change
        nothing = np.zeros_like(self._board.reference)
        difference = nothing.copy()
        difference.flat[change.cells] = change.raised
        clicks = self._board.clicks_between(nothing, difference)
        return self._find_lightest_click_set(clicks, difference, limit)

    def find_clicks(self, change: BoardChange) -> list[int]:
        """Find the cells of which a single click makes exactly this change."""
        # Try the cells whose clicks flip the first, the last and a middle cell; the mirrored rule
        # finds them.
        changed, flips = change.cells, np.repeat(*change)
        tried = changed[[0, -1, len(changed) // 2]]
        index, cells = self._mirrored.flips(tried)
        common = set.intersection(*(set(cells[index == n].tolist()) for n in range(len(tried))))
        flipped = ((cell, self._board.flips(np.array([cell]))[1]) for cell in common)
        return [cell for cell, others in flipped if np.array_equal(np.sort(others), flips)]

    def _find_lightest_click_set(
        self, clicks: Lights, difference: Lights, limit: int | None
    ) -> ClickCount:
        """Find the click set with the effect of ``clicks`` and the fewest clicks, at least two.

        Click sets with the same effect differ by quiet patterns.  Choose as many cells as the
        nullity, on which the patterns are independent: only one of the sets clicks none of them.
        It has the fewest clicks if the best set does not click these cells either, so they are
        chosen far from all changes.  Cells that work for one frame often work for the next.

        Source: information-set decoding, Prange 1962, with the least likely cells first, as in
        ordered-statistics decoding, Fossorier and Lin 1995.
        """
        board, best = self._board, ClickCount(self._board.count(clicks), 2, clicks)
        if board.nullity == 0:
            return best._replace(bound=best.clicks)
        if not board.can_list_patterns:
            return best
        began = time.monotonic()
        for found in self._try_click_sets(clicks, difference, quick=limit is None):
            best = min(best, ClickCount(board.count(found), 2, found), key=itemgetter(0))
            if limit is not None and best.clicks <= limit:
                break
        if limit is None or best.clicks <= limit or self._seconds_left <= 0:
            return best
        fewest = fewest_clicks(board, clicks, time_limit=self._seconds_left)
        self._seconds_left -= time.monotonic() - began
        best = min(best, ClickCount(fewest.count, 2, fewest.clicks), key=itemgetter(0))
        return best._replace(bound=max(2, fewest.bound))

    def _try_click_sets(
        self, clicks: Lights, difference: Lights, *, quick: bool
    ) -> Iterator[Lights]:
        # Yield click sets: by the last information set, by the solver, and by new sets.
        if not quick:
            if self._basis is not None:
                yield self._basis.reduce_clicks(clicks)
            work = Deadline(TIME_LIMIT).part(work=FRAME_SEARCH_SECONDS)
            yield fewest_clicks(self._board, clicks, time_limit=work, program=False).clicks
        for jitter in JITTER_SCHEDULE[:1] if quick or self._seconds_left <= 0 else JITTER_SCHEDULE:
            # Cells with the fewest changes nearby come first.
            noise = jitter * self._rng.random(difference.shape)
            order = np.argsort(_count_changes_nearby(difference > 0) + noise, axis=None)
            self._basis = _InformationSet(*self._quiet_patterns, order)
            yield self._basis.reduce_clicks(clicks)

    @cached_property
    def _quiet_patterns(self) -> tuple[Component, Words]:
        patterns = quiet_patterns_of_board(self._board)
        return patterns, patterns.pattern_columns()


class _InformationSet:
    """Cells on which the quiet patterns are independent, chosen in a given order."""

    def __init__(self, patterns: Component, columns: Words, order: Cells) -> None:
        self._patterns, self._digits = patterns, DigitPacking(patterns.q)
        self._cells, self._inverse = self._digits.find_basis(columns, order, len(patterns))

    def reduce_clicks(self, clicks: Lights) -> Lights:
        """Return the equivalent click set that clicks none of these cells."""
        left = self._digits.pack(clicks.ravel())
        times = mod_product(clicks.flat[self._cells][None], self._inverse, self._patterns.q)[0]
        for pattern in np.repeat(np.arange(len(times)), times):
            left = self._digits.subtract(left, self._patterns.patterns[pattern])
        return self._digits.unpack(left, clicks.size).reshape(clicks.shape).astype(clicks.dtype)


def _count_changes_nearby(difference: Bits) -> NDArray[np.int64]:
    # Count the changed cells in the window around each cell.
    counts = np.pad(difference.astype(np.int64), WINDOW_RADIUS)
    for axis in (0, 1):
        counts = sliding_window_view(counts, 2 * WINDOW_RADIUS + 1, axis).sum(axis=-1)
    return counts
