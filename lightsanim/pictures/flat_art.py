"""Recognise flat art, such as letters, logos and line art, by the few tones of its areas.

In a drawing, the tone of an area is a narrow peak of the histogram, and the tones between peaks are
those of smooth edges.  In a photograph, tones blend into each other, and peaks are wide.
"""

import numpy as np
import numpy.typing as npt
from PIL import Image
from PIL.ImageFilter import MaxFilter, MinFilter

from .light import LUMINANCE_WEIGHTS, Light, encode_srgb

# Number of tones of flat art.  Drawings whose only tone is their ground have lines that a threshold
# would break; with more tones, it would make areas equal that should differ.
MIN_TONES, MAX_TONES = 2, 4
# Maximum number of colours of flat art in colour.
MAX_COLOURS = 12
# Maximum side of pixel art in pixels, whose areas may be single pixels.
MAX_PIXEL_ART_SIDE = 128
# Minimum share of the pixels that have one tone.
MIN_TONE_SHARE = 0.015
# Values, of 256, on either side of a tone that count as equal to it, because JPEG changes them;
# values on either side that must be rare; and the share of the former in the latter.
TONE_REACH, VALLEY_REACH, MIN_PEAK_SHARE = 2, 6, 0.8
# A pixel is at an edge if it and its eight neighbours span more than this many of 256 values.
EDGE_CONTRAST = 38
# Minimum share of pixels with one of the tones among those that are not at an edge.  Photographs
# reach 0.73 (264 of scikit-image's, whole and in part); drawings saved as JPEG, 0.84.
MIN_FLATNESS = 0.8
# Minimum share of such pixels among all; photographs dithered to black and white have fewer.
MIN_AREA = 0.5
# Maximum share of the edges that may lie between tones nearest to the same level: a threshold would
# remove them, and with them a logo on a ground that is nearly as light.
MAX_LOST_EDGES = 0.1
# Threshold targets to try: local contrast, and maximum share of the edges that the target may lose.
# Local contrast keeps thin lines, but gives letters spurs; chosen by eye from 350 logos, flags,
# emoji, letters and diagrams.
THRESHOLD_DETAILS = ((0.0, 0.04), (2.0, MAX_LOST_EDGES))
# Maximum number of pixels examined along a side.
MAX_SAMPLED_SIDE = 600


def is_flat_art(light: Light, levels: int) -> bool:
    """Return whether a picture consists of areas of few tones that a threshold keeps apart.

    >>> ramp = np.linspace(0, 1, 10_000, dtype=np.float32).reshape(100, 100)
    >>> is_flat_art(np.round(ramp), 2), is_flat_art(ramp, 2)
    (True, False)
    >>> three = np.repeat(np.array([[0, 0.3, 1]], np.float32), 30, axis=1).repeat(90, axis=0)
    >>> is_flat_art(three, 2), is_flat_art(three, 3)  # sRGB 0, 0.58 and 1
    (False, True)
    """
    values = _sample_bytes(light if light.ndim == 2 else light @ LUMINANCE_WEIGHTS)
    tones = _find_tones(np.bincount(values.ravel(), minlength=256) / values.size)
    if not MIN_TONES <= len(tones) <= MAX_TONES:
        return False
    is_edge = find_edges(values)
    stretched = (values.astype(np.float64) - min(tones)) / (max(tones) - min(tones))
    nearest_levels = np.rint(np.clip(stretched, 0, 1) * (levels - 1)).astype(np.uint8)
    if lost_edge_share(is_edge, nearest_levels) > MAX_LOST_EDGES:
        return False
    is_tone = np.isin(values, np.add.outer(tones, range(-TONE_REACH, TONE_REACH + 1)))
    share = np.count_nonzero(~is_edge & is_tone) / values.size
    return bool(share >= max(MIN_AREA, MIN_FLATNESS * (~is_edge).mean()))


def find_edges(values: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Return whether each value, of 256, differs much from one beside it: (rows, columns)."""
    return _spans(values, 3) > EDGE_CONTRAST


def lost_edge_share(is_edge: npt.NDArray[np.bool_], levels: npt.NDArray[np.uint8]) -> float:
    """Return the share of the edges about which all levels are equal.

    >>> line = np.full((9, 9), 255, np.uint8)
    >>> line[4] = 140
    >>> is_edge = find_edges(line)
    >>> [lost_edge_share(is_edge, (line >= limit).astype(np.uint8)) for limit in (128, 200)]
    [1.0, 0.0]
    """
    return float((_spans(levels, 5)[is_edge] == 0).mean()) if is_edge.any() else 0.0


def has_few_colours(light: Light) -> bool:
    """Return whether a picture consists of areas of few colours, as logos and flags do.

    >>> ramp = np.linspace(0, 1, 10_000, dtype=np.float32).reshape(100, 100)
    >>> has_few_colours(np.round(ramp * 3) / 3), has_few_colours(ramp)
    (True, False)
    """
    values = np.atleast_3d(_sample_bytes(light))
    pixels = values @ (256 ** np.arange(values.shape[2]))
    if max(pixels.shape) <= MAX_PIXEL_ART_SIDE and len(np.unique(pixels)) <= MAX_COLOURS:
        return True
    spans = [_spans(np.ascontiguousarray(plane), 3) for plane in np.moveaxis(values, -1, 0)]
    areas = pixels[np.max(spans, axis=0) <= EDGE_CONTRAST]
    if len(areas) < MIN_AREA * pixels.size:
        return False
    codes, counts = np.unique(areas, return_counts=True)
    channels, total = codes[:, None] >> np.array([0, 8, 16]) & 255, 0
    for _ in range(MAX_COLOURS):
        distances = np.abs(channels - channels[counts.argmax()]).max(axis=1)
        near, wide = (counts[distances <= reach].sum() for reach in (TONE_REACH, VALLEY_REACH))
        total += near if near >= MIN_PEAK_SHARE * wide else 0
        counts[distances <= VALLEY_REACH] = 0
    return bool(total >= MIN_FLATNESS * len(areas))


def _sample_bytes(light: Light) -> npt.NDArray[np.uint8]:
    # Returns sRGB-encoded bytes of evenly spaced pixels.
    stride = 1 + (max(light.shape[:2]) - 1) // MAX_SAMPLED_SIDE
    encoded = encode_srgb(light[::stride, ::stride])
    return np.rint(encoded * 255).astype(np.uint8)


def _spans(values: npt.NDArray[np.uint8], side: int) -> npt.NDArray[np.int64]:
    # Returns the range of values in the square about each pixel.
    image = Image.fromarray(values)
    low, high = (np.asarray(image.filter(f(side)), int) for f in (MinFilter, MaxFilter))
    return np.asarray(high - low)


def _find_tones(histogram: npt.NDArray[np.float64]) -> list[int]:
    # Returns the middles of the histogram's narrow peaks, highest first.
    windows = (np.ones(2 * reach + 1) for reach in (TONE_REACH, VALLEY_REACH))
    near, wide = (np.convolve(histogram, window, "same") for window in windows)
    heights = np.where((near >= MIN_PEAK_SHARE * wide) & (near >= MIN_TONE_SHARE), near, 0)
    tones: list[int] = []
    while heights.any():
        tones.append(int(heights.argmax()))
        heights[max(0, tones[-1] - 2 * TONE_REACH) : tones[-1] + 2 * TONE_REACH + 1] = 0
    return tones
