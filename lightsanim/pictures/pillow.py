"""Read pictures with Pillow and turn its exceptions into clear errors.

Pillow's plugins parse bytes that may be damaged or hostile, and raise struct.error, KeyError,
zlib.error and more.  Only calls of Pillow belong inside `pillow_errors`: an error in our own code
must not be reported as a damaged picture.
"""

import io
import logging
import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from lightsanim.errors import PictureError
from lightsanim.pictures.coded_colours import read_colour_codes
from lightsanim.pictures.colour_profile import ColourProfile

# Possible bytes 4 to 11 of HEIC files; some AVIF files, which Pillow reads, contain them too.
HEIC_BRANDS = tuple(b"ftyp" + brand for brand in (b"heic", b"heix", b"heim", b"heis", b"mif1"))
# First bytes of common formats, and their plugins; for any other, Pillow loads forty plugins.
SIGNATURES = {rb"\x89PNG\r\n\x1a\n": "Png", rb"\xff\xd8\xff": "Jpeg", rb"RIFF....WEBP": "WebP"}
NO_PICTURE_MESSAGE = "it is not a picture or clip of a known format; try PNG, JPEG or MP4"
# Loggers that report damaged TIFF files; disabled while a picture is decoded.
LOGGERS = ("PIL.TiffImagePlugin", "tifffile")
# Only one picture is decoded at a time: warning filters apply to the whole process.
_DECODING_LOCK = threading.Lock()


class NoPictureError(PictureError):
    """Error for a file whose first bytes match no picture format."""


@contextmanager
def warnings_suppressed() -> Iterator[None]:
    """Hide warnings and logs of decoders, but turn the warning of a huge picture into an error.

    Hidden messages report odd metadata in a readable picture, or damage that also raises an error.
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
    """Turn any exception that Pillow raises into a `PictureError` with a short reason."""
    with warnings_suppressed():
        try:
            yield
        except UnidentifiedImageError as error:
            raise NoPictureError(NO_PICTURE_MESSAGE) from error
        except Exception as error:
            raise PictureError(_explain_error(error)) from error


def open_image(content: bytes) -> Image.Image:
    """Return the image in a file's bytes without decoding its pixels."""
    with pillow_errors():
        try:
            image: Image.Image = Image.open(
                io.BytesIO(content), formats=find_possible_formats(content)
            )
        except UnidentifiedImageError:
            if not content.startswith(HEIC_BRANDS, 4):
                raise
            # FFmpeg would read only one of the tiles that make up a HEIC photograph.
            from pillow_heif import HeifImageFile

            image = cast(Any, HeifImageFile)(io.BytesIO(content))
            check_pixels(*image.size)
    image.info |= read_colour_codes(content, image.format)
    return image


def load_upright(image: Image.Image) -> Image.Image:
    """Decode an image's pixels and return a copy turned upright by its EXIF orientation."""
    if 0 in image.size:
        raise PictureError(f"it has no pixels ({image.width}x{image.height})")
    transparency = _scale_transparent_value(image)
    with pillow_errors():
        image.load()
        try:
            upright = ImageOps.exif_transpose(image)
        except Exception:  # damaged EXIF must not make a good picture unreadable
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
    """Return the rows from ``top`` to ``bottom`` of an image over an opaque colour."""
    with pillow_errors():
        band = image.crop((0, top, image.width, bottom))
        if profile is not None:
            band = profile.to_srgb(band)
        if band.mode == "LAB":
            return band
        if band.has_transparency_data:
            if band.mode == "La":  # premultiplied alpha, which Pillow converts only to LA
                band = band.convert("LA")
            canvas = Image.new("RGBA", band.size, (*backdrop, 255))
            return Image.alpha_composite(canvas, band.convert("RGBA")).convert("RGB")
        return band.convert("L" if band.mode in ("1", "L") else "RGB")


def check_pixels(width: int, height: int) -> None:
    """Raise `PictureError` for a picture with no pixels or with more than Pillow's limit."""
    limit = Image.MAX_IMAGE_PIXELS
    if width * height <= 0 or (limit is not None and width * height > limit):
        flaw = f"it has {width}x{height} pixels, but must have 1 to {limit} in total"
        raise PictureError(f"{flaw}; make it smaller")


def find_possible_formats(head: bytes) -> list[str]:
    """Return the Pillow formats that a file with these first bytes may have."""
    for signature, plugin in SIGNATURES.items():
        if re.match(signature, head, re.DOTALL):
            import_module(f"PIL.{plugin}ImagePlugin")
            return [plugin.upper()]
    # Not EPS, as Pillow would run untrusted code in Ghostscript, nor MPEG, which it cannot decode.
    Image.init()
    return [name for name in Image.ID if name not in ("EPS", "MPEG")]


def _scale_transparent_value(image: Image.Image) -> Any:
    """Return a PNG's transparent value, scaled as Pillow scales its pixels in decoding."""
    transparency = image.info.get("transparency")
    tile = getattr(image, "tile", None)
    factor = {"L;2": 85, "L;4": 17, "RGB;16B": 1 / 256}.get(str(tile[0][3]) if tile else "")
    if factor is None:
        return transparency
    if isinstance(transparency, tuple):
        return tuple(int(value * factor) for value in transparency)
    return int(transparency * factor) if isinstance(transparency, int) else transparency


def _explain_error(error: Exception) -> str:
    """Describe an error in words for a user who sees no traceback."""
    match error:
        case FileNotFoundError(filename=str(name)) if "://" in name:
            return "addresses are not read; download the file, and name it"
        case FileNotFoundError(filename="-"):
            return "pictures are not read from standard input; save it to a file, and name that"
        case FileNotFoundError():
            return "there is no such file"
        case IsADirectoryError():
            return "it is a folder; name one picture file in it"
        case PermissionError():
            return "reading it is not permitted; check its permissions"
        case Image.DecompressionBombError() | Image.DecompressionBombWarning():
            pixels = re.search(r"\d+", str(error))  # the first number is the count of pixels
            count = pixels[0] if pixels else "too many"
            return f"it has {count} pixels, more than {Image.MAX_IMAGE_PIXELS}; make it smaller"
        case MemoryError():
            return "there is not enough memory; make the picture smaller"
        case OSError(strerror=str(reason)):
            return reason
        case _:
            return f"{error}" if str(error) else f"it is damaged ({type(error).__name__})"


def build_indexed_image(indices: NDArray[np.integer[Any]], table: NDArray[np.uint8]) -> Image.Image:
    """Build a palette image from indices (height, width) and an RGBA table, uint8 (colours, 4)."""
    image = Image.fromarray(indices)
    image.putpalette(table[:, :3].tobytes())
    if (table[:, 3] < 255).any():
        image.info["transparency"] = table[:, 3].tobytes()
    return image
