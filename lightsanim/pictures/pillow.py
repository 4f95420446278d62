"""Reading pictures with Pillow, and saying what went wrong in it.

Pillow's plugins parse bytes that may be damaged or hostile, and let through whatever their parsing
runs into: struct.error, KeyError, zlib.error and more.  To the user all of it means that this
picture cannot be read.  Only calls of Pillow belong under `pillow_errors`: an error in our own
code must not be reported as a damaged picture.
"""

import io
import logging
import os
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from lightsanim.errors import PictureError
from lightsanim.pictures.colour_profile import ColourProfile

# A pipe may have no end; this is more than a photograph takes.
MAX_PIPED_BYTES = 250_000_000

# Bytes by which formats are known.
HEAD_BYTES = 16

# What HEIC files begin with after their first four bytes; also some AVIFs, which Pillow reads.
HEIC_BRANDS = tuple(b"ftyp" + brand for brand in (b"heic", b"heix", b"heim", b"heis", b"mif1"))

# How the most usual formats begin; for the others Pillow has forty plugins to load.
COMMON_SIGNATURES = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG"}

NO_PICTURE_MESSAGE = "it is not a picture or clip of a format that is known; try PNG, JPEG or MP4"

# What logs of damaged TIFFs.
LOGGERS = ("PIL.TiffImagePlugin", "tifffile")

# Warning filters belong to the whole process, so one picture is decoded at a time.
_DECODING_LOCK = threading.Lock()


class NoPictureError(PictureError):
    """Bytes that look like no picture, and not like a damaged one."""


@contextmanager
def warnings_suppressed() -> Iterator[None]:
    """Keep warnings and logs of decoders from the user; that of very large pictures is an error.

    The others tell of odd metadata in pictures that are read well, or of damage that an error tells
    of, too.
    """
    with _DECODING_LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        before = [(logger, logger.disabled) for logger in map(logging.getLogger, LOGGERS)]
        try:
            for logger, _ in before:
                logger.disabled = True
            yield
        finally:
            for logger, disabled in before:
                logger.disabled = disabled


@contextmanager
def pillow_errors() -> Iterator[None]:
    """Turn whatever Pillow raises into a `PictureError` that says only what is wrong."""
    with warnings_suppressed():
        try:
            yield
        except UnidentifiedImageError as error:
            raise NoPictureError(NO_PICTURE_MESSAGE) from error
        except Exception as error:
            raise PictureError(_explain_error(error)) from error


def read_picture_file(path: str | os.PathLike[str], is_other: Callable[[bytes], bool]) -> bytes:
    """The bytes of a picture's file, read once: it may change meanwhile, or be a pipe."""
    with pillow_errors(), open(path, "rb") as file:
        if not file.seekable():
            content = file.read(MAX_PIPED_BYTES + 1)
            if len(content) > MAX_PIPED_BYTES:
                raise PictureError(f"the pipe holds more than {MAX_PIPED_BYTES} bytes; name a file")
            return content
        head = file.peek(HEAD_BYTES)[:HEAD_BYTES]
        if not head or head.startswith(HEIC_BRANDS, 4) or is_other(head):
            return file.read()
        with Image.open(file, formats=_find_possible_formats(head)):
            pass  # a stream that is no picture may have no end
        file.seek(0)
        return file.read()


def open_image(content: bytes) -> Image.Image:
    """The image in a file's bytes; its pixels are not decoded yet."""
    with pillow_errors():
        try:
            return Image.open(io.BytesIO(content), formats=_find_possible_formats(content))
        except UnidentifiedImageError:
            if not content.startswith(HEIC_BRANDS, 4):
                raise
            return _open_heic(content)


def _open_heic(content: bytes) -> Image.Image:
    # FFmpeg would show one of the tiles that photographs are made of.
    from pillow_heif import HeifImageFile

    image: Image.Image = cast(Any, HeifImageFile)(io.BytesIO(content))  # it has no types
    check_pixels(*image.size)
    return image


def load_upright(image: Image.Image) -> Image.Image:
    """A copy of an image with its pixels decoded, turned as its EXIF says."""
    if 0 in image.size:
        raise PictureError(f"it has no pixels ({image.width}x{image.height})")
    transparency = _scale_transparent_value(image)
    with pillow_errors():
        image.load()
        try:
            upright = ImageOps.exif_transpose(image)
        except Exception:  # damaged EXIF must not cost a good picture
            upright = image.copy()
    if transparency is not None:
        upright.info["transparency"] = transparency
    return upright


def composite_over(
    image: Image.Image,
    top: int,
    bottom: int,
    backdrop: tuple[int, int, int],
    profile: ColourProfile | None = None,
) -> Image.Image:
    """Some rows of an image over a background."""
    with pillow_errors():
        band = image.crop((0, top, image.width, bottom))
        if profile is not None:
            band = profile.to_srgb(band)
        if band.mode == "LAB":
            return band
        if band.has_transparency_data:
            if band.mode == "La":  # premultiplied with alpha; Pillow turns it into LA only
                band = band.convert("LA")
            canvas = Image.new("RGBA", band.size, (*backdrop, 255))
            return Image.alpha_composite(canvas, band.convert("RGBA")).convert("RGB")
        return band.convert("L" if band.mode in ("1", "L") else "RGB")


def check_pixels(width: int, height: int) -> None:
    """Are a picture's pixels some, and as few as Pillow takes?"""
    limit = Image.MAX_IMAGE_PIXELS
    if width * height <= 0 or (limit is not None and width * height > limit):
        raise PictureError(
            f"it has {width}x{height} pixels; they must be 1 to {limit} in all: make it smaller"
        )


def _find_possible_formats(head: bytes) -> list[str]:
    if common := [name for start, name in COMMON_SIGNATURES.items() if head.startswith(start)]:
        return common
    # For EPS Pillow would run Ghostscript, on a program that may be hostile.  Of an MPEG it knows
    # the size, and no pixels.
    Image.init()
    return [name for name in Image.ID if name not in ("EPS", "MPEG")]


def _scale_transparent_value(image: Image.Image) -> Any:
    """The transparent value that a PNG file names, on the scale of the pixels Pillow makes.

    Pillow scales grey of 2 and 4 bits up to 8 and cuts colours of 16 bits down to 8, but leaves
    this value as it is in the file.  Must be asked before the pixels are decoded.
    """
    transparency = image.info.get("transparency")
    tile = getattr(image, "tile", None)
    factor = {"L;2": 85, "L;4": 17, "RGB;16B": 1 / 256}.get(str(tile[0][3]) if tile else "")
    if factor is None:
        return transparency
    if isinstance(transparency, tuple):
        return tuple(int(value * factor) for value in transparency)
    return int(transparency * factor) if isinstance(transparency, int) else transparency


def _explain_error(error: Exception) -> str:
    """What went wrong, for someone who has a picture and no traceback."""
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case IsADirectoryError():
            return "it is a folder; name one picture file in it"
        case PermissionError():
            return "it may not be read; check its permissions"

        case Image.DecompressionBombError() | Image.DecompressionBombWarning():
            pixels = re.search(r"\d+", str(error))  # Pillow names the picture's size first
            return (
                f"it has {pixels[0] if pixels else 'too many'} pixels, over the limit of "
                f"{Image.MAX_IMAGE_PIXELS}; make it smaller"
            )
        case MemoryError():
            return "there is not enough memory; make the picture smaller"
        case OSError(strerror=str(reason)):
            return reason
        case _:
            return f"{error}" if str(error) else f"it is damaged ({type(error).__name__})"


def build_indexed_image(indices: NDArray[np.integer[Any]], table: NDArray[np.uint8]) -> Image.Image:
    """A picture with a palette, transparent where its colours are.

    ``places``: uint8 (height, width), ``table``: uint8 (colours, 4).
    """
    image = Image.fromarray(indices)
    image.putpalette(table[:, :3].tobytes())
    if (table[:, 3] < 255).any():
        image.info["transparency"] = table[:, 3].tobytes()
    return image
