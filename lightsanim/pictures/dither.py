"""Dithering: turn grey values into levels of cells; with two levels, a cell is lit or unlit.

An error-diffusion dither visits the cells row by row, sets each to the level nearest to its value,
and adds the difference to cells that come later.  An ordered dither compares each cell's value
with a threshold that is fixed for the cell, from a pattern that repeats.  Equal greys give equal
patterns, and a small change of a grey changes few cells.  The drawback is a visible pattern; with
blue noise it looks like grain.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_choice, check_whole_number, require_keys
from lightsanim.options.choices import (
    BLUE_NOISE,
    DITHER,
    DITHERS,
    LEVELS,
    ORDERED_DITHERS,
    SEARCHED_DITHERS,
    STROKES,
    TONES,
)
from lightsanim.options.stages import MAX_SERPENTINE_CELLS
from .dither_diffusion import (
    KERNELS,
    THRESHOLD,
    Float64Array,
    diffuse_errors,
    diffuse_serpentine,
    grey_values_for_levels,
    thresholds_between_values,
)
from .dither_search import blur_as_eye, eye_blur_correlation, refine_target

# Blue-noise mask: file of ranks, written by tests/tools/void_and_cluster.py, and side in cells.
MASK_FILE, MASK_SIDE = Path(__file__).with_name("blue_noise.png"), 64


@dataclass(frozen=True, kw_only=True, eq=False)
class Target:
    """A dithered picture: the configuration that an animation should show.

    Attributes:
        name: the picture's name.
        configuration: bool (rows, columns), True = lit = white; with more than two levels uint8
            (rows, columns) from 0 to levels - 1.
        grey: the values before dithering, float32 (rows, columns) in 0..1.
        shown: the grey value of each level, float64 (levels,).
    """

    name: str
    configuration: npt.NDArray[Any]
    grey: npt.NDArray[np.float32]
    shown: Float64Array

    @cached_property
    def differences(self) -> Float64Array:
        """Squared difference of what two levels show, (levels, levels); 1 is black from white."""
        return np.asarray(np.square(self.shown[:, None] - self.shown))

    @property
    def mean_difference(self) -> float:
        """Mean CIEDE2000 difference of spot colours from the picture; 0 without such colours."""
        return 0.0

    @cached_property
    def margin(self) -> npt.NDArray[np.float32] | None:
        """Increase of the squared perceived error if a cell flips; None for more than 2 levels."""
        if len(self.shown) > 2:
            return None
        turn = np.where(self.configuration, np.float32(-1), np.float32(1))
        slope = 2 * self._perceived_error + turn * eye_blur_correlation()[0] ** 2
        return np.asarray(turn * slope, np.float32)

    @cached_property
    def ideal_levels(self) -> npt.NDArray[np.float32]:
        """Fractional level of each cell that minimizes the perceived error if no other changes."""
        shown = self.shown[self.configuration.astype(np.uint8)]
        excess = self._perceived_error / eye_blur_correlation()[0] ** 2
        return self._interpolate_levels(shown - excess)

    @property
    def tie_break(self) -> dict[str, npt.NDArray[Any]]:
        """Keyword arguments of `nearest` that make it choose the least visible wrong cells."""
        return {"in_levels": self.ideal_levels} if self.margin is None else {"margin": self.margin}

    @cached_property
    def _perceived_error(self) -> npt.NDArray[np.float32]:
        return blur_as_eye(self.shown[self.configuration.astype(np.uint8)] - self.grey)

    @property
    def in_levels(self) -> npt.NDArray[np.float32]:
        """The grey values before dithering, as fractional levels from 0 to levels - 1."""
        return self._interpolate_levels(self.grey)

    def _interpolate_levels(self, values: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
        return np.asarray(np.interp(values, self.shown, np.arange(len(self.shown))), np.float32)


def bayer_thresholds(doublings: int) -> Float64Array:
    """Return Bayer's threshold matrix, centred between 0 and 1: float64 (n, n), n = 2^doublings.

    B. E. Bayer, "An optimum method for two-level rendition of continuous-tone pictures", IEEE
    International Conference on Communications (1973) 26-11 .. 26-15.
    """
    corners = np.array([[0, 2], [3, 1]])
    ranks = np.zeros((1, 1), dtype=np.int64)
    for _ in range(doublings):
        ranks = 4 * np.tile(ranks, (2, 2)) + np.kron(corners, np.ones_like(ranks))
    return np.asarray((ranks + 0.5) / ranks.size)


def blue_noise_thresholds() -> Float64Array:
    """Return the thresholds of the stored blue-noise mask: float64 (64, 64)."""
    with Image.open(MASK_FILE) as image:
        ranks = np.asarray(image)
    return np.asarray((ranks + 0.5) / ranks.size)


# The number in a name is the side of the repeated square.  Plain "bayer" is 4x4, chosen by eye on
# boards of 60 and 100 cells a side: 2x2 breaks skies into patches, and 8x8 scatters lone dots over
# areas that are almost black or white, where they look like mistakes.
ORDERED_MASKS: Mapping[str, Float64Array] = require_keys(
    ORDERED_DITHERS,
    {
        "bayer": bayer_thresholds(2),
        "bayer2": bayer_thresholds(1),
        "bayer8": bayer_thresholds(3),
        BLUE_NOISE: blue_noise_thresholds(),
        "threshold": bayer_thresholds(0),  # the single threshold 0.5
    },
)

# Rows and columns by which the mask is shifted in each colour plane.  Shifts by half a side turn
# greys into pastel instead of black and white grain, and reduce errors of brightness by a sixth.
PLANE_SHIFTS = ((0, 0), (MASK_SIDE // 2, 0), (0, MASK_SIDE // 2))


def threshold_shares(shape: tuple[int, int], dither: str, plane: int = 0) -> Float64Array:
    """Return each cell's threshold as a share of the way between two levels: (rows, columns)."""
    shift = PLANE_SHIFTS[plane] if dither == BLUE_NOISE else (0, 0)
    square = np.roll(ORDERED_MASKS[dither], shift, (0, 1))
    return square[np.ix_(*(np.arange(side) % len(square) for side in shape))]


def dither(
    values: npt.ArrayLike,
    dither: str = "floyd-steinberg",
    name: str = "picture",
    *,
    serpentine: bool | None = None,
    levels: int = 2,
    tone: str = "srgb",
    plane: int = 0,
) -> Target:
    """Dither grey values to lit and unlit cells, or to more levels.

    Error diffusion (a key of `KERNELS`) gives a cell the level nearest to its value plus the errors
    it receives; of two levels, the cell is lit from 0.5 on.  At the edges a cell's error is shared
    among the receivers that exist, so that the shown values sum up to the given values to within
    about one cell ("atkinson" loses error and so gains contrast).  Areas of pure black and white
    stay pure: errors that reach them are dropped.  The result equals that of the plain loop over
    rows and columns in float64, bit for bit.
    "search" starts from Floyd-Steinberg, then changes and swaps cells as long as that lowers the
    perceived error; "strokes" keeps structures as well (see `lightsanim.pictures.dither_search`).
    An ordered dither (a key of `ORDERED_MASKS`) compares the position of the value between two
    levels with the cell's threshold, and takes the upper level from there on.

    Args:
        values: grey values, real (rows, columns) in 0..1.
        dither: one of `DITHERS`.
        name: the name of the target.
        serpentine: diffuse every other row from right to left with the mirrored kernel, which
            leaves fewer worm patterns but is slower on large boards; None for boards of up to
            `MAX_SERPENTINE_CELLS` cells.
        levels: the number of states of a cell, one of `LEVELS`.
        tone: "srgb" for sRGB-encoded values, "linear" for linear light.
        plane: the colour plane of the values, 0, 1 or 2; blue noise has a mask for each.

    Raises:
        OptionError: for an unknown dither, number of levels or tone, for ``serpentine`` without
            error diffusion, and for values that are not a non-empty table of numbers in 0..1.

    >>> dither([[0.25, 0.25, 0.25, 0.25]]).configuration.astype(int)
    array([[0, 1, 0, 0]])
    >>> dither([[0, 0.25, 0.6, 1]], "threshold", levels=5).configuration
    array([[0, 1, 2, 4]], dtype=uint8)
    """
    check_choice("dither", dither, DITHERS)
    check_choice("levels", levels, LEVELS)
    check_choice("tone", tone, TONES)
    check_whole_number("plane", plane, 0, len(PLANE_SHIFTS) - 1)
    if serpentine and dither not in KERNELS:
        line = f"serpentine needs an error-diffusion dither, not {dither!r}"
        raise OptionError(line, "serpentine")
    grey, level_values = _check_grey_values(values), grey_values_for_levels(levels, tone)
    if dither in ORDERED_MASKS:
        diffused = grey
        thresholds = tile_thresholds(grey.shape, dither, levels=levels, tone=tone, plane=plane)
    else:
        if serpentine is None:
            serpentine = grey.size <= MAX_SERPENTINE_CELLS
        run = diffuse_serpentine if serpentine else diffuse_errors
        kernel = KERNELS[DITHER if dither in SEARCHED_DITHERS else dither]
        diffused = run(grey, kernel, level_values)
        thresholds = thresholds_between_values(level_values, THRESHOLD)
    configuration = quantize(diffused, thresholds)
    if dither in SEARCHED_DITHERS:
        start = configuration.astype(np.uint8)
        refined = refine_target(start, grey, level_values, strokes=dither == STROKES)
        configuration = refined.astype(configuration.dtype)
    return Target(
        name=name, configuration=configuration, grey=grey.astype(np.float32), shown=level_values
    )


def quantize(
    values: npt.NDArray[np.floating], thresholds: Iterable[Float64Array]
) -> npt.NDArray[Any]:
    """Return the number of thresholds that each value reaches: bool for one, uint8 for more."""
    return reduce(partial(np.add, dtype=np.uint8), (values >= t for t in thresholds))


def tile_thresholds(
    shape: tuple[int, int], dither: str, *, levels: int, tone: str, plane: int
) -> list[Float64Array]:
    """Return the thresholds of an ordered dither, one table (rows, columns) per level above 0."""
    shares = threshold_shares(shape, dither, plane)
    return thresholds_between_values(grey_values_for_levels(levels, tone), shares)


def _check_grey_values(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return grey values as float64 (rows, columns); raise `OptionError` if they are invalid."""
    try:
        table = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"values to dither must be real numbers: {error}") from None
    if table.ndim != 2 or table.size == 0:
        raise OptionError(
            f"values to dither must have a shape (rows, columns) of at least 1x1, not {table.shape}"
        )
    low, high = table.min(), table.max()
    if not (low >= 0 and high <= 1):  # also true for NaN
        raise OptionError(f"values to dither must lie in 0..1, not {low:g}..{high:g}")
    return table
