"""Frames that are read back from a file, one after the other, and their pixels.

Pillow and FFmpeg decode their pixels, not code of our own, so that a mistake in our writers cannot
hide itself.  What a file is made of is read strictly: each format lists what it takes, which
players agree on, and refuses anything else.  Frames are streamed: memory holds a few of them,
however long the file.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import UnidentifiedImageError

from lightsanim.errors import AnimationError
from lightsanim.pictures.light import LUMINANCE_WEIGHTS

Colours = NDArray[np.uint32]
"""Alpha, red, green and blue, 8 bits each; blue lowest, as FFmpeg has them in memory."""

Float32Array = NDArray[np.float32]

Box = tuple[slice, slice]
"""Rows and columns of pixels."""

Rows = Callable[[slice], Colours]
"""Some rows of a frame, or of a part of one: uint32 (rows, width)."""

OPAQUE, MIN_ALPHA = 0xFF000000, 0x01000000

# Pixels looked at at a time, as their numbers take eight times their memory.
BLOCK = 1 << 20

# Pixels of a frame: more than of any screen, and few enough to hold some copies of them.
MAX_READ_PIXELS = 40_000_000

# Pixels of all that a file makes a reader decode: a minute's work for a small file, and for larger
# ones so many more for each byte.
MAX_DECODED_PIXELS = 2_000_000_000
SMALL_BYTES, PIXELS_PER_BYTE = 600_000, 50_000
# What a cell of a frame takes, one of a saved film, and a pixel of a video, in such pixels.
CELL_WORK, SAVED_WORK, VIDEO_WORK = 1 / 8, 1 / 40, 1 / 8


@dataclass(frozen=True, kw_only=True, eq=False)
class DecodedFrame:
    """A frame."""

    number: int  # from 0, as the file says; a folder may leave numbers out
    raster: "Raster"  # its pixels
    seconds: float | None = None  # how long it is shown, where the file says so


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameFile:
    """A file of frames, or a folder of them, that is open."""

    comments: list[str]  # the lines of its comments
    lossy: bool  # whether a codec may have changed its pixels
    one_bit: bool = False  # whether a pixel is opaque or clear, and nothing between
    size: tuple[int, int]  # height and width of its first frame, in pixels
    frames: Iterator[DecodedFrame]  # its frames, to be taken while it is open


class Raster(ABC):
    """A frame's pixels.  Where they are numbered, it is row by row."""

    shape: tuple[int, int]  # (height, width)
    compared_pixels = 0  # pixels that have to be compared with those of the frame before

    @property
    def is_opaque(self) -> bool:
        """Are all its pixels, where those of the frame before were?"""
        return True

    @property
    @abstractmethod
    def rgb_channels(self) -> NDArray[np.uint8]:
        """Red, green and blue: uint8 (height, width, 3)."""

    @property
    def luma_planes(self) -> NDArray[np.uint8]:
        """What `luma_from_planes` is told by, plane by plane: uint8 (planes, height, width)."""
        return np.moveaxis(self.rgb_channels, -1, 0)

    def luma_from_planes(self, planes: NDArray[np.uint8]) -> Float32Array:
        """0 to 255, as Rec. 709 weighs what is encoded: float32 (...), from uint8 (planes, ...)."""
        return light_of_colours(np.moveaxis(planes, 0, -1))

    @abstractmethod
    def pixel_colours_at(self, positions: NDArray[np.int64]) -> Colours:
        """The colours of some pixels."""

    def changed_pixels(self) -> Iterator[tuple[Box, NDArray[np.bool_]]]:
        """Boxes, and which of their pixels may have changed since the frame before."""
        for rows in iter_row_blocks(self.shape):
            columns = slice(0, self.shape[1])
            yield (rows, columns), np.ones((rows.stop - rows.start, columns.stop), bool)


class LosslessRaster(Raster):
    """Pixels without loss."""

    def __init__(
        self,
        pixels: Colours,
        box: Box,
        previous: Colours | None,
        *,
        opaque: bool = False,
        extra: tuple[Box, Colours] | None = None,
    ) -> None:
        self.pixels, self._opaque = pixels, opaque
        self._changes = [(box, previous), *([extra] if extra else [])]  # that may have changed
        self.shape = len(pixels), pixels.shape[1]
        self.compared_pixels = sum(pixels[box].size for box, _ in self._changes)

    def forget_previous_pixels(self) -> None:
        """Free the pixels before, when nobody will ask any more what changed."""
        self._changes.clear()

    @property
    def is_opaque(self) -> bool:
        """Are all its pixels, where those of the frame before were?"""
        boxes = [self.pixels[box] for box, _ in self._changes[self._opaque :]]
        return all(
            (box[part] >= OPAQUE).all() for box in boxes for part in iter_row_blocks(box.shape)
        )

    @property
    def rgb_channels(self) -> NDArray[np.uint8]:
        """Red, green and blue: uint8 (height, width, 3)."""
        return rgb_channels_of(self.pixels)

    def pixel_colours_at(self, positions: NDArray[np.int64]) -> Colours:
        """The colours of some pixels."""
        return self.pixels.ravel()[positions]

    def changed_pixels(self) -> Iterator[tuple[Box, NDArray[np.bool_]]]:
        """Boxes, and which of their pixels changed since the frame before."""
        for box, previous in self._changes:
            if previous is None:
                yield from super().changed_pixels()
                return
            current, (rows, columns) = self.pixels[box], box
            for part in iter_row_blocks(current.shape):
                frame_rows = slice(rows.start + part.start, rows.start + part.stop)
                yield (frame_rows, columns), current[part] != previous[part]


def iter_row_blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Rows of an array, about `BLOCK` pixels at a time.

    >>> list(iter_row_blocks((3, 1 << 19)))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    height, width = shape
    step = max(1, BLOCK // max(1, width))
    for start in range(0, height, step):
        yield slice(start, min(start + step, height))


def rgb_channels_of(colours: Colours) -> NDArray[np.uint8]:
    """Red, green and blue of colours: uint8 (..., 3), from uint32 (...)."""
    parts = colours.astype("<u4")[..., None].view(np.uint8)
    return parts[..., 2::-1]


def without_hidden_colours(colours: Colours) -> Colours:
    """Colours of which those that are transparent are all alike, 0.

    >>> without_hidden_colours(np.array([0xFFFFFF, 0x01FFFFFF], np.uint32)).tolist()
    [0, 33554431]
    """
    return np.where(colours >= MIN_ALPHA, colours, np.uint32(0))


def light_of_colours(colours: NDArray[np.uint8]) -> Float32Array:
    """The light of some colours, uint8 (..., 3): float32 (...), 0 to 255.

    >>> light_of_colours(np.array([[0, 0, 0], [0, 255, 0]], np.uint8)).astype(int).tolist()
    [0, 182]
    """
    light: Float32Array = colours.astype(np.float32) @ np.array(LUMINANCE_WEIGHTS, np.float32)
    return light


def colour_codes(
    table: NDArray[np.uint8], alpha: NDArray[np.uint8] | int = OPAQUE >> 24
) -> Colours:
    """Colours, uint8 (..., 3), as a raster has them: uint32 (...).

    >>> [hex(code) for code in colour_codes(np.array([[255, 0, 1]], np.uint8))]
    ['0xffff0001']
    """
    parts = np.empty((*table.shape[:-1], 4), np.uint8)
    parts[..., 2::-1], parts[..., 3] = table, alpha
    codes: Colours = parts.view("<u4")[..., 0]
    return codes


@contextmanager
def convert_decoder_errors() -> Iterator[None]:
    """For calls of Pillow and FFmpeg: whatever they raise over damaged bytes becomes one error.

    They let through whatever their parsing runs into: struct.error, KeyError, MemoryError,
    FFmpegError and more.  To the user all of it means the same.
    """
    try:
        yield
    except Exception as error:
        raise AnimationError(" ".join(_decoder_error_reason(error).split())) from error


def _decoder_error_reason(error: Exception) -> str:
    match error:
        case UnidentifiedImageError():
            return "it is not what its suffix says"
        case MemoryError():
            return "there is not enough memory"
    # What the operating system and FFmpeg say, without its number and the path.
    damaged = f"it is damaged ({type(error).__name__})"
    return getattr(error, "strerror", None) or str(error) or damaged


def check_frame_size(width: int, height: int) -> None:
    """Are a frame's pixels some, and few enough to be decoded?"""
    if not 0 < width * height <= MAX_READ_PIXELS:
        limit = f"they must be 1 to {MAX_READ_PIXELS} in all"
        raise AnimationError(f"its frames have {width}x{height} pixels; {limit}")


def check_decoding_work(pixels: float, size: int) -> None:
    """May a file of so many bytes make a reader decode so many pixels?"""
    if pixels > MAX_DECODED_PIXELS + PIXELS_PER_BYTE * max(0, size - SMALL_BYTES):
        work = f"as much work as {pixels / 1e9:.1f} billion pixels"
        excess = f"too much for a file of {size} bytes; make them smaller, or fewer"
        raise AnimationError(f"its frames take {work}, {excess}")


def file_size(path: Path) -> int:
    """The bytes of a file, or of those in a folder."""
    with convert_decoder_errors():
        files = path.iterdir() if path.is_dir() else [path]
        return sum(file.stat().st_size for file in files)


def open_binary(path: Path) -> BinaryIO:
    """A file to be read byte by byte."""
    with convert_decoder_errors():
        return path.open("rb")


def check_signature(file: BinaryIO, *signatures: bytes) -> None:
    """Do the next bytes of a file say that it is of a format?"""
    with convert_decoder_errors():
        content = file.read(len(signatures[0]))
    if content not in signatures:
        raise AnimationError("it is not what its suffix says")


def read_exactly(file: BinaryIO, count: int) -> bytes:
    """The next bytes of a file.

    >>> import io
    >>> read_exactly(io.BytesIO(b"abc"), 2)
    b'ab'
    """
    try:  # no `convert_decoder_errors`, which takes longer than to read the few bytes of most parts
        content = file.read(count)
    except (OSError, MemoryError) as error:
        raise AnimationError(_decoder_error_reason(error)) from error
    if len(content) < count:
        raise AnimationError("it ends too early")
    return content


def unsupported_error(feature: str) -> AnimationError:
    """The refusal of something that players need not agree on."""
    return AnimationError(f"it has {feature}: players may show something else")
