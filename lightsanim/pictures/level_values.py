"""Grey values of a cell's levels, and the thresholds between them."""

from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.pictures.light import decode_srgb

Float64Array: TypeAlias = npt.NDArray[np.float64]


def grey_values_for_levels(levels: int, tone: str = "srgb") -> Float64Array:
    """Return the grey value of each level, float64 (levels,), rising from 0 to 1.

    The values are even steps in sRGB encoding, which ``tone`` "linear" converts to linear light.
    """
    even = np.arange(levels) / (levels - 1)
    return np.asarray(decode_srgb(even), np.float64) if tone == "linear" else even


def thresholds_between_values(
    level_values: Float64Array, share: Float64Array | float
) -> list[Float64Array]:
    """Return the thresholds between levels; ``share`` is 0 at the lower level, 1 at the upper."""
    return [low + np.asarray(share) * (high - low) for low, high in pairwise(level_values)]
