"""Ordered dithers: each cell has a fixed threshold from a pattern that repeats.

A cell does not depend on its neighbours: equal greys give equal patterns, and a small change of a
grey changes few cells.  The drawback is a visible pattern; with blue noise it looks like grain.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.options.checks import require_keys
from lightsanim.options.choices import BLUE_NOISE, ORDERED_DITHERS

Thresholds: TypeAlias = npt.NDArray[np.float64]

# Blue-noise mask: file of ranks, written by tests/tools/void_and_cluster.py, and side in cells.
MASK_FILE, MASK_SIDE = Path(__file__).with_name("blue_noise.png"), 64


def bayer_thresholds(doublings: int) -> Thresholds:
    """Return Bayer's threshold matrix, centred between 0 and 1: float64 (n, n), n = 2^doublings.

    B. E. Bayer, "An optimum method for two-level rendition of continuous-tone pictures", IEEE
    International Conference on Communications (1973) 26-11 .. 26-15.
    """
    corners = np.array([[0, 2], [3, 1]])
    ranks = np.zeros((1, 1), dtype=np.int64)
    for _ in range(doublings):
        ranks = 4 * np.tile(ranks, (2, 2)) + np.kron(corners, np.ones_like(ranks))
    return np.asarray((ranks + 0.5) / ranks.size)


def blue_noise_thresholds() -> Thresholds:
    """Return the thresholds of the stored blue-noise mask: float64 (64, 64)."""
    with Image.open(MASK_FILE) as image:
        ranks = np.asarray(image)
    return np.asarray((ranks + 0.5) / ranks.size)


# The number in a name is the side of the repeated square.  Plain "bayer" is 4x4, chosen by eye on
# boards of 60 and 100 cells a side: 2x2 breaks skies into patches, and 8x8 scatters lone dots over
# areas that are almost black or white, where they look like mistakes.
ORDERED_MASKS: Mapping[str, Thresholds] = require_keys(
    ORDERED_DITHERS,
    {
        "bayer": bayer_thresholds(2),
        "bayer2": bayer_thresholds(1),
        "bayer4": bayer_thresholds(2),
        "bayer8": bayer_thresholds(3),
        BLUE_NOISE: blue_noise_thresholds(),
        "threshold": bayer_thresholds(0),  # the single threshold 0.5
    },
)

# Rows and columns by which the mask is shifted in each colour plane.  Shifts by half a side turn
# greys into pastel instead of black and white grain, and reduce errors of brightness by a sixth.
PLANE_SHIFTS = ((0, 0), (MASK_SIDE // 2, 0), (0, MASK_SIDE // 2))


def threshold_shares(shape: tuple[int, int], dither: str, plane: int = 0) -> Thresholds:
    """Return each cell's threshold as a share of the way between two levels: (rows, columns)."""
    square = ORDERED_MASKS[dither]
    if dither == BLUE_NOISE:
        square = np.roll(square, PLANE_SHIFTS[plane], (0, 1))
    return square[np.ix_(*(np.arange(side) % len(square) for side in shape))]
