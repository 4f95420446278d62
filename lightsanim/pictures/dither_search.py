"""Dithering by search: cells change or swap levels as long as that lowers the perceived error.

The perceived error is the difference between the shown and the ideal values, blurred as the eye
blurs it.  The dither "strokes" also counts structural similarity: hair becomes strokes, backgrounds
are clean.  In colour, the search also lowers the chroma of single cells where the picture is grey,
which would look like confetti.

M. Analoui and J. P. Allebach, "Model-based halftoning using direct binary search", Proc. SPIE 1666
(1992) 96 .. 108; W.-M. Pang, Y. Qu, T.-T. Wong, D. Cohen-Or and P.-A. Heng, "Structure-aware
halftoning", ACM Transactions on Graphics 27 (2008) 89.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .blur import blur_values, gaussian_weights
from .dither_diffusion import Float64Array

Levels: TypeAlias = npt.NDArray[np.uint8]
Float32Array: TypeAlias = npt.NDArray[np.float32]
Floats: TypeAlias = npt.NDArray[np.floating]
Numbers: TypeAlias = npt.NDArray[np.intp]
Area: TypeAlias = tuple[slice, slice]
PairCosts: TypeAlias = tuple[Area, Float32Array]
OtherCosts: TypeAlias = Callable[[Levels, list[Float32Array]], Any]
"""Function of the cells' levels, and of what each change adds in each channel, (changes, rows,
columns).  It returns what each change costs besides the perceived error."""
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
# Temperatures of the first and the last annealed round, in the unit of the costs of moves.
MAX_HEAT, MIN_HEAT = 0.02, 0.005
# Row and column offsets of neighbours to swap with; the opposite offsets give the same pairs.
SWAP_OFFSETS = ((0, 1), (1, 0), (1, 1), (1, -1))
# The search ends when a round would change fewer than one in this many cells.
CELLS_PER_CHANGE = 5000
# Smallest decrease of the cost for which a cell changes; scale of the noise that breaks ties.
MIN_GAIN, TIE_NOISE = 1e-5, 1e-7
# Slope of the grey values, per cell, below which they are equal but for rounding.
MAX_SLOPE = 1e-6


class LevelSearch:
    """A search for levels of cells that look closer to a picture of one or more channels.

    A move is a change of one cell, or a pair: a cell and a neighbour swap their levels, or one
    level rises and the other falls.

    Args:
        ideal: what the cells should show, float (channels, rows, columns).
        colours: what each level shows, float (channels, levels).
        swaps: whether cells may take any level and swap them; else levels rise and fall by one.
        eye_weight: weight of the perceived error beside other costs.
    """

    def __init__(
        self, ideal: Floats, colours: Floats, *, swaps: bool = False, eye_weight: float = 1
    ) -> None:
        self._ideal, self._colours, self._swaps = ideal, colours, swaps
        self._eye_weight, levels = np.float32(eye_weight), np.arange(colours.shape[1])
        # The level after each change, by the level before, and what it adds to the shown values.
        changes = np.subtract.outer(levels, levels) if swaps else np.array([[1], [-1]])
        self._changes = (levels + changes).clip(0, levels[-1]).astype(np.uint8)
        shown = colours.astype(np.float32)
        self._steps = shown[:, self._changes] - shown[:, None]
        self._is_same, self._is_flat = self._changes == levels, np.array(False)
        # The costs of changes, then of pairs, which stay infinite where a cell has no neighbour.
        moves = len(self._changes) + len(SWAP_OFFSETS) * (1 if swaps else 2)
        self._costs = np.full((moves, *ideal.shape[1:]), np.inf, np.float32)
        if not swaps and len(levels) > 2:
            gradient = np.gradient(np.pad(ideal[0], 1, mode="edge"))
            self._is_flat = np.hypot(*gradient)[1:-1, 1:-1] < MAX_SLOPE

    def refine(
        self, levels: Levels, heat: Iterable[float] = (), other_costs: OtherCosts | None = None
    ) -> Levels:
        """Return levels that look closer; ``heat`` holds the temperatures of annealed rounds."""
        levels, rng = levels.copy(), np.random.default_rng(0)
        for temperature in [*heat, *[TIE_NOISE] * MAX_ROUNDS]:
            least = levels.size / CELLS_PER_CHANGE if temperature == TIE_NOISE else 0
            if self.make_moves(levels, temperature, rng, other_costs, least) < least:
                break
        return levels

    def make_moves(
        self,
        levels: Levels,
        temperature: float,
        rng: np.random.Generator,
        other_costs: OtherCosts | None = None,
        least: float = 0,
    ) -> int:
        """Make the moves that are worth it, and far enough from better ones; return their number.

        If there are fewer than ``least``, none is made.
        """
        costs = self._move_costs(levels, other_costs)
        best = costs.min(axis=0)
        best -= np.float32(temperature) * rng.standard_exponential(best.shape, np.float32)
        chosen = (best < -MIN_GAIN) & (best == _find_nearby_minima(best))
        count = np.count_nonzero(chosen)
        if count >= least:
            self._change_levels(levels, np.argwhere(chosen), costs[:, chosen].argmin(axis=0))
        return int(count)

    def _move_costs(self, levels: Levels, other_costs: OtherCosts | None) -> Float32Array:
        # Returns the costs of all moves: float32 (moves, rows, columns), infinite if impossible.
        shown, steps = self._colours[:, levels], [c.take(levels, axis=1) for c in self._steps]
        excess, bend = shown - self._ideal, eye_blur_correlation()[0] ** 2
        slopes = [2 * blur_as_eye(channel) for channel in excess]
        costs = sum(
            self._eye_weight * step * (slope + step * bend)
            for step, slope in zip(steps, slopes, strict=True)
        )
        if other_costs:
            costs += other_costs(levels, steps)
        costs[self._is_same.take(levels, axis=1)] = np.inf
        if self._is_flat.any():  # A flat grey shows only its level, or the two around it.
            costs[self._is_flat & (excess * [[[1]], [[-1]]] > -MAX_SLOPE)] = np.inf
        self._costs[: len(costs)] = costs
        swaps = _swap_costs(levels, shown, slopes)
        pairs = swaps if self._swaps else _opposite_costs(costs, self._eye_weight, steps[0])
        for number, (here, pair_costs) in enumerate(pairs, start=len(costs)):
            self._costs[number, *here] = pair_costs
        return self._costs

    def _change_levels(self, levels: Levels, cells: Numbers, moves: Numbers) -> None:
        # Makes a move of each of some cells.  Of two pairs with a neighbour that are no swaps, the
        # second lowers the cell and raises the neighbour.
        is_pair = moves >= len(self._changes)
        alone, here = tuple(cells[~is_pair].T), tuple(cells[is_pair].T)
        levels[alone] = self._changes[moves[~is_pair], levels[alone]]
        number, fall = np.divmod(moves[is_pair] - len(self._changes), 1 if self._swaps else 2)
        there = tuple((cells[is_pair] + np.array(SWAP_OFFSETS)[number]).T)
        before, after = levels[here], levels[there]
        if not self._swaps:
            before, after = self._changes[1 - fall, after], self._changes[fall, before]
        levels[here], levels[there] = after, before


def refine_target(
    levels: Levels, grey: Float64Array, level_values: Float64Array, *, strokes: bool = False
) -> Levels:
    """Refine a dithered target: return levels that look closer to the grey values."""
    ideal, colours = grey[None], level_values[None]
    if not strokes:
        return LevelSearch(ideal, colours).refine(levels)
    similarity = _build_similarity_function(grey.astype(np.float32))
    values, weight = level_values.astype(np.float32), np.float32(-STRUCTURE)

    def structure_costs(levels: Levels, steps: list[Float32Array]) -> Any:
        """Return how much structural similarity each change loses."""
        by_value, by_square = similarity(values[levels])
        return weight * steps[0] * (by_value + (2 * values[levels] + steps[0]) * by_square)

    heat = np.geomspace(MAX_HEAT, MIN_HEAT, ANNEALED_ROUNDS)
    search = LevelSearch(ideal, colours, eye_weight=1 - STRUCTURE)
    return search.refine(levels, heat, structure_costs)


def refine_colours(
    planes: Sequence[npt.NDArray[Any]], grey: Float64Array, level_values: Float64Array
) -> list[npt.NDArray[Any]]:
    """Refine the dithered planes of one picture together, so that grey areas have little chroma.

    Chroma is how far the excess of each plane over its value is from the mean excess.
    """
    kind, planes = planes[0].dtype, [plane.astype(np.uint8) for plane in planes]
    searches = [LevelSearch(values[None], level_values[None]) for values in grey]
    rng = np.random.default_rng(0)
    weight = CHROMA_COST * np.clip(1 - np.ptp(grey, axis=0) / MAX_SATURATION, 0, 1)
    weight = weight.astype(np.float32)
    bend = weight * np.float32(1 - 1 / len(planes))
    excess = (level_values[np.stack(planes)] - grey).astype(np.float32)

    def chroma_costs(plane: int, _: Levels, steps: list[Float32Array]) -> Any:
        """Return how much chroma each change of a plane adds."""
        slope = weight * (excess[plane] - excess.mean(axis=0))
        return steps[0] * (2 * slope + steps[0] * bend)

    heat = np.geomspace(MAX_COLOUR_HEAT, MIN_COLOUR_HEAT, COLOUR_ROUNDS)
    for temperature in [*heat, *[TIE_NOISE] * MAX_ROUNDS]:
        changes = 0
        for plane, (search, levels) in enumerate(zip(searches, planes, strict=True)):
            changes += search.make_moves(levels, temperature, rng, partial(chroma_costs, plane))
            excess[plane] = level_values[levels] - grey[plane]
        if temperature == TIE_NOISE and changes * CELLS_PER_CHANGE < weight.size:
            break
    return [levels.astype(kind) for levels in planes]


def blur_as_eye(excess: Floats) -> Float32Array:
    """Return the excess brightness that the eye sees at each cell, float32 (rows, columns).

    ``excess`` is how much more the cells show than they should.  If it rises by ``t`` at one cell,
    the squared error of the eye rises by
    ``2 t blur_as_eye(excess) + t**2 eye_blur_correlation()[0]**2``.
    """
    return blur_values(excess.astype(np.float32), eye_blur_correlation(), "constant")


@cache
def eye_blur_correlation() -> Float32Array:
    """Return the autocorrelation of the eye's blur along one axis, at shifts of 0, 1, ... cells."""
    kernel = gaussian_weights(EYE_DEVIATION, EYE_REACH).astype(np.float32)
    return np.convolve(kernel, kernel)[2 * EYE_REACH :].astype(np.float32)


def _swap_costs(
    levels: Levels, shown: Floats, slopes: Sequence[Float32Array]
) -> Iterator[PairCosts]:
    # Yields the costs of swaps with each neighbour, and the cells that have one.
    correlation = eye_blur_correlation()
    for offset in SWAP_OFFSETS:
        here, there = _neighbour_slices(levels.shape, *offset)
        bend = 2 * (correlation[0] ** 2 - correlation[np.abs(offset)].prod())
        terms = zip((values[there] - values[here] for values in shown), slopes, strict=True)
        costs = sum(step * (slope[here] - slope[there] + step * bend) for step, slope in terms)
        yield here, np.where(levels[here] == levels[there], np.inf, costs)


def _opposite_costs(
    costs: Float32Array, eye_weight: np.float32, step: Float32Array
) -> Iterator[PairCosts]:
    # Yields the costs of a rise and a neighbour's fall, of the opposite, and the cells with one.
    for offset in SWAP_OFFSETS:
        here, there = _neighbour_slices(costs.shape[1:], *offset)
        coupling = 2 * eye_weight * eye_blur_correlation()[np.abs(offset)].prod()
        for side in (0, 1):
            both = coupling * step[side][here] * step[1 - side][there]
            yield here, costs[side][here] + costs[1 - side][there] + both


def _neighbour_slices(shape: tuple[int, int], down: int, right: int) -> tuple[Area, Area]:
    # Returns slices of the cells that have a neighbour at an offset, and of those neighbours.
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
