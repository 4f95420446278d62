"""Dithering: grey values become lit and unlit cells.

An error-diffusion dither visits the cells row by row, lights each cell whose value is at least
0.5, and hands the difference between value and light on to cells that are still to come.  The
kernels that say who gets how much are data; one routine runs them all, and another those whose
rows alternate in direction.  An ordered dither gives each cell a threshold of its own instead.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lightsanim.checks import check_choice
from lightsanim.errors import OptionError
from lightsanim.options import DITHERS
from lightsanim.pictures.diffusion import KERNELS, THRESHOLD, diffuse, diffuse_serpentine
from lightsanim.pictures.ordered import ORDERED


@dataclass(frozen=True, kw_only=True, eq=False)
class Target:
    """A dithered picture: the configuration that an animation should show.

    Attributes:
        name: the picture's.
        configuration: bool (rows, columns), True = lit = white.
        margin: float32 (rows, columns), how far the cell's value was from the threshold when it
            was decided.  A cell with a small margin might as well have gone the other way, so
            changing it shows least.
        grey: float32 (rows, columns), the values that were dithered.
    """

    name: str
    configuration: npt.NDArray[np.bool_]
    margin: npt.NDArray[np.float32]
    grey: npt.NDArray[np.float32]


def dither(
    values: npt.ArrayLike,
    dither: str = "floyd-steinberg",
    name: str = "picture",
    *,
    serpentine: bool = False,
) -> Target:
    """Dither grey values to lit and unlit cells.

    Error diffusion (a key of `KERNELS`) lights a cell when its value, with the errors handed to
    it, is at least 0.5.  At the edges a cell's error is shared among the receivers that exist, so
    that the number of lit cells is the sum of the values, to within a cell or so (but for
    "atkinson", which darkens shadows and lightens lights).  The result is the same, bit for bit,
    as that of the plain loop over rows and columns in float64.  An ordered dither (a key of
    `ORDERED`) lights a cell when its value is at least the cell's own threshold.

    Args:
        values: real (rows, columns) in 0..1.
        dither: one of `DITHERS`.
        name: the target's.
        serpentine: diffuse every other row from right to left, under the mirrored kernel: fewer
            worms, somewhat slower.

    Returns:
        The target.

    Raises:
        OptionError: for an unknown dither, for ``serpentine`` with an ordered one, and for values
            that are not a non-empty table of finite numbers in 0..1.

    >>> dither([[0.25, 0.25, 0.25, 0.25]]).configuration.astype(int)
    array([[0, 1, 0, 0]])
    """
    check_choice("dither", dither, DITHERS)
    if serpentine and dither not in KERNELS:
        raise OptionError(f"serpentine needs an error-diffusion dither, not {dither!r}")
    grey = _checked(values)
    decided, thresholds = grey, np.array(THRESHOLD)
    if dither in KERNELS:
        run = diffuse_serpentine if serpentine else diffuse
        decided = run(decided, KERNELS[dither])
    else:
        pattern, (rows, columns) = ORDERED[dither], grey.shape
        repeats = -(-rows // len(pattern)), -(-columns // len(pattern))
        thresholds = np.tile(pattern, repeats)[:rows, :columns]
    configuration = decided >= thresholds
    # The array that diffusion returns is not needed any more, and large: it is used again.
    margin = np.subtract(decided, thresholds, out=None if decided is grey else decided)
    return Target(
        name=name,
        configuration=configuration,
        margin=np.abs(margin, out=margin).astype(np.float32),
        grey=grey.astype(np.float32),
    )


def _checked(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
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
