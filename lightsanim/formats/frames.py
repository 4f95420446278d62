"""Frames that are read back from a file, one after the other.

Pillow and FFmpeg decode their pixels, not code of our own, so that a mistake in our writers cannot
hide itself.  What a file is made of is read strictly: each format lists what it takes, which
players agree on, and refuses anything else.  Frames are streamed: memory holds a few of them,
however long the file.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from PIL import UnidentifiedImageError

from lightsanim.errors import AnimationError
from lightsanim.formats.raster import Raster

# Pixels of a frame: more than of any screen, and few enough to hold some copies of them.
MAX_READ_PIXELS = 40_000_000

# Pixels of all that a file makes a reader decode: a minute's work for a small file, and for larger
# ones so many more for each byte.
MAX_DECODED = 2_000_000_000
SMALL_BYTES, PIXELS_PER_BYTE = 600_000, 50_000
# What a cell of a frame takes, one of a saved film, and a pixel of a video, in such pixels.
CELL_WORK, SAVED_WORK, VIDEO_WORK = 1 / 8, 1 / 40, 1 / 8


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadFrame:
    """A frame."""

    number: int  # from 0, as the file says; a folder may leave numbers out
    raster: Raster  # its pixels
    seconds: float | None = None  # how long it is shown, where the file says so


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameFile:
    """A file of frames, or a folder of them, that is open."""

    texts: list[str]  # the lines of its comments
    lossy: bool  # whether a codec may have changed its pixels
    one_bit: bool = False  # whether a pixel is opaque or clear, and nothing between
    size: tuple[int, int]  # height and width of its first frame, in pixels
    frames: Iterator[ReadFrame]  # its frames, to be taken while it is open


@contextmanager
def decoding() -> Iterator[None]:
    """For calls of Pillow and FFmpeg: whatever they raise over damaged bytes becomes one error.

    They let through whatever their parsing runs into: struct.error, KeyError, MemoryError,
    FFmpegError and more.  To the user all of it means the same.
    """
    try:
        yield
    except Exception as error:
        raise AnimationError(" ".join(_reason(error).split())) from error


def _reason(error: Exception) -> str:
    match error:
        case UnidentifiedImageError():
            return "it is not what its suffix says"
        case MemoryError():
            return "there is not enough memory"
    # What the operating system and FFmpeg say, without its number and the path.
    said = getattr(error, "strerror", None) or str(error)
    return said or f"it is damaged ({type(error).__name__})"


def check_frame_size(width: int, height: int) -> None:
    """Are a frame's pixels some, and few enough to be decoded?"""
    if not 0 < width * height <= MAX_READ_PIXELS:
        raise AnimationError(
            f"its frames have {width}x{height} pixels; they must be 1 to {MAX_READ_PIXELS} in all"
        )


def check_work(pixels: float, size: int) -> None:
    """May a file of so many bytes make a reader decode so many pixels?"""
    if pixels > MAX_DECODED + PIXELS_PER_BYTE * max(0, size - SMALL_BYTES):
        raise AnimationError(
            f"its frames take as much work as {pixels / 1e9:.1f} billion pixels, too much for a "
            f"file of {size} bytes; make them smaller, or fewer"
        )


def bytes_of(path: Path) -> int:
    """The bytes of a file, or of those in a folder."""
    with decoding():
        files = path.iterdir() if path.is_dir() else [path]
        return sum(file.stat().st_size for file in files)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to be read byte by byte."""
    with decoding():
        file = path.open("rb")
    with file:
        yield file


def check_signature(file: BinaryIO, *signatures: bytes) -> None:
    """Do the next bytes of a file say that it is of a format?"""
    with decoding():
        content = file.read(len(signatures[0]))
    if content not in signatures:
        raise AnimationError("it is not what its suffix says")


def exactly(file: BinaryIO, count: int) -> bytes:
    """The next bytes of a file.

    >>> import io
    >>> exactly(io.BytesIO(b"abc"), 2)
    b'ab'
    """
    try:  # no `decoding`, which takes longer than to read the few bytes of most parts
        content = file.read(count)
    except (OSError, MemoryError) as error:
        raise AnimationError(_reason(error)) from error
    if len(content) < count:
        raise AnimationError("it ends too early")
    return content


def not_taken(what: str) -> AnimationError:
    """The refusal of something that players need not agree on."""
    return AnimationError(f"it has {what}: players may show something else")
