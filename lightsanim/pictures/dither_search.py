"""Targets that are searched: cells change, and swap levels, while the eye's error becomes smaller.

A dither decides cell by cell; a search looks at the whole.  The error is that of what is shown,
blurred as the eye blurs it; for strokes the likeness of structures counts as well.

M. Analoui and J. P. Allebach, "Model-based halftoning using direct binary search", Proc. SPIE 1666
(1992) 96 .. 108; W.-M. Pang, Y. Qu, T.-T. Wong, D. Cohen-Or and P.-A. Heng, "Structure-aware
halftoning", ACM Transactions on Graphics 27 (2008) 89.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.look.blur import gaussian, smoothed
from lightsanim.pictures.level_values import Floats

Levels: TypeAlias = npt.NDArray[np.uint8]
Light: TypeAlias = npt.NDArray[np.float32]
Likeness: TypeAlias = Callable[[Light], tuple[Light, Light]]
"""From what is shown to how its likeness to a grey grows with each cell's value and its square."""

# The eye: the standard deviation, in cells, and the reach of its blur, whose correlation with
# itself says what two changes do to each other.
EYE, REACH = 0.7, 3

# The window in which structures are compared, and the constants that keep the index of Z. Wang and
# others (IEEE Trans. Image Processing 13 (2004) 600) finite in flat parts.
WINDOW, WINDOW_REACH = 1.5, 4
FLAT_MEAN, FLAT_CONTRAST = 0.01**2, 0.03**2

# How much structures count beside the error.
STRUCTURE = 0.1

# Changes that are made together are more than so many cells apart: they hardly touch each other.
APART = 5

# Rounds, at most; and of strokes those before, which are annealed, from a temperature to another.
ROUNDS, ANNEALED = 40, 100
HOT, COLD = 0.02, 0.005

# Neighbours that a cell swaps with: down and right.  Those before it swap with it.
SWAPS = ((0, 1), (1, 0), (1, 1), (1, -1))

# The search ends with a round of fewer than one change for so many cells.
FEW = 5000

# What a change must bring, at least, and the draw that decides between equals.
LEAST, TIE = 1e-5, 1e-7


def searched(levels: Levels, grey: Floats, shown: Floats, *, strokes: bool = False) -> Levels:
    """A target that comes closer to some grey values than the dithered one from which it begins.

    ``levels``: (rows, columns), the dithered target; ``grey``: (rows, columns), what it is to look
    like; ``shown``: (levels,), the value that each level is shown as.  With strokes structures
    count, too: hair becomes strokes, and grounds are clean.
    """
    levels, rng = levels.copy(), np.random.default_rng(0)
    likeness = _likeness_to(grey.astype(np.float32)) if strokes else None
    heat = np.geomspace(HOT, COLD, ANNEALED) if strokes else np.zeros(0)
    for temperature in [*heat, *[TIE] * ROUNDS]:
        moves = _moves(levels, grey, shown, likeness)
        best = moves.min(axis=0)
        best -= np.float32(temperature) * rng.standard_exponential(best.shape, np.float32)
        chosen = (best < -LEAST) & (best == _least_near(best))
        if temperature == TIE and np.count_nonzero(chosen) * FEW < chosen.size:
            break
        _make(levels, moves.argmin(axis=0), chosen)
    return levels


def visibility(levels: Levels, grey: Floats | Light, shown: Floats) -> Light:
    """How far what the eye sees of each cell is above what it should see, blurred.

    Returns float32 (rows, columns).  A cell that is changed by ``t`` makes the error larger by
    ``2 t visibility + t**2 eye()[0]**2``.
    """
    return smoothed((shown[levels] - grey).astype(np.float32), eye(), "constant")


@cache
def eye() -> Light:
    """The correlation of the eye's blur with itself, along a side: float32 (reach + 1,)."""
    whole = gaussian(EYE, REACH).astype(np.float32)
    return np.convolve(whole, whole)[2 * REACH :].astype(np.float32)


def _moves(levels: Levels, grey: Floats, shown: Floats, likeness: Likeness | None) -> Light:
    # What it costs to move each cell up or down a level, and to do so while a neighbour does the
    # opposite: float32 (moves, rows, columns), inf for what cannot be done.
    values = shown.astype(np.float32)
    steps = np.stack([np.diff(values, append=values[-1]), np.diff(values, prepend=values[0])])
    steps[1] *= -1
    by = steps[:, levels]
    felt, error = visibility(levels, grey, shown), np.float32(1 - STRUCTURE if likeness else 1)
    costs = error * by * (2 * felt + by * eye()[0] ** 2)
    if likeness:
        by_value, by_square = likeness(values[levels])
        costs -= np.float32(STRUCTURE) * by * (by_value + (2 * values[levels] + by) * by_square)
    costs[by == 0] = np.inf
    moves = np.full((2 + 2 * len(SWAPS), *levels.shape), np.inf, np.float32)
    moves[:2] = costs
    for number, offset in enumerate(SWAPS, start=1):
        here, there = _overlap(levels.shape, *offset)
        near = 2 * error * eye()[np.abs(offset)].prod()
        for way in (0, 1):
            both = near * by[way][here] * by[1 - way][there]
            moves[2 * number + way][here] = costs[way][here] + costs[1 - way][there] + both
    return moves


def _make(levels: Levels, which: npt.NDArray[np.intp], chosen: npt.NDArray[np.bool_]) -> None:
    # The chosen moves, in place.
    rows, columns = np.nonzero(chosen)
    number, down = np.divmod(which[rows, columns], 2)
    change = (1 - 2 * down).astype(np.uint8)  # -1 is 255, which wraps round
    levels[rows, columns] += change
    swaps = number > 0
    offset = np.array(SWAPS)[number[swaps] - 1]
    levels[rows[swaps] + offset[:, 0], columns[swaps] + offset[:, 1]] -= change[swaps]


def _overlap(shape: tuple[int, int], down: int, right: int) -> Iterable[tuple[slice, slice]]:
    # The cells that have a neighbour at an offset, and these neighbours.
    rows, columns = shape
    here = slice(0, rows - down), slice(max(0, -right), columns - max(0, right))
    there = slice(down, rows), slice(max(0, right), columns + min(0, right))
    return here, there


def _least_near(values: Light) -> Light:
    # The least of 0 and the values within the distance of moves that are made together.
    for _ in range(2):
        wide = np.pad(values, ((APART, APART), (0, 0)))
        values = np.lib.stride_tricks.sliding_window_view(wide, 2 * APART + 1, 0).min(axis=2).T
    return values


def _likeness_to(grey: Light) -> Likeness:
    # The index of structural similarity, summed over all windows: its derivatives by the means that
    # it is made of.
    window = gaussian(WINDOW, WINDOW_REACH)[WINDOW_REACH:]
    share = smoothed(np.ones_like(grey), window, "constant")

    def mean(values: Light) -> Light:
        return smoothed(values, window, "constant") / share

    def spread(derivative: Any) -> Light:
        return smoothed(derivative / share, window, "constant")

    other, squared = mean(grey), mean(grey * grey)

    def likeness(shown: Light) -> tuple[Light, Light]:
        one = mean(shown)
        contrasts = mean(shown * shown) - one * one + squared - other * other + FLAT_CONTRAST
        means = one * one + other * other + FLAT_MEAN
        like_means = 2 * one * other + FLAT_MEAN
        like_contrasts = 2 * (mean(shown * grey) - one * other) + FLAT_CONTRAST
        index = like_means * like_contrasts / (means * contrasts)
        by_mean = other / like_means - other / like_contrasts - one / means + one / contrasts
        by_product = 2 * index / like_contrasts
        return spread(2 * index * by_mean) + grey * spread(by_product), spread(-index / contrasts)

    return likeness
