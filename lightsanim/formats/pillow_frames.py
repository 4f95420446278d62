"""Frames of pictures that Pillow reads: GIF, PNG and WebP; their own modules write them."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import numpy as np
from PIL import GifImagePlugin, Image

from lightsanim.errors import AnimationError
from lightsanim.formats.frames import FrameFile, ReadFrame, check_frame_size, decoding
from lightsanim.formats.raster import TableRaster, colour_codes

# Pillow goes on in the kind of pixels that a GIF's first frame has, or changes to full colours when
# a frame brings colours of its own.  In all other cases it mixes them up.
STEADY = {("P", "P"), ("P", "RGB"), ("P", "RGBA"), ("RGB", "RGB"), ("RGBA", "RGBA"), ("L", "L")}


@contextmanager
def open_image(path: Path, kind: str) -> Iterator[Image.Image]:
    """A picture that Pillow has opened; see `open_pictures`."""
    with decoding():
        image = Image.open(path, formats=[kind])
    with image:
        check_frame_size(*image.size)
        yield image


@contextmanager
def open_pictures(path: Path, kind: str) -> Iterator[FrameFile]:
    """The frames of an animated picture.

    Args:
        path: the file.
        kind: Pillow's name of its format; files of other formats are refused.

    Raises:
        AnimationError: if it cannot be read, or its frames are too large; also from ``frames``.
    """
    # A GIF's pixels stay places in a table of colours while they can, which is three times faster.
    usual = GifImagePlugin.LOADING_STRATEGY
    GifImagePlugin.LOADING_STRATEGY = (
        GifImagePlugin.LoadingStrategy.RGB_AFTER_DIFFERENT_PALETTE_ONLY
    )
    try:
        with open_image(path, kind) as image:
            yield FrameFile(
                texts=texts_of(image), lossy=False, size=image.size[::-1], frames=_frames(image)
            )
    finally:
        GifImagePlugin.LOADING_STRATEGY = usual


def _frames(image: Image.Image) -> Iterator[ReadFrame]:
    number, size, mode, before = 0, image.size, image.mode, None
    while True:
        with decoding():
            try:
                image.seek(number)
            except EOFError:
                return
            image.load()
        if image.format == "GIF" and (mode, image.mode) not in STEADY:
            raise AnimationError(f"frame {number} has colours of its own, of a kind not known")
        if image.size != size:
            raise AnimationError(f"frame {number} is larger than the file says")
        mode, before = image.mode, raster_of(image, before)
        yield ReadFrame(number=number, raster=before, seconds=image.info.get("duration", 0) / 1000)
        number += 1


def raster_of(image: Image.Image, before: TableRaster | None) -> TableRaster:
    """The pixels of a picture.

    Args:
        image: the picture.
        before: the frame before; the same table of colours is shared with it.

    Raises:
        AnimationError: if they cannot be decoded.
    """
    clear = image.info.get("transparency")
    if image.mode != "P" or not isinstance(clear, int | None):
        with decoding():
            colours = image.convert("RGBA")
        return TableRaster(np.asarray(colours).view("<u4")[..., 0])
    with decoding():
        image.load()
    codes = colour_codes(np.array(image.getpalette(), np.uint8).reshape(-1, 3))
    table = np.zeros(256, np.uint32)
    table[: len(codes)] = codes
    if clear is not None:
        table[clear] = 0
    if before is not None and before.table is not None and np.array_equal(table, before.table):
        table = before.table
    return TableRaster(np.asarray(image), table)


def texts_of(image: Image.Image) -> list[str]:
    """The lines of a GIF's comments, of a PNG's text, or of the description in a WebP's XMP."""
    lines: list[str] = []
    for key in ("comment", "Comment", "xmp"):
        match image.info.get(key):
            case bytes(content) if key == "xmp":
                lines.append(_description(content.decode("utf-8", "replace")))
            case bytes(content):
                lines += content.decode("latin-1").splitlines()
            case str(text):
                lines += text.splitlines()
    return lines


def _description(xmp: str) -> str:
    _, _, rest = xmp.partition("<dc:description>")
    _, _, rest = rest.partition("<rdf:li")
    return unescape(rest.partition(">")[2].partition("</rdf:li>")[0])
