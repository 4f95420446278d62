"""Compute the grey values of a board's cells: crop and resize a picture, adjust tone and contrast.

On 60 x 60 cells, a face becomes a grey blot unless its tones fill the range from black to white and
its features stand out from their surroundings.

The constants below were chosen by eye from targets of 40, 60, 100 and 280 cells a side: photographs
of people, animals, objects, sky and night, and faces that fill the frame.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.options.choices import AUTO
from lightsanim.options.colours import WHITE
from lightsanim.options.stages import PictureOptions
from .blur import blur_by_gaussian
from .crop import Box, find_picture_part
from .light import Light, colour_to_light, decode_srgb, encode_srgb
from .picture import Picture
from .plain_ground import find_extendable_ground

Grey: TypeAlias = npt.NDArray[np.float64]
FloatBox: TypeAlias = tuple[float, float, float, float]
ToneRange: TypeAlias = tuple[float, float]
"""The two grey values that the contrast stretch turns into black and white."""

# Lanczos keeps eyes and mouths crisp, unlike box and Hamming; dithering hides its ringing.
RESIZE_FILTER = Image.Resampling.LANCZOS
# Minimum number of pixel blocks per cell, along each axis, that fast averaging leaves; with two, it
# makes no visible difference.
OVERSAMPLING = 2
# Radius of the unsharp mask in cells: with 1.5 faces look flat, and larger radii leave halos.
SHARPEN_RADIUS = 2.5
# Shorter side of a board, in cells, at which local contrast is halved; in full, hair looks wiry.
DETAIL_FADE_SIDE = 300
# Share of cells clipped to black, and of cells clipped to white; 0.01 leaves dots in bright skies.
CONTRAST_CUT = 0.02
# Pictures whose grey values span less than this are not stretched, which would only show noise.
MIN_TONE_SPAN = 0.02
# Number of bins of the histogram of grey values over several frames.
TONE_STEPS = 1 << 16
# Number of rows in a strip, the part of a plane that is changed at a time.
STRIP_ROWS = 32


def grey_for_board(
    picture: Picture, rows: int, columns: int, options: PictureOptions = PictureOptions()
) -> Grey:
    """Return the grey values of a board's cells from a picture: float64 (rows, columns) in 0..1.

    The options apply in this order: ``crop`` and ``focus``; ``fit``; ``autocontrast``; ``detail``
    (see `detail_factor`); ``gamma``; ``invert``; ``tone``.

    >>> picture = Picture(name="ramp", light=np.array([[0, 0.2, 1]], np.float32))
    >>> grey_for_board(picture, 1, 3, PictureOptions(detail=0, autocontrast=False)).round(3)
    array([[0.   , 0.485, 1.   ]])
    """
    return grey_from_light(light_for_board(picture, rows, columns, options), rows, columns, options)


def light_for_board(picture: Picture, rows: int, columns: int, options: PictureOptions) -> Light:
    """Return the light of the cells that the picture covers: float32 (planes, rows, columns)."""
    cells = picture.word.draw(rows, columns)
    if cells is not None:
        return cells.astype(np.float32)[None].repeat(picture.light[0, 0].size, axis=0)
    light, box = picture.light, find_picture_part(picture, options, columns / rows).box
    ground = find_extendable_ground(light, box, columns / rows) if options.fit == AUTO else None
    # Ringing would add colours.
    resample = Image.Resampling.BOX if options.has_flat_colours else RESIZE_FILTER
    if ground is None:
        return resize_picture_part(light, box, rows, columns, options.fit, resample=resample)
    planes = resize_picture_part(light, box, rows, columns, "contain", resample=resample)
    return _centre_on_board(planes, rows, columns, ground.tolist())


def resize_picture_part(
    light: Light,
    box: Box,
    rows: int,
    columns: int,
    fit: str,
    factor: int = 1,
    resample: Image.Resampling = RESIZE_FILTER,
) -> Light:
    """Resize the part inside a box to a board; ``light`` is already reduced by ``factor``."""
    height, width = light.shape[:2]
    left, top, right, bottom = (side / factor for side in box)
    x, y = math.floor(left), math.floor(top)
    light = light[y : math.ceil(bottom), x : math.ceil(right)]
    left, top, right, bottom = left - x, top - y, min(right, width) - x, min(bottom, height) - y
    rows, columns = _picture_shape_on_board(box, rows, columns, fit)
    inside = left, top, right, bottom
    if fit in (AUTO, "cover"):
        x_0, y_0, x_1, y_1 = centred_box(right - left, bottom - top, columns / rows)
        inside = left + x_0, top + y_0, left + x_1, top + y_1
    planes = map(Image.fromarray, np.moveaxis(np.atleast_3d(light), 2, 0))
    resized = (plane.resize((columns, rows), resample, box=inside) for plane in planes)
    cells = np.stack([np.asarray(plane, np.float32) for plane in resized])
    return np.clip(cells, 0, 1, out=cells)


def averaging_factor(box: Box, rows: int, columns: int, fit: str) -> int:
    """Return the side of the pixel blocks that may be averaged before a picture part is resized.

    >>> averaging_factor((0, 0, 1920, 1080), 270, 480, "cover")
    2
    """
    left, top, right, bottom = box
    high, wide = _picture_shape_on_board(box, rows, columns, fit)
    return max(1, int(min((right - left) / wide, (bottom - top) / high) / OVERSAMPLING))


def grey_from_light(
    light: Light, rows: int, columns: int, options: PictureOptions, tones: ToneRange | None = None
) -> Grey:
    """Return grey values for light already scaled to a board; see `grey_for_board`."""
    grey: Grey = light.astype(np.float64)
    _apply_to_row_strips(grey, encode_srgb)
    if options.autocontrast:
        # All colour planes get the same stretch, which keeps the hues.
        low, high = tones or find_quantiles(grey, np.array([CONTRAST_CUT, 1 - CONTRAST_CUT]))
        if high - low >= MIN_TONE_SPAN:
            grey -= low
            grey /= high - low
            np.clip(grey, 0, 1, out=grey)
    if options.added_contrast > 0:  # an unsharp mask
        for plane in grey:
            halo = blur_by_gaussian(plane, SHARPEN_RADIUS)
            np.subtract(plane, halo, out=halo)
            halo *= options.added_contrast * detail_factor(rows, columns)
            plane += halo
            np.clip(plane, 0, 1, out=plane)
    if grey.shape[1:] != (rows, columns):
        rgb = (options.backdrop or WHITE).rgb
        grey_value = float(encode_srgb(colour_to_light(rgb)))
        backdrop_values = [grey_value] if len(grey) == 1 else [channel / 255 for channel in rgb]
        grey = _centre_on_board(grey, rows, columns, backdrop_values)
    grey **= 1 / options.gamma
    if options.invert:
        grey = 1 - grey
    if options.tone == "linear":
        _apply_to_row_strips(grey, decode_srgb)
    return grey[0] if len(grey) == 1 else grey


def _apply_to_row_strips(grey: Grey, function: Callable[[Grey], npt.NDArray[np.floating]]) -> None:
    """Apply a function to all values in place, in strips of rows to save memory."""
    for plane in grey:
        for top in range(0, len(plane), STRIP_ROWS):
            plane[top : top + STRIP_ROWS] = function(plane[top : top + STRIP_ROWS])


def detail_factor(rows: int, columns: int) -> float:
    """Return the factor of ``detail``: 0.9 at 100 cells a side, 0.5 at 300, 0.07 at 1080."""
    return 1 / (1 + (min(rows, columns) / DETAIL_FADE_SIDE) ** 2)


def _picture_shape_on_board(box: Box, rows: int, columns: int, fit: str) -> tuple[int, int]:
    """Return the rows and columns that the picture covers on the board."""
    if fit != "contain":
        return rows, columns
    left, top, right, bottom = box
    height, width = bottom - top, right - left
    scale = min(rows / height, columns / width)
    inner_rows, inner_columns = round(height * scale), round(width * scale)
    return min(rows, max(1, inner_rows)), min(columns, max(1, inner_columns))


def centred_box(
    width: float, height: float, aspect: float, choose: Callable[[float, float], float] = min
) -> FloatBox:
    """Return the largest box of an aspect ratio in the middle of width x height.

    If ``choose`` is ``max``, return the smallest box of this ratio around width x height.

    >>> centred_box(400.0, 300.0, 1.0), centred_box(400.0, 300.0, 1.0, max)
    ((50.0, 0.0, 350.0, 300.0), (0.0, -50.0, 400.0, 350.0))
    """
    wide, high = choose(width, height * aspect), choose(height, width / aspect)
    left, top = (width - wide) / 2, (height - high) / 2
    return left, top, choose(width, left + wide), choose(height, top + high)


def find_tone_range(lights: Iterable[Light]) -> ToneRange:
    """Return the grey values that cut off the darkest and the brightest `CONTRAST_CUT` of cells.

    >>> [round(tone, 3) for tone in find_tone_range([np.array([0, 0.214, 1], np.float32)])]
    [0.0, 1.0]
    """
    counts = np.zeros(TONE_STEPS, np.int64)
    for light in lights:
        steps = np.rint(encode_srgb(light) * (TONE_STEPS - 1)).astype(np.intp)
        counts += np.bincount(steps.ravel(), minlength=TONE_STEPS)
    share = counts.cumsum() / counts.sum()
    low, high = np.searchsorted(share, [CONTRAST_CUT, 1 - CONTRAST_CUT]) / (TONE_STEPS - 1)
    return float(low), float(high)


def find_quantiles(grey: Grey, shares: npt.NDArray[np.float64]) -> list[float]:
    """Return `np.quantile`, which would import `numpy.ma` and so take 30 ms.

    >>> grey, shares = np.random.default_rng(0).random((1, 60, 60)), np.array([0.01, 0.99])
    >>> find_quantiles(grey, shares) == np.quantile(grey, shares).tolist()
    True
    """
    places = shares * (grey.size - 1)
    below, above = (rounded(places).astype(int) for rounded in (np.floor, np.ceil))
    tones = np.partition(grey, [*below, *above], axis=None)
    low, span, part = tones[below], tones[above] - tones[below], places - below
    upper = tones[above] - span * (1 - part)
    return [float(tone) for tone in np.where(part < 0.5, low + span * part, upper)]


def _centre_on_board(
    planes: npt.NDArray[Any], rows: int, columns: int, fills: Sequence[float]
) -> npt.NDArray[Any]:
    """Centre each plane on a board and pad it with its value in ``fills``."""
    margins = centring_margins((rows, columns), planes.shape[1:])
    pairs = zip(planes, fills, strict=True)
    return np.stack([np.pad(plane, margins, constant_values=fill) for plane, fill in pairs])


def centring_margins(outer: tuple[int, ...], inner: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the padding that centres a shape in a larger one: before and after, for each axis."""
    return [(n // 2, n - n // 2) for n in np.subtract(outer, inner).tolist()]
