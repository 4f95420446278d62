"""Animated PNG, written frame by frame as changed rectangles, and folders of PNGs.

Source: the PNG specification, third edition (W3C 2025), with APNG.  The metadata is in the text
of the keyword Comment, in a folder of each file.
"""

import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from lightsanim.animation.animation import Animation
from lightsanim.animation.timing import ticks
from lightsanim.errors import AnimationError
from lightsanim.formats.frames import FrameFile, ReadFrame, decoding
from lightsanim.formats.metadata import metadata_of
from lightsanim.formats.pillow_frames import open_image, raster_of, texts_of
from lightsanim.look.paint import Frame, OnFrame, paint_frames
from lightsanim.look.theme import Geometry, Theme
from lightsanim.look.tiles import Pixels, tiles_for

SIGNATURE = b"\x89PNG\r\n\x1a\n"

# Milliseconds: what fits the two bytes of a delay's numerator is 65 seconds of them.
RATE = 1000

KEYWORD = "Comment"


def write_apng(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an animated PNG that shows every configuration exactly, pixel by pixel."""
    geometry = theme.geometry(*animation.board.shape)
    tiles = tiles_for(theme, animation.boards, geometry.cell)
    delays = ticks(animation.durations(), RATE)
    transparent = len(tiles.colours)
    with path.open("wb") as file:
        file.write(_header(geometry, tiles.colours, len(delays), animation.loop))
        text = f"{KEYWORD}\0{metadata_of(animation, theme).text}"
        file.write(_chunk(b"tEXt", text.encode("ascii")))
        number = 0
        frames = paint_frames(animation, geometry, tiles, transparent)
        for frame, delay in zip(frames, delays, strict=True):
            file.write(_control(number, frame, int(delay)))
            data = _compress(frame.changed)
            if number == 0:
                file.write(_chunk(b"IDAT", data))
                number += 1
            else:
                file.write(_chunk(b"fdAT", struct.pack(">I", number + 1) + data))
                number += 2
            on_frame()
        file.write(_chunk(b"IEND", b""))


def write_folder(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write a folder of PNGs, one for each frame: ``00000.png``, ``00001.png``, ..."""
    geometry = theme.geometry(*animation.board.shape)
    tiles = tiles_for(theme, animation.boards, geometry.cell)
    info = PngInfo()
    info.add_text(KEYWORD, metadata_of(animation, theme).text, zip=True)
    path.mkdir()
    for number, frame in enumerate(paint_frames(animation, geometry, tiles)):
        image = Image.fromarray(frame.pixels)
        image.putpalette(tiles.colours.tobytes())
        image.save(path / f"{number:05}.png", pnginfo=info)
        on_frame()


@contextmanager
def open_folder(path: Path) -> Iterator[FrameFile]:
    """Read the frames of a folder of PNGs, whose names are their numbers.

    Raises:
        AnimationError: if it holds none, or one cannot be read; also from ``frames``.
    """
    with decoding():
        numbered = sorted((int(file.stem), file) for file in path.iterdir() if _is_frame(file))
    if not numbered:
        raise AnimationError("the folder holds no frames such as 00000.png")
    with open_image(numbered[0][1], "PNG") as image:
        texts, (width, height) = texts_of(image), image.size
    yield FrameFile(texts=texts, lossy=False, size=(height, width), frames=_files(numbered))


def _is_frame(file: Path) -> bool:
    numbered = re.fullmatch("[0-9]{1,9}", file.stem) is not None
    return file.suffix.lower() == ".png" and numbered and file.is_file()  # no pipe, nor a device


def _files(numbered: Sequence[tuple[int, Path]]) -> Iterator[ReadFrame]:
    before = None
    for number, file in numbered:
        with open_image(file, "PNG") as image:
            before = raster_of(image, before)
            yield ReadFrame(number=number, raster=before)


def _header(geometry: Geometry, colours: Pixels, frames: int, loop: int) -> bytes:
    # 8-bit places in a table of colours; the entry after the last one is transparent, for pixels
    # that a frame leaves as they were.
    size = struct.pack(">IIBBBBB", geometry.width, geometry.height, 8, 3, 0, 0, 0)
    table = colours.tobytes() + b"\0\0\0"
    opaque = b"\xff" * len(colours) + b"\0"
    return b"".join(
        [
            SIGNATURE,
            _chunk(b"IHDR", size),
            _chunk(b"acTL", struct.pack(">II", frames, loop)),
            _chunk(b"PLTE", table),
            _chunk(b"tRNS", opaque),
        ]
    )


def _control(number: int, frame: Frame, delay: int) -> bytes:
    # Leave the frame in place when its time is over; lay it over the one before.
    rows, columns = frame.box
    height, width = frame.changed.shape
    numerator, denominator = (delay, RATE) if delay < 1 << 16 else (round(delay / 100), RATE // 100)
    keep, over = 0, int(number > 0)
    place = (number, width, height, columns.start, rows.start)
    times = (numerator, denominator, keep, over)
    return _chunk(b"fcTL", struct.pack(">IIIIIHHBB", *place, *times))


def _compress(patch: Pixels) -> bytes:
    # No filters: in front of each row a zero says so.
    rows = b"".join(b"\0" + row.tobytes() for row in patch)
    return zlib.compress(rows, 6)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
