"""Strict compositing of animated images: only what all players show alike is accepted.

All players draw and remove patches alike, but they round blended colours differently: therefore
patches that are blended with the canvas may have only opaque and fully transparent pixels.  If two
decoders show a file differently, so may players: therefore a second decoder checks all pixels.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lightsanim.errors import AnimationError
from lightsanim.output.look.tiles import Pixels
from lightsanim.pictures.light import read_plane_lines
from lightsanim.pictures.patches import (
    BLOCK,
    Box,
    Colours,
    Disposal,
    Patch,
    PatchCanvas,
    Rows,
    iter_row_blocks,
    without_hidden_colours,
)
from lightsanim.system.threads import prefetch
from .frames import (
    DecodedFrame,
    FrameFile,
    LosslessRaster,
    check_decoding_work,
    convert_decoder_errors,
    file_size,
    open_binary,
    refuse_if,
)

if TYPE_CHECKING:
    import av

# Limits of the cache of encoded patches: their number, and pixels per patch.  Only small patches
# are likely to repeat: the 3 x 3 cells around a click have 512 configurations.
MAX_CACHED_PATCHES, MAX_CACHED_PIXELS = 4096, 128 * 128
MAX_COMPOSITED_PIXELS = 10_000_000  # Maximum pixels of a canvas that a second decoder copies.
MIN_SECONDS, BROWSER_DELAY = 0.011, 0.1  # Browsers show frames below MIN_SECONDS for BROWSER_DELAY.


@contextmanager
def open_patches(
    path: Path,
    size: tuple[int, int],  # Height and width of the canvas.
    comments: list[str],
    read_patches: Callable[[], Iterator[Patch]],
    decode_second: Callable[[], Generator[Rows, None, None]],
    *,
    one_bit: bool = False,
) -> Iterator[FrameFile]:
    """Yield the frames of a file, whose patches are read twice: first without their pixels.

    ``decode_second`` yields the frames as a second decoder composites them.
    """
    overlays_only = _check_patches(read_patches(), size, file_size(path))
    second = None if overlays_only else decode_second()
    if second and size[0] * size[1] > BLOCK:  # smaller frames decode faster without a thread
        second = prefetch(second, 1)
    with closing(composite_frames(size, read_patches(), second)) as frames:
        yield FrameFile(comments=comments, lossy=False, one_bit=one_bit, size=size, frames=frames)


def _check_patches(
    patches: Iterable[Patch],
    size: tuple[int, int],  # Height and width of the canvas.
    length: int,  # Bytes of the file.
) -> bool:
    # Return whether a second decoder can check each patch alone; refuse too much work.
    overlays_only, count, pixels = True, 0, 0
    for patch in patches:
        is_whole_cleared = patch.disposal is Disposal.CLEAR and patch.shape == size
        overlays_only &= patch.disposal is Disposal.KEEP or is_whole_cleared
        count, pixels = count + 1, pixels + patch.shape[0] * patch.shape[1]
    refuse_if(
        not overlays_only and size[0] * size[1] > MAX_COMPOSITED_PIXELS,
        f"patches to remove from a canvas of {size[1]}x{size[0]} pixels",
    )
    check_decoding_work(pixels if overlays_only else count * size[0] * size[1], length)
    return overlays_only


def composite_frames(
    size: tuple[int, int],
    patches: Iterator[Patch],
    second: Generator[Rows, None, None] | None = None,
) -> Generator[DecodedFrame, None, None]:
    """Yield the frames, all on one canvas, checked by a second decoder's frames or patches.

    >>> white = np.full((1, 2), 0xFFFFFFFF, np.uint32)
    >>> black = np.full((1, 1), 0xFF000000, np.uint32)
    >>> kept = {"top": 0, "blend": True, "disposal": Disposal.KEEP, "seconds": 1}
    >>> patches = [
    ...     Patch(shape=rows.shape, left=left, decode=lambda rows=rows: rows.__getitem__, **kept)
    ...     for left, rows in enumerate([white, black])
    ... ]
    >>> for raster in (frame.raster for frame in composite_frames((1, 2), iter(patches))):
    ...     print([hex(p) for p in raster.pixels[0]], *(m for _, m in raster.changed_pixels()))
    ['0xffffffff', '0xffffffff'] [[ True  True]]
    ['0xffffffff', '0xff000000'] [[ True]]
    """
    canvas = PatchCanvas(size)
    colours, number = canvas.colours, 0
    with nullcontext() if second is None else closing(second):
        for patch in patches:  # `del` below frees a large patch before the next is decoded
            rows = patch.decode()
            if second is None and patch.redecode is not None:
                _check_pixels_equal(number, patch.shape, rows, patch.redecode())
            box = patch.canvas_box
            whole = slice(0, size[0]), slice(0, size[1])
            boxes = _changed_boxes(colours, canvas.removed_box, box) if number else [whole]
            changes = [(box, colours[box].copy() if number else None) for box in boxes]
            opacity = canvas.draw(patch, rows)
            if opacity.is_mixed:
                raise AnimationError(
                    f"frame {number} has partly transparent pixels, whose colours differ between "
                    "players"
                )
            seconds = patch.seconds if patch.seconds >= MIN_SECONDS else BROWSER_DELAY
            raster = LosslessRaster(colours, changes, opaque=opacity.is_opaque and boxes[0] == box)
            del patch, rows, changes
            if second is not None:
                _check_pixels_equal(number, size, colours.__getitem__, next(second, None))
            yield DecodedFrame(number=number, raster=raster, seconds=seconds)
            raster.forget_previous_pixels()
            number += 1  # `enumerate` would hold a reference to the patch
        if second is not None and next(second, None) is not None:
            raise AnimationError("two decoders show different numbers of frames")


def _changed_boxes(canvas: Colours, removed: Box | None, new: Box) -> list[Box]:
    # Return one box around the removed and the new patch, or both boxes if these have less area.
    if removed is None:
        return [new]
    rows, columns = (
        slice(min(a.start, b.start), max(a.stop, b.stop)) for a, b in zip(removed, new, strict=True)
    )
    both_sizes = canvas[removed].size + canvas[new].size
    return [(rows, columns)] if canvas[rows, columns].size <= both_sizes else [new, removed]


def _check_pixels_equal(
    number: int, shape: tuple[int, int], rows: Rows, second: Rows | None
) -> None:
    error = AnimationError(f"two decoders show frame {number} differently, so players may, too")
    if second is None:
        raise error
    for part in iter_row_blocks(shape):
        pixels, expected = rows(part), second(part)
        if not np.array_equal(pixels, expected):
            pixels, expected = without_hidden_colours(pixels), without_hidden_colours(expected)
            if not np.array_equal(pixels, expected):
                raise error


def decode_single_image(codec: str, build_file: Callable[[], bytes]) -> Rows:
    """Decode with FFmpeg the file of a single image."""
    import av

    # Use each decoder once: some keep the last image.  Several threads would delay the image.
    context: Any = av.CodecContext.create(codec, "r")
    context.thread_count = 1
    with convert_decoder_errors():
        (frame,) = context.decode(av.Packet(build_file()))
    return _make_row_reader(frame)


def ffmpeg_frames(path: Path, container: str) -> Generator[Rows, None, None]:
    """Yield the frames of a file as FFmpeg composites them."""
    import av

    with open_binary(path) as content:
        with convert_decoder_errors():
            file = av.open(content, "r", format=container)
        with file:
            frames = file.decode(video=0)
            while True:
                with convert_decoder_errors():
                    frame = next(frames, None)
                if frame is None:
                    return
                yield _make_row_reader(frame)


def _make_row_reader(frame: "av.VideoFrame") -> Rows:
    with convert_decoder_errors():
        pixels = frame.reformat(format="bgra", threads=1)
    lines = read_plane_lines(pixels.planes[0])
    return lines[:, : 4 * frame.width].view("<u4").__getitem__


Encoder = Callable[[Pixels], bytes]


def cached_encoder(encode: Encoder) -> Encoder:
    """Return a function that encodes patches with ``encode``, and caches the small ones.

    >>> encode = cached_encoder(lambda patch: print("encoding") or bytes(patch))
    >>> [encode(np.zeros((1, 2), np.uint8)) for _ in range(3)]
    encoding
    [b'\\x00\\x00', b'\\x00\\x00', b'\\x00\\x00']
    """

    @lru_cache(MAX_CACHED_PATCHES)
    def encode_small_patch(shape: tuple[int, ...], content: bytes) -> bytes:
        return encode(np.frombuffer(content, np.uint8).reshape(shape))

    def encode_patch(patch: Pixels) -> bytes:
        is_small = patch.size <= MAX_CACHED_PIXELS
        return encode_small_patch(patch.shape, patch.tobytes()) if is_small else encode(patch)

    return encode_patch
