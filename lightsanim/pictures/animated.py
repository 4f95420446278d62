"""Animated pictures, frame by frame, as browsers show them.

GIFs and animated PNGs are composed here, since Pillow draws some patches differently from browsers.
"""

import io
import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from PIL import Image

from lightsanim.errors import PictureError
from .gif_blocks import (
    IMAGE,
    GifBlock,
    build_gif_patch,
    decode_gif_indices,
    read_colour_table,
    read_gif_blocks,
)
from .patches import PatchCanvas
from .pillow import JPEG_SIGNATURE, check_pixels, load_upright, open_image, pillow_errors
from .png_chunks import (
    FRAME_CONTROL,
    MAX_NUMBER,
    SHOWING_CHUNKS,
    SIGNATURE,
    build_png,
    build_png_patch,
    frame_seconds,
    split_png_chunks,
)
from .reel import MAX_FRAMES, check_clip_pixels

# Formats, by Pillow's names, whose frames form a film, unlike the pages of a TIFF.
ANIMATED_FORMATS = ("WEBP", "AVIF", "FLI")
# Limit of the pixels in all frames of an animated picture, which take minutes to decode.
MAX_DECODED_PIXELS = 4_000_000_000
GIF_SIGNATURE = b"GIF8"
# Chunks that a frame of an animated PNG shares with the others, in an allowed order.
SHARED_CHUNKS = (*SHOWING_CHUNKS, b"iCCP", b"PLTE", b"tRNS")
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
    images = [image._replace(data=b"") for image, _ in _read_gif_images(content)]
    if not images:
        raise PictureError("it has no frames")
    screen = struct.unpack_from("<HH", content, 6)
    left, top, width, height = images[0].box
    # Browsers enlarge the canvas to the first image, and cut the others, which are decoded whole.
    size = max(screen[0], left + width), max(screen[1], top + height)
    boxes = [image.box for image in images]
    _check_frame_sizes([(max(size[0], w), max(size[1], h)) for _, _, w, h in boxes])

    def decode_frames() -> Iterator[Image.Image]:
        canvas = PatchCanvas(size[::-1])
        for image, table in _read_gif_images(content):
            with pillow_errors():
                indices = decode_gif_indices(image)
            canvas.draw(build_gif_patch(image, indices, table))
            yield _build_image(canvas, {})

    delays = [image.seconds for image in images]
    return AnimatedPicture(size=size, delays=delays, decode_frames=decode_frames)


def _read_gif_images(content: bytes) -> Iterator[tuple[GifBlock, bytes]]:
    # Yields each image, and the global colour table.
    file = io.BytesIO(content)

    def read(count: int) -> bytes:
        part = file.read(count)
        if len(part) < count and count > 1:  # browsers also show a GIF without its last byte
            raise PictureError("the file ends too early")
        return part

    table = read_colour_table(read, read(13)[10])
    return ((block, table) for block in read_gif_blocks(read) if block.kind == IMAGE)


def _open_apng(content: bytes) -> AnimatedPicture | None:
    # Opens an animated PNG; returns None for a PNG that is a still.
    head, frames = _split_apng_frames(content)
    if not frames or len(head.get(b"IHDR", b"")) != HEADER_BYTES:
        return None
    size: tuple[int, int] = struct.unpack_from(">II", head[b"IHDR"])
    for width, height, left, top, *_ in (FRAME_CONTROL.unpack(frame.control) for frame in frames):
        if left + width > size[0] or top + height > size[1]:
            raise PictureError("a frame extends beyond its canvas")
    _check_frame_sizes([size] * len(frames))
    orientation = {"exif": b"Exif\0\0" + head[b"eXIf"]} if b"eXIf" in head else {}

    def decode_frames() -> Iterator[Image.Image]:
        canvas = PatchCanvas(size[::-1])
        for frame in frames:
            with open_image(_build_single_png(head, frame)) as image:
                upright = load_upright(image)
            canvas.draw(build_png_patch(frame.control, upright))
            yield _build_image(canvas, {**upright.info, **orientation})

    delays = [frame_seconds(frame.control) for frame in frames]
    return AnimatedPicture(size=size, delays=delays, decode_frames=decode_frames)


class _ApngFrame(NamedTuple):
    control: bytes  # Content of its frame control chunk.
    data: list[memoryview]  # Parts of its compressed pixels.


def _split_apng_frames(content: bytes) -> tuple[dict[bytes, bytes], list[_ApngFrame]]:
    # Returns the chunks before the first frame, by kind, and the frames; none for a still.
    head: dict[bytes, bytes] = {}
    frames: list[_ApngFrame] = []
    numbers: list[bytes] = []
    for kind, part in split_png_chunks(content):
        if kind == b"IDAT" and b"acTL" not in head:
            return {}, []
        if kind in (b"fcTL", b"fdAT"):
            numbers.append(bytes(part[:4]))
        if kind == b"fcTL" and len(part) == FRAME_CONTROL.size:
            frames.append(_ApngFrame(bytes(part), []))
        elif kind in (b"IDAT", b"fdAT") and frames:
            frames[-1].data.append(part[4:] if kind == b"fdAT" else part)
        elif kind != b"IDAT":  # a default image is for programs that cannot play the frames
            head.setdefault(kind, bytes(part))
    if numbers != [number.to_bytes(4) for number in range(len(numbers))]:
        raise PictureError("its frames are not in order")
    count = int.from_bytes(head.get(b"acTL", b"")[:4])
    frames = [frame for frame in frames if frame.data]
    return head, frames[:count] if count <= MAX_NUMBER else []


def _build_single_png(head: Mapping[bytes, bytes], frame: _ApngFrame) -> bytes:
    # Builds a PNG of one frame alone.
    header = frame.control[4:12] + head[b"IHDR"][8:]  # width and height of the frame
    shared = [(kind, head[kind]) for kind in SHARED_CHUNKS if kind in head]
    data = b"".join(frame.data)
    return build_png([(b"IHDR", header), *shared, (b"IDAT", data), (b"IEND", b"")])


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

    def decode_images_and_delays() -> Iterator[tuple[Image.Image, float]]:
        with open_image(content) as image:
            for number in range(count):
                with pillow_errors():
                    image.seek(number)
                    image.load()
                    frame, seconds = image.copy(), float(image.info.get("duration") or 0) / 1000
                yield frame, seconds

    def decode_frames() -> Iterator[Image.Image]:
        return (image for image, _ in decode_images_and_delays())

    delays = [seconds for _, seconds in decode_images_and_delays()]
    return AnimatedPicture(size=size, delays=delays, decode_frames=decode_frames)
