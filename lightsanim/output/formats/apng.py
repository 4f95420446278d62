"""Animated PNG: a writer that stores only changed rectangles, and a strict reader.

Source: the PNG specification, third edition (W3C 2025), which includes APNG.  The metadata is the
text chunk "Comment".
"""

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from lightsanim.film.animation import Animation
from lightsanim.output.look.paint_film import Frame, OnFrame, frame_layout, paint_patches
from lightsanim.output.look.theme import FrameGeometry, Theme
from lightsanim.output.look.tiles import Tiles
from lightsanim.pictures.patches import Patch
from lightsanim.pictures.png_chunks import (
    DISPOSALS,
    FRAME_CONTROL,
    build_png,
    build_png_chunk,
    split_png_frames,
)
from .compositing import decode_single_image, ffmpeg_frames, open_patches
from .frames import FrameFile, open_binary, refuse_if
from .metadata import build_metadata, replace_metadata
from .png_contents import (
    INDEXED,
    PngHeader,
    build_text_chunks,
    decode_checked_frame,
    read_checked_chunks,
    read_png_header,
)

TICK_RATE = 1000  # Delays are in milliseconds; `_frame_control` rounds those above 65 s to 0.1 s.


def write_apng(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an animated PNG whose pixels show every configuration exactly."""
    geometry, tiles = frame_layout(animation, theme)
    unchanged = tiles.unchanged_index
    with path.open("wb") as file:
        file.write(_png_header(geometry, tiles, len(animation), animation.loop))
        file.write(build_text_chunks(build_metadata(animation, theme)))
        patches = paint_patches(animation, geometry, tiles, unchanged, TICK_RATE, on_frame)
        for number, (frame, delay) in enumerate(patches):
            blend = number > 0 and unchanged is not None
            # fcTL and fdAT chunks are numbered in one sequence.
            file.write(_frame_control(max(0, 2 * number - 1), frame, delay, blend=blend))
            rows = b"".join(b"\0" + row.tobytes() for row in frame.changed_pixels)  # filter type 0
            data, sequence = zlib.compress(rows, 6), struct.pack(">I", 2 * number)
            kind, content = (b"fdAT", sequence + data) if number else (b"IDAT", data)
            file.write(build_png_chunk(kind, content))
        file.write(build_png_chunk(b"IEND", b""))


rewrite_apng = partial(replace_metadata, build_text_chunks)


def _png_header(geometry: FrameGeometry, tiles: Tiles, frames: int, loop: int) -> bytes:
    # Build the header chunks for 8-bit indexed colours.  The palette entry after the last colour is
    # transparent, and marks the pixels that a frame leaves unchanged.
    return build_png(
        {
            b"IHDR": struct.pack(">IIBBBBB", geometry.width, geometry.height, 8, INDEXED, 0, 0, 0),
            b"acTL": struct.pack(">II", frames, loop),
            b"PLTE": tiles.colours.tobytes() + b"\0\0\0",
            b"tRNS": tiles.alphas.tobytes() + b"\0",
        }.items()
    )


def _frame_control(number: int, frame: Frame, delay: int, *, blend: bool) -> bytes:
    # Build the control chunk of a frame that stays on the canvas (disposal code 0).
    rows, columns = frame.box
    height, width = frame.changed_pixels.shape
    seconds = (delay, TICK_RATE) if delay < 1 << 16 else (round(delay / 100), TICK_RATE // 100)
    bounds, disposal = (number, width, height, columns.start, rows.start), 0
    return build_png_chunk(b"fcTL", struct.pack(">IIIIIHHBB", *bounds, *seconds, disposal, blend))


@contextmanager
def open_apng(path: Path) -> Iterator[FrameFile]:
    """Open an animated PNG and yield its frames as browsers show them."""
    with open_binary(path) as file:
        head, comments = read_png_header(read_checked_chunks(file))
        read_patches = partial(_read_patches, file, head)
        second = partial(ffmpeg_frames, path, "apng")
        with open_patches(path, head.size, comments, read_patches, second) as frames:
            yield frames


def _read_patches(file: BinaryIO, head: PngHeader) -> Iterator[Patch]:
    # Yield the patches of a file whose structure is checked.
    control = b"" if head.frames else head.whole_control
    for frame in split_png_frames(read_checked_chunks(file), control):
        *_, disposal, _ = FRAME_CONTROL.unpack(frame.control)
        refuse_if(disposal >= len(DISPOSALS), "a frame with an unknown disposal")
        picture = partial(frame.build_png, head.shared)
        patch = frame.build_patch(partial(decode_checked_frame, head))
        yield replace(patch, redecode=partial(decode_single_image, "png", picture))
