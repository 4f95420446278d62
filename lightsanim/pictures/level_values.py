"""The levels of a cell as grey values: what each is shown as, and which values become it."""

from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.pictures.light import decode_srgb

Float64Array: TypeAlias = npt.NDArray[np.float64]


def grey_values_for_levels(levels: int, tone: str = "srgb") -> Float64Array:
    """The grey value that each level is shown as: float64 (levels,), rising from 0 to 1.

    Levels are drawn in even steps of encoded values; where light is dithered, these are uneven.
    """
    even = np.arange(levels) / (levels - 1)
    return np.asarray(decode_srgb(even), np.float64) if tone == "linear" else even


def thresholds_between_values(
    level_values: Float64Array, share: Float64Array | float
) -> list[Float64Array]:
    """From which value on a cell has a level or a higher one, for each level but the first."""
    return [low + np.asarray(share) * (high - low) for low, high in pairwise(level_values)]
