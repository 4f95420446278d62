"""Ordered dithers: every cell has a threshold of its own, in a pattern that repeats.

A cell does not depend on its neighbours, so equal greys make equal patterns wherever they are, and
where a grey changes little few cells do.  The price is that the pattern shows; that of blue noise
is a grain.
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

# Blue noise, which `tests/tools/void_and_cluster.py` writes, and cells of its side.
MASK_FILE, MASK_SIDE = Path(__file__).with_name("blue_noise.png"), 64


def bayer_thresholds(doublings: int) -> Thresholds:
    """Bayer's thresholds, float64 (n, n) with n = 2^doublings: (rank + 0.5) / n^2.

    The ranks 0 .. n^2 - 1 are laid out so that at every grey the lit cells are as far apart as
    they can be: each doubling splits a rank among the four corners of a square, one diagonal
    first.  The half makes them as far from 0 as from 1: over all greys the mean is right.

    B. E. Bayer, "An optimum method for two-level rendition of continuous-tone pictures", IEEE
    International Conference on Communications (1973) 26-11 .. 26-15.
    """
    corners = np.array([[0, 2], [3, 1]])
    ranks = np.zeros((1, 1), dtype=np.int64)
    for _ in range(doublings):
        ranks = 4 * np.tile(ranks, (2, 2)) + np.kron(corners, np.ones_like(ranks))
    thresholds: Thresholds = (ranks + 0.5) / ranks.size
    return thresholds


def blue_noise_thresholds() -> Thresholds:
    """The thresholds of the mask that is kept, float64 (64, 64): (rank + 0.5) / 64^2."""
    with Image.open(MASK_FILE) as image:
        ranks = np.asarray(image)
    thresholds: Thresholds = (ranks + 0.5) / ranks.size
    return thresholds


# The number is the side of the square that repeats.  `bayer` alone is the 4x4 one, chosen by eye on
# boards of 60 and 100 cells: 2x2 has so few greys that skies fall apart into patches with edges,
# and 8x8 strews lone dots, which look like mistakes, into what is almost black or white.
ORDERED_MASKS: Mapping[str, Thresholds] = require_keys(
    ORDERED_DITHERS,
    {
        "bayer": bayer_thresholds(2),
        "bayer2": bayer_thresholds(1),
        "bayer4": bayer_thresholds(2),
        "bayer8": bayer_thresholds(3),
        BLUE_NOISE: blue_noise_thresholds(),
        "threshold": bayer_thresholds(0),  # 0.5 everywhere
    },
)

# By how many rows and columns the mask of each primary is shifted.  Where all have the same mask,
# greys are black and white grain; shifted by half of it, they are pastel, and the lines of a face
# survive at 60 columns.  The brightness then errs by a sixth less.
PLANE_SHIFTS = ((0, 0), (MASK_SIDE // 2, 0), (0, MASK_SIDE // 2))


def threshold_square(dither: str, plane: int = 0) -> Thresholds:
    """The square of thresholds of an ordered dither."""
    square = ORDERED_MASKS[dither]
    return np.roll(square, PLANE_SHIFTS[plane], (0, 1)) if dither == BLUE_NOISE else square
