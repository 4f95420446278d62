"""Read pictures with Pillow and turn its exceptions into clear errors.

Pillow's plugins parse bytes that may be damaged or hostile, and raise struct.error, KeyError,
zlib.error and more.  Only calls of Pillow belong inside `pillow_errors`: an error in our own code
must not be reported as a damaged picture.
"""

import ctypes
import io
import logging
import math
import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError, _imaging

from lightsanim.errors import OptionError, PictureError
from .coded_colours import read_colour_codes
from .colour_profile import MAX_PROFILE_BYTES, ColourProfile
from .png_chunks import SIGNATURE, drop_metadata

# Brands of HEIF files, of which HEIC is a kind; AVIF files, which Pillow reads, have some of them.
HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"mif1"}
AVIF_BRANDS = {b"avif", b"avis"}
# First bytes of common formats, and their plugins; for any other, Pillow loads forty plugins.
SIGNATURES = {rb"\x89PNG\r\n\x1a\n": "Png", rb"\xff\xd8\xff": "Jpeg", rb"RIFF....WEBP": "WebP"}
NO_PICTURE_MESSAGE = "it is not a picture or clip of a known format; try PNG, JPEG or MP4"
JPEG_SIGNATURE = b"\xff\xd8\xff"
# Markers of a JPEG (ITU-T T.81, table B.1): end of image, start of scan.
JPEG_END, JPEG_SCAN = b"\xff\xd9", b"\xff\xda"
JPEG_TAIL_BYTES = 1 << 16  # Part of a JPEG in which its end marker is looked for.
JPEG_FILLER = bytes(range(1, 128))  # Data that would change the pixels of an incomplete JPEG.
# Factors by which JPEGs with too many pixels are reduced.
JPEG_REDUCTIONS = (2, 4)
# Bytes for a decoded pixel (twice as bytes, once as light), and for a pixel of a progressive JPEG,
# all of whose coefficients are in memory.
PIXEL_BYTES, COEFFICIENT_BYTES = 10, 6
MAX_SIDE = 1_000_000  # Limit of a picture's sides in pixels.
# Formats, by Pillow's names, whose programs may leave all alpha bytes at 0.
UNUSED_ALPHA_FORMATS = ("TGA", "ICO", "CUR", "BMP", "DIB")
MAX_BRANDS_END = 256  # Bytes at the start of a file in which its brands are looked for.
# Loggers that report damaged TIFF files; disabled while a picture is decoded.
LOGGERS = ("PIL.TiffImagePlugin", "tifffile")
# Only one picture is decoded at a time: warning filters apply to the whole process.
_DECODING_LOCK = threading.Lock()


class NoPictureError(PictureError):
    """Error for a file whose first bytes match no picture format."""


@cache
def _silence_libtiff() -> None:
    """Keep libtiff, which Pillow uses, from writing its errors to standard error."""
    with suppress(OSError, AttributeError):  # it may be linked statically
        libtiff = ctypes.CDLL(_imaging.__file__)
        libtiff.TIFFSetErrorHandler(None)
        libtiff.TIFFSetWarningHandler(None)


@contextmanager
def warnings_suppressed() -> Iterator[None]:
    """Hide warnings and logs of decoders, but turn the warning of a huge picture into an error.

    Hidden messages report odd metadata in a readable picture, or damage that also raises an error.
    """
    _silence_libtiff()
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
def prefix_errors(name: str) -> Iterator[None]:
    """Prefix errors about a picture or its options with its name, and keep them to one line."""
    try:
        yield
    except OptionError as error:
        raise OptionError(f"{name}: {error}", error.option, name) from error
    except (PictureError, MemoryError) as error:
        reason = str(error) or "there is not enough memory; make the picture smaller"
        prefix = f"cannot read {name}"
        message = reason if reason.startswith(prefix) else f"{prefix}: {reason}"
        kind = NoPictureError if isinstance(error, NoPictureError) else PictureError
        raise kind(" ".join(message.split())) from error


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
    """Return the image in a file's bytes; most formats decode the pixels later.

    A JPEG with too many pixels is reduced by a whole factor, ``info["reduction"]``.
    """
    image = _open_png(content) if content.startswith(SIGNATURE) else _open_image_file(content)
    image.info |= read_colour_codes(content, image.format)
    return image


def _open_image_file(content: bytes) -> Image.Image:
    if content.startswith(JPEG_SIGNATURE) and _lacks_only_end_marker(content):
        content += JPEG_END
    with pillow_errors():
        try:
            return Image.open(io.BytesIO(content), formats=find_possible_formats(content))
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            if not content.startswith(JPEG_SIGNATURE):
                raise
            return _open_reduced_jpeg(content)
        except UnidentifiedImageError:
            if not is_heif(content):
                raise
            # FFmpeg would read only one of the tiles that make up a HEIC photograph.
            from pillow_heif import HeifImageFile

            image: Image.Image = cast(Any, HeifImageFile)(io.BytesIO(content))
            check_pixels(*image.size)
            return image


def _open_png(content: bytes) -> Image.Image:
    try:
        return _decode_png(content)
    except PictureError:
        # Pillow also refuses a picture whose metadata is damaged or large.
        with suppress(PictureError):
            simple, profile = drop_metadata(content, MAX_PROFILE_BYTES)
            image = _decode_png(simple)
            image.info["icc_profile"] = profile
            return image
        raise


def _decode_png(content: bytes) -> Image.Image:
    with pillow_errors():
        image = Image.open(io.BytesIO(content), formats=find_possible_formats(content))
        load_pixels(image)
        return image


def _lacks_only_end_marker(jpeg: bytes) -> bool:
    """Return whether a JPEG has all its pixels, so that more data would not change them."""
    tail = jpeg[-JPEG_TAIL_BYTES:]
    if tail.rfind(JPEG_END) > tail.rfind(JPEG_SCAN):
        return False
    previews = []
    for filler in (b"", JPEG_FILLER):
        with suppress(PictureError), pillow_errors():
            image = Image.open(
                io.BytesIO(jpeg + filler + JPEG_END), formats=find_possible_formats(jpeg)
            )
            image.draft(image.mode, (-(-image.width // 2), -(-image.height // 2)))  # half the size
            previews.append(image.tobytes())
    return len(previews) == 2 and previews[0] == previews[1]


def _open_jpeg(content: bytes) -> Image.Image:
    # Unlike `Image.open`, the class itself accepts any number of pixels.
    from PIL.JpegImagePlugin import JpegImageFile

    return JpegImageFile(io.BytesIO(content))


def _open_reduced_jpeg(content: bytes) -> Image.Image:
    image = _open_jpeg(content)
    width, height, limit = *image.size, Image.MAX_IMAGE_PIXELS or math.inf
    for factor in JPEG_REDUCTIONS:
        decoded = width * height / factor**2
        memory = PIXEL_BYTES * decoded
        if image.info.get("progressive"):
            memory += COEFFICIENT_BYTES * width * height
        if decoded <= limit and memory <= (PIXEL_BYTES + COEFFICIENT_BYTES) * limit:
            image.draft(image.mode, (width // factor, height // factor))
            image.info["reduction"] = factor
            return image
    raise Image.DecompressionBombError(f"{width * height} pixels")


def load_upright(image: Image.Image) -> Image.Image:
    """Decode an image's pixels and return a copy turned upright by its EXIF orientation."""
    check_sides(*image.size)
    with pillow_errors():
        load_pixels(image)
        try:
            upright = ImageOps.exif_transpose(image)
        except Exception:  # damaged EXIF must not make a good picture unreadable
            upright = image.copy()
        may_be_unused = image.format in UNUSED_ALPHA_FORMATS and "A" in image.getbands()
        if may_be_unused and image.getchannel("A").getextrema() == (0, 0):
            upright.putalpha(255)
    return upright


def load_pixels(image: Image.Image) -> None:
    """Decode an image's pixels; Pillow raises its own errors."""
    transparency = _scale_transparent_value(image)
    image.load()
    if transparency is not None:
        image.info["transparency"] = transparency


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


def is_heif(head: bytes) -> bool:
    """Return whether one of the brands in a file's first bytes is of HEIF (ISO/IEC 23008-12)."""
    end = min(int.from_bytes(head[:4]), MAX_BRANDS_END)
    brands = {head[8:12], *(head[start : start + 4] for start in range(16, end, 4))}
    return head[4:8] == b"ftyp" and bool(brands & HEIF_BRANDS) and not brands & AVIF_BRANDS


def has_picture_signature(head: bytes) -> bool:
    """Return whether a file's first bytes show that it is a picture of a common format."""
    return any(re.match(start, head, re.DOTALL) for start in SIGNATURES) or is_heif(head)


def check_sides(width: int, height: int) -> None:
    """Raise `PictureError` for a picture with an empty side, or one that no photograph has."""
    if width * height <= 0:
        raise PictureError(f"it has no pixels ({width}x{height})")
    if max(width, height) > MAX_SIDE:
        raise PictureError(f"it has {width}x{height} pixels, but a side may have {MAX_SIDE}")


def check_pixels(width: int, height: int) -> None:
    """Raise `PictureError` for a picture with no pixels or with more than Pillow's limit."""
    check_sides(width, height)
    limit = Image.MAX_IMAGE_PIXELS
    if limit is not None and width * height > limit:
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
