"""From a picture to the values to be dithered: shape, size, tone, local contrast.

At 60 x 60 cells a photograph has to be helped: its tones must fill the range from black to white,
and its features must stand out from what is around them, or a face is a grey blot.

What the constants below are was chosen by eye, from targets of 40, 60, 100 and 280 cells a side
side by side: photographs of people, animals, things, sky and night, and faces that fill the frame.
"""

import math
from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.look.blur import STRIP_ROWS, blur_values, gaussian_weights
from lightsanim.options.choices import AUTO_FIT
from lightsanim.options.colours import WHITE
from lightsanim.options.stages import PictureOptions
from lightsanim.pictures.crop import Box, find_picture_part
from lightsanim.pictures.light import colour_to_light, decode_srgb, encode_srgb
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.plain_ground import find_extendable_ground

Grey: TypeAlias = npt.NDArray[np.float64]
Light: TypeAlias = npt.NDArray[np.float32]
ToneRange: TypeAlias = tuple[float, float]
"""The grey values that become black and white."""

# Of Pillow's filters Lanczos keeps eyes and mouths crispest: box and Hamming blur them away, and
# at this size its ringing, at most one cell wide, is never seen through the dither.
RESIZE_FILTER = Image.Resampling.LANCZOS

# How many times larger than the board what was averaged in a hurry stays.
OVERSAMPLING = 2

# Radius, in cells, of the unsharp mask.  With 1.5 faces in even light still drown in the dither's
# texture; larger radii leave halos around dark figures.
SHARPEN_RADIUS = 2.5

# Cells of the shorter side at which local contrast has faded to half.  At 280 cells half of the
# default looks crisp, where all of it turns fur and hair to wire.
DETAIL_FADE_SIDE = 300

# Share of the cells that the contrast stretch makes fully black, and fully white.  With 0.01 skies
# and walls that are almost white are strewn with lone dots, which look like mistakes.
CONTRAST_CUT = 0.02
# Pictures whose tones span less than this are flat: stretching them would show nothing but noise.
MIN_TONE_SPAN = 0.02
# Steps of grey in which the tones of many frames are counted.
TONE_STEPS = 1 << 16


def grey_for_board(
    picture: Picture, rows: int, columns: int, options: PictureOptions = PictureOptions()
) -> Grey:
    """The grey values of a board's cells, ready for dithering.

    In order: ``crop`` and ``focus`` take a part of the picture (see `lightsanim.pictures.crop`);
    ``fit`` cuts its middle out to the board's shape ("cover"; "auto" as well, but for drawings on a
    plain ground, of which there is more then), leaves margins of the backdrop ("contain") or
    distorts it ("stretch"); the picture is resized in linear light
    and encoded as sRGB; ``autocontrast`` stretches its tones, with 2% cut at both ends; ``detail``
    is the amount of local contrast (0 = none), which fades on large boards (see `detail_factor`);
    ``gamma`` above 1 lightens the middle tones, below 1 darkens them; ``invert`` swaps black and
    white; with ``tone`` "linear" the values are decoded again, so that the lit cells send out as
    much light as the picture, where "srgb" keeps shadows open.

    Returns float64 (rows, columns).

    >>> picture = Picture(name="ramp", light=np.array([[0, 0.2, 1]], np.float32))
    >>> grey_for_board(picture, 1, 3, PictureOptions(detail=0, autocontrast=False)).round(3)
    array([[0.   , 0.485, 1.   ]])
    """
    return grey_from_light(light_for_board(picture, rows, columns, options), rows, columns, options)


def light_for_board(picture: Picture, rows: int, columns: int, options: PictureOptions) -> Light:
    """The light of the board's cells that the picture itself takes up.

    Returns float32 (1 or in colour 3, rows, columns).
    """
    light, box = picture.light, find_picture_part(picture, options, columns / rows).box
    ground = find_extendable_ground(light, box, columns / rows) if options.fit == AUTO_FIT else None
    if ground is None:
        return resize_picture_part(light, box, rows, columns, options.fit)
    planes = zip(
        resize_picture_part(light, box, rows, columns, "contain"), ground.tolist(), strict=True
    )
    return np.stack(
        [_centre_on_board(plane, rows, columns, ground_value) for plane, ground_value in planes]
    )


def resize_picture_part(
    light: Light, box: Box, rows: int, columns: int, fit: str, factor: int = 1
) -> Light:
    """As `light_for_board`, of a part that is known."""
    height, width = light.shape[:2]
    left, top, right, bottom = (side / factor for side in box)
    x, y = math.floor(left), math.floor(top)
    light = light[y : math.ceil(bottom), x : math.ceil(right)]
    inside = left - x, top - y, min(right, width) - x, min(bottom, height) - y
    inner = _picture_shape_on_board(box, rows, columns, fit)
    planes = np.ascontiguousarray(np.moveaxis(np.atleast_3d(light), 2, 0))
    return np.stack([_resize_light(plane, *inner, fit, inside) for plane in planes])


def averaging_factor(box: Box, rows: int, columns: int, fit: str) -> int:
    """The side of the squares of pixels that may be averaged before a part becomes cells.

    Twice the board's cells a side are left, and no eye sees a difference.

    >>> averaging_factor((0, 0, 1920, 1080), 270, 480, "cover")
    2
    """
    left, top, right, bottom = box
    high, wide = _picture_shape_on_board(box, rows, columns, fit)
    return max(1, int(min((right - left) / wide, (bottom - top) / high) / OVERSAMPLING))


def grey_from_light(
    light: Light,
    rows: int,
    columns: int,
    options: PictureOptions,
    tones: ToneRange | None = None,
) -> Grey:
    """The grey values of light that was made for a board; see `grey_for_board`."""
    grey: Grey = light.astype(np.float64)
    _apply_to_row_strips(grey, encode_srgb)
    if options.autocontrast:
        # All primaries alike, or colours would change.
        _stretch_contrast(
            grey, np.quantile(grey, [CONTRAST_CUT, 1 - CONTRAST_CUT]) if tones is None else tones
        )
    for plane in grey:
        _sharpen_grey(plane, options.detail * detail_factor(rows, columns))
    if grey.shape[1:] != (rows, columns):
        rgb = (options.backdrop or WHITE).rgb
        grey_value = float(encode_srgb(colour_to_light(rgb)))
        backdrop_values = [grey_value] if len(grey) == 1 else [channel / 255 for channel in rgb]
        grey = np.stack(
            [
                _centre_on_board(p, rows, columns, fill)
                for p, fill in zip(grey, backdrop_values, strict=True)
            ]
        )
    grey **= 1 / options.gamma
    if options.invert:
        grey = 1 - grey
    if options.tone == "linear":
        _apply_to_row_strips(grey, decode_srgb)
    return grey[0] if len(grey) == 1 else grey


def _apply_to_row_strips(grey: Grey, function: Callable[[Grey], npt.NDArray[np.floating]]) -> None:
    """Put a function of each value in its place; what it needs meanwhile stays small."""
    for plane in grey:
        for top in range(0, len(plane), STRIP_ROWS):
            plane[top : top + STRIP_ROWS] = function(plane[top : top + STRIP_ROWS])


def detail_factor(rows: int, columns: int) -> float:
    """How much of the asked-for local contrast a board gets: 1 / (1 + (side / 300)^2).

    ``side`` is the number of cells of the shorter side: 0.96 at 60, 0.9 at 100, 0.5 at 300 and
    0.07 at 1080, where the dither itself carries the detail.
    """
    return 1 / (1 + (min(rows, columns) / DETAIL_FADE_SIDE) ** 2)


def _picture_shape_on_board(box: Box, rows: int, columns: int, fit: str) -> tuple[int, int]:
    """Rows and columns that the picture itself takes up on the board."""
    if fit != "contain":
        return rows, columns
    left, top, right, bottom = box
    height, width = bottom - top, right - left
    scale = min(rows / height, columns / width)
    inner_rows, inner_columns = round(height * scale), round(width * scale)
    return min(rows, max(1, inner_rows)), min(columns, max(1, inner_columns))


def _resize_light(
    light: npt.NDArray[np.float32],
    rows: int,
    columns: int,
    fit: str,
    box: tuple[float, float, float, float],
) -> npt.NDArray[np.float32]:
    """The light of each cell."""
    if fit in (AUTO_FIT, "cover"):
        left, top, right, bottom = box
        x, y, *end = largest_inner_box(right - left, bottom - top, columns / rows)
        box = left + x, top + y, left + end[0], top + end[1]
    image = Image.fromarray(light).resize((columns, rows), RESIZE_FILTER, box=box)
    light = np.array(image)
    return np.clip(light, 0, 1, out=light)


def largest_inner_box(
    width: float, height: float, aspect: float
) -> tuple[float, float, float, float]:
    """The largest centred box (left, top, right, bottom) whose width is shape times its height."""
    wide, high = min(width, height * aspect), min(height, width / aspect)
    left, top = (width - wide) / 2, (height - high) / 2
    return left, top, min(width, left + wide), min(height, top + high)


def smallest_outer_box(
    width: float, height: float, aspect: float
) -> tuple[float, float, float, float]:
    """The smallest box around one at (0, 0) with the same middle, its width shape times its height.

    >>> smallest_outer_box(400.0, 300.0, 1.0)
    (0.0, -50.0, 400.0, 350.0)
    """
    wide, high = max(width, height * aspect), max(height, width / aspect)
    left, top = (width - wide) / 2, (height - high) / 2
    return left, top, left + wide, top + high


def find_tone_range(lights: Iterable[Light]) -> ToneRange:
    """The grey values between which all but the cut of some light lies.

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


def _stretch_contrast(grey: Grey, tones: Iterable[float]) -> None:
    """Stretch tones to black..white, in place, unless there are none to stretch."""
    low, high = map(float, tones)
    if high - low >= MIN_TONE_SPAN:
        grey -= low
        grey /= high - low
        np.clip(grey, 0, 1, out=grey)


def _sharpen_grey(grey: npt.NDArray[np.float64], amount: float) -> None:
    """Raise local contrast, in place: an unsharp mask."""
    if amount > 0:
        reach = math.ceil(3 * SHARPEN_RADIUS)
        halo = blur_values(
            grey.astype(np.float32), gaussian_weights(SHARPEN_RADIUS, reach)[reach:], "symmetric"
        )
        np.subtract(grey, halo, out=halo)
        halo *= amount
        grey += halo
        np.clip(grey, 0, 1, out=grey)


def _centre_on_board(grey: Grey, rows: int, columns: int, fill: float) -> Grey:
    """Grey in the middle of a board, with margins of paper."""
    return np.pad(grey, centring_margins((rows, columns), grey.shape), constant_values=fill)


def centring_margins(outer: tuple[int, ...], inner: tuple[int, ...]) -> list[tuple[int, int]]:
    """How much there is before and after what lies in the middle, along each side."""
    return [(n // 2, n - n // 2) for n in np.subtract(outer, inner).tolist()]
