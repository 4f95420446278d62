"""Animated GIF: written frame by frame as changed rectangles.

Source: the GIF89a specification, CompuServe 1990; the looping extension is Netscape's.  The
metadata is a comment.
"""

import struct
from pathlib import Path

import numpy as np
from PIL import GifImagePlugin, Image

from lightsanim.animation.animation import Animation
from lightsanim.animation.timing import ticks
from lightsanim.formats.metadata import metadata_of
from lightsanim.formats.patch_encoder import remembering
from lightsanim.look.paint import Frame, OnFrame, paint_frames
from lightsanim.look.theme import Geometry, Theme
from lightsanim.look.tiles import Pixels, tiles_for

# GIF counts in hundredths of a second.
CENTISECONDS = 100


def write_gif(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an animated GIF that shows every configuration exactly, pixel by pixel."""
    delays = ticks(animation.durations(), CENTISECONDS)
    geometry = theme.geometry(*animation.board.shape)
    encode = remembering(_compress)
    with path.open("wb") as file:
        tiles = tiles_for(theme, animation.boards, geometry.cell)
        transparent = len(tiles.colours)
        file.write(_header(geometry, tiles.colours, animation.loop))
        file.write(_comment(metadata_of(animation, theme).text))
        frames = paint_frames(animation, geometry, tiles, transparent)
        for frame, delay in zip(frames, delays, strict=True):
            file.write(_frame_head(frame, int(delay), transparent))
            file.write(encode(frame.changed))
            on_frame()
        file.write(b";")


def _header(geometry: Geometry, colours: Pixels, loop: int) -> bytes:
    # Logical screen with the table of colours, then how often to repeat.  The entry after the last
    # colour stands for pixels that a frame leaves as they were; it never shows.
    bits = len(colours).bit_length()
    table = np.zeros((1 << bits, 3), np.uint8)
    table[: len(colours)] = colours
    flags = 0b1111_0000 | bits - 1
    screen = struct.pack("<6sHHBBB", b"GIF89a", geometry.width, geometry.height, flags, 0, 0)
    repeats = struct.pack("<3s11sBBHB", b"!\xff\x0b", b"NETSCAPE2.0", 3, 1, max(loop - 1, 0), 0)
    return screen + table.tobytes() + (b"" if loop == 1 else repeats)


def _comment(text: str) -> bytes:
    # In blocks of at most 255 bytes, each after its size; an empty one ends it.
    content = text.encode("ascii")
    blocks = [content[start : start + 255] for start in range(0, len(content), 255)]
    return b"!\xfe" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def _frame_head(frame: Frame, delay: int, transparent: int) -> bytes:
    # Graphic control: leave the frame in place when its time is over, and let the one before show
    # through transparent pixels.  Then where the patch lies.
    rows, columns = frame.box
    height, width = frame.changed.shape
    control = struct.pack("<4sHBB", b"!\xf9\x04\x05", delay, transparent, 0)
    return control + struct.pack("<cHHHHB", b",", columns.start, rows.start, width, height, 0)


def _compress(patch: Pixels) -> bytes:
    # The image data of a frame, from the code size to the block terminator.  Pillow returns the
    # image descriptor (10 bytes), the code size, and the compressed blocks.
    image = Image.fromarray(np.ascontiguousarray(patch))
    return b"".join(GifImagePlugin.getdata(image))[10:]
