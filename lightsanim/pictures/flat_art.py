"""Recognise flat art, such as letters, logos and line art, by the few tones of its areas.

In a drawing, the tone of an area is a narrow peak of the histogram, and the tones between peaks are
those of smooth edges.  In a photograph, tones blend into each other, and peaks are wide.
"""

import numpy as np
import numpy.typing as npt

from lightsanim.pictures.light import LUMINANCE_WEIGHTS, Light, encode_srgb

# Number of tones of flat art.  Drawings whose only tone is their ground have lines that a threshold
# would break; with more tones, it would make areas equal that should differ.
MIN_TONES, MAX_TONES = 2, 4
# Minimum share of the pixels that have one tone.
MIN_TONE_SHARE = 0.015
# Values, of 256, on either side of a tone that count as equal to it, because JPEG changes them;
# values on either side that must be rare; and the share of the former in the latter.
TONE_REACH, VALLEY_REACH, MIN_PEAK_SHARE = 2, 6, 0.8
# A pixel is at an edge if it and its eight neighbours span more, in sRGB values from 0 to 1.
EDGE_CONTRAST = 0.15
# Minimum share of pixels with one of the tones among those that are not at an edge.  Photographs
# reach 0.73 (264 of scikit-image's, whole and in part); drawings saved as JPEG, 0.84.
MIN_FLATNESS = 0.8
# Minimum share of such pixels among all; dithered pictures have fewer, as most are at edges.
MIN_AREA = 0.5
# Maximum number of pixels examined along a side.
MAX_SAMPLED_SIDE = 600


def is_flat_art(light: Light) -> bool:
    """Return whether a picture, given by its linear light, consists of areas of few tones.

    >>> ramp = np.linspace(0, 1, 10_000, dtype=np.float32).reshape(100, 100)
    >>> is_flat_art(np.round(ramp)), is_flat_art(ramp)
    (True, False)
    """
    stride = 1 + (max(light.shape[:2]) - 1) // MAX_SAMPLED_SIDE
    sample = light[::stride, ::stride]
    grey = encode_srgb(sample if sample.ndim == 2 else sample @ LUMINANCE_WEIGHTS)
    values = np.rint(grey * 255).astype(np.intp)
    tones = _find_tones(np.bincount(values.ravel(), minlength=256) / values.size)
    if not MIN_TONES <= len(tones) <= MAX_TONES:
        return False
    is_area = ~_find_edges(grey)
    is_tone = np.isin(values, np.add.outer(tones, range(-TONE_REACH, TONE_REACH + 1)))
    share = np.count_nonzero(is_area & is_tone) / values.size
    return bool(share >= max(MIN_AREA, MIN_FLATNESS * is_area.mean()))


def _find_tones(histogram: npt.NDArray[np.float64]) -> list[int]:
    # Returns the middles of the histogram's narrow peaks, highest first.
    near, wide = (
        np.convolve(histogram, np.ones(2 * reach + 1), "same")
        for reach in (TONE_REACH, VALLEY_REACH)
    )
    heights = np.where((near >= MIN_PEAK_SHARE * wide) & (near >= MIN_TONE_SHARE), near, 0)
    tones: list[int] = []
    while heights.any():
        tones.append(int(heights.argmax()))
        heights[max(0, tones[-1] - 2 * TONE_REACH) : tones[-1] + 2 * TONE_REACH + 1] = 0
    return tones


def _find_edges(grey: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    # Returns the pixels at an edge, bool (rows, columns).
    low = high = np.pad(grey, 1, mode="edge")
    for axis in (0, 1):
        before, after = np.roll(low, 1, axis), np.roll(low, -1, axis)
        low = np.minimum(np.minimum(before, after), low)
        before, after = np.roll(high, 1, axis), np.roll(high, -1, axis)
        high = np.maximum(np.maximum(before, after), high)
    return (high - low > EDGE_CONTRAST)[1:-1, 1:-1]
