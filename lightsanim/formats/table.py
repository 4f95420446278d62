"""The table of file formats, by suffix: name, limits, writer."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from lightsanim.animation.animation import Animation
from lightsanim.checks import guess, keyed
from lightsanim.errors import OptionError
from lightsanim.formats.document import write_json
from lightsanim.look.paint import OnFrame
from lightsanim.look.theme import Theme
from lightsanim.options import KNOWN_SUFFIXES, SUFFIXES

Writer = Callable[[Animation, Path, Theme, OnFrame], None]


def _late(module: str, name: str) -> Writer:
    """A writer that is imported when it is called: encoders take longer to load than help does."""

    def write(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
        writer = getattr(import_module(f"lightsanim.formats.{module}"), name)
        writer(animation, path, theme, on_frame)

    return write


def _write_json(animation: Animation, path: Path, theme: Theme, on_frame: OnFrame) -> None:
    write_json(animation, path)


@dataclass(frozen=True, kw_only=True)
class Format:
    """A file format: how it is written, and what it can hold.

    Attributes:
        name: as people call it.
        write: the writer, which imports its encoder when it is called.
        max_side: the largest side of a frame, in pixels.
        max_fps: the most frames a second; an animation of more is thinned.
        max_seconds: the longest that a frame can be shown.
    """

    name: str
    write: Writer
    max_side: float = math.inf
    max_fps: float = math.inf
    max_seconds: float = math.inf


# By suffix; none is a folder.
FORMATS: Mapping[str, Format] = keyed(
    SUFFIXES,
    {
        # GIF counts hundredths of a second in two bytes; browsers slow down what is shown for one.
        ".gif": Format(
            name="GIF",
            write=_late("gif", "write_gif"),
            max_side=65_535,
            max_fps=50,
            max_seconds=655,
        ),
        # The largest side of H.264's highest level, 6.2.
        ".mp4": Format(name="MP4", write=_late("video", "write_mp4"), max_side=8192),
        ".webm": Format(name="WebM", write=_late("video", "write_webm"), max_side=16_384),
        # Milliseconds in three bytes; hundredths of a second in two.
        ".webp": Format(
            name="WebP",
            write=_late("webp", "write_webp"),
            max_side=16_383,
            max_fps=100,
            max_seconds=16_777,
        ),
        ".apng": Format(
            name="APNG",
            write=_late("png", "write_apng"),
            max_side=1 << 20,
            max_fps=100,
            max_seconds=655,
        ),
        ".html": Format(name="web page", write=_late("page", "write_html")),
        ".json": Format(name="JSON file", write=_write_json),
        "": Format(name="folder of PNGs", write=_late("png", "write_folder"), max_side=1 << 20),
    },
)


def format_of(path: Path) -> Format:
    """The format that a path's suffix names.

    Raises:
        OptionError: if it names none.
    """
    if path.name == "-":
        raise OptionError("cannot write to standard output; name a file")
    if path.suffix.lower() not in FORMATS or path.name.startswith("."):
        raise OptionError(
            f"cannot write {path}: unknown suffix {path.suffix!r}; known: {KNOWN_SUFFIXES}"
            f"{guess(path.suffix, filter(None, FORMATS))}"
        )
    return FORMATS[path.suffix.lower()]
