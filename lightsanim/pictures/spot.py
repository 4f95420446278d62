"""Spot colours: a palette with a colour for each level, and dithering to it.

The palette is taken from the pictures themselves.  Its colours are means of clusters in CIELAB
(k-means), in which rare saturated colours weigh more.  If one colour fills most of a cluster, as in
logos, it is taken exactly.  All sums are of whole numbers, and no chance is involved, so every
machine finds the same palette.  Dithering compares colours in CIELAB, too.

S. P. Lloyd, "Least squares quantization in PCM", IEEE Trans. Information Theory 28 (1982) 129;
D. Arthur and S. Vassilvitskii, "k-means++: the advantages of careful seeding", Proc. SODA (2007).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, permutations
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lightsanim.errors import OptionError
from lightsanim.options.choices import DITHER, LEVELS, SEARCH, SEARCHED_DITHERS, THRESHOLD
from lightsanim.options.colours import Colour, Colours
from .dither import ORDERED_MASKS, Target, threshold_shares
from .dither_diffusion import KERNELS, diffuse_by_wavefronts, error_gains
from .dither_search import Levels, LevelSearch
from .grey import centring_margins
from .lab import UNITS, Lab, Rgb, ciede2000, lab_to_rgb, rgb_to_lab

Counts = npt.NDArray[np.int64]

# Smallest CIEDE2000 difference of two colours that can be read back from videos, whose colours have
# half the resolution of their light.
MIN_DIFFERENCE = 12
# Side, in units of Lab, of the boxes whose colours are counted together.
BOX = 4 * UNITS
# Weight of a grey cell; that of a coloured one is its chroma more.
GREY_WEIGHT = 32
# Number of first colours tried, and maximum number of rounds for each.
STARTS, ROUNDS = 6, 60
# Values, of 256, by which the colours of an area differ; a cluster's colour is exact if at least
# this share of its weight is such an area.
AREA_REACH, MIN_AREA_SHARE = 4, 0.3
# Factor of the distances from the mean colour, so that dithering reaches the pictures' extremes.
PUSH = 9 / 8
# Least and greatest lightness of colours that are not exact.
LIGHTNESS_RANGE = 3 * UNITS, 97 * UNITS
# Error sums count squared distances in this unit, so that they stay below 2**53.
ERROR_UNIT = 64
# Share of the error that is diffused; with all of it, the few colours make coarse patterns.
STRENGTH = 0.8
WHITE = 100 * UNITS  # The L* of white.


def find_spot_colours(pictures: Sequence[Rgb], levels: int) -> Colours:
    """Find the colours that show several pictures best, in the order of the levels of a cell.

    >>> flag = np.array([[[206, 17, 38], [255, 255, 255], [0, 35, 149]]], np.uint8)
    >>> str(find_spot_colours([flag], 3))
    '#002395,#ce1126,#ffffff'
    """
    cells = np.concatenate([picture.reshape(-1, 3) for picture in pictures])
    rgb, counts = np.unique(cells, axis=0, return_counts=True)
    lab = rgb_to_lab(rgb)
    weights = counts * (GREY_WEIGHT + np.rint(np.hypot(lab[:, 1], lab[:, 2]) / UNITS).astype(int))
    points, masses = _count_in_boxes(lab, weights)
    clusters = [_find_clusters(points, masses, start, levels) for start in range(STARTS)]
    centres = min(clusters, key=lambda c: _error_of_clusters(points, masses, c))
    colours = _separate_colours(_pick_colours(rgb, lab, weights, centres), points, masses, levels)
    if len(colours) < levels:
        fewer = max((n for n in LEVELS if 2 < n <= len(colours)), default=None)
        remedy = f"choose levels {fewer}" if fewer else "leave out spot"
        raise OptionError(
            f"the pictures have too few different colours ({len(colours)}) for spot with {levels} "
            f"levels; {remedy}",
            "levels" if fewer else "spot",
        )
    return Colours(Colour(*colour) for colour in _order_in_ring(colours).tolist())


def nearest_colours(lab: npt.NDArray[Any], palette: Lab) -> npt.NDArray[np.intp]:
    """Return the number of the palette's colour nearest to each colour: int (...)."""
    return np.asarray(_squared_distances(lab, palette).argmin(axis=-1))


def _squared_distances(lab: npt.NDArray[Any], palette: Lab) -> npt.NDArray[Any]:
    return np.asarray(np.square(lab[..., None, :] - palette).sum(axis=-1))


def _count_in_boxes(lab: Lab, weights: Counts) -> tuple[Lab, Counts]:
    # Returns the mean colour and the weight of each box that is not empty, in a fixed order.
    _, box_of = np.unique(lab // BOX, axis=0, return_inverse=True)
    masses = np.bincount(box_of.ravel(), weights)
    return _weighted_means(lab, weights, box_of.ravel(), masses), masses.astype(np.int64)


def _weighted_means(
    lab: Lab, weights: Counts, group_of: npt.NDArray[np.intp], masses: Counts
) -> Lab:
    sums = np.stack([np.bincount(group_of, weights * c, len(masses)) for c in lab.T], axis=1)
    return np.asarray(np.floor((2 * sums + masses[:, None]) / (2 * masses[:, None])), np.int64)


def _find_clusters(points: Lab, masses: Counts, start: int, count: int) -> Lab:
    # Returns the centres of at most ``count`` clusters; the first is seeded by a heavy point.
    centres = points[[np.argsort(-masses, kind="stable")[min(start, len(points) - 1)]]]
    for _ in range(count - 1):
        gains = masses * _squared_distances(points, centres).min(axis=1)
        centres = np.append(centres, points[[gains.argmax()]], axis=0)
    for _ in range(ROUNDS):
        nearest = nearest_colours(points, centres)
        used = np.bincount(nearest, masses, len(centres))
        means = _weighted_means(points, masses, nearest, np.maximum(used, 1))
        means[used == 0] = centres[used == 0]
        if np.array_equal(means, centres):
            break
        centres = means
    return centres


def _error_of_clusters(points: Lab, masses: Counts, centres: Lab) -> int:
    return int((masses * (_squared_distances(points, centres).min(axis=1) // ERROR_UNIT)).sum())


def _pick_colours(rgb: Rgb, lab: Lab, weights: Counts, centres: Lab) -> Rgb:
    # Returns a colour for each cluster: that of its largest area, or its mean pushed outwards.
    middle = np.floor((2 * centres.sum(axis=0) + len(centres)) / (2 * len(centres)))
    pushed = np.floor(middle + (centres - middle) * PUSH).astype(np.int64)
    pushed[:, 0] = pushed[:, 0].clip(*LIGHTNESS_RANGE)
    colours, nearest = lab_to_rgb(pushed), nearest_colours(lab, centres)
    for number in range(len(centres)):
        inside = nearest == number
        if inside.any():
            commonest = rgb[inside][weights[inside].argmax()].astype(int)
            is_area = (np.abs(rgb[inside] - commonest) <= AREA_REACH).all(axis=1)
            if weights[inside][is_area].sum() >= MIN_AREA_SHARE * weights[inside].sum():
                colours[number] = commonest
    return colours


def _separate_colours(colours: Rgb, points: Lab, masses: Counts, count: int) -> Rgb:
    # Replaces colours too similar to another by the commonest that differs from all others.
    separate = np.zeros((0, 3), np.uint8)
    nearest = nearest_colours(points, rgb_to_lab(colours))
    for number in np.argsort(-np.bincount(nearest, masses, len(colours)), kind="stable"):
        if _differs(rgb_to_lab(colours[[number]]), rgb_to_lab(separate)).all():
            separate = np.append(separate, colours[[number]], axis=0)
    while len(separate) < count:
        chosen = rgb_to_lab(separate)
        gains = masses * _squared_distances(points, chosen).min(axis=1)
        gains *= _differs(points, chosen)
        if not gains.any():
            break
        separate = np.append(separate, lab_to_rgb(points[[gains.argmax()]]), axis=0)
    return separate


def _differs(lab: Lab, palette: Lab) -> npt.NDArray[np.bool_]:
    # Returns whether each colour differs enough from all of a palette.
    differences = ciede2000(lab[:, None], palette[None])
    return np.asarray((differences >= MIN_DIFFERENCE).all(axis=1))


def _order_in_ring(colours: Rgb) -> Rgb:
    # A click turns each colour into the next, and the last into the first.
    lab = rgb_to_lab(colours)
    colours = colours[np.lexsort((lab[:, 2], lab[:, 1], lab[:, 0]))]  # the darkest is first
    lab = rgb_to_lab(colours)
    lengths = np.sqrt(_squared_distances(lab, lab))
    # Each ring occurs in both directions; only one of them is examined.
    rings = ((0, *ring) for ring in permutations(range(1, len(lab))) if ring[0] <= ring[-1])
    ring = min(rings, key=lambda r: sum(lengths[a, b] for a, b in pairwise([*r, 0])))
    return colours[list(ring)]


@dataclass(frozen=True, kw_only=True, eq=False)
class SpotTarget(Target):
    """A picture dithered to spot colours; ``grey`` and ``shown`` are lightnesses, 0 to 1."""

    lab: Lab  # The colours before dithering, (rows, columns, 3).
    palette: Lab  # The colour of each level, (levels, 3).

    @classmethod
    def from_rgb(cls, rgb: Rgb, colours: Colours, dither: str, name: str) -> Self:
        """Dither sRGB colours, uint8 (rows, columns, 3), to one colour for each level."""
        lab, palette = rgb_to_lab(rgb), rgb_to_lab(np.array([c.rgb for c in colours], np.uint8))
        return cls(
            name=name,
            configuration=dither_to_palette(lab, palette, dither),
            grey=(lab[..., 0] / WHITE).clip(0, 1).astype(np.float32),
            shown=palette[:, 0] / WHITE,
            lab=lab,
            palette=palette,
        )

    @cached_property
    def differences(self) -> npt.NDArray[np.float64]:
        """Squared distance of what two levels show, (levels, levels); 1 is black from white."""
        return np.asarray(np.square((self.palette[:, None] - self.palette) / WHITE).sum(axis=2))

    @property
    def mean_difference(self) -> float:
        """Mean CIEDE2000 difference of what the picture's cells show from their colours."""
        rows, columns, _ = self.lab.shape  # which have no padding
        (top, _), (left, _) = centring_margins(self.configuration.shape, (rows, columns))
        shown = self.palette[self.configuration[top : top + rows, left : left + columns]]
        return float(ciede2000(shown, self.lab).mean())

    @property
    def tie_break(self) -> dict[str, npt.NDArray[Any]]:
        """The costs of wrong levels for `nearest_accessible`: multiples of the least CIEDE2000."""
        visible = ciede2000(self.palette[:, None], self.palette[None])
        smallest = visible[visible > 0].min()
        return {"level_costs": np.rint(visible / smallest).astype(np.int64)}


def dither_to_palette(lab: Lab, palette: Lab, dither: str) -> Levels:
    """Dither colours, (rows, columns, 3), to the colours of a palette, (levels, 3).

    >>> palette = rgb_to_lab(np.array([[0, 0, 0], [255, 0, 0], [255, 255, 255]], np.uint8))
    >>> lab = rgb_to_lab(np.array([[[250, 10, 0], [9, 9, 9]]], np.uint8))
    >>> dither_to_palette(lab, palette, "threshold")
    array([[1, 0]], dtype=uint8)
    """
    levels = nearest_colours(lab, palette).astype(np.uint8)
    if dither in ORDERED_MASKS:
        return levels if dither == THRESHOLD else _dither_between_two(lab, palette, levels, dither)
    kernel = KERNELS[DITHER if dither in SEARCHED_DITHERS else dither]
    gains = STRENGTH * error_gains(kernel, *levels.shape)[..., None]

    def nearest_values(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return palette.astype(np.float64)[nearest_colours(values, palette)]

    values = diffuse_by_wavefronts(lab.astype(np.float64), gains, kernel, nearest_values)
    levels = nearest_colours(values, palette).astype(np.uint8)
    if dither != SEARCH:
        return levels
    ideal, colours = np.moveaxis(lab / WHITE, -1, 0), (palette / WHITE).T
    search = LevelSearch(ideal.astype(np.float32), colours.astype(np.float32), swaps=True)
    return search.refine(levels)


def _dither_between_two(lab: Lab, palette: Lab, nearest: Levels, dither: str) -> Levels:
    # Returns the nearest colour, or the colour whose mixture with it comes closest to the cell's.
    steps = palette - palette[nearest][:, :, None]
    left = (lab - palette[nearest])[:, :, None]
    lengths = np.maximum(1, np.square(steps).sum(axis=-1))
    shares = np.clip((steps * left).sum(axis=-1) / lengths, 0, 1)
    second = np.square(left - shares[..., None] * steps).sum(axis=-1).argmin(axis=-1)
    share = np.take_along_axis(shares, second[..., None], axis=-1)[..., 0]
    is_second = share > threshold_shares(nearest.shape, dither)
    return np.where(is_second, second, nearest).astype(np.uint8)
