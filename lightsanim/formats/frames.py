"""Frames that are read from a file, and limits on untrusted files.

Pillow and FFmpeg decode the pixels, so that a mistake in our writers cannot hide itself.  Each
format accepts only the features that all players render alike, and refuses everything else.  Frames
are streamed: memory holds a few of them, however long the file is.
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
"""Colours as alpha, red, green and blue, 8 bits each; blue is lowest (FFmpeg's "bgra")."""

Float32Array = NDArray[np.float32]

Box = tuple[slice, slice]
"""A rectangle of pixels, as slices of rows and columns."""

Rows = Callable[[slice], Colours]
"""A function that reads some rows of an image; it returns colours (rows, width)."""

OPAQUE, MIN_ALPHA = 0xFF000000, 0x01000000  # The smallest colours with full and with any opacity.
BLOCK = 1 << 20  # Chunk size in pixels; bounds the memory for their positions of 8 bytes each.
MAX_READ_PIXELS = 40_000_000  # Pixels per frame: more than a screen; several copies fit in memory.
MAX_DECODED_PIXELS = 2_000_000_000  # Pixels per file, about a minute's work.
SMALL_BYTES, PIXELS_PER_BYTE = 600_000, 50_000  # Larger files may have more pixels per extra byte.
# Work on a cell of a frame, a cell of a saved animation, and a pixel of a video, in pixels.
CELL_WORK, SAVED_WORK, VIDEO_WORK = 1 / 8, 1 / 40, 1 / 8


@dataclass(frozen=True, kw_only=True, eq=False)
class DecodedFrame:
    """One frame of a file."""

    number: int  # From 0, according to the file; a folder may skip numbers.
    raster: "Raster"
    seconds: float | None = None  # Duration; None if the file does not state it.


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameFile:
    """An open file, or an open folder, of frames."""

    comments: list[str]  # The lines of all comments.
    lossy: bool  # Whether a codec may have changed the pixels.
    one_bit: bool = False  # Whether every pixel is either opaque or fully transparent.
    size: tuple[int, int]  # Height and width of the first frame, in pixels.
    frames: Iterator[DecodedFrame]  # Valid only while the file is open.


class Raster(ABC):
    """The pixels of a frame.  Positions of pixels count row by row."""

    shape: tuple[int, int]  # Height and width in pixels.
    compared_pixels = 0  # How many pixels have to be compared with the previous frame.

    @property
    def is_opaque(self) -> bool:
        """Whether all pixels are opaque, given that the previous frame was opaque."""
        return True

    @property
    @abstractmethod
    def rgb_channels(self) -> NDArray[np.uint8]:
        """Red, green and blue of each pixel: uint8 (height, width, 3)."""

    @property
    def luma_planes(self) -> NDArray[np.uint8]:
        """The planes from which `luma_from_planes` computes luma: uint8 (planes, height, width)."""
        return np.moveaxis(self.rgb_channels, -1, 0)

    def luma_from_planes(self, planes: NDArray[np.uint8]) -> Float32Array:
        """Compute Rec. 709 luma, 0 to 255, float32 (...), from planes, uint8 (planes, ...)."""
        return light_of_colours(np.moveaxis(planes, 0, -1))

    @abstractmethod
    def pixel_colours_at(self, positions: NDArray[np.int64]) -> Colours:
        """Return the colours of the pixels at some positions."""

    def changed_pixels(self) -> Iterator[tuple[Box, NDArray[np.bool_]]]:
        """Yield boxes, each with a mask of the pixels that may differ from the previous frame."""
        for rows in iter_row_blocks(self.shape):
            columns = slice(0, self.shape[1])
            yield (rows, columns), np.ones((rows.stop - rows.start, columns.stop), bool)


class LosslessRaster(Raster):
    """A raster of exact colours, with boxes that may differ from the previous frame."""

    def __init__(
        self,
        pixels: Colours,
        box: Box,
        previous: Colours | None,
        *,
        opaque: bool = False,
        extra: tuple[Box, Colours] | None = None,
    ) -> None:
        self.pixels, self._opaque = pixels, opaque  # ``opaque``: all pixels of ``box`` are opaque
        self._changes = [(box, previous), *([extra] if extra else [])]
        self.shape = len(pixels), pixels.shape[1]
        self.compared_pixels = sum(pixels[box].size for box, _ in self._changes)

    def forget_previous_pixels(self) -> None:
        """Free the previous pixels, after the last call of `changed_pixels`."""
        self._changes.clear()

    @property
    def is_opaque(self) -> bool:
        """Whether all pixels are opaque, given that the previous frame was opaque."""
        boxes = (self.pixels[box] for box, _ in self._changes[self._opaque :])
        parts = (box[part] for box in boxes for part in iter_row_blocks(box.shape))
        return all((part >= OPAQUE).all() for part in parts)

    @property
    def rgb_channels(self) -> NDArray[np.uint8]:
        """Red, green and blue of each pixel: uint8 (height, width, 3)."""
        return rgb_channels_of(self.pixels)

    def pixel_colours_at(self, positions: NDArray[np.int64]) -> Colours:
        """Return the colours of the pixels at some positions."""
        return self.pixels.ravel()[positions]

    def changed_pixels(self) -> Iterator[tuple[Box, NDArray[np.bool_]]]:
        """Yield boxes, each with a mask of the pixels that differ from the previous frame."""
        for box, previous in self._changes:
            if previous is None:
                yield from super().changed_pixels()
                return
            current, (rows, columns) = self.pixels[box], box
            for part in iter_row_blocks(current.shape):
                frame_rows = slice(rows.start + part.start, rows.start + part.stop)
                yield (frame_rows, columns), current[part] != previous[part]


def iter_row_blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Yield the rows of an image in slices of about `BLOCK` pixels.

    >>> list(iter_row_blocks((3, 1 << 19)))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    height, width = shape
    step = max(1, BLOCK // max(1, width))
    for start in range(0, height, step):
        yield slice(start, min(start + step, height))


def rgb_channels_of(colours: Colours) -> NDArray[np.uint8]:
    """Return the red, green and blue of colours, as uint8 (..., 3)."""
    parts = colours.astype("<u4")[..., None].view(np.uint8)
    return parts[..., 2::-1]


def without_hidden_colours(colours: Colours) -> Colours:
    """Replace all fully transparent colours by 0.

    >>> without_hidden_colours(np.array([0xFFFFFF, 0x01FFFFFF], np.uint32)).tolist()
    [0, 33554431]
    """
    return np.where(colours >= MIN_ALPHA, colours, np.uint32(0))


def light_of_colours(colours: NDArray[np.uint8]) -> Float32Array:
    """Compute the luma, 0 to 255, float32 (...), of colours, uint8 (..., 3).

    >>> light_of_colours(np.array([[0, 0, 0], [0, 255, 0]], np.uint8)).astype(int).tolist()
    [0, 182]
    """
    light: Float32Array = colours.astype(np.float32) @ np.array(LUMINANCE_WEIGHTS, np.float32)
    return light


def colour_codes(table: NDArray[np.uint8], alpha: NDArray[np.uint8] | int = 255) -> Colours:
    """Convert red, green and blue, uint8 (..., 3), to the colours of a raster, uint32 (...).

    >>> [hex(code) for code in colour_codes(np.array([[255, 0, 1]], np.uint8))]
    ['0xffff0001']
    """
    parts = np.empty((*table.shape[:-1], 4), np.uint8)
    parts[..., 2::-1], parts[..., 3] = table, alpha
    codes: Colours = parts.view("<u4")[..., 0]
    return codes


@contextmanager
def convert_decoder_errors() -> Iterator[None]:
    """Convert every exception of a decoder to an AnimationError: damaged files cause many kinds."""
    try:
        yield
    except Exception as error:
        raise AnimationError(" ".join(_decoder_error_reason(error).split())) from error


def _decoder_error_reason(error: Exception) -> str:
    if isinstance(error, UnidentifiedImageError):
        return "its content does not match its suffix"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    # `strerror` leaves out the error number and the path.
    damaged = f"it is damaged ({type(error).__name__})"
    return getattr(error, "strerror", None) or str(error) or damaged


def check_frame_size(width: int, height: int) -> None:
    """Raise AnimationError if a frame is empty or too large to be decoded."""
    if not 0 < width * height <= MAX_READ_PIXELS:
        limit = f"they must be 1 to {MAX_READ_PIXELS} in all"
        raise AnimationError(f"its frames have {width}x{height} pixels; {limit}")


def check_decoding_work(pixels: float, size: int) -> None:
    """Raise AnimationError if decoding ``pixels`` is too much work for a file of ``size`` bytes."""
    if pixels > MAX_DECODED_PIXELS + PIXELS_PER_BYTE * max(0, size - SMALL_BYTES):
        work = f"as much work as {pixels / 1e9:.1f} billion pixels"
        limit = f"too much for a file of {size} bytes; use smaller or fewer frames"
        raise AnimationError(f"its frames take {work}, {limit}")


def file_size(path: Path) -> int:
    """Return the size in bytes of a file, or of all files in a folder."""
    with convert_decoder_errors():
        files = path.iterdir() if path.is_dir() else [path]
        return sum(file.stat().st_size for file in files)


def open_binary(path: Path) -> BinaryIO:
    """Open a file for reading bytes."""
    with convert_decoder_errors():
        return path.open("rb")


def check_signature(file: BinaryIO, *signatures: bytes) -> None:
    """Raise AnimationError if the next bytes of a file are none of the signatures."""
    with convert_decoder_errors():
        content = file.read(len(signatures[0]))
    if content not in signatures:
        raise AnimationError("its content does not match its suffix")


def read_exactly(file: BinaryIO, count: int) -> bytes:
    """Read the next ``count`` bytes of a file; raise AnimationError if there are fewer.

    >>> import io
    >>> read_exactly(io.BytesIO(b"abc"), 2)
    b'ab'
    """
    try:  # not `convert_decoder_errors`, which takes longer than reading a few bytes
        content = file.read(count)
    except (OSError, MemoryError) as error:
        raise AnimationError(_decoder_error_reason(error)) from error
    if len(content) < count:
        raise AnimationError("it ends too early")
    return content


def unsupported_error(feature: str) -> AnimationError:
    """Return the error for a feature that players may render differently."""
    return AnimationError(f"it has {feature}; unsupported: players may render it differently")
