"""Animated GIF: a writer that stores only changed rectangles, and a strict reader.

Source: the GIF89a specification, CompuServe 1990; the looping extension is Netscape's.  The
metadata is a comment.  Pixels are opaque or transparent.  A patch cannot make an opaque pixel
transparent; if cells become so, all frames are drawn whole and cleared when their time is over.
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lightsanim.film.animation import Animation
from lightsanim.output.look.paint_film import Frame, OnFrame, frame_layout, paint_patches
from lightsanim.output.look.theme import FrameGeometry, Theme
from lightsanim.output.look.tiles import Pixels
from lightsanim.pictures.gif_blocks import (
    APPLICATION,
    CENTISECONDS,
    COMMENT,
    GRAPHIC_CONTROL,
    IMAGE,
    MAX_DEFINED_DISPOSAL,
    GifBlock,
    build_gif_patch,
    decode_gif_indices,
    join_sub_blocks,
    read_gif_blocks,
    read_gif_screen,
)
from lightsanim.pictures.patches import Patch
from .compositing import cached_encoder, decode_single_image, ffmpeg_frames, open_patches
from .frames import (
    FrameFile,
    check_frame_size,
    check_signature,
    convert_decoder_errors,
    open_binary,
    read_exactly,
    refuse_if,
)
from .metadata import Metadata, build_metadata, replace_metadata

# Supported application extensions, which do not change the frames: loop counts and XMP.
APPLICATIONS = (b"\x0bNETSCAPE2.0", b"\x0bANIMEXTS1.0", b"\x0bXMP DataXMP")
KEEP_CODE, CLEAR_CODE = 1, 2


def write_gif(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an animated GIF whose pixels show every configuration exactly."""
    theme = theme.with_one_bit_alpha()
    geometry, tiles = frame_layout(animation, theme)
    tiles = tiles.with_one_bit_alpha()
    clear = len(tiles.colours)
    indices = np.where(tiles.alphas, np.arange(clear), clear).astype(np.uint8)
    encode = cached_encoder(partial(_image_data, bits=max(2, clear.bit_length())))
    unchanged = tiles.unchanged_index
    disposal = CLEAR_CODE if unchanged is None else KEEP_CODE
    canvas_box = slice(0, geometry.height), slice(0, geometry.width)
    with path.open("wb") as file:
        file.write(_gif_header(geometry, tiles.colours, animation.loop))
        file.write(_build_comment_block(build_metadata(animation, theme)))
        for frame, delay in paint_patches(
            animation, geometry, tiles.map_colours(indices), unchanged, CENTISECONDS, on_frame
        ):
            patch = replace(frame, box=canvas_box) if unchanged is None else frame
            file.write(_frame_header(patch, delay, clear, disposal))
            file.write(encode(patch.changed_pixels))
        file.write(b";")


def _gif_header(geometry: FrameGeometry, colours: Pixels, loop: int) -> bytes:
    # Build the logical screen, the colour table and the loop count.  The index after the last
    # colour marks pixels that are unchanged or transparent.
    bits = len(colours).bit_length()
    table = np.zeros((1 << bits, 3), np.uint8)
    table[: len(colours)] = colours
    flags = 0b1111_0000 | bits - 1
    screen = struct.pack("<6sHHBBB", b"GIF89a", geometry.width, geometry.height, flags, 0, 0)
    repeats = struct.pack("<3s11sBBHB", b"!\xff\x0b", b"NETSCAPE2.0", 3, 1, max(loop - 1, 0), 0)
    return screen + table.tobytes() + (b"" if loop == 1 else repeats)


def _build_comment_block(metadata: Metadata) -> bytes:
    content = metadata.json_text.encode("ascii")
    blocks = (content[start : start + 255] for start in range(0, len(content), 255))
    # The size of each block, at most 255 bytes, comes before it; an empty block ends the list.
    return b"!\xfe" + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


rewrite_gif = partial(replace_metadata, _build_comment_block)


def _frame_header(frame: Frame, delay: int, clear: int, disposal: int) -> bytes:
    # Build the graphic control extension, and the image descriptor with the patch's position.
    rows, columns = frame.box
    height, width = frame.changed_pixels.shape
    control = struct.pack("<3sBHBB", b"!\xf9\x04", disposal << 2 | 1, delay, clear, 0)
    return control + struct.pack("<cHHHHB", b",", columns.start, rows.start, width, height, 0)


def _image_data(patch: Pixels, bits: int) -> bytes:
    # Encode the pixels of a patch, not interlaced, as code size, compressed blocks and terminator.
    image = Image.fromarray(np.ascontiguousarray(patch))
    return bytes([bits]) + image.tobytes("gif", "L", bits, 0) + b"\0"


@contextmanager
def open_gif(path: Path) -> Iterator[FrameFile]:
    """Open a GIF and yield its frames as browsers show them."""
    with open_binary(path) as file:
        size, _ = _read_screen(file)
        blocks = (block for block in _read_known_blocks(file) if block.kind == COMMENT)
        texts = (join_sub_blocks(block.data).decode("latin-1") for block in blocks)
        comments = [line for text in texts for line in text.splitlines()]
        read_patches = partial(_read_patches, file)
        second = partial(ffmpeg_frames, path, "gif")
        with open_patches(path, size, comments, read_patches, second, one_bit=True) as frames:
            yield frames


def _read_screen(file: BinaryIO) -> tuple[tuple[int, int], bytes]:
    # Read the screen's height and width, and the global colour table, from the start of a file.
    file.seek(0)
    check_signature(file, b"GIF87a", b"GIF89a")
    size, table, aspect = read_gif_screen(partial(read_exactly, file))
    refuse_if(aspect, "pixels that are not square")
    check_frame_size(*size)
    return size, table


def _read_patches(file: BinaryIO) -> Iterator[Patch]:
    # Yield the patches from the start of a file.
    size, table = _read_screen(file)
    for block in _read_known_blocks(file):
        if block.kind == IMAGE:
            patch = build_gif_patch(block, table, partial(_decode_checked_indices, size, table))
            picture = partial(_single_image_file, block, table)
            yield replace(patch, redecode=partial(decode_single_image, "gif", picture))


def _read_known_blocks(file: BinaryIO) -> Iterator[GifBlock]:
    # Yield the blocks; refuse those that players may treat differently.
    has_control = False
    for block in read_gif_blocks(partial(read_exactly, file)):
        if block.kind == GRAPHIC_CONTROL:
            is_known = len(block.data) == 6 and block.data[0] == 4
            refuse_if(
                has_control or not is_known or block.data[1] & 0b1110_0010,
                "a graphic control extension of an unknown kind",
            )
            refuse_if(block.data[1] >> 2 > MAX_DEFINED_DISPOSAL, "a frame with an unknown disposal")
            has_control = True
        elif block.kind == APPLICATION:
            refuse_if(not block.data.startswith(APPLICATIONS), "an unknown application extension")
        elif block.kind == IMAGE:
            refuse_if(not 2 <= block.code_size <= 8, "an LZW code size other than 2 to 8")
            has_control = False
        else:
            refuse_if(block.kind != COMMENT, "an unknown kind of block")
        yield block
    refuse_if(has_control or file.read(1), "data after its last frame")


def _decode_checked_indices(
    size: tuple[int, int], table: bytes, image: GifBlock
) -> NDArray[np.uint8]:
    left, top, width, height = image.box
    refuse_if(
        not width or not height or left + width > size[1] or top + height > size[0],
        "an image that extends beyond the canvas",
    )
    with convert_decoder_errors():
        indices = decode_gif_indices(image)
    in_table = np.arange(256) < len(image.table or table) // 3
    if image.clear_index is not None:
        in_table[image.clear_index] = True
    refuse_if(
        not in_table[indices.max()] and not in_table.take(indices).all(),
        "pixels whose colour is not in the colour table",
    )
    return indices


def _single_image_file(image: GifBlock, table: bytes) -> bytes:
    # Build a GIF with only this image, which fills the screen; keep its transparent colour, if any.
    shape, flags, rgb = image.bounds[4:8], image.bounds[8], image.table or table
    screen = b"GIF89a" + shape + bytes([0x80 | (len(rgb) // 3).bit_length() - 2, 0, 0]) + rgb
    control = b"!\xf9\4" + bytes([image.control[0] & 1]) + image.control[1:] + b"\0"
    head = b"," + bytes(4) + shape + bytes([flags & 0x40, image.code_size])
    return screen + control + head + image.data + b";"
