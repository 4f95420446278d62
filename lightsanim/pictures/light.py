"""Convert pixels of any kind to linear light: the amount of light that a pixel emits, 0 to 1.

Only linear values can be averaged, so pictures are decoded before they are resized.  The transfer
curve is sRGB's (IEC 61966-2-1); the weights of red, green and blue are those of Rec. ITU-R BT.709,
which has the same primaries.  Colour profiles are applied first.
"""

from collections.abc import Iterator, Sequence
from functools import cache, reduce
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from .colour_profile import read_profile
from .pillow import composite_over

Light: TypeAlias = npt.NDArray[np.float32]
Rgb: TypeAlias = tuple[int, int, int]

LUMINANCE_WEIGHTS = (0.2126, 0.7152, 0.0722)
# Linear sRGB to CIE XYZ (IEC 61966-2-1).
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], LUMINANCE_WEIGHTS, [0.0193, 0.1192, 0.9505]])
# Pixels decoded at a time: enough for numpy's speed, few enough to keep Pillow's copies small.
BAND_PIXELS = 500_000
# Lines of a clip's frame that are decoded at a time, so that the sums stay in the CPU cache.
BLOCK_LINES = 32


def decode_srgb(encoded: npt.ArrayLike) -> Light:
    """Convert sRGB-encoded values in 0..1 to linear light, float32 (IEC 61966-2-1).

    >>> round(float(decode_srgb(0.5)), 4)
    0.214
    """
    c = np.asarray(encoded, dtype=np.float32)
    curve = ((c + np.float32(0.055)) / np.float32(1.055)) ** np.float32(2.4)
    return np.asarray(np.where(c <= 0.04045, c / np.float32(12.92), curve), dtype=np.float32)


def encode_srgb(light: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Convert linear light in 0..1 to sRGB-encoded values, float64; the inverse of `decode_srgb`.

    >>> round(float(encode_srgb(0.214)), 3)
    0.5
    """
    y = np.asarray(light, dtype=np.float64)
    return np.where(y <= 0.0031308, y * 12.92, 1.055 * y ** (1 / 2.4) - 0.055)


_LIGHT_OF_BYTE = decode_srgb(np.arange(256, dtype=np.float32) / 255)
# The CIE L* value, 0 to 100, of each byte, and the linear light of that value (CIE 15:2004).
_LIGHTNESS = np.arange(256) * (100 / 255)
_LIGHT_OF_LIGHTNESS: Light = np.where(
    _LIGHTNESS <= 8, _LIGHTNESS / (24389 / 27), ((_LIGHTNESS + 16) / 116) ** 3
).astype(np.float32)


def colour_to_light(rgb: Rgb) -> float:
    """Return the linear light of a colour, 0 to 1."""
    return float(sum(_light_table(w, 1)[v] for w, v in zip(LUMINANCE_WEIGHTS, rgb, strict=True)))


def image_to_light(image: Image.Image, backdrop: Rgb, *, rgb: bool = False) -> Light:
    """Return an image's linear light, float32 (height, width), or with ``rgb`` (height, width, 3).

    Transparent parts show the backdrop, mixed in encoded values as viewers do.  16-bit greys keep
    their precision.  Modes I and F have no fixed range.  If all values lie in 0..65535 (I) or 0..1
    (F), that is the range; otherwise they are stretched to black and white.  NaN is transparent.
    """
    profile = read_profile(image)
    deep = image.mode == "F" or image.mode.startswith("I")
    white = _find_value_range(image) if deep else None
    curve = None if profile is None else profile.curve
    light = np.empty((image.height, image.width, *([3] if rgb else [])), dtype=np.float32)
    for rows in row_strips(image.height, image.width):
        if white:
            band = image.crop((0, rows.start, image.width, rows.stop))
            light[rows].T[:] = _number_image_to_light(band, white, backdrop, curve).T
        else:
            band = composite_over(image, rows.start, rows.stop, backdrop, profile)
            light[rows] = _byte_image_to_light(band, rgb=rgb)
    return np.clip(light, 0, 1, out=light)  # the rounded weights may sum to just over 1


def row_strips(height: int, width: int) -> Iterator[slice]:
    """Yield slices that divide a picture's rows into strips of about `BAND_PIXELS` pixels."""
    lines = max(1, BAND_PIXELS // width)
    for top in range(0, height, lines):
        yield slice(top, min(height, top + lines))


def planes_to_light(
    planes: Sequence[npt.NDArray[np.uint8]], factor: int = 1, *, rgb: bool = False
) -> Light:
    """Return the linear light of sRGB-encoded colour planes, averaged over blocks of pixels.

    >>> planes_to_light([np.full((2, 4), 255, np.uint8)] * 3, 2)
    array([[1., 1.]], dtype=float32)
    """
    if rgb:
        return np.stack([_sum_weighted_planes([plane], [1.0], factor) for plane in planes], axis=2)
    return _sum_weighted_planes(planes, LUMINANCE_WEIGHTS, factor)


def _sum_weighted_planes(
    planes: Sequence[npt.NDArray[np.uint8]], weights: Sequence[float], factor: int
) -> Light:
    height, width = (side // factor for side in planes[0].shape)
    # Looking up values takes most of the time, so pixels to be averaged are looked up in pairs.
    pixels = 2 - factor % 2
    kind: type[np.unsignedinteger[Any]] = np.uint8 if pixels == 1 else np.uint16
    parts = [plane[:, : width * factor].view(kind) for plane in planes]
    tables = [_light_table(weight, pixels) for weight in weights]
    light = np.empty((height, width), np.float32)
    lines = max(1, BLOCK_LINES // factor)
    total = np.empty((lines * factor, parts[0].shape[1]), np.float32)
    buffer = np.empty_like(total)
    for top in range(0, height, lines):
        rows = slice(top * factor, min(top + lines, height) * factor)
        band, scratch = total[: rows.stop - rows.start], buffer[: rows.stop - rows.start]
        tables[0].take(parts[0][rows], mode="clip", out=band)
        for table, part in zip(tables[1:], parts[1:], strict=True):
            band += table.take(part[rows], mode="clip", out=scratch)
        light[top : top + lines] = _sum_blocks(band, factor, factor // pixels)
    light /= np.float32(factor * factor)
    return np.clip(light, 0, 1, out=light)


@cache
def _light_table(weight: float, pixels: int) -> Light:
    """Return a table of the weighted light of each byte, or of the sum for each pair of bytes."""
    light: Light = np.float32(weight) * _LIGHT_OF_BYTE
    return light if pixels == 1 else np.add.outer(light, light).ravel()


def average_blocks(light: Light, factor: int) -> Light:
    """Average light over square blocks of pixels; drop incomplete blocks at the right and bottom.

    >>> average_blocks(np.array([[0, 1, 5], [1, 0, 5]], np.float32), 2)
    array([[0.5]], dtype=float32)
    """
    if factor == 1:
        return light
    height, width = (side // factor * factor for side in light.shape[:2])
    return _sum_blocks(light[:height, :width], factor, factor) / np.float32(factor * factor)


def _sum_blocks(light: Light, down: int, across: int) -> Light:
    rows = reduce(np.add, (light[start::down] for start in range(down)))
    return np.asarray(reduce(np.add, (rows[:, start::across] for start in range(across))))


def values_to_light(values: Light, backdrop: Rgb, *, rgb: bool = False) -> Light:
    """Convert sRGB-encoded values in 0..1, float32 (height, width, 3 or 4), to linear light.

    >>> values_to_light(np.array([[[1, 1, 1, 0.5]]], np.float32), (0, 0, 0)).round(3)
    array([[0.214]], dtype=float32)
    """
    colours, opacity = values[..., :3], values[..., 3:]
    if opacity.size:
        backdrop_values = np.array(backdrop, np.float32) / np.float32(255)
        colours = (backdrop_values + (colours - backdrop_values) * opacity).astype(np.float32)
    light = decode_srgb(colours)
    return light if rgb else np.clip(light @ np.array(LUMINANCE_WEIGHTS, np.float32), 0, 1)


def _byte_image_to_light(image: Image.Image, *, rgb: bool) -> Light:
    """Return the linear light of an image in mode L, RGB or LAB."""
    values = np.asarray(image)
    if image.mode == "RGB" and not rgb:
        return planes_to_light([values[..., channel] for channel in range(3)])
    # A byte is always a valid index, so mode="clip" only saves numpy's check of every index.
    if image.mode == "LAB":
        light = _LIGHT_OF_LIGHTNESS.take(values[..., 0], mode="clip")
    else:
        light = _LIGHT_OF_BYTE.take(values, mode="clip")
    return np.repeat(light[..., None], 3, axis=2) if rgb and light.ndim == 2 else light


def _number_image_to_light(
    image: Image.Image,
    value_range: tuple[float, float],
    backdrop: Rgb,
    curve: npt.NDArray[np.uint8] | None,
) -> Light:
    """Return the linear light of a grey image with more than 8 bits per pixel."""
    values, (black, white) = np.asarray(image), value_range
    missing = np.isnan(values)
    transparent = image.info.get("transparency")
    if isinstance(transparent, int | float):
        missing |= values == transparent
    filled = np.where(missing, black, values).astype(np.float64)
    share = (np.clip(filled, black, white) - black) / (white - black)
    if curve is not None:
        share = np.interp(share, np.linspace(0, 1, len(curve)), curve / 255)
    light = decode_srgb(share)
    light[missing] = colour_to_light(backdrop)
    return light


def _find_value_range(image: Image.Image) -> tuple[float, float]:
    """Return the values of black and of white in a grey image with more than 8 bits per pixel."""
    if image.mode.startswith("I;16"):
        return 0.0, 65535.0
    default_white = 65535.0 if image.mode == "I" else 1.0
    values = np.asarray(image)
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, default_white)
    if (low >= 0 and high <= default_white) or low == high:
        return 0.0, default_white
    return low, high


def read_plane_lines(plane: Any) -> npt.NDArray[np.uint8]:
    """Return a writable view of the bytes of a PyAV plane, by line: uint8 (height, bytes)."""
    lines = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)
    return lines[: plane.height]
