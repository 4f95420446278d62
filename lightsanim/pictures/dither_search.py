"""Dithering by search: cells change or swap levels as long as that lowers the perceived error.

The perceived error is the difference between the shown and the ideal values, blurred as the eye
blurs it.  The dither "strokes" also counts structural similarity: hair becomes strokes, backgrounds
are clean.  In colour, the search also lowers the chroma of single cells where the picture is grey,
which would look like confetti.

M. Analoui and J. P. Allebach, "Model-based halftoning using direct binary search", Proc. SPIE 1666
(1992) 96 .. 108; W.-M. Pang, Y. Qu, T.-T. Wong, D. Cohen-Or and P.-A. Heng, "Structure-aware
halftoning", ACM Transactions on Graphics 27 (2008) 89.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .blur import blur_values, gaussian_weights
from .dither_diffusion import Float64Array

Levels: TypeAlias = npt.NDArray[np.uint8]
Float32Array: TypeAlias = npt.NDArray[np.float32]
Similarity: TypeAlias = Callable[[Float32Array], tuple[Float32Array, Float32Array]]
"""Function of the cells' shown values.  It returns the derivatives of their structural similarity
to a grey picture: with respect to each value, and with respect to its square."""

# Standard deviation and reach, in cells, of the Gaussian blur that models the eye.
EYE_DEVIATION, EYE_REACH = 0.7, 3
# Standard deviation and reach, in cells, of the Gaussian window of structural similarity.
WINDOW_DEVIATION, WINDOW_REACH = 1.5, 4
# Constants that keep the similarity finite in flat areas (Z. Wang and others, IEEE Trans. Image
# Processing 13 (2004) 600).
FLAT_MEAN, FLAT_CONTRAST = 0.01**2, 0.03**2
# Weight of the structural similarity in "strokes"; the weight of the perceived error is 1 - this.
STRUCTURE = 0.1
# Changes of one round are more than this many cells apart, so that they hardly affect each other.
SPACING = 5
# Maximum number of rounds; number of annealed rounds that precede them in "strokes".
MAX_ROUNDS, ANNEALED_ROUNDS = 40, 100
# Cost of a cell's excess chroma, squared, where the picture is grey; and the saturation, the range
# of the planes' values, from which it is 0.  A neutral wall gets a quarter of the chroma, and the
# error of skin falls by 2 % (scikit-image's astronaut on 60 to 130 cells).
CHROMA_COST, MAX_SATURATION = 0.06, 0.2
# Number of annealed rounds in colour, and their first and last temperatures.
COLOUR_ROUNDS, MAX_COLOUR_HEAT, MIN_COLOUR_HEAT = 40, 0.01, 0.0003
# Temperatures of the first and the last annealed round, in the unit of `_move_costs`.
MAX_HEAT, MIN_HEAT = 0.02, 0.005
# Row and column offsets of neighbours to swap with; the opposite offsets give the same pairs.
SWAP_OFFSETS = ((0, 1), (1, 0), (1, 1), (1, -1))
# The search ends when a round would change fewer than one in this many cells.
CELLS_PER_CHANGE = 5000
# Smallest decrease of the cost for which a cell changes; scale of the noise that breaks ties.
MIN_GAIN, TIE_NOISE = 1e-5, 1e-7
# Slope of the grey values, per cell, below which they are equal but for rounding.
MAX_SLOPE = 1e-6


def refine_target(
    levels: Levels, grey: Float64Array, level_values: Float64Array, *, strokes: bool = False
) -> Levels:
    """Refine a dithered target: return levels that look closer to the grey values."""
    levels, rng = levels.copy(), np.random.default_rng(0)
    similarity = _build_similarity_function(grey.astype(np.float32)) if strokes else None
    heat = np.geomspace(MAX_HEAT, MIN_HEAT, ANNEALED_ROUNDS) if strokes else np.zeros(0)
    for temperature in [*heat, *[TIE_NOISE] * MAX_ROUNDS]:
        costs = _move_costs(levels, grey, level_values, similarity)
        chosen = choose_moves(costs, temperature, rng)
        if temperature == TIE_NOISE and np.count_nonzero(chosen) * CELLS_PER_CHANGE < chosen.size:
            break
        _apply_moves(levels, costs.argmin(axis=0), chosen)
    return levels


def refine_colours(
    planes: Sequence[npt.NDArray[Any]], grey: Float64Array, level_values: Float64Array
) -> list[npt.NDArray[Any]]:
    """Refine the dithered planes of one picture together, so that grey areas have little chroma.

    Chroma is how far the excess of each plane over its value is from the mean excess.
    """
    kind, planes = planes[0].dtype, [plane.astype(np.uint8) for plane in planes]
    rng = np.random.default_rng(0)
    weight = CHROMA_COST * np.clip(1 - np.ptp(grey, axis=0) / MAX_SATURATION, 0, 1)
    weight = weight.astype(np.float32)
    excess = (level_values[np.stack(planes)] - grey).astype(np.float32)
    heat = np.geomspace(MAX_COLOUR_HEAT, MIN_COLOUR_HEAT, COLOUR_ROUNDS)
    for temperature in [*heat, *[TIE_NOISE] * MAX_ROUNDS]:
        changes = 0
        for plane, levels in enumerate(planes):
            chroma = excess[plane] - excess.mean(axis=0)
            penalty = weight * chroma, weight * np.float32(1 - 1 / len(planes))
            costs = _move_costs(levels, grey[plane], level_values, None, penalty)
            chosen = choose_moves(costs, temperature, rng)
            _apply_moves(levels, costs.argmin(axis=0), chosen)
            excess[plane] = level_values[levels] - grey[plane]
            changes += int(np.count_nonzero(chosen))
        if temperature == TIE_NOISE and changes * CELLS_PER_CHANGE < weight.size:
            break
    return [levels.astype(kind) for levels in planes]


def perceived_error(
    levels: Levels, grey: Float64Array | Float32Array, level_values: Float64Array
) -> Float32Array:
    """Return the excess brightness that the eye sees at each cell, float32 (rows, columns).

    Changing a cell's value by ``t`` raises the squared error of the eye by
    ``2 t perceived_error + t**2 eye_blur_correlation()[0]**2``.
    """
    excess = (level_values[levels] - grey).astype(np.float32)
    return blur_values(excess, eye_blur_correlation(), "constant")


@cache
def eye_blur_correlation() -> Float32Array:
    """Return the autocorrelation of the eye's blur along one axis, at shifts of 0, 1, ... cells."""
    kernel = gaussian_weights(EYE_DEVIATION, EYE_REACH).astype(np.float32)
    return np.convolve(kernel, kernel)[2 * EYE_REACH :].astype(np.float32)


def choose_moves(
    costs: Float32Array, temperature: float, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Return the cells whose best move is worth making and far enough from better ones."""
    best = costs.min(axis=0)
    best -= np.float32(temperature) * rng.standard_exponential(best.shape, np.float32)
    return np.asarray((best < -MIN_GAIN) & (best == _find_nearby_minima(best)))


def _move_costs(
    levels: Levels,
    grey: Float64Array,
    level_values: Float64Array,
    similarity: Similarity | None,
    penalty: tuple[Float32Array, Float32Array] | None = None,
) -> Float32Array:
    # Returns the cost of raising or lowering each cell by a level, alone or with the opposite
    # change of a neighbour: float32 (moves, rows, columns), infinite for impossible moves.  With a
    # penalty (slope, curvature), a change by t costs 2 t slope + t**2 curvature more.
    values = level_values.astype(np.float32)
    steps = np.stack([np.diff(values, append=values[-1]), np.diff(values, prepend=values[0])])
    steps[1] *= -1
    step = steps[:, levels]
    perceived = perceived_error(levels, grey, level_values)
    weight = np.float32(1 - STRUCTURE if similarity else 1)
    costs = weight * step * (2 * perceived + step * eye_blur_correlation()[0] ** 2)
    if similarity:
        by_value, by_square = similarity(values[levels])
        costs -= np.float32(STRUCTURE) * step * (by_value + (2 * values[levels] + step) * by_square)
    if penalty:
        costs += step * (2 * penalty[0] + step * penalty[1])
    costs[step == 0] = np.inf
    if len(values) > 2:  # A flat grey shows only its level, or the two levels around it.
        is_flat = np.hypot(*np.gradient(np.pad(grey, 1, mode="edge")))[1:-1, 1:-1] < MAX_SLOPE
        excess = np.multiply.outer([1, -1], level_values[levels] - grey)
        costs[is_flat & (excess > -MAX_SLOPE)] = np.inf
    moves = np.full((2 + 2 * len(SWAP_OFFSETS), *levels.shape), np.inf, np.float32)
    moves[:2] = costs
    for number, offset in enumerate(SWAP_OFFSETS, start=1):
        here, there = neighbour_slices(levels.shape, *offset)
        coupling = 2 * weight * eye_blur_correlation()[np.abs(offset)].prod()
        for side in (0, 1):
            both = coupling * step[side][here] * step[1 - side][there]
            moves[2 * number + side][here] = costs[side][here] + costs[1 - side][there] + both
    return moves


def _apply_moves(levels: Levels, best: npt.NDArray[np.intp], chosen: npt.NDArray[np.bool_]) -> None:
    number, down = np.divmod(best[chosen], 2)
    change = (1 - 2 * down).astype(np.uint8)  # in uint8, adding 255 subtracts 1
    levels[chosen] += change
    swaps = number > 0
    there = np.argwhere(chosen)[swaps] + np.array(SWAP_OFFSETS)[number[swaps] - 1]
    levels[*there.T] -= change[swaps]


def neighbour_slices(
    shape: tuple[int, int], down: int, right: int
) -> Iterable[tuple[slice, slice]]:
    """Return slices of the cells that have a neighbour at an offset, and of those neighbours."""
    rows, columns = shape
    here = slice(0, rows - down), slice(max(0, -right), columns - max(0, right))
    there = slice(down, rows), slice(max(0, right), columns + min(0, right))
    return here, there


def _find_nearby_minima(values: Float32Array) -> Float32Array:
    # Returns the minimum within `SPACING` rows and columns of each cell, with 0 beyond the edges.
    for _ in range(2):
        wide = np.pad(values, ((SPACING, SPACING), (0, 0)))
        values = np.lib.stride_tricks.sliding_window_view(wide, 2 * SPACING + 1, 0).min(axis=2).T
    return values


def _build_similarity_function(grey: Float32Array) -> Similarity:
    # Returns a function for the derivatives of the structural similarity, summed over all windows.
    window = gaussian_weights(WINDOW_DEVIATION, WINDOW_REACH)[WINDOW_REACH:]
    share = blur_values(np.ones_like(grey), window, "constant")

    def local_mean(values: Float32Array) -> Float32Array:
        return blur_values(values, window, "constant") / share

    def spread_derivative(derivative: Any) -> Float32Array:
        return blur_values(derivative / share, window, "constant")

    y, yy = local_mean(grey), local_mean(grey * grey)

    def similarity_derivatives(values: Float32Array) -> tuple[Float32Array, Float32Array]:
        x = local_mean(values)
        contrasts = local_mean(values * values) - x * x + yy - y * y + FLAT_CONTRAST
        means = x * x + y * y + FLAT_MEAN
        like_means = 2 * x * y + FLAT_MEAN
        like_contrasts = 2 * (local_mean(values * grey) - x * y) + FLAT_CONTRAST
        index = like_means * like_contrasts / (means * contrasts)
        by_mean = y / like_means - y / like_contrasts - x / means + x / contrasts
        by_product = 2 * index / like_contrasts
        by_value = spread_derivative(2 * index * by_mean) + grey * spread_derivative(by_product)
        return by_value, spread_derivative(-index / contrasts)

    return similarity_derivatives
