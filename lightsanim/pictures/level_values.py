"""The levels of a cell as grey values: what each is shown as, and which values become it."""

from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.pictures.light import decode_srgb

Floats: TypeAlias = npt.NDArray[np.float64]


def shown_values(levels: int, tone: str = "srgb") -> Floats:
    """The grey value that each level is shown as: float64 (levels,), rising from 0 to 1.

    Levels are drawn in even steps of encoded values; where light is dithered, these are uneven.
    """
    even = np.arange(levels) / (levels - 1)
    return np.asarray(decode_srgb(even), np.float64) if tone == "linear" else even


def thresholds_between(shown: Floats, share: Floats | float) -> list[Floats]:
    """From which value on a cell has a level or a higher one, for each level but the first."""
    return [low + np.asarray(share) * (high - low) for low, high in pairwise(shown)]
