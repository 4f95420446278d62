"""Frames that are read from a file, and limits on untrusted files.

Pillow and FFmpeg decode the pixels: as they share no code with the writers here, they show what was
really written.  Each format's reader accepts only features that all players render alike.  Frames
are streamed: only a few of them are in memory at a time, however long the file is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import UnidentifiedImageError

from lightsanim.errors import AnimationError
from lightsanim.pictures.canvas import OPAQUE, Box, Colours, iter_row_blocks
from lightsanim.pictures.light import LUMINANCE_WEIGHTS, read_plane_lines

if TYPE_CHECKING:
    from av import VideoFrame

Float32Array = NDArray[np.float32]

Measure = Literal["rgb", "luma", "ycc"]
"""A measure of colours: red, green and blue; Rec. 709 luma, from 0 to 255; or luma and half of both
colour differences, which count for less, because codecs blur them."""

MAX_READ_PIXELS = 40_000_000  # Maximum pixels per frame; memory holds several copies.
MAX_DECODED_PIXELS = 2_000_000_000  # Maximum pixels of a small file: about a minute's work.
SMALL_BYTES, PIXELS_PER_BYTE = 600_000, 50_000  # Each byte above SMALL_BYTES allows more pixels.
PIXEL_FORMAT = "yuv420p"  # FFmpeg's name of the pixel format in which videos are written.
# Matrices from red, green and blue to each measure (Rec. 709), and black and scale of each plane of
# a video; the measure of samples, (..., planes), is ``(samples - black) @ matrix``.
LUMA = np.array(LUMINANCE_WEIGHTS, np.float32)
BLUE, RED = np.array([[0, 0, 1], [1, 0, 0]], np.float32)
MEASURES: dict[Measure, Float32Array] = {
    "rgb": np.eye(3, dtype=np.float32),
    "luma": LUMA[:, None],
    "ycc": np.column_stack([LUMA, (BLUE - LUMA) / 3.7112, (RED - LUMA) / 3.1496]),
}
YCC_RANGE = np.array([[16, 128, 128], [255 / 219, 255 / 448, 255 / 448]], np.float32)
# Work for a cell of a frame, a cell of a saved animation and a video pixel; 1 = an image pixel.
CELL_WORK, SAVED_WORK, VIDEO_WORK = 1 / 8, 1 / 40, 1 / 8


@dataclass(frozen=True, kw_only=True, eq=False)
class DecodedFrame:
    """One frame of a file."""

    number: int  # Number of the frame, from 0; a folder may skip numbers.
    raster: "LosslessRaster | VideoRaster"
    seconds: float | None = None  # Duration in seconds; None if the file has none.


@dataclass(frozen=True, kw_only=True, eq=False)
class FrameFile:
    """An open file, or an open folder, of frames."""

    comments: list[str]  # Lines of all comments in the file.
    lossy: bool  # Whether a codec may have changed the pixels.
    one_bit: bool = False  # Whether every pixel is either opaque or fully transparent.
    size: tuple[int, int]  # Height and width of the first frame, in pixels.
    frames: Iterator[DecodedFrame]  # Readable only while the file is open.
    loop: int = 0  # Number of plays, for an SVG film; 0 = for ever.


class LosslessRaster:
    """The exact colours of a frame, and the boxes that may differ from the previous frame."""

    def __init__(
        self,
        pixels: Colours,
        changes: list[tuple[Box, Colours | None]],  # Boxes, with their previous pixels.
        *,
        opaque: bool = False,
    ) -> None:
        self.pixels, self._opaque = pixels, opaque  # whether all of the first box is opaque
        self._changes = changes
        self.shape = len(pixels), pixels.shape[1]
        self.compared_pixels = sum(pixels[box].size for box, _ in changes)

    def forget_previous_pixels(self) -> None:
        """Free the previous frame's pixels when `changed_pixels` is no longer needed."""
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
        return self.pixels.astype("<u4", copy=False)[..., None].view(np.uint8)[..., 2::-1]

    def changed_pixels(self) -> Iterator[tuple[Box, NDArray[np.bool_]]]:
        """Yield boxes, each with a mask of the pixels that may differ from the previous frame."""
        for (rows, columns), previous in self._changes:
            current = self.pixels[rows, columns]
            for part in iter_row_blocks(current.shape):
                box = slice(rows.start + part.start, rows.start + part.stop), columns
                if previous is None:
                    yield box, np.ones(current[part].shape, bool)
                else:
                    yield box, current[part] != previous[part]


class VideoRaster:
    """The pixels of a video frame, which stores luma and chroma separately."""

    compared_pixels, is_opaque = 0, True

    def __init__(self, frame: "VideoFrame") -> None:
        self._frame, self.shape = frame, (frame.height, frame.width)

    @cached_property
    def rgb_channels(self) -> NDArray[np.uint8]:
        """Red, green and blue of each pixel: uint8 (height, width, 3)."""
        # FFmpeg's "rgba" would be wrong at the right edge of frames of some widths.
        with convert_decoder_errors():
            return np.asarray(self._frame.to_ndarray(format="rgb24"), np.uint8)

    def measure(self, name: Measure) -> tuple[NDArray[np.uint8], Float32Array, Float32Array]:
        """Return planes, (planes, height, width), and their black and matrix for a measure."""
        if name == "rgb" or self._frame.format.name != PIXEL_FORMAT:
            return np.moveaxis(self.rgb_channels, -1, 0), np.zeros(3, np.float32), MEASURES[name]
        height, width = self.shape
        light, *chroma = map(read_plane_lines, self._frame.planes)
        planes = light[None, :, :width]
        if name == "ycc":
            enlarged = (plane.repeat(2, axis=0).repeat(2, axis=1) for plane in chroma)
            planes = np.stack([plane[:height, :width] for plane in (light, *enlarged)])
        black, scale = YCC_RANGE[:, : len(planes)]
        return planes, black, np.diag(scale)


Raster: TypeAlias = LosslessRaster | VideoRaster


@contextmanager
def convert_decoder_errors() -> Iterator[None]:
    """Convert all exceptions to AnimationError: decoders raise many kinds on damaged files."""
    try:
        yield
    except Exception as error:
        raise AnimationError(" ".join(_decoder_error_reason(error).split())) from error


def _decoder_error_reason(error: Exception) -> str:
    if isinstance(error, UnidentifiedImageError):
        return "the content of the file does not match its suffix"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    # Unlike `str(error)`, `strerror` leaves out the error number and the path.
    damaged = f"the file is damaged ({type(error).__name__})"
    return getattr(error, "strerror", None) or str(error) or damaged


def check_frame_size(width: int, height: int) -> None:
    """Raise AnimationError if a frame is empty or too large to be decoded."""
    if not 0 < width * height <= MAX_READ_PIXELS:
        limit = f"a frame must have 1 to {MAX_READ_PIXELS} pixels"
        raise AnimationError(f"its frames have {width}x{height} pixels; {limit}")


def check_decoding_work(pixels: float, size: int) -> None:
    """Raise AnimationError if a file of ``size`` bytes has too many ``pixels`` to decode."""
    if pixels > MAX_DECODED_PIXELS + PIXELS_PER_BYTE * max(0, size - SMALL_BYTES):
        work = f"as much work as {pixels / 1e9:.1f} billion pixels"
        limit = f"too much for a file of {size} bytes; use smaller or fewer frames"
        raise AnimationError(f"decoding its frames needs {work}, {limit}")


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
    """Raise AnimationError unless the next bytes of a file are one of the signatures."""
    with convert_decoder_errors():
        content = file.read(len(signatures[0]))
    if content not in signatures:
        raise AnimationError("the content of the file does not match its suffix")


def read_exactly(file: BinaryIO, count: int) -> bytes:
    """Read the next ``count`` bytes of a file; raise AnimationError if there are fewer.

    >>> import io
    >>> read_exactly(io.BytesIO(b"abc"), 2)
    b'ab'
    """
    try:  # `convert_decoder_errors` would take longer than reading a few bytes
        content = file.read(count)
    except (OSError, MemoryError) as error:
        raise AnimationError(_decoder_error_reason(error)) from error
    if len(content) < count:
        raise AnimationError("the file ends too early")
    return content


def unsupported_error(feature: str) -> AnimationError:
    """Return the error for a feature that players may render differently."""
    return AnimationError(f"the file has {feature}; unsupported: players may render it differently")
