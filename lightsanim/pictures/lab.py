"""Colours in CIELAB, where distances are about as large as they look.

Values are whole numbers of 1/16, so that every program that computes with them gets the same sums.
"""

import numpy as np
import numpy.typing as npt

from .light import TO_XYZ, encode_srgb

Lab = npt.NDArray[np.int64]
"""L*, a* and b* in units of 1/16, int64 (..., 3)."""
Rgb = npt.NDArray[np.uint8]
"""sRGB-encoded colours, uint8 (..., 3)."""

UNITS = 16
TO_WHITE_SHARES = TO_XYZ / TO_XYZ.sum(axis=1, keepdims=True)  # XYZ divided by the white D65.
# The end of the linear part of the curve from XYZ to Lab (CIE 15:2004).
DARK = 6 / 29


def rgb_to_lab(rgb: Rgb) -> Lab:
    """Convert sRGB bytes to CIELAB under D65, rounded.

    >>> (rgb_to_lab(np.array([255, 128, 0], np.uint8)) / UNITS).tolist()
    [67.0625, 42.8125, 74.0]
    """
    encoded = rgb / 255
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    x, y, z = np.moveaxis(linear @ TO_WHITE_SHARES.T, -1, 0)
    x, y, z = (np.where(t > DARK**3, np.cbrt(t), t / (3 * DARK**2) + 4 / 29) for t in (x, y, z))
    lab = np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)
    return np.asarray(np.rint(lab * UNITS), np.int64)


def lab_to_rgb(lab: Lab) -> Rgb:
    """Convert CIELAB to sRGB bytes; colours out of range are clipped."""
    lightness, a, b = np.moveaxis(lab / UNITS, -1, 0)
    y = (lightness + 16) / 116
    xyz = np.stack([y + a / 500, y, y - b / 200], axis=-1)
    xyz = np.where(xyz > DARK, xyz**3, (xyz - 4 / 29) * 3 * DARK**2)
    linear = np.clip(xyz @ np.linalg.inv(TO_WHITE_SHARES).T, 0, 1)
    return np.asarray(np.rint(encode_srgb(linear) * 255), np.uint8)


def ciede2000(first: Lab, second: Lab) -> npt.NDArray[np.float64]:
    """Return the CIEDE2000 differences of colours; 1 is just visible, 100 is black and white.

    G. Sharma, W. Wu and E. N. Dalal, "The CIEDE2000 color-difference formula", Color Research and
    Application 30 (2005) 21 .. 30.
    """
    (light_1, a_1, b_1), (light_2, a_2, b_2) = (
        np.moveaxis(lab / UNITS, -1, 0) for lab in np.broadcast_arrays(first, second)
    )
    chroma = (np.hypot(a_1, b_1) + np.hypot(a_2, b_2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    a_1, a_2 = a_1 * stretch, a_2 * stretch
    chroma_1, chroma_2 = np.hypot(a_1, b_1), np.hypot(a_2, b_2)
    hue_1, hue_2 = (np.degrees(np.arctan2(*ba)) % 360 for ba in ((b_1, a_1), (b_2, a_2)))
    is_grey = chroma_1 * chroma_2 == 0
    turn = np.where(is_grey, 0, (hue_2 - hue_1 + 180) % 360 - 180)
    turn = np.where(hue_2 - hue_1 == 180, 180, turn)
    hue = np.where(is_grey, hue_1 + hue_2, (hue_1 + turn / 2) % 360)
    hue_step = 2 * np.sqrt(chroma_1 * chroma_2) * np.sin(np.radians(turn / 2))
    chroma, light = (chroma_1 + chroma_2) / 2, ((light_1 + light_2) / 2 - 50) ** 2
    cosines = (
        weight * np.cos(np.radians(times * hue + start))
        for weight, times, start in ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    )
    light_step = (light_2 - light_1) / (1 + 0.015 * light / np.sqrt(20 + light))
    chroma_step = (chroma_2 - chroma_1) / (1 + 0.045 * chroma)
    hue_step /= 1 + 0.015 * chroma * (1 + sum(cosines))
    bend = np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2)))
    twist = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(bend)
    squares = light_step**2 + chroma_step**2 + hue_step**2 + twist * chroma_step * hue_step
    return np.asarray(np.sqrt(squares))
