"""Reading pictures: a file, a Pillow image or an array in, linear light out."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from lightsanim.errors import PictureError
from lightsanim.pictures.light import Floats, Rgb, light_of_image
from lightsanim.pictures.picture import Picture, PictureFile
from lightsanim.pictures.pillow import load_upright, open_image, read_file
from lightsanim.values import to_opaque_colour

PictureSource: TypeAlias = str | os.PathLike[str] | PictureFile | Image.Image | npt.NDArray[Any]


def load_picture(
    source: PictureSource, backdrop: str | tuple[int, ...] = "white", *, rgb: bool = False
) -> Picture:
    """Read a picture.

    Args:
        source: any file that Pillow reads, by its path or its bytes; a Pillow image; or an array:
            bool, uint8, uint16 or float in 0..1 (height, width), or uint8 (height, width, 3 or 4)
            for RGB or RGBA.  Like the numbers in a file its values are sRGB-encoded.
        backdrop: the colour that shows where the picture is transparent.
        rgb: keep the colours.

    Returns:
        The picture, its light float32 (height, width): Rec. 709 luminance of the sRGB-decoded
        channels; with ``rgb`` (height, width, 3), the light of each primary.  A photograph is
        turned as its EXIF says, and of an animation the first frame counts.  Its name is the
        file's, or "picture".

    Raises:
        PictureError: for a source that cannot be read, or has more pixels than Pillow's limit
            against decompression bombs (``PIL.Image.MAX_IMAGE_PIXELS``).
        OptionError: for a backdrop that is not an opaque colour.

    >>> picture = load_picture(np.array([[0.0, 0.5, 1.0]]))
    >>> picture.name, picture.light.round(4)
    ('picture', array([[0.   , 0.214, 1.   ]], dtype=float32))
    """
    paper = to_opaque_colour(backdrop, "backdrop").rgb
    if isinstance(source, str | os.PathLike | PictureFile):
        light, sha256 = _light_of_file(source, paper, rgb)
        return Picture(name=name_of(source), light=light, sha256=sha256)
    if isinstance(source, np.ndarray):
        source = _image_of_array(source)
    if not isinstance(source, Image.Image):
        raise PictureError(
            f"a picture is a path, a Pillow image or a numpy array, not {type(source).__name__}"
        )
    with _reading("the picture"):
        light = light_of_image(load_upright(source), paper, rgb=rgb)
    return Picture(name="picture", light=light)


def path_of(source: PictureSource) -> str:
    """What the user calls a picture: its path, or "picture" where it is no file.

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
    """The light of the picture in a file, and the sha256 of its bytes."""
    with _reading(path_of(source)):
        content = source.content if isinstance(source, PictureFile) else read_file(source)
        if not content:
            raise PictureError("the file is empty")
        with open_image(content) as image:
            light = light_of_image(load_upright(image), background, rgb=rgb)
    return light, hashlib.sha256(content).hexdigest()


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Put a picture's name before what is wrong with it, in one line."""
    try:
        yield
    except (PictureError, MemoryError) as error:
        reason = str(error) or "there is not enough memory; make the picture smaller"
        # What Pillow raised is the cause: it tells what is no picture from what is a damaged one.
        cause = error.__cause__ or error
        raise PictureError(" ".join(f"cannot read {name}: {reason}".split())) from cause


def _image_of_array(array: npt.NDArray[Any]) -> Image.Image:
    """A Pillow image of an array of pixels, or PictureError."""
    kind, flat = array.dtype.kind, array.ndim == 2
    channels = array.ndim == 3 and array.shape[2] in (3, 4)
    if 0 in array.shape:
        raise PictureError(f"a picture must be at least 1x1, not an array of shape {array.shape}")
    if flat and kind == "f":
        low, high = array.min(), array.max()
        if not (low >= 0 and high <= 1):  # fails for NaN too
            found = "nan" if np.isnan(low) else f"{low:g}..{high:g}"
            raise PictureError(f"a picture's floats must lie in 0..1, not {found}")
        return Image.fromarray(array.astype(np.float32))
    if flat and kind == "b":
        return Image.fromarray(array.astype(np.uint8) * np.uint8(255))
    if (flat and array.dtype == np.uint16) or ((flat or channels) and array.dtype == np.uint8):
        return Image.fromarray(np.ascontiguousarray(array))
    raise PictureError(
        f"a picture array is float, bool, uint8 or uint16 (height, width) or uint8 (height, width, "
        f"3 or 4), not {array.dtype} {array.shape}"
    )
