"""Clips made of pictures: animated pictures, folders of numbered pictures, and arrays."""

import re
from collections.abc import Iterable, Iterator, Sized
from itertools import islice
from pathlib import Path

import numpy as np
from PIL import Image

from lightsanim.errors import PictureError
from lightsanim.options.stages import MIN_FPS
from .animated import open_animated_picture
from .light import Light, Rgb, average_blocks, image_to_light
from .load_still import load_still
from .pillow import find_possible_formats, load_upright, pillow_errors
from .reel import FRAME_TOLERANCE, SAMPLED_FRAMES, Reel
from .source import Still

# Seconds; as in browsers, a delay of at most 0.01 s is replaced by 0.1 s.
MAX_IGNORED_DELAY, BROWSER_DELAY = 0.01, 0.1
# Suffixes of pictures that Pillow does not read.
OTHER_SUFFIXES = (".exr", ".hdr", ".heic", ".heif")
# Highest frame rate, per second, that is derived from an animated picture's delays.
MAX_OWN_FPS = 50.0


def open_animated_reel(content: bytes, path: str, paper: Rgb, *, rgb: bool) -> Reel | None:
    """Open an animated picture as a reel with its own delays; return None for a still."""
    animated = open_animated_picture(content)
    if animated is None or len(animated.delays) < 2:
        return None
    delays = [delay if delay > MAX_IGNORED_DELAY else BROWSER_DELAY for delay in animated.delays]
    stops = np.cumsum(delays).tolist()

    def convert_to_light(image: Image.Image, factor: int) -> Light:
        """Return the light of a frame over the backdrop."""
        return average_blocks(image_to_light(load_upright(image), paper, rgb=rgb), factor)

    return Reel(
        path=path,
        # The shortest delay sets the rate, as one long hold would make the mean rate too low.
        fps=max(MIN_FPS, min(1 / min(delays), MAX_OWN_FPS)),
        seconds=stops[-1],
        size=convert_to_light(next(animated.decode_frames()), 1).shape[1::-1],
        decode_frames=lambda *_: zip(stops, animated.decode_frames(), strict=True),
        convert_to_light=convert_to_light,
    )


def open_folder_reel(folder: Path, path: str, fps: float, paper: Rgb, *, rgb: bool) -> Reel:
    """Open the numbered pictures in a folder as a reel."""
    files = find_numbered_pictures(folder)
    if not files:
        raise PictureError("it is a folder without numbered pictures; name one of its files")
    return reel_from_frames(files, path, fps, paper, rgb=rgb)


def find_numbered_pictures(folder: Path) -> list[Path]:
    """Return the pictures in a folder whose names have a number, in natural order."""
    formats = find_possible_formats(b"")
    suffixes = [*OTHER_SUFFIXES]
    suffixes += [
        suffix for suffix, name in Image.registered_extensions().items() if name in formats
    ]
    with pillow_errors():
        files = [file for file in folder.iterdir() if file.suffix.lower() in suffixes]
    # Macs write hidden files beside pictures, with names such as "._1.png".
    visible_files = [file for file in files if file.is_file() and not file.name.startswith(".")]
    numbered = [file for file in visible_files if any(map(str.isdecimal, file.stem))]
    return sorted(numbered, key=lambda file: natural_sort_key(file.name))


def natural_sort_key(name: str) -> list[tuple[int, int, str]]:
    """Return a key for natural order, in which frame2 comes before frame10.

    >>> sorted(["b10.png", "b9.png", "A.png"], key=natural_sort_key)
    ['A.png', 'b9.png', 'b10.png']
    """
    parts = filter(None, re.split(r"(\d+)", name.casefold()))
    keys = [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]
    return [*keys, (2, 0, name)]  # the name breaks ties


def reel_from_frames(
    frames: Iterable[Still], path: str, fps: float, paper: Rgb, *, rgb: bool, start: float = 0.0
) -> Reel:
    """Return a reel of pictures at a frame rate; an iterator skips its first ``start`` seconds."""
    first = int(start * fps + FRAME_TOLERANCE) if isinstance(frames, Iterator) else 0
    replayable = _ReplayableFrames(frames, first) if isinstance(frames, Iterator) else frames
    head = list(islice(replayable, 2))
    if not head:
        raise PictureError("it has no frames")
    height, width = load_still(head[0], paper, rgb=rgb).light.shape[:2]

    def convert_to_light(numbered: tuple[int, Still], factor: int) -> Light:
        """Load a frame, and check its size."""
        number, frame = numbered
        light = load_still(frame, paper, rgb=rgb).light
        if light.shape[:2] != (height, width):
            name = frame.name if isinstance(frame, Path) else f"its frame {number}"
            flaw = f"{name} has {light.shape[1]}x{light.shape[0]} pixels, not"
            raise PictureError(f"{flaw} {width}x{height} like the first; use a single size")
        return average_blocks(light, factor)

    return Reel(
        path=path,
        fps=fps,
        seconds=len(replayable) / fps if isinstance(replayable, Sized) else None,
        size=(width, height),
        decode_frames=lambda *_: (
            ((number + 1) / fps, (number, frame)) for number, frame in enumerate(replayable, first)
        ),
        convert_to_light=convert_to_light,
        is_moving=len(head) > 1,
        has_times=False,
    )


class _ReplayableFrames:
    """Frames of an iterator, of which the first `SAMPLED_FRAMES` can be read again."""

    def __init__(self, frames: Iterator[Still], skipped: int) -> None:
        self._remaining = islice(frames, skipped, None)
        self._first_frames = list(islice(self._remaining, SAMPLED_FRAMES))
        self._is_over = False

    def __iter__(self) -> Iterator[Still]:
        yield from self._first_frames
        if len(self._first_frames) < SAMPLED_FRAMES:
            return
        if self._is_over:
            raise PictureError("a generator can be read only once; pass a list")
        self._is_over = True
        yield from self._remaining
