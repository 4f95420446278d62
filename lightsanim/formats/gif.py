"""Animated GIF: written frame by frame as changed rectangles, and read strictly.

Source: the GIF89a specification, CompuServe 1990; the looping extension is Netscape's.  The
metadata is a comment.  A pixel is opaque or clear, and no patch makes an opaque one clear again:
where cells do become clear, all frames are whole, and taken away when their time is over.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from PIL import Image

from lightsanim.animation.animation import Animation
from lightsanim.animation.painting import (
    Frame,
    OnFrame,
    build_animation_tiles,
    geometry_of,
    paint_frames,
)
from lightsanim.animation.timing import durations_to_ticks
from lightsanim.formats.compositing import Disposal, Patch, cached_encoder, check_patches
from lightsanim.formats.frames import (
    BLOCK,
    FrameFile,
    Rows,
    check_frame_size,
    check_signature,
    colour_codes,
    convert_decoder_errors,
    file_size,
    open_binary,
    read_exactly,
    unsupported_error,
)
from lightsanim.formats.metadata import Metadata, build_metadata, replace_bytes_once
from lightsanim.formats.second_decoder import (
    cross_check_decoders,
    ffmpeg_frames,
    make_packet_decoder,
)
from lightsanim.look.theme import FrameGeometry, Theme
from lightsanim.look.tiles import Pixels
from lightsanim.system.threads import prefetch

# GIF counts in hundredths of a second.
CENTISECONDS = 100

# Extensions of programs that change nothing of what is shown: how often it is played, and XMP.
APPLICATIONS = (b"NETSCAPE2.0", b"ANIMEXTS1.0", b"XMP DataXMP")

# By their numbers, of which 0 means none, and is taken for 1.
DISPOSALS = (Disposal.KEEP, Disposal.KEEP, Disposal.CLEAR, Disposal.RESTORE)
KEEP_CODE, CLEAR_CODE = 1, 2


def write_gif(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write an animated GIF that shows every configuration exactly, pixel by pixel."""
    delays = durations_to_ticks(animation.durations(), CENTISECONDS)
    geometry, theme = geometry_of(animation, theme), theme.with_one_bit_alpha()
    encode = cached_encoder(_image_data)
    with path.open("wb") as file:
        tiles = build_animation_tiles(animation, theme).with_one_bit_alpha()
        clear = len(tiles.colours)
        index_tiles = tiles.map_colours(
            np.where(tiles.alphas, np.arange(clear), clear).astype(np.uint8)
        )
        is_whole = not tiles.covers_previous_pixels
        file.write(_gif_header(geometry, tiles.colours, animation.loop))
        file.write(_comment_block(build_metadata(animation, theme).json_text))
        frames = paint_frames(animation, geometry, index_tiles, None if is_whole else clear)
        for frame, delay in zip(frames, delays, strict=True):
            patch = frame.as_full_frame if is_whole else frame
            file.write(
                _frame_header(patch, int(delay), clear, CLEAR_CODE if is_whole else KEEP_CODE)
            )
            file.write(encode(patch.changed_pixels))
            on_frame()
        file.write(b";")


def rewrite_gif(path: Path, target: Path, old: Metadata, new: Metadata) -> None:
    """Write a GIF again with other words, its frames as they are."""
    target.write_bytes(
        replace_bytes_once(
            path.read_bytes(), _comment_block(old.json_text), _comment_block(new.json_text)
        )
    )


def _gif_header(geometry: FrameGeometry, colours: Pixels, loop: int) -> bytes:
    # Logical screen with the table of colours, then how often to repeat.  The entry after the last
    # colour stands for pixels that a frame leaves as they were, or that are clear; it never shows.
    bits = len(colours).bit_length()
    table = np.zeros((1 << bits, 3), np.uint8)
    table[: len(colours)] = colours
    flags = 0b1111_0000 | bits - 1
    screen = struct.pack("<6sHHBBB", b"GIF89a", geometry.width, geometry.height, flags, 0, 0)
    repeats = struct.pack("<3s11sBBHB", b"!\xff\x0b", b"NETSCAPE2.0", 3, 1, max(loop - 1, 0), 0)
    return screen + table.tobytes() + (b"" if loop == 1 else repeats)


def _comment_block(text: str) -> bytes:
    content = text.encode("ascii")
    return b"!\xfe" + _pack_sub_blocks(
        content[start : start + 255] for start in range(0, len(content), 255)
    )


def _pack_sub_blocks(blocks: Iterable[bytes]) -> bytes:
    # Blocks of at most 255 bytes, each after its size; an empty one ends them.
    return b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def _frame_header(frame: Frame, delay: int, clear: int, disposal: int) -> bytes:
    # Graphic control: leave the frame in place when its time is over, or clear it away, and let
    # what is there show through clear pixels.  Then where the patch lies.
    rows, columns = frame.box
    height, width = frame.changed_pixels.shape
    control = struct.pack("<3sBHBB", b"!\xf9\x04", disposal << 2 | 1, delay, clear, 0)
    return control + struct.pack("<cHHHHB", b",", columns.start, rows.start, width, height, 0)


def _image_data(patch: Pixels) -> bytes:
    # The image data of a frame, not interlaced: code size, compressed blocks, terminator.
    return b"\x08" + Image.fromarray(np.ascontiguousarray(patch)).tobytes("gif", "L", 8, 0) + b"\0"


@contextmanager
def open_gif(path: Path) -> Iterator[FrameFile]:
    """Read a GIF's frames, as browsers show them."""
    with open_binary(path) as file:
        size, table = _read_screen_descriptor(file)
        start = file.tell()
        texts: list[str] = []
        overlays_only = check_patches(_read_frame_sizes(file, texts), size, file_size(path))
        file.seek(start)
        images = (block for block in _read_blocks(file) if isinstance(block, _ImageBlock))
        decode = make_packet_decoder("gif")
        patches = (_read_frame_patch(image, size, table, decode) for image in images)
        second = None if overlays_only else ffmpeg_frames(path, "gif")
        if second and size[0] * size[1] > BLOCK:  # smaller ones take less than to begin a thread
            second = prefetch(second, 1)
        with cross_check_decoders(size, patches, second) as frames:
            yield FrameFile(comments=texts, lossy=False, one_bit=True, size=size, frames=frames)


def _read_frame_sizes(file: BinaryIO, texts: list[str]) -> Iterator[tuple[Disposal, int, int]]:
    # The disposal, height and width of each image; the lines of comments are added to the texts.
    for block in _read_blocks(file):
        if isinstance(block, _ImageBlock):
            _, _, width, height, _ = struct.unpack("<HHHHB", block.bounds)
            yield DISPOSALS[block.control[0] >> 2], height, width
        else:
            texts += block.decode("latin-1").splitlines()


class _ImageBlock(NamedTuple):
    """The blocks of one frame."""

    control: bytes  # 4 bytes: how it is shown
    bounds: bytes  # 9 bytes: where it lies
    table: bytes  # its own colours, 3 bytes each, or none
    code_size: int  # of its data
    data: bytes  # its blocks, with the empty one that ends them


def _read_screen_descriptor(file: BinaryIO) -> tuple[tuple[int, int], bytes]:
    # Height and width, and the colours of images that have none of their own.
    check_signature(file, b"GIF87a", b"GIF89a")
    width, height, flags, _, aspect = struct.unpack("<HHBBB", read_exactly(file, 7))
    if aspect:
        raise unsupported_error("pixels that are not square")
    check_frame_size(width, height)
    return (height, width), _read_colour_table(file, flags)


def _read_blocks(file: BinaryIO) -> Iterator[_ImageBlock | bytes]:
    # The images, and the contents of the comments.
    control = None
    while (kind := read_exactly(file, 1)) != b";":
        label = read_exactly(file, 1) if kind == b"!" else b""
        match kind, label:
            case b"!", b"\xf9":
                size, *content, end = read_exactly(file, 6)
                if control is not None or (size, end) != (4, 0) or content[0] & 0b1110_0010:
                    raise unsupported_error("a graphic control of a kind not known")
                control = bytes(content)
                if control[0] >> 2 >= len(DISPOSALS):
                    raise unsupported_error("a frame whose disposal is not known")
            case b"!", b"\xfe":
                yield b"".join(_read_sub_blocks(file))
            case b"!", b"\xff":
                if read_exactly(file, 12)[1:] not in APPLICATIONS:
                    raise unsupported_error("an extension of a program not known")
                _pack_sub_blocks(_read_sub_blocks(file))
            case b",", b"":
                bounds = read_exactly(file, 9)
                table, code_size = _read_colour_table(file, bounds[8]), read_exactly(file, 1)[0]
                if not 2 <= code_size <= 8:
                    raise unsupported_error("codes of a size not known")
                data = _pack_sub_blocks(_read_sub_blocks(file))
                yield _ImageBlock(control or bytes(4), bounds, table, code_size, data)
                control = None
            case _:
                raise unsupported_error("a block of a kind not known")
    if control is not None or file.read(1):
        raise unsupported_error("something after its last frame")


def _read_colour_table(file: BinaryIO, flags: int) -> bytes:
    # A table of colours, if flags say that there is one.
    return read_exactly(file, 3 * (2 << (flags & 7))) if flags & 0x80 else b""


def _read_sub_blocks(file: BinaryIO) -> Iterator[bytes]:
    # The inverse of `_pack_sub_blocks`.
    while size := read_exactly(file, 1)[0]:
        yield read_exactly(file, size)


def _read_frame_patch(
    image: _ImageBlock, size: tuple[int, int], table: bytes, decode: Callable[[bytes], Rows]
) -> Patch:
    left, top, width, height, flags = struct.unpack("<HHHHB", image.bounds)
    control, delay, clear = struct.unpack("<BHB", image.control)
    if not width or not height or left + width > size[1] or top + height > size[0]:
        raise unsupported_error("an image that does not lie within its screen")
    palette = np.frombuffer(image.table or table, np.uint8).reshape(-1, 3)
    # Pillow unpacks the codes, not code of our own.
    with convert_decoder_errors():
        decoder_args = (image.code_size, flags >> 6 & 1, -1)
        indices = np.asarray(Image.frombytes("P", (width, height), image.data, "gif", decoder_args))
    codes, in_table = np.zeros(256, np.uint32), np.arange(256) < len(palette)
    codes[in_table] = colour_codes(palette)
    if control & 1:
        codes[clear], in_table[clear] = 0, True
    if indices.max() >= len(palette) and not in_table.take(indices).all():
        raise unsupported_error("pixels whose colour is not in its table")
    return Patch(
        shape=(height, width),
        rows=lambda part: codes.take(indices[part]),
        top=top,
        left=left,
        blend=True,
        disposal=DISPOSALS[control >> 2],
        seconds=delay / CENTISECONDS,
        redecode=lambda: decode(_single_image_file(image, table)),
    )


def _single_image_file(image: _ImageBlock, table: bytes) -> bytes:
    # A file of one image that fills its screen; where it has a clear colour, on clear ground.
    shape, flags, rgb = image.bounds[4:8], image.bounds[8], image.table or table
    screen = b"GIF89a" + shape + bytes([0x80 | (len(rgb) // 3).bit_length() - 2, 0, 0]) + rgb
    control = b"!\xf9\4" + bytes([image.control[0] & 1]) + image.control[1:] + b"\0"
    head = b"," + bytes(4) + shape + bytes([flags & 0x40, image.code_size])
    return screen + control + head + image.data + b";"
