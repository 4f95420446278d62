"""Cross-check of decoded pixels: if two decoders show a file differently, so may players."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lightsanim.errors import AnimationError
from lightsanim.formats.compositing import Patch, composite_frames
from lightsanim.formats.frames import (
    DecodedFrame,
    Rows,
    convert_decoder_errors,
    iter_row_blocks,
    open_binary,
    without_hidden_colours,
)
from lightsanim.pictures.light import read_plane_lines

if TYPE_CHECKING:
    import av


@contextmanager
def cross_check_decoders(
    size: tuple[int, int], patches: Iterator[Patch], second: Generator[Rows, None, None] | None
) -> Iterator[Iterator[DecodedFrame]]:
    """Composite patches, and compare all frames, or each patch, with a second decoder's."""
    with nullcontext() if second is None else closing(second):
        yield _compare_frames(size, _check_patches(patches) if second is None else patches, second)


def _check_patches(patches: Iterator[Patch]) -> Iterator[Patch]:
    number = 0
    for patch in patches:
        if patch.redecode is not None:
            _check_pixels_equal(number, patch.shape, patch.rows, patch.redecode())
        yield patch
        del patch
        number += 1  # noqa: SIM113, enumerate would hold a reference to the patch


def _compare_frames(
    size: tuple[int, int], patches: Iterator[Patch], second: Iterator[Rows] | None
) -> Iterator[DecodedFrame]:
    for number, (raster, seconds) in enumerate(composite_frames(size, patches)):
        if second is not None:
            _check_pixels_equal(number, size, raster.pixels.__getitem__, next(second, None))
        yield DecodedFrame(number=number, raster=raster, seconds=seconds)
    if second is not None and next(second, None) is not None:
        raise AnimationError("two decoders show different numbers of frames")


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


def make_packet_decoder(codec: str) -> Callable[[bytes], Rows]:
    """Return a function that decodes the content of a single-image file with FFmpeg."""
    import av

    def decode_packet(content: bytes) -> Rows:
        # Use each decoder once: some keep the last image.  Several threads would delay the image.
        context: Any = av.CodecContext.create(codec, "r")
        context.thread_count = 1
        with convert_decoder_errors():
            (frame,) = context.decode(av.Packet(content))
        return _make_row_reader(frame)

    return decode_packet


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
