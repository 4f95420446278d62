"""Dithering: grey values become levels, lit and unlit cells where there are two.

An error-diffusion dither visits the cells row by row, gives each the level nearest to its value,
and hands the difference between the value and that which the level is shown as on to cells that
are still to come.  The kernels that say who gets how much are data; one routine runs them all, and
another those whose rows alternate in direction.  An ordered dither gives each cell a threshold of
its own instead: how far on the way from one level to the next its value must be.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_choice, check_whole_number
from lightsanim.options.choices import DITHER, DITHERS, LEVELS, SEARCHED_DITHERS, STROKES, TONES
from lightsanim.options.stages import MAX_SERPENTINE_CELLS
from lightsanim.pictures.dither_diffusion import (
    KERNELS,
    THRESHOLD,
    diffuse_errors,
    diffuse_serpentine,
)
from lightsanim.pictures.dither_ordered import ORDERED_MASKS, PLANE_SHIFTS, threshold_square
from lightsanim.pictures.dither_search import eye_blur_correlation, perceived_error, refine_target
from lightsanim.pictures.level_values import (
    Float64Array,
    grey_values_for_levels,
    thresholds_between_values,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Target:
    """A dithered picture: the configuration that an animation should show.

    Attributes:
        name: the picture's.
        configuration: bool (rows, columns), True = lit = white; of more than two levels uint8
            (rows, columns), 0 to levels - 1.
        grey: float32 (rows, columns), the values that were dithered.
        shown: float64 (levels,), the value that each level is shown as.
    """

    name: str
    configuration: npt.NDArray[Any]
    grey: npt.NDArray[np.float32]
    shown: Float64Array

    @cached_property
    def margin(self) -> npt.NDArray[np.float32] | None:
        """What it costs to turn each cell, in the eye's error: float32 (rows, columns).

        Where it is small, a cell that is wrong shows least.  None for more than two levels.
        """
        if len(self.shown) > 2:
            return None
        turn = np.where(self.configuration, np.float32(-1), np.float32(1))
        return np.asarray(
            turn * (2 * self._perceived_error + turn * eye_blur_correlation()[0] ** 2), np.float32
        )

    @cached_property
    def ideal_levels(self) -> npt.NDArray[np.float32]:
        """What a cell would have to show, in levels, for the eye to see what was dithered.

        Whatever the other cells show; float32 (rows, columns) from 0 to levels - 1.
        """
        values = (
            self.shown[self.configuration.astype(np.uint8)]
            - self._perceived_error / eye_blur_correlation()[0] ** 2
        )
        return self._interpolate_levels(values)

    @property
    def tie_break(self) -> dict[str, npt.NDArray[np.float32]]:
        """What the search for the nearest configuration is told, so that wrong cells show least."""
        return {"in_levels": self.ideal_levels} if self.margin is None else {"margin": self.margin}

    @cached_property
    def _perceived_error(self) -> npt.NDArray[np.float32]:
        return perceived_error(self.configuration.astype(np.uint8), self.grey, self.shown)

    @property
    def in_levels(self) -> npt.NDArray[np.float32]:
        """What was dithered, in levels: float32 (rows, columns) from 0 to levels - 1."""
        return self._interpolate_levels(self.grey)

    def _interpolate_levels(self, values: npt.NDArray[np.floating]) -> npt.NDArray[np.float32]:
        levels = np.arange(len(self.shown))
        return np.array([np.interp(row, self.shown, levels) for row in values], np.float32)


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

    Error diffusion (a key of `KERNELS`) gives a cell the level nearest to its value, with the
    errors handed to it; of two levels it is lit at 0.5 and above.  At the edges a cell's error is
    shared among the receivers that exist, so that what is shown sums up to the sum of the values,
    to within a cell or so (but for "atkinson", which darkens shadows and lightens lights).  Areas
    of pure black and white stay pure: what error reaches them ends there.  The result is the same,
    bit for bit, as that of the plain loop over rows and columns in float64.
    The dither "search" goes on from Floyd-Steinberg, by changes and swaps of cells that lower the
    error of what the eye sees; "strokes" keeps structures as well, see
    `lightsanim.pictures.dither_search`.
    An ordered dither (a key of `ORDERED_MASKS`) gives a cell the upper one of the two levels that
    its value lies between where it is at least the cell's own threshold on the way from the lower.

    Args:
        values: real (rows, columns) in 0..1.
        dither: one of `DITHERS`.
        name: the target's.
        serpentine: diffuse every other row from right to left, under the mirrored kernel: fewer
            worms, on large boards slower; None for up to `MAX_SERPENTINE_CELLS` cells.
        levels: how many states a cell has, one of `LEVELS`.
        tone: whether the values are encoded, "srgb", or light, "linear": of more than two levels
            those between are shown as values in even steps of encoded values.
        plane: of which primary the values are: 0, 1 or 2.  Blue noise has a mask for each.

    Returns:
        The target.

    Raises:
        OptionError: for an unknown dither, number of levels or tone, for ``serpentine`` with an
            ordered dither, and for values that are not a non-empty table of finite numbers in 0..1.

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
        raise OptionError(
            f"serpentine needs an error-diffusion dither, not {dither!r}", "serpentine"
        )
    grey, level_values = _check_grey_values(values), grey_values_for_levels(levels, tone)
    if dither in ORDERED_MASKS:
        diffused = grey
        thresholds = tile_thresholds(grey.shape, dither, levels=levels, tone=tone, plane=plane)
    else:
        if serpentine is None:
            serpentine = grey.size <= MAX_SERPENTINE_CELLS
        run = diffuse_serpentine if serpentine else diffuse_errors
        diffused = run(
            grey, KERNELS[DITHER if dither in SEARCHED_DITHERS else dither], level_values
        )
        thresholds = thresholds_between_values(level_values, THRESHOLD)
    configuration = quantize(diffused, thresholds)
    if dither in SEARCHED_DITHERS:
        refined = refine_target(
            configuration.astype(np.uint8), grey, level_values, strokes=dither == STROKES
        )
        configuration = refined.astype(configuration.dtype)
    return Target(
        name=name, configuration=configuration, grey=grey.astype(np.float32), shown=level_values
    )


def quantize(
    values: npt.NDArray[np.floating], thresholds: Iterable[Float64Array]
) -> npt.NDArray[Any]:
    """How many thresholds each value has reached: bool for one of them, uint8 for more.

    ``values``: (rows, columns).
    """
    return reduce(partial(np.add, dtype=np.uint8), (values >= t for t in thresholds))


def tile_thresholds(
    shape: tuple[int, int], dither: str, *, levels: int, tone: str, plane: int
) -> list[Float64Array]:
    """The thresholds of a board's cells under an ordered dither, (rows, columns) for each level."""
    (rows, columns), square = shape, threshold_square(dither, plane)
    repeats = -(-rows // len(square)), -(-columns // len(square))
    return [
        np.tile(thresholds, repeats)[:rows, :columns]
        for thresholds in thresholds_between_values(grey_values_for_levels(levels, tone), square)
    ]


def _check_grey_values(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The values as float64 (rows, columns), or OptionError."""
    try:
        table = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"values to dither must be real numbers: {error}") from None
    if table.ndim != 2 or table.size == 0:
        raise OptionError(
            f"values to dither must have a shape (rows, columns) of at least 1x1, not {table.shape}"
        )
    low, high = table.min(), table.max()
    if not (low >= 0 and high <= 1):  # written so that NaN, which min and max keep, fails too
        raise OptionError(f"values to dither must lie in 0..1, not {low:g}..{high:g}")
    return table
