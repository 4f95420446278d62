"""Frames that are read back from a file, one after the other.

Pillow and FFmpeg decode them, not code of our own, so that a mistake in our writers cannot hide
itself.  Frames are streamed: memory holds a few of them, however long the file.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PIL import Image, UnidentifiedImageError

from lightsanim.errors import AnimationError
from lightsanim.formats.raster import Raster


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadFrame:
    """A frame.

    Attributes:
        number: from 0, as the file says; a folder may leave numbers out.
        raster: its pixels.
        seconds: how long it is shown, where the file says so.
    """

    number: int
    raster: Raster
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameFile:
    """A file of frames, or a folder of them, that is open.

    Attributes:
        texts: the lines of its comments.
        lossy: whether a codec may have changed its pixels.
        size: height and width of its first frame, in pixels.
        frames: its frames, to be taken while it is open.
    """

    texts: list[str]
    lossy: bool
    size: tuple[int, int]
    frames: Iterator[ReadFrame]


@contextmanager
def decoding() -> Iterator[None]:
    """For calls of Pillow and FFmpeg: whatever they raise over damaged bytes becomes one error.

    They let through whatever their parsing runs into: struct.error, KeyError, MemoryError,
    FFmpegError and more.  To the user all of it means the same.

    Raises:
        AnimationError: for any of it.
    """
    try:
        yield
    except Exception as error:
        raise AnimationError(" ".join(_reason(error).split())) from error


def _reason(error: Exception) -> str:
    match error:
        case UnidentifiedImageError():
            return "it is not what its suffix says"
        case Image.DecompressionBombError():
            return f"its frames have more pixels than the limit of {Image.MAX_IMAGE_PIXELS}"
        case MemoryError():
            return "there is not enough memory"
    # What the operating system and FFmpeg say, without its number and the path.
    said = getattr(error, "strerror", None) or str(error)
    return said or f"it is damaged ({type(error).__name__})"


def check_frame_size(width: int, height: int) -> None:
    """Are a frame's pixels few enough to be decoded?

    Raises:
        AnimationError: if they are more than Pillow's limit.
    """
    limit = Image.MAX_IMAGE_PIXELS
    if limit is not None and width * height > limit:
        raise AnimationError(
            f"its frames have {width}x{height} pixels, more than the limit of {limit}"
        )
