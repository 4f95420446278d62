"""Reading pictures: a file, a Pillow image or an array in, linear light out."""

import hashlib
import io
import os
import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps, UnidentifiedImageError

from lightsanim.errors import PictureError
from lightsanim.pictures.light import Floats, Rgb, colour, light_of_image
from lightsanim.pictures.picture import Picture, PictureFile

PictureSource: TypeAlias = str | os.PathLike[str] | PictureFile | Image.Image | npt.NDArray[Any]

# What is told about warnings is told to the whole process: one picture at a time.
_READING = threading.Lock()


def load_picture(path: PictureSource, background: str = "white", *, rgb: bool = False) -> Picture:
    """Read a picture: any file that Pillow reads, its octets, a Pillow image, or an array.

    The result's ``light`` is float32 (height, width): Rec. 709 luminance of the sRGB-decoded
    channels.  Transparency shows ``background`` (a colour name or hex), a photograph is turned
    as its EXIF says, and of an animation the first frame counts.  An array is bool, uint8, uint16
    or float in 0..1 (height, width), or uint8 (height, width, 3 or 4) for RGB or RGBA; like the
    numbers in a file its values are sRGB-encoded.  What is not a file is named "picture".  With
    ``rgb`` the result's ``light`` is (height, width, 3): the light of each primary.

    Raises ``PictureError`` for anything that cannot be read, or has more pixels than Pillow's
    limit against decompression bombs (``PIL.Image.MAX_IMAGE_PIXELS``), and ``OptionError`` for a
    background that is no colour.

    >>> picture = load_picture(np.array([[0.0, 0.5, 1.0]]))
    >>> picture.name, picture.light.round(4)
    ('picture', array([[0.   , 0.214, 1.   ]], dtype=float32))
    """
    paper = colour(background)
    if isinstance(path, str | os.PathLike | PictureFile):
        light, sha256 = _light_of_file(path, paper, rgb)
        return Picture(name=name_of(path), light=light, sha256=sha256)
    if isinstance(path, np.ndarray):
        path = _image_of_array(path)
    if not isinstance(path, Image.Image):
        raise PictureError(
            f"a picture is a path, a Pillow image or a numpy array, not {type(path).__name__}"
        )
    with _reading("the picture"):
        return Picture(name="picture", light=_light_of_opened(path, paper, rgb))


def path_of(source: PictureSource) -> str:
    """What the user calls a picture; "picture" where it is no file.

    >>> path_of("samples/sun.png"), path_of(np.zeros((2, 2)))
    ('samples/sun.png', 'picture')
    """
    if isinstance(source, PictureFile):
        return source.path
    return str(source) if isinstance(source, str | os.PathLike) else "picture"


def name_of(source: PictureSource) -> str:
    """The name of a picture: its path without folder and suffix.

    >>> name_of("samples/sun.png")
    'sun'
    """
    # A name that is not UTF-8 could not be written to any file.
    return os.fsencode(Path(path_of(source)).stem).decode("utf-8", "replace")


def _light_of_file(
    source: str | os.PathLike[str] | PictureFile, background: Rgb, rgb: bool
) -> tuple[Floats, str]:
    """The light of the picture in a file, and the sha256 of its octets."""
    with _reading(path_of(source)):
        octets = source.content if isinstance(source, PictureFile) else _octets_of(source)
        if not octets:
            raise ValueError("the file is empty")
        with Image.open(io.BytesIO(octets), formats=_formats()) as image:
            return _light_of_opened(image, background, rgb), hashlib.sha256(octets).hexdigest()


def _octets_of(path: str | os.PathLike[str]) -> bytes:
    """The octets of a picture's file, read once: it may change while it is looked at."""
    with open(path, "rb") as file:
        if not file.peek(1):
            return b""
        with Image.open(file, formats=_formats()):
            pass  # what is no picture may have no end
        file.seek(0)
        return file.read()


def _formats() -> list[str]:
    # For EPS Pillow would run Ghostscript, on a program that may be hostile.
    Image.init()
    return [name for name in Image.ID if name != "EPS"]


def _light_of_opened(image: Image.Image, background: Rgb, rgb: bool) -> Floats:
    """The light of an image whose pixels may not have been read yet."""
    if 0 in image.size:
        raise ValueError(f"it has no pixels ({image.width}x{image.height})")
    transparency = _transparency(image)
    image.load()
    image = _upright(image)
    if transparency is not None:
        image.info["transparency"] = transparency
    return light_of_image(image, background, rgb=rgb)


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Turn whatever goes wrong while a picture is read into a PictureError of one line."""
    with _READING, warnings.catch_warnings():
        # Pillow warns of odd metadata in pictures that it reads well: of no use to anyone here.
        # Its warning of very large pictures is a refusal.
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        # Pillow's plugins parse bytes that may be damaged or hostile, and let through whatever
        # their parsing runs into: struct.error, KeyError, MemoryError, zlib.error, and more.  To
        # the user all of it means the same, that this picture cannot be read.
        try:
            yield
        except Exception as error:
            message = f"cannot read {name}: {_reason(error)}"
            raise PictureError(" ".join(message.split())) from error


def _reason(error: Exception) -> str:
    """What went wrong, for someone who has a picture and no traceback."""
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case IsADirectoryError():
            return "it is a folder; name one picture file in it"
        case PermissionError():
            return "it may not be read; check its permissions"
        case UnidentifiedImageError():
            return "it is not a picture, or of a format that is not known; try PNG or JPEG"
        case Image.DecompressionBombError() | Image.DecompressionBombWarning():
            return _too_large(str(error))
        case MemoryError():
            return "there is not enough memory; make the picture smaller"
        case OSError(strerror=str(said)):
            return said
        case _:
            return f"{error}" if str(error) else f"it is damaged ({type(error).__name__})"


def _too_large(warning: str) -> str:
    """Pillow's warning or error about a decompression bomb, in our words."""
    pixels = re.search(r"\d+", warning)  # it names the picture's size first
    return (
        f"it has {pixels[0] if pixels else 'too many'} pixels, over the limit of "
        f"{Image.MAX_IMAGE_PIXELS}; make it smaller"
    )


def _transparency(image: Image.Image) -> Any:
    """The transparent value that a PNG file names, on the scale of the pixels Pillow makes.

    Pillow scales grey of 2 and 4 bits up to 8 and cuts colours of 16 bits down to 8, but leaves
    this value as it is in the file.  Must be asked before the pixels are read.
    """
    transparency = image.info.get("transparency")
    tile = getattr(image, "tile", None)
    factor = {"L;2": 85, "L;4": 17, "RGB;16B": 1 / 256}.get(str(tile[0][3]) if tile else "")
    if factor is None:
        return transparency
    if isinstance(transparency, tuple):
        return tuple(int(value * factor) for value in transparency)
    return int(transparency * factor) if isinstance(transparency, int) else transparency


def _upright(image: Image.Image) -> Image.Image:
    """A copy of the image, turned as its EXIF says."""
    try:
        return ImageOps.exif_transpose(image)
    except Exception:  # parsed from the file too; damage there must not cost a good picture
        return image.copy()


def _image_of_array(array: npt.NDArray[Any]) -> Image.Image:
    """A Pillow image of an array of pixels, or PictureError."""
    kind, flat = array.dtype.kind, array.ndim == 2
    channels = array.ndim == 3 and array.shape[2] in (3, 4)
    if 0 in array.shape:
        raise PictureError(f"a picture must be at least 1x1, not an array of shape {array.shape}")
    if flat and kind == "f":
        if np.any((array < 0) | (array > 1)):  # false for NaN, which means: nothing here
            low, high = np.nanmin(array), np.nanmax(array)
            raise PictureError(f"a picture's floats must lie in 0..1, not {low:g}..{high:g}")
        return Image.fromarray(array.astype(np.float32))
    if flat and kind == "b":
        return Image.fromarray(array.astype(np.uint8) * np.uint8(255))
    if (flat and array.dtype == np.uint16) or ((flat or channels) and array.dtype == np.uint8):
        return Image.fromarray(np.ascontiguousarray(array))
    raise PictureError(
        f"a picture array is float, bool, uint8 or uint16 (height, width) or uint8 (height, width, "
        f"3 or 4), not {array.dtype} {array.shape}"
    )
