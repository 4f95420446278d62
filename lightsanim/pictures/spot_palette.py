"""The palette of spot colours: one colour for each level, taken from the pictures themselves.

The colours are means of clusters in CIELAB (k-means), in which rare saturated colours weigh more.
If one colour fills most of a cluster, as in logos, it is taken exactly.  All sums are of whole
numbers, and no chance is involved, so every machine finds the same palette.

S. P. Lloyd, "Least squares quantization in PCM", IEEE Trans. Information Theory 28 (1982) 129;
D. Arthur and S. Vassilvitskii, "k-means++: the advantages of careful seeding", Proc. SODA (2007).
"""

from collections.abc import Sequence
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from lightsanim.errors import OptionError
from lightsanim.options.choices import LEVELS
from lightsanim.options.colours import Colour, Colours
from lightsanim.pictures.lab import UNITS, Lab, Rgb, ciede2000, lab_to_rgb, rgb_to_lab

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


def find_spot_colours(pictures: Sequence[Rgb], levels: int) -> Colours:
    """Find the colours that show several pictures best, in the order of the levels of a cell.

    The order is the shortest ring through all colours that begins with the darkest, since a click
    turns each colour into the next, and the last into the first.  ``pictures`` are the colours of
    each picture's cells, uint8 (rows, columns, 3).

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
    lab = rgb_to_lab(colours)
    colours = colours[np.lexsort((lab[:, 2], lab[:, 1], lab[:, 0]))]  # the darkest is first
    lab = rgb_to_lab(colours)
    lengths = np.sqrt(_squared_distances(lab, lab))
    # Each ring occurs in both directions; only one of them is examined.
    rings = ((0, *ring) for ring in permutations(range(1, len(lab))) if ring[0] <= ring[-1])
    ring = min(rings, key=lambda r: sum(lengths[a, b] for a, b in pairwise([*r, 0])))
    return colours[list(ring)]
