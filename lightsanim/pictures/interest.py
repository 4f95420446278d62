"""Find the subject of a picture by its local contrast near the middle: its centre and its top."""

import math

import numpy as np
import numpy.typing as npt

from .blur import blur_by_gaussian
from .light import Light, average_blocks

# Longer side, in pixels, to which larger pictures are reduced; about that of a default board.
MAX_SIDE = 128
# Radius of the neighbourhood of a pixel whose contrast is measured, in pixels.
CONTRAST_RADIUS = 3.0
# Width of the Gaussian about the middle, as a share of each side.
MIDDLE_SHARE = 0.35
# Radius of the blur that joins the details of a subject, as a share of the shorter side.
SUBJECT_SHARE = 1 / 20
# Contrast added everywhere, so that the centre of a plain picture is its middle.
CONTRAST_FLOOR = 1e-3
# Contrast of the first row of a subject, as a share of the largest.  With the headroom of
# `targets`, 74 of 76 heads are whole with 0.25 to 0.3, 71 with 0.36, and 12 with middle crops.
TOP_SHARE = 0.28


def find_centre_of_interest(grey: npt.NDArray[np.floating]) -> tuple[float, float]:
    """Find row and column of the pixel with the most contrast about it, weighted to the middle.

    >>> grey = np.zeros((60, 40))
    >>> grey[12:18:2, 20:26] = 1  # stripes
    >>> find_centre_of_interest(grey)
    (16.0, 22.0)
    """
    contrast, factor = _measure_contrast(grey)
    weights = np.outer(_middle_weights(contrast.shape[0]), _middle_weights(contrast.shape[1]))
    interest = blur_by_gaussian(contrast * weights, SUBJECT_SHARE * min(contrast.shape))
    peak = np.unravel_index(interest.argmax(), interest.shape)
    row, column = (float((int(index) + 0.5) * factor - 0.5) for index in peak)
    return row, column


def find_subject_top(grey: npt.NDArray[np.floating]) -> float:
    """Find the first row of a picture with much contrast, as a share of the height.

    >>> grey = np.zeros((60, 40))
    >>> grey[24::2, 10:30] = 1  # stripes
    >>> round(find_subject_top(grey), 2)
    0.32
    """
    contrast, _ = _measure_contrast(grey)
    rows = contrast @ _middle_weights(contrast.shape[1])
    return float((rows >= TOP_SHARE * rows.max()).argmax()) / len(rows)


def _measure_contrast(grey: npt.NDArray[np.floating]) -> tuple[Light, int]:
    """Return the standard deviation about each block of pixels, and the side of the blocks."""
    factor = min(math.ceil(max(grey.shape) / MAX_SIDE), *grey.shape)
    small = average_blocks(grey.astype(np.float32), factor)
    small -= small.mean()
    mean, mean_square = (blur_by_gaussian(part, CONTRAST_RADIUS) for part in (small, small**2))
    variance = mean_square - mean**2
    return np.sqrt(np.maximum(variance, 0)) + np.float32(CONTRAST_FLOOR), factor


def _middle_weights(side: int) -> Light:
    """Return a Gaussian about the middle of a side, exp(-(distance / width)^2): float32 (side,)."""
    distances = (np.arange(side) - (side - 1) / 2) / (side * MIDDLE_SHARE)
    return np.asarray(np.exp(-(distances**2)), np.float32)
