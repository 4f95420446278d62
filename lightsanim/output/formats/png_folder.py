"""Folders of PNGs, one for each frame: a writer and a strict reader.

Each file contains the metadata, compressed, as its text chunk "Comment".
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import AnimationError
from lightsanim.film.animation import Animation
from lightsanim.output.look.paint_film import OnFrame, frame_layout, paint_frames
from lightsanim.output.look.theme import Theme
from lightsanim.pictures.patches import read_image_colours, without_hidden_colours
from lightsanim.pictures.pillow import build_indexed_image
from lightsanim.pictures.png_chunks import PngFrame
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
from .metadata import build_metadata, replace_metadata
from .png_contents import (
    PngHeader,
    build_png_info,
    build_text_chunks,
    decode_checked_frame,
    read_checked_chunks,
    read_png_header,
)

FRAME_NAME = re.compile(r"[0-9]{1,9}\.(?i:png)")  # File name of a frame.
COMPARE_WORK = 1 / 8  # Cost of decompressing and comparing a pixel, relative to decoding it.


def write_png_folder(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    """Write a folder of PNGs, one for each frame: ``00000.png``, ``00001.png``, ..."""
    geometry, tiles = frame_layout(animation, theme)
    info = build_png_info(build_metadata(animation, theme), packed=True)
    path.mkdir()
    for number, frame in enumerate(paint_frames(animation, geometry, tiles)):
        build_indexed_image(frame.pixels, tiles.rgba).save(path / f"{number:05}.png", pnginfo=info)
        on_frame()


rewrite_png = partial(replace_metadata, partial(build_text_chunks, packed=True))


@contextmanager
def open_png_folder(path: Path) -> Iterator[FrameFile]:
    """Open a folder of PNGs that are named by frame number, and yield their frames."""
    with convert_decoder_errors():
        files = [file for file in path.iterdir() if FRAME_NAME.fullmatch(file.name)]
        # Pipes and devices are left out.
        numbered = sorted((int(file.stem), file) for file in files if file.is_file())
    if not numbered:
        raise AnimationError("the folder has no frames (files such as 00000.png)")
    with open_binary(numbered[0][1]) as file:
        head, texts = read_png_header(read_checked_chunks(file))
    frames = _decode_folder_frames(numbered, file_size(path))
    yield FrameFile(comments=texts, lossy=False, size=head.size, frames=frames)


def _decode_folder_frames(
    numbered: Sequence[tuple[int, Path]], length: int
) -> Iterator[DecodedFrame]:
    # Decode only rows that may differ from those of the previous file.
    previous_file: tuple[PngHeader, NDArray[np.uint8]] | None = None
    canvas, work = np.empty((0, 0), np.uint32), 0.0
    for number, path in numbered:
        with open_binary(path) as file:
            chunks = [*read_checked_chunks(file)]
        head, _ = read_png_header(chunks)
        refuse_if(head.frames, f"a frame, {path.name}, that is itself animated")
        data = b"".join(content for kind, content in chunks if kind == b"IDAT")
        image = decode_checked_frame(head, PngFrame(head.whole_control, data))
        height, width = head.size
        samples, span = np.asarray(image).reshape(height, -1), slice(0, height)
        if previous_file is not None and previous_file[0] == head:
            differing = np.flatnonzero((samples != previous_file[1]).any(axis=1))
            span = slice(differing[0], differing[-1] + 1) if len(differing) else slice(0, 1)
        work += (span.stop - span.start + height * COMPARE_WORK) * width
        check_decoding_work(work, length)
        previous = canvas[span].copy() if canvas.shape == head.size else None
        if previous is None:
            canvas = np.empty(head.size, np.uint32)
        previous_file = head, samples
        changed = image.crop((0, span.start, width, span.stop))
        canvas[span] = without_hidden_colours(read_image_colours(changed))
        raster = LosslessRaster(canvas, [((span, slice(0, width)), previous)])
        del previous
        yield DecodedFrame(number=number, raster=raster)
        raster.forget_previous_pixels()
