"""A file's frames, one after the other, as other people's programs show them: Pillow and FFmpeg.

Nothing here knows how our own files are written, so that a mistake there cannot hide itself.
Frames are streamed: memory holds a few of them, however long the file.
"""

import re
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image, UnidentifiedImageError

from lightsanim.errors import AnimationError, LightsAnimError
from lightsanim.formats.raster import Colours, Floats, Raster, TableRaster, colour_codes, light_of
from lightsanim.proof.report import FrameError

if TYPE_CHECKING:
    from av import VideoFrame

# How Pillow shows the frames of a GIF, and what is told about warnings, is decided for the whole
# process: one file at a time.
_READING = threading.Lock()

# Pillow goes on in the kind of pixels that a GIF's first frame has, or changes to full colours when
# a frame brings colours of its own.  In all other cases it mixes them up.
STEADY = {("P", "P"), ("P", "RGB"), ("P", "RGBA"), ("RGB", "RGB"), ("RGBA", "RGBA"), ("L", "L")}


@dataclass(frozen=True, kw_only=True, eq=False)
class Shot:
    """A frame: its pixels, and how long it is shown where the file says so."""

    raster: Raster
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Tape:
    """A file that is being read.

    Attributes:
        texts: the lines of its comments.
        lossy: whether its pixels are only about what was drawn.
        shots: its frames, to be taken while it is open.
    """

    texts: list[str]
    lossy: bool
    shots: Iterator[Shot]


@contextmanager
def open_tape(path: Path) -> Iterator[Tape]:
    """Open a file of frames, or a folder of them.

    Raises:
        AnimationError: if it cannot be read; also from ``shots``.
    """
    with _READING, warnings.catch_warnings(), ExitStack() as stack:
        warnings.simplefilter("ignore")
        with _failures():
            tape = stack.enter_context(_opener(path))
        yield replace(tape, shots=_guarded(tape.shots))


def _guarded(shots: Iterator[Shot]) -> Iterator[Shot]:
    with _failures():
        yield from shots


@contextmanager
def _failures() -> Iterator[None]:
    # Readers parse octets that may be damaged or hostile, and let through whatever their parsing
    # runs into: struct.error, KeyError, MemoryError, FFmpegError and more.  To the user all of it
    # means the same.
    try:
        yield
    except LightsAnimError:
        raise
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


def _check_size(width: int, height: int) -> None:
    limit = Image.MAX_IMAGE_PIXELS
    if limit is not None and width * height > limit:
        raise AnimationError(
            f"its frames have {width}x{height} pixels, more than the limit of {limit}"
        )


# Pictures.


@contextmanager
def _pillow(path: Path, kind: str) -> Iterator[Tape]:
    # A GIF's pixels stay places in a table of colours while they can, which is three times faster.
    usual = GifImagePlugin.LOADING_STRATEGY
    GifImagePlugin.LOADING_STRATEGY = (
        GifImagePlugin.LoadingStrategy.RGB_AFTER_DIFFERENT_PALETTE_ONLY
    )
    try:
        with Image.open(path, formats=[kind]) as image:
            _check_size(*image.size)
            yield Tape(texts=_texts_of(image), lossy=False, shots=_frames(image))
    finally:
        GifImagePlugin.LOADING_STRATEGY = usual


def _frames(image: Image.Image) -> Iterator[Shot]:
    number, size, mode, before = 0, image.size, image.mode, None
    while True:
        try:
            image.seek(number)
        except EOFError:
            return
        image.load()
        if image.format == "GIF" and (mode, image.mode) not in STEADY:
            raise AnimationError(f"frame {number} has colours of its own, of a kind not known")
        if image.size != size:
            raise AnimationError(f"frame {number} is larger than the file says")
        mode, before = image.mode, _raster(image, before)
        yield Shot(raster=before, seconds=image.info.get("duration", 0) / 1000)
        number += 1


def _raster(image: Image.Image, before: TableRaster | None) -> TableRaster:
    clear = image.info.get("transparency")
    if image.mode != "P" or not isinstance(clear, int | None):
        return TableRaster(np.asarray(image.convert("RGBA")).view("<u4")[..., 0])
    codes = colour_codes(np.array(image.getpalette(), np.uint8).reshape(-1, 3))
    table = np.zeros(256, np.uint32)
    table[: len(codes)] = codes
    if clear is not None:
        table[clear] = 0
    if before is not None and before.table is not None and np.array_equal(table, before.table):
        table = before.table
    return TableRaster(np.asarray(image), table)


def _texts_of(image: Image.Image) -> list[str]:
    # A GIF's comments, a PNG's text, or the description in a WebP's XMP.
    lines: list[str] = []
    for key in ("comment", "Comment", "xmp"):
        match image.info.get(key):
            case bytes(octets) if key == "xmp":
                lines.append(_description(octets.decode("utf-8", "replace")))
            case bytes(octets):
                lines += octets.decode("latin-1").splitlines()
            case str(text):
                lines += text.splitlines()
    return lines


def _description(xmp: str) -> str:
    _, _, rest = xmp.partition("<dc:description>")
    _, _, rest = rest.partition("<rdf:li")
    return unescape(rest.partition(">")[2].partition("</rdf:li>")[0])


@contextmanager
def _folder(path: Path) -> Iterator[Tape]:
    numbered = sorted((int(file.stem), file) for file in path.iterdir() if _is_frame(file))
    if not numbered:
        raise AnimationError("the folder holds no frames such as 00000.png")
    with Image.open(numbered[0][1], formats=["PNG"]) as image:
        texts = _texts_of(image)
    yield Tape(texts=texts, lossy=False, shots=_files(numbered))


def _is_frame(file: Path) -> bool:
    numbered = re.fullmatch("[0-9]{1,9}", file.stem) is not None
    return file.suffix.lower() == ".png" and numbered and file.is_file()  # no pipe, nor a device


def _files(numbered: list[tuple[int, Path]]) -> Iterator[Shot]:
    before, size = None, None
    for place, (number, file) in enumerate(numbered):
        if number != place:
            raise FrameError(place, f"frame {place} is missing, or there twice")
        with Image.open(file, formats=["PNG"]) as image:
            _check_size(*image.size)
            if size not in (None, image.size):
                raise FrameError(place, f"frame {place} is of another size than those before it")
            size, before = image.size, _raster(image, before)
            yield Shot(raster=before)


# Films.


@contextmanager
def _film(path: Path, kind: str) -> Iterator[Tape]:
    import av

    # Comments need not be UTF-8, which PyAV 19 knows by itself.
    told = int(av.__version__.partition(".")[0]) < 19
    lenient: dict[str, Any] = {"metadata_errors": "replace"} if told else {}
    # Neither its name nor its octets may tell FFmpeg to open anything else.
    with (
        path.open("rb") as octets,
        av.open(octets, "r", format=kind, **lenient) as file,
    ):
        if not file.streams.video:
            raise AnimationError("it has no pictures")
        stream = file.streams.video[0]
        _check_size(stream.codec_context.width, stream.codec_context.height)
        stream.thread_type = "AUTO"
        texts = [text for key, text in file.metadata.items() if key.lower() == "comment"]

        def shots() -> Iterator[Shot]:
            rate = stream.average_rate
            for frame in file.decode(stream):
                _check_size(frame.width, frame.height)
                yield Shot(raster=FilmRaster(frame), seconds=float(1 / rate) if rate else None)

        yield Tape(texts=texts, lossy=True, shots=shots())


class FilmRaster(Raster):
    """The pixels of a film's frame; codecs keep light and colours apart."""

    def __init__(self, frame: "VideoFrame") -> None:
        self._frame = frame

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width)."""
        return self._frame.height, self._frame.width

    @cached_property
    def channels(self) -> NDArray[np.uint8]:
        """Red, green and blue: uint8 (height, width, 3)."""
        # Not as "rgba", which FFmpeg gets wrong at the right edge of some widths.
        return np.asarray(self._frame.to_ndarray(format="rgb24"), np.uint8)

    @property
    def light(self) -> Floats:
        """0 to 255, as Rec. 709 weighs what is encoded: float32 (height, width)."""
        if self._frame.format.name != "yuv420p":
            return light_of(self.channels)
        plane, (height, width) = self._frame.planes[0], self.shape
        lines = np.frombuffer(memoryview(plane), np.uint8).reshape(-1, plane.line_size)
        # Black is 16 there and white 235.
        light: Floats = (lines[:height, :width] - np.float32(16)) * np.float32(255 / 219)
        return light

    def colours_at(self, places: NDArray[np.int64]) -> Colours:
        """The colours of some pixels."""
        return colour_codes(self.channels.reshape(-1, 3)[places])


OPENERS: dict[str, Callable[[Path], AbstractContextManager[Tape]]] = {
    ".gif": partial(_pillow, kind="GIF"),
    ".webp": partial(_pillow, kind="WEBP"),
    ".apng": partial(_pillow, kind="PNG"),
    ".mp4": partial(_film, kind="mp4"),
    ".webm": partial(_film, kind="webm"),
    "": _folder,
}


def _opener(path: Path) -> AbstractContextManager[Tape]:
    if path.exists() and not path.is_dir() and not path.is_file():
        raise AnimationError("it is a device or a pipe, not a file")
    if path.is_file() and not path.stat().st_size:
        raise AnimationError("it is empty")
    return OPENERS["" if path.is_dir() else path.suffix.lower()](path)
