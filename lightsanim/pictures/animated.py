"""Animated pictures, frame by frame, as browsers show them.

GIFs and animated PNGs are composed here, since Pillow draws some patches differently from browsers.
"""

import io
import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from PIL import Image

from lightsanim.errors import PictureError
from .gif_blocks import (
    IMAGE,
    SIGNATURE_BYTES,
    build_gif_patch,
    decode_gif_indices,
    read_gif_blocks,
    read_gif_screen,
)
from .patches import Patch, PatchCanvas
from .pillow import JPEG_SIGNATURE, check_pixels, load_upright, open_image, pillow_errors
from .png_chunks import MAX_NUMBER, SIGNATURE, PngFrame, split_png_chunks, split_png_frames
from .reel import MAX_FRAMES, check_clip_pixels

# Formats, by Pillow's names, whose frames form a film, unlike the pages of a TIFF.
ANIMATED_FORMATS = ("WEBP", "AVIF", "FLI")
# Limit of the pixels in all frames of an animated picture, which take minutes to decode.
MAX_DECODED_PIXELS = 4_000_000_000
GIF_SIGNATURE = b"GIF8"
HEADER_BYTES = 13  # Length of the chunk IHDR.


@dataclass(frozen=True, kw_only=True)
class AnimatedPicture:
    """A picture of one or more frames."""

    size: tuple[int, int]  # Width and height in pixels.
    delays: list[float]  # Seconds that each frame lasts, as stated in the file.
    decode_frames: Callable[[], Iterator[Image.Image]]  # Decodes the frames anew.


def open_animated_picture(content: bytes) -> AnimatedPicture | None:
    """Open a picture of a format that has frames; return None for a still.

    Raises:
        PictureError: for a damaged picture, or one that is too large.
        NoPictureError: for a file that is not a picture.
    """
    if content.startswith(JPEG_SIGNATURE):
        return None
    if content.startswith((SIGNATURE, GIF_SIGNATURE)):
        return _open_patched_picture(content)
    return _open_with_pillow(content)


def open_still(content: bytes) -> Image.Image:
    """Return the image of a still; of a GIF or an animated PNG, its first frame."""
    patched = _open_patched_picture(content)
    return open_image(content) if patched is None else next(patched.decode_frames())


def _check_frame_sizes(sizes: Sequence[tuple[int, int]]) -> None:
    # Refuses widths and heights of frames that would take too much memory or time to decode.
    check_size = check_pixels if len(sizes) == 1 else check_clip_pixels
    for width, height in set(sizes):
        check_size(width, height)
    if len(sizes) > MAX_FRAMES or sum(map(math.prod, sizes)) > MAX_DECODED_PIXELS:
        width, height = sizes[0]
        flaw = f"it has {len(sizes)} frames of {width}x{height} pixels"
        raise PictureError(f"{flaw}, too many for its format; convert it to a video such as MP4")


def _open_patched_picture(content: bytes) -> AnimatedPicture | None:
    # Opens a GIF or an animated PNG; returns None for any other picture.
    if content.startswith(GIF_SIGNATURE):
        return _open_gif(content)
    return _open_apng(content) if content.startswith(SIGNATURE) else None


def _open_gif(content: bytes) -> AnimatedPicture:
    (height, width), patches = _read_gif(content)
    first = next(patches, None)
    if first is None:
        raise PictureError("it has no frames")
    # Browsers enlarge the canvas to the first image, and cut the others, which are decoded whole.
    rows, columns = first.canvas_box
    size = max(width, columns.stop), max(height, rows.stop)
    return _compose_patches(size, lambda: _read_gif(content)[1], {})


def _read_gif(content: bytes) -> tuple[tuple[int, int], Iterator[Patch]]:
    # Returns the height and width of the screen, and the patches.
    file = io.BytesIO(content)
    file.seek(SIGNATURE_BYTES)
    read = partial(_read_gif_part, file)
    size, table, _ = read_gif_screen(read)
    images = (block for block in read_gif_blocks(read) if block.kind == IMAGE)
    decode = pillow_errors()(decode_gif_indices)
    return size, (build_gif_patch(image, table, decode) for image in images)


def _read_gif_part(file: io.BytesIO, count: int) -> bytes:
    part = file.read(count)
    if len(part) < count and count > 1:  # browsers also show a GIF without its last byte
        raise PictureError("the file ends too early")
    return part


def _open_apng(content: bytes) -> AnimatedPicture | None:
    # Opens an animated PNG; returns None for a PNG that is a still.
    head = _read_apng_head(content)
    count = int.from_bytes(head.get(b"acTL", b"")[:4])
    if len(head.get(b"IHDR", b"")) != HEADER_BYTES or count > MAX_NUMBER:
        return None
    width, height = struct.unpack_from(">II", head[b"IHDR"])
    orientation: dict[Any, Any] = {"exif": b"Exif\0\0" + head[b"eXIf"]} if b"eXIf" in head else {}
    info: dict[Any, Any] = {}

    def decode_image(frame: PngFrame) -> Image.Image:
        """Decode a frame as a PNG of its own, and keep what that states beside its pixels."""
        with open_image(frame.build_png(head)) as image:
            upright = load_upright(image)
        info.update(upright.info | orientation)
        return upright

    def read_patches() -> Iterator[Patch]:
        """Read the frames anew; the header may state fewer than there are."""
        for frame in islice(split_png_frames(split_png_chunks(content)), count):
            patch = frame.build_patch(decode_image)
            rows, columns = patch.canvas_box
            if rows.stop > height or columns.stop > width:
                raise PictureError("a frame extends beyond its canvas")
            yield patch

    picture = _compose_patches((width, height), read_patches, info)
    return picture if picture.delays else None


def _read_apng_head(content: bytes) -> dict[bytes, bytes]:
    # Returns the chunks beside those of the frames, by kind; none for a still.
    head: dict[bytes, bytes] = {}
    numbers: list[bytes] = []
    for kind, part in split_png_chunks(content):
        if kind == b"IDAT" and b"acTL" not in head:
            return {}
        if kind in (b"fcTL", b"fdAT"):
            numbers.append(part[:4])
        elif kind != b"IDAT":
            head.setdefault(kind, part)
    if numbers != [number.to_bytes(4) for number in range(len(numbers))]:
        raise PictureError("its frames are not in order")
    return head


def _compose_patches(
    size: tuple[int, int], read_patches: Callable[[], Iterator[Patch]], info: Mapping[Any, Any]
) -> AnimatedPicture:
    # Returns a picture whose frames draw patches, which are read anew each time.
    shapes, delays = [], []
    for patch in read_patches():
        shapes.append(patch.shape)
        delays.append(patch.seconds)
    _check_frame_sizes([(max(size[0], w), max(size[1], h)) for h, w in shapes])

    def decode_frames() -> Iterator[Image.Image]:
        """Draw the patches on a new canvas, and copy it after each."""
        canvas = PatchCanvas(size[::-1])
        for patch in read_patches():
            canvas.draw(patch, patch.decode())
            yield _build_image(canvas, info)

    return AnimatedPicture(size=size, delays=delays, decode_frames=decode_frames)


def _build_image(canvas: PatchCanvas, info: Mapping[Any, Any]) -> Image.Image:
    height, width = canvas.colours.shape
    image = Image.frombytes("RGBA", (width, height), canvas.colours.tobytes(), "raw", "BGRA")
    image.info.update(info)
    image.info.pop("transparency", None)  # a patch's transparent value
    return image


def _open_with_pillow(content: bytes) -> AnimatedPicture | None:
    with open_image(content) as image, pillow_errors():
        if image.format not in ANIMATED_FORMATS or not getattr(image, "is_animated", False):
            return None
        size, count = image.size, int(getattr(image, "n_frames", 1))
    _check_frame_sizes([size] * count)

    def decode_frames() -> Iterator[Image.Image]:
        """Decode each frame; its info states its duration in milliseconds."""
        with open_image(content) as image:
            for number in range(count):
                with pillow_errors():
                    image.seek(number)
                    image.load()
                    frame = image.copy()
                yield frame

    delays = [float(frame.info.get("duration") or 0) / 1000 for frame in decode_frames()]
    return AnimatedPicture(size=size, delays=delays, decode_frames=decode_frames)
