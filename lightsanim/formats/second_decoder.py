"""Frames held against those of another decoder: two that agree are what players show."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lightsanim.errors import AnimationError
from lightsanim.formats.frames import ReadFrame, decoding, opened
from lightsanim.formats.raster import (
    Colours,
    PixelRaster,
    colour_codes,
    row_blocks,
    without_hidden_colours,
)
from lightsanim.pictures.light import lines_of

if TYPE_CHECKING:
    import av

Rows = Callable[[slice], Colours]
"""Some rows of a frame: uint32 (rows, width)."""


@contextmanager
def held_against(
    frames: Iterator[tuple[PixelRaster, float]], others: Generator[Rows, None, None]
) -> Iterator[Iterator[ReadFrame]]:
    """Frames as long as another decoder shows exactly the same pixels."""
    with closing(others):
        yield _compared(frames, others)


def _compared(
    frames: Iterator[tuple[PixelRaster, float]], others: Iterator[Rows]
) -> Iterator[ReadFrame]:
    for number, (raster, seconds) in enumerate(frames):
        rows = next(others, None)
        if rows is None or not _equal(raster.pixels, rows):
            raise AnimationError(
                f"two decoders show frame {number} differently, and so may players"
            )
        yield ReadFrame(number=number, raster=raster, seconds=seconds)
    if next(others, None) is not None:
        raise AnimationError("two decoders show different numbers of frames")


def _equal(pixels: Colours, rows: Rows) -> bool:
    for part in row_blocks(pixels.shape):
        mine, other = pixels[part], rows(part)
        if not np.array_equal(mine, other) and (mine != without_hidden_colours(other)).any():
            return False
    return True


def ffmpeg_frames(path: Path, container: str) -> Generator[Rows, None, None]:
    """The frames of a file as FFmpeg composes them."""
    import av

    with opened(path) as content:
        with decoding():
            file = av.open(content, "r", format=container)
        with file:
            frames = file.decode(video=0)
            while True:
                with decoding():
                    frame = next(frames, None)
                if frame is None:
                    return
                yield _rows_of(frame)


# By FFmpeg's names of pixels: the places of red, green, blue and alpha among their bytes.
CHANNELS = {"gray": (0, 0, 0, None), "ya8": (0, 0, 0, 1), "rgb24": (0, 1, 2, None)}


def _rows_of(frame: "av.VideoFrame") -> Rows:
    lines, width = lines_of(frame.planes[0]), frame.width
    match frame.format.name:
        case "bgra":
            return lambda part: lines[part, : 4 * width].view("<u4")
        case "rgba":
            return lambda part: _swapped(lines[part, : 4 * width].view("<u4"))
        case "pal8":
            table = np.frombuffer(memoryview(frame.planes[1]), "<u4")
            return lambda part: table[lines[part, :width]]
        case "monob":
            table = np.array([0xFF000000, 0xFFFFFFFF], np.uint32)
            return lambda part: table[np.unpackbits(lines[part], axis=1)[:, :width]]
        case name if name in CHANNELS:
            *colour, alpha = CHANNELS[name]
            count = max(colour) + 1 + (alpha is not None)

            def rows(part: slice) -> Colours:
                parts = lines[part, : count * width].reshape(-1, width, count)
                return colour_codes(parts[..., colour], 255 if alpha is None else parts[..., alpha])

            return rows
    raise AnimationError(f"FFmpeg decodes its frames to pixels of a kind not known, {name}")


def _swapped(pixels: Colours) -> Colours:
    # Red for blue: from the lowest byte red, green, blue and alpha to blue, green, red and alpha.
    backwards = pixels.byteswap()
    swapped: Colours = backwards >> np.uint32(8)
    swapped |= np.left_shift(backwards, np.uint32(24), out=backwards)
    return swapped
