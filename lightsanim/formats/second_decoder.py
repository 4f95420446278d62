"""Cross-check of decoded pixels: if two decoders show a file differently, so may players."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lightsanim.errors import AnimationError
from lightsanim.formats.compositing import Patch, composite_frames
from lightsanim.formats.frames import (
    Colours,
    DecodedFrame,
    convert_decoder_errors,
    open_binary,
    without_hidden_colours,
)
from lightsanim.pictures.light import read_plane_lines

if TYPE_CHECKING:
    import av


@contextmanager
def cross_check_decoders(
    size: tuple[int, int], patches: Iterator[Patch], second: Generator[Colours, None, None] | None
) -> Iterator[Iterator[DecodedFrame]]:
    """Composite patches, and compare all frames, or each patch, with a second decoder's."""
    with nullcontext() if second is None else closing(second):
        yield _compare_frames(size, _check_patches(patches) if second is None else patches, second)


def _check_patches(patches: Iterator[Patch]) -> Iterator[Patch]:
    for number, patch in enumerate(patches):
        if patch.redecode is not None:
            _check_pixels_equal(number, patch.pixels, patch.redecode())
        yield patch


def _compare_frames(
    size: tuple[int, int], patches: Iterator[Patch], second: Iterator[Colours] | None
) -> Iterator[DecodedFrame]:
    for number, (raster, seconds) in enumerate(composite_frames(size, patches)):
        if second is not None:
            _check_pixels_equal(number, raster.pixels, next(second, None))
        yield DecodedFrame(number=number, raster=raster, seconds=seconds)
    if second is not None and next(second, None) is not None:
        raise AnimationError("two decoders show different numbers of frames")


def _check_pixels_equal(number: int, pixels: Colours, second: Colours | None) -> None:
    shown = without_hidden_colours(pixels)
    if second is None or not np.array_equal(shown, without_hidden_colours(second)):
        raise AnimationError(f"two decoders show frame {number} differently, so players may, too")


def make_packet_decoder(codec: str) -> Callable[[bytes], Colours]:
    """Return a function that decodes the content of a single-image file with FFmpeg."""
    import av

    def decode_packet(content: bytes) -> Colours:
        # Use each decoder once: some keep the last image.  Several threads would delay the image.
        context: Any = av.CodecContext.create(codec, "r")
        context.thread_count = 1
        with convert_decoder_errors():
            (frame,) = context.decode(av.Packet(content))
        return _frame_colours(frame)

    return decode_packet


def ffmpeg_frames(path: Path, container: str) -> Generator[Colours, None, None]:
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
                yield _frame_colours(frame)


def _frame_colours(frame: "av.VideoFrame") -> Colours:
    with convert_decoder_errors():
        pixels = frame.reformat(format="bgra", threads=1)
    lines = read_plane_lines(pixels.planes[0])
    return lines[:, : 4 * frame.width].view("<u4")
