"""From files to frames, or to the animation that a file carries."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lightsanim.errors import AnimationError, OptionError
from lightsanim.formats.frames import FrameFile
from lightsanim.formats.table import FORMATS, Format
from lightsanim.options.checks import guess

SUFFIXES = tuple(s for s, f in FORMATS.items() if s and (f.load or f.open_frames))


def format_to_read(path: Path) -> Format:
    """The format of a file, by its suffix, or of a folder."""
    if path.exists() and not path.is_dir() and not path.is_file():
        raise AnimationError("it is a device or a pipe, not a file")
    suffix = "" if path.is_dir() else path.suffix.lower()
    if suffix in FORMATS and suffix not in ("", *SUFFIXES):
        raise OptionError(
            f"a {FORMATS[suffix].name} is written only; write a .json beside it, and read that"
        )
    if (not suffix and not path.is_dir()) or suffix not in FORMATS:
        raise OptionError(
            f"unknown suffix {suffix!r}; known: {', '.join(SUFFIXES)}{guess(suffix, SUFFIXES)}"
        )
    return FORMATS[suffix]


@contextmanager
def open_frames(path: Path) -> Iterator[FrameFile]:
    """Open a file of frames, or a folder of them."""
    format = format_to_read(path)
    if format.open_frames is None:
        raise OptionError(f"a {format.name} has no frames; read its animation")
    if path.is_file() and not path.stat().st_size:
        raise AnimationError("it is empty")
    with format.open_frames(path) as file:
        yield file
