"""Load a still picture from a file, a Pillow image or an array as linear light."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.errors import PictureError
from lightsanim.options.colours import WHITE, to_opaque_colour
from .animated import open_still
from .deep_stills import TIFF_SIGNATURES, is_misread_tiff, is_raw_path, read_raw, read_tiff
from .hdr_stills import HDR_SIGNATURES, hdr_light_over, read_hdr_light
from .light import Light, Rgb, encode_srgb, image_to_light, row_strips, values_to_light
from .picture import File, Picture, PictureFile
from .pillow import (
    NoPictureError,
    find_possible_formats,
    has_picture_signature,
    load_upright,
    pillow_errors,
    prefix_errors,
)
from .source import PictureSource, Source, to_source
from .words.table import find_word

# Limit of the bytes read from a pipe, which may be endless; no photograph is larger.
MAX_PIPED_BYTES = 250_000_000
# Number of bytes at the start of a file from which its format is recognized.
HEAD_BYTES = 512
# Linear light above which a pixel hardly stands out from white.
NEAR_WHITE = 0.8


def load_still(
    source: PictureSource, backdrop: str | tuple[int, ...] | None = None, *, rgb: bool = False
) -> Picture:
    """Load a still picture.

    Without a backdrop, transparent parts show white, or black if most of the opaque part is white.

    >>> load_still(np.array([[0.0, 0.5, 1.0]])).light.round(4)
    array([[0.   , 0.214, 1.   ]], dtype=float32)
    """
    source = to_source(source)
    if isinstance(source.picture, Picture):
        return _reuse_loaded_picture(source.picture, source, rgb)
    chosen = source.own.get("backdrop", backdrop)
    backdrop_rgb = to_opaque_colour(WHITE if chosen is None else chosen, "backdrop").rgb
    still = _decode_source(source, rgb)
    light = still.light_over(backdrop_rgb)
    if chosen is None and still.is_transparent and (light > NEAR_WHITE).mean() > 0.5:
        over_black = still.light_over((0, 0, 0))
        if _is_white_on_transparent(light, over_black):
            light = over_black
    return Picture(
        name=source.name,
        light=light,
        sha256=still.sha256,
        own=source.own,
        word=source.meaning,
        reduction=still.reduction,
    )


def _is_white_on_transparent(over_white: Light, over_black: Light) -> bool:
    solid_count = white_count = 0
    for rows in row_strips(*over_white.shape[:2]):  # in strips, to save memory
        light = over_white[rows]
        solid = encode_srgb(light) - encode_srgb(over_black[rows]) < 0.5
        solid_count += int(solid.sum())
        white_count += int((light[solid] > NEAR_WHITE).sum())
    return 0 < solid_count < over_white.size and white_count > solid_count / 2


def _reuse_loaded_picture(picture: Picture, source: Source, rgb: bool) -> Picture:
    if (picture.light.ndim == 3) != rgb:
        kinds = ("grey", "colour") if rgb else ("colour", "grey")
        raise PictureError(f"{picture.name} was loaded in {kinds[0]}; load it in {kinds[1]}")
    return replace(picture, own=source.own) if source.own else picture


class _DecodedStill(NamedTuple):
    """A decoded picture, which can be composited over several backdrops."""

    light_over: Callable[[Rgb], Light]  # Returns the picture's linear light over a backdrop colour.
    is_transparent: bool  # True if pixels may be transparent.
    sha256: str | None = None  # SHA-256 of the file's bytes; None without a file.
    reduction: int = 1  # Factor by which the picture was reduced.


def _decode_source(source: Source, rgb: bool) -> _DecodedStill:
    picture = source.picture
    if source.file is not None:
        with prefix_errors(source.path):
            content = read_file_content(source.file)
            still = _decode_content(source.path, content, rgb)
        return still._replace(sha256=hashlib.sha256(content).hexdigest())
    if isinstance(picture, np.ndarray):
        if picture.ndim != 2 and not (picture.ndim == 3 and picture.shape[2] in (3, 4)):
            raise _array_format_error(picture)
        if 0 in picture.shape:
            raise PictureError(f"a picture array must not be empty, but has shape {picture.shape}")
        if picture.ndim == 3 and picture.dtype != np.uint8:
            return _decode_values(_normalize_float_array(picture), rgb)
        picture = _image_from_array(picture)
    if not isinstance(picture, Image.Image):
        raise PictureError(
            f"a picture must be a path, a Pillow image or an array, not {type(picture).__name__}"
        )
    with prefix_errors("the picture"):
        return _decode_image(picture, rgb)


def _decode_image(image: Image.Image, rgb: bool) -> _DecodedStill:
    upright = load_upright(image)
    # Floats may be NaN, which is transparent.
    is_transparent = upright.has_transparency_data or upright.mode == "F"
    return _DecodedStill(
        partial(image_to_light, upright, rgb=rgb),
        is_transparent,
        reduction=upright.info.get("reduction", 1),
    )


def read_file_content(path: File) -> bytes:
    """Return the bytes of a picture file; it is read only once, as it may change or be a pipe."""
    if isinstance(path, PictureFile):
        return path.content
    with pillow_errors(), open(path, "rb") as file:
        if not file.seekable():
            content = file.read(MAX_PIPED_BYTES + 1)
            if len(content) > MAX_PIPED_BYTES:
                raise PictureError(f"the pipe holds more than {MAX_PIPED_BYTES} bytes; pass a file")
            return content
        head = file.peek(HEAD_BYTES)[:HEAD_BYTES]
        if head and not has_picture_signature(head) and not may_need_no_pillow(str(path), head):
            with Image.open(file, formats=find_possible_formats(head)):
                pass  # only a picture is read to its end, as another stream may be endless
            file.seek(0)
        return file.read()


def may_need_no_pillow(path: str, head: bytes) -> bool:
    """Return whether a picture is drawn from a word, or may be a still that Pillow cannot read."""
    is_deep = is_raw_path(path) or head.startswith((*HDR_SIGNATURES, *TIFF_SIGNATURES))
    return is_deep or find_word(path).is_drawn


def _decode_content(path: str, content: bytes, rgb: bool) -> _DecodedStill:
    if not content:
        raise PictureError("the file is empty")
    cells = find_word(path).draw_without_board()
    if cells is not None:
        light = cells.astype(np.float32)
        return _DecodedStill(lambda _: light[..., None].repeat(3, axis=2) if rgb else light, False)
    if is_raw_path(path):
        return _decode_values(read_raw(content), rgb)
    if content.startswith(HDR_SIGNATURES):
        light = read_hdr_light(content)
        return _DecodedStill(partial(hdr_light_over, light, rgb=rgb), light.shape[2] == 4)
    try:
        image = open_still(content)
    except NoPictureError:
        if not content.startswith(TIFF_SIGNATURES):
            raise
        return _decode_values(read_tiff(content, None), rgb)
    with image:
        if is_misread_tiff(image):
            return _decode_values(read_tiff(content, image), rgb)
        return _decode_image(image, rgb)


def _decode_values(values: Light, rgb: bool) -> _DecodedStill:
    """Decode grey of any range (height, width), or sRGB-encoded (height, width, 3 or 4)."""
    if values.ndim == 2:
        return _decode_image(Image.fromarray(values), rgb)
    return _DecodedStill(partial(values_to_light, values, rgb=rgb), values.shape[2] == 4)


def _image_from_array(array: npt.NDArray[Any]) -> Image.Image:
    """Return an array of pixels as a Pillow image; raise `PictureError` for other arrays."""
    kind, flat = array.dtype.kind, array.ndim == 2
    if flat and kind == "f":
        return Image.fromarray(_normalize_float_array(array))
    if array.dtype == np.uint8 or (flat and array.dtype == np.uint16):
        return Image.fromarray(np.ascontiguousarray(array))
    if flat and (kind == "b" or (kind in "iu" and np.isin(array, (0, 1)).all())):
        return Image.fromarray(array.astype(np.uint8) * np.uint8(255))
    raise _array_format_error(array)


def _normalize_float_array(array: npt.NDArray[Any]) -> Light:
    """Return a uint16 or float array as float32 in 0..1; raise `PictureError` for other arrays."""
    if array.dtype == np.uint16:
        return array.astype(np.float32) / np.float32(65535)
    if array.dtype.kind != "f":
        raise _array_format_error(array)
    low, high = array.min(), array.max()
    if not (low >= 0 and high <= 1):  # also true for NaN
        value_range = "nan" if np.isnan(low) else f"{low:g}..{high:g}"
        raise PictureError(f"a picture's floats must lie in 0..1, not {value_range}")
    return array.astype(np.float32)


def _array_format_error(array: npt.NDArray[Any]) -> PictureError:
    return PictureError(
        "a picture array must be uint8, uint16 or float of shape (height, width), (height, width, "
        "3) or (height, width, 4), or bool or integers 0 and 1 of shape (height, width), not "
        f"{array.dtype} {array.shape}"
    )
