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
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import UnidentifiedImageError

from lightsanim.errors import AnimationError, is_lack_of_memory
from lightsanim.pictures.light import LUMINANCE_WEIGHTS, read_plane_lines
from lightsanim.pictures.patches import OPAQUE, Box, Colours, iter_row_blocks

if TYPE_CHECKING:
    from av import VideoFrame

Float32Array = NDArray[np.float32]

MAX_READ_PIXELS = 40_000_000  # Maximum pixels per frame; memory holds several copies.
MAX_DECODED_PIXELS = 2_000_000_000  # Maximum pixels of a small file: about a minute's work.
SMALL_BYTES, PIXELS_PER_BYTE = 600_000, 50_000  # Each byte above SMALL_BYTES allows more pixels.
# FFmpeg's names of the pixel format in which videos are written, and of one with full colours.
PIXEL_FORMAT, FULL_FORMAT = "yuv420p", "yuv444p"
# Weights of luma, and the matrix and the black of `rgb_to_ycc`.
LUMA = np.array(LUMINANCE_WEIGHTS, np.float32)
BLUE, RED = np.array([[0, 0, 1], [1, 0, 0]], np.float32)
YCC_MATRIX = np.column_stack([LUMA, (BLUE - LUMA) / 1.8556, (RED - LUMA) / 1.5748])
YCC_MATRIX *= np.array([219, 224, 224], np.float32) / 255
YCC_BLACK = np.array([16, 128, 128], np.float32)
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

    def luma_at(self, y: NDArray[np.int64], x: NDArray[np.int64]) -> Float32Array:
        """Return the luma, 0 to 255, of some pixels."""
        return np.asarray(self.rgb_channels[y, x] @ LUMA)

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

    def __init__(self, frame: "VideoFrame", matrix: int) -> None:
        self._frame, self.shape = frame, (frame.height, frame.width)
        self._matrix = matrix  # Code of its colour matrix, in ITU-T H.273.

    @cached_property
    def rgb_channels(self) -> NDArray[np.uint8]:
        """Red, green and blue of each pixel: uint8 (height, width, 3)."""
        # FFmpeg's "rgba" would be wrong at the right edge of frames of some widths.
        with convert_decoder_errors():
            return np.asarray(self._frame.to_ndarray(format="rgb24"), np.uint8)

    @cached_property
    def planes(self) -> list[NDArray[np.uint8]]:
        """Luma, (height, width), and both colour differences, maybe of half the size, as bytes."""
        from av.video.reformatter import ColorRange, Colorspace  # imported late: they load slowly

        frame, width = self._frame, self.shape[1]
        limited, standard = ColorRange.MPEG, Colorspace.ITU709
        with convert_decoder_errors():
            target = PIXEL_FORMAT if frame.format.chroma_height(2) == 1 else FULL_FORMAT
            if self._matrix != standard:  # FFmpeg converts more exactly in two steps.
                frame = frame.reformat(format="rgb24", src_colorspace=self._matrix)
            if frame.format.name != target or frame.color_range > limited:
                frame = frame.reformat(
                    format=target, dst_colorspace=standard, dst_color_range=limited
                )
        halved = -(-width // 2) if target == PIXEL_FORMAT else width
        return [
            read_plane_lines(plane)[:, :length]
            for plane, length in zip(frame.planes, (width, halved, halved), strict=True)
        ]

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """Luma and both colour differences of each pixel, as bytes: uint8 (height, width, 3)."""
        luma, *colours = self.planes
        rows, columns = (np.arange(side) for side in self.shape)
        if colours[0].shape != luma.shape:
            rows, columns = rows // 2, columns // 2
        return np.dstack([luma, *(plane[rows[:, None], columns] for plane in colours)])

    def luma_at(self, y: NDArray[np.int64], x: NDArray[np.int64]) -> Float32Array:
        """Return the luma, 0 to 255, of some pixels."""
        return np.asarray((self.planes[0][y, x] - YCC_BLACK[0]) * np.float32(255 / 219))


def rgb_to_ycc(colours: NDArray[np.uint8]) -> Float32Array:
    """Return luma and both colour differences of RGB colours, (..., 3), as in a video's bytes.

    Source: ITU-R BT.709-6, 3.2 to 3.4 and 4.6.

    >>> rgb_to_ycc(np.array([[255, 255, 255], [0, 0, 255]], np.uint8)).round().tolist()
    [[235.0, 128.0, 128.0], [32.0, 240.0, 118.0]]
    """
    return np.asarray(colours @ YCC_MATRIX + YCC_BLACK)


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
    if is_lack_of_memory(error):
        return "there is not enough memory"
    # Unlike `str(error)`, `strerror` leaves out the error number and the path.
    damaged = f"the file is damaged ({type(error).__name__})"
    return getattr(error, "strerror", None) or str(error) or damaged


def check_frame_size(height: int, width: int, channels: int = 1) -> None:
    """Raise AnimationError if a frame is empty or too large to be decoded."""
    max_pixels = MAX_READ_PIXELS // channels  # memory grows with the number of channels
    if not 0 < width * height <= max_pixels:
        raise AnimationError(
            f"its frames have {width}x{height} pixels; a frame must have 1 to {max_pixels} pixels"
        )


def check_decoding_work(pixels: float, size: int) -> None:
    """Raise AnimationError if a file of ``size`` bytes has too many ``pixels`` to decode."""
    if pixels > MAX_DECODED_PIXELS + PIXELS_PER_BYTE * max(0, size - SMALL_BYTES):
        raise AnimationError(
            f"decoding its frames needs as much work as {pixels / 1e9:.1f} billion pixels, too "
            f"much for a file of {size} bytes; use smaller or fewer frames"
        )


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


def refuse_if(is_found: object, feature: str) -> None:
    """Raise AnimationError if a file has a feature that players may render differently."""
    if is_found:
        raise AnimationError(
            f"the file has {feature}; unsupported: players may render it differently"
        )
