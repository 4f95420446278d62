"""Measure whether a film may flash more than WCAG 2.3.1 allows; `saving/output_files.py` tells it.

A film fails if more than a quarter of its area has more than three general or three red flashes
within one second.  A flash is a pair of opposing transitions.  A general transition changes the
relative luminance by at least 0.1, with the darker end below 0.8.  A red transition leads to or
from a saturated red, and changes the chromaticity (CIE 1976 u'v') by more than 0.2.
"""

import math
from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lightsanim.film.animation import Animation
from lightsanim.game.levels import Shades
from lightsanim.pictures.light import LUMINANCE_WEIGHTS, TO_XYZ, decode_srgb
from .theme import Theme, premultiply

MAX_TRANSITIONS = 6  # Transitions of a cell within a second: those of three flashes.
CALM_FPS = 6  # A film of at most this many frames per second cannot have more transitions.
MAX_AREA = 0.25  # Share of the board that may have more transitions.
MIN_LUMINANCE_CHANGE, MAX_DARKER_LUMINANCE = 0.1, 0.8
MIN_REDNESS, MIN_CHROMATICITY_CHANGE = 0.8, 0.2
ALMOST_A_SECOND = 1 - 1e-6  # The difference allows for rounded times.

Values = NDArray[np.float64]


def may_flash(animation: Animation, theme: Theme) -> bool:
    """Return whether a film may exceed the flash thresholds of WCAG 2.3.1 in a look."""
    times = _frame_times(animation)
    if not _has_enough_changes(animation, times):
        return False
    before = animation.shades_at(0).ravel()
    colours = premultiply(theme.shades_with_alpha(animation.boards, animation.board.levels))
    # The page around a film may be dark or light, and shines through transparent colours.
    grounds = {0, 255} if (colours[:, 3] < 1).any() else {0}
    looks = (colours[:, :3] + ground * (1 - colours[:, 3:]) for ground in grounds)
    counters = [counter for look in looks for counter in _build_counters(look, before)]
    plays = chain.from_iterable(animation.changes() for _ in times)
    for time, (shades, _) in zip(times.tolist(), plays, strict=False):
        now = shades.ravel().copy()
        changed = np.flatnonzero(now != before)
        if any(counter.exceeds_with(changed, now[changed], time) for counter in counters):
            return True
        before = now
    return False


def _frame_times(animation: Animation) -> Values:
    # Returns when the frames begin, in the first play and for a second after it.
    starts = np.concatenate([[0], np.cumsum(animation.durations())])
    plays = 1 + math.ceil(1 / starts[-1])
    plays = min(plays, animation.loop) if animation.loop else plays
    times = np.add.outer(np.arange(plays) * starts[-1], starts[:-1]).ravel()
    return np.asarray(times[times < starts[-1] + 1])


def _has_enough_changes(animation: Animation, times: Values) -> bool:
    # Bounds the changes within each second by the clicks, which settles most films at once.
    board = animation.board
    changes = np.minimum(animation.clicks_by_frame * board.most_flips, board.cells)
    # All cells may change from the last frame to the first one.
    changes = np.resize(np.append(board.cells, changes), len(times))
    done = np.append(board.cells, np.cumsum(changes))  # The first frame changes nothing.
    first, last = np.searchsorted(times, times - ALMOST_A_SECOND), np.arange(1, len(times) + 1)
    is_fast = last - first > MAX_TRANSITIONS
    least = (MAX_TRANSITIONS + 1) * MAX_AREA * board.cells
    return bool((is_fast & (done[last] - done[first] > least)).any())


class _TransitionCounter:
    """Counts the opposing transitions of each cell between the peaks and valleys of a value."""

    def __init__(self, values: Values, pairs: NDArray[np.bool_], shades: Shades) -> None:
        self.values, self.pairs = values, pairs  # of each shade; of shades that are a transition
        # Shades of each cell with the lowest and the highest value since its latest transition.
        self.lows, self.highs = shades.copy(), shades.copy()
        self.directions = np.zeros(len(shades), np.int8)  # 1 = rising, -1 = falling
        # Times of the latest transitions of each cell, the oldest first.
        self.times = np.full((MAX_TRANSITIONS + 1, len(shades)), -np.inf)

    def exceeds_with(self, cells: NDArray[np.intp], shades: Shades, time: float) -> bool:
        """Add the new shades of some cells; return whether too many cells exceed the limit."""
        lows, highs, directions = self.lows[cells], self.highs[cells], self.directions[cells]
        is_lower = self.values[shades] < self.values[lows]
        is_higher = self.values[shades] > self.values[highs]
        rises = self.pairs[lows, shades] & ~is_lower & (directions <= 0)
        opposes = rises | self.pairs[highs, shades] & ~is_higher & (directions >= 0)
        self.lows[cells] = np.where(opposes | is_lower, shades, lows)
        self.highs[cells] = np.where(opposes | is_higher, shades, highs)
        cells = cells[opposes]
        self.directions[cells] = np.where(rises, 1, -1)[opposes]
        self.times[:-1, cells] = self.times[1:, cells]
        self.times[-1, cells] = time
        return bool(np.mean(time - self.times[0] < ALMOST_A_SECOND) > MAX_AREA)


def _build_counters(colours: Values, shades: Shades) -> Iterator[_TransitionCounter]:
    # Yields the counter of general transitions, and that of red transitions if there can be any.
    light = decode_srgb(colours / 255).astype(np.float64)
    luminance, total = light @ LUMINANCE_WEIGHTS, light.sum(axis=1)
    is_dark = luminance < MAX_DARKER_LUMINANCE
    is_far = np.abs(np.subtract.outer(luminance, luminance)) >= MIN_LUMINANCE_CHANGE
    yield _TransitionCounter(luminance, is_far & np.logical_or.outer(is_dark, is_dark), shades)
    redness = light[:, 0] / np.where(total, total, 1)
    is_red = redness >= MIN_REDNESS
    x, y, z = TO_XYZ @ np.where(total, light.T, 1)  # Black counts as a grey.
    chromaticity = (4 * x + 9j * y) / (x + 15 * y + 3 * z)
    is_far = np.abs(np.subtract.outer(chromaticity, chromaticity)) > MIN_CHROMATICITY_CHANGE
    if (pairs := is_far & np.logical_or.outer(is_red, is_red)).any():
        yield _TransitionCounter(redness, pairs, shades)
