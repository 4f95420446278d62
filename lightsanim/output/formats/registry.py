"""The table of file formats by suffix: name, limits, writer and reader."""

import math
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from lightsanim.errors import AnimationError, LightsAnimError, OptionError
from lightsanim.game.board.board import Board
from lightsanim.options.checks import check_path, did_you_mean, require_keys
from lightsanim.options.choices import STILL_SUFFIXES, SUFFIXES
from lightsanim.options.colours import Colour
from lightsanim.output.look.theme import COLOURED_PARTS, FrameGeometry, Theme

if TYPE_CHECKING:
    from .frames import FrameFile
    from .saved_file import SavedFile


def _lazy_functions(module: str, *names: str) -> dict[str, Any]:
    # Return functions, keyed by their fields of `Format`, that import their module on first use.
    def import_and_call(name: str, *args: Any, **options: Any) -> Any:
        return getattr(import_module(f"lightsanim.output.{module}"), name)(*args, **options)

    fields = {"write": "write", "open": "open_frames", "rewrite": "rewrite", "load": "load"}
    return {fields[name.split("_")[0]]: partial(import_and_call, name) for name in names}


@dataclass(frozen=True, kw_only=True)
class Format:
    """A file format: its writer, its reader (none if files cannot be read back), and its limits."""

    name: str  # Name in messages.
    # Writes a file; arguments: animation, path, theme, on_frame and, for lamps only, ``stem``.
    # Returns None, or a note, such as "25 fps", that is printed as "FILE has 25 fps.".
    write: Callable[..., str | None]
    open_frames: Callable[[Path], AbstractContextManager["FrameFile"]] | None = None
    signature: bytes = b"(?!)"  # Regular expression for the first bytes; by default no file's.
    rewrite: Callable[..., None] | None = None  # Copies a file of frames with new metadata.
    load: Callable[[Path], "SavedFile"] | None = None  # Reads a file that stores an animation.
    max_side: float = math.inf  # Maximum width and height of a frame, in pixels.
    max_cells: float = math.inf  # Maximum cells of a frame, with its panel of clicks.
    max_lamps: float = math.inf  # Maximum lamps: one per cell, or per plane of each cell.
    planes_apart: bool = True  # Whether each colour plane needs its own lamps.
    max_fps: float = math.inf  # Maximum frames per second; faster ones lose frames.
    max_seconds: float = math.inf  # Maximum duration of a frame, in seconds.
    max_frames: float = math.inf  # Maximum frames of a clip or dissolve.
    # Losses of quality that ``max_bytes`` may choose from; () if it cannot limit the file's size.
    quality_steps: tuple[int, ...] = ()
    cell_multiple: int = 1  # Cells, with their gaps, of a multiple of so many pixels take least.
    # Parts of the look that may be transparent.
    transparency: tuple[str, ...] = (*COLOURED_PARTS, "colours")
    one_bit_alpha: bool = False  # Whether pixels must be opaque or fully transparent.
    holds_sound: bool = False  # Whether the sound of clips is stored.
    holds_steps: bool = True  # Whether a frame may result from many clicks at once.

    @property
    def with_article(self) -> str:
        """The name with an indefinite article."""
        return f"{'an' if self.name[0] in 'AMS' else 'a'} {self.name}"

    @property
    def has_pixels(self) -> bool:
        """Whether the files of the format consist of pixels."""
        return self.max_side < math.inf

    def check_look(self, theme: Theme, board: Board, planes: int) -> None:
        """Raise OptionError if a format with pixels cannot show a board of this size and look."""
        self._check_size(theme.geometry(*board.shape, planes, board.levels))
        self._check_colours(theme, planes, board.levels)

    def _check_size(self, geometry: FrameGeometry) -> None:
        width, height = geometry.width, geometry.height
        if (cells := math.prod(geometry.shape_with_panel)) > self.max_cells:
            flaw = f"{self.with_article} can have at most {self.max_cells:,} cells, not {cells:,}"
            raise OptionError(f"{flaw}; use fewer cells", "size")
        if max(width, height) > self.max_side:
            side, gap = max(geometry.shape_with_panel), geometry.gap
            largest = (int(self.max_side) - gap) // side - gap
            limit = f"{self.with_article} can have at most {self.max_side} pixels a side"
            flaw = f"{limit}, not {width}x{height}"
            if geometry.canvas:
                raise OptionError(f"{flaw}; use a smaller canvas", "canvas")
            if largest > 0:
                raise OptionError(f"{flaw}; use cells of at most {largest} px", "cell")
            raise OptionError(f"{flaw}; use fewer cells", "size")

    def _check_colours(self, theme: Theme, planes: int, levels: int) -> None:
        parts = theme.transparent_parts
        if missing := [part for part in parts if part not in self.transparency]:
            takers = [f for f in FORMATS.values() if f.has_pixels]
            *names, last = [f.with_article for f in takers if {*missing} <= {*f.transparency}]
            flaw = f"{self.with_article} cannot have transparent colours ({', '.join(missing)})"
            raise OptionError(f"{flaw}; {', '.join(names)} and {last} can", missing[0])
        shades = {Colour(*shade) for shade in theme.shades_with_alpha(planes, levels).tolist()}
        visible = {shade.with_one_bit_alpha() for shade in shades}
        if parts and self.one_bit_alpha and len(visible) < len(shades):
            flaw = f"{self.with_article} cannot have partly transparent colours"
            flaw += f", and without them some of the {levels} levels look alike"
            raise OptionError(f"{flaw}; use other colours, or write a WebP", parts[0])


# All formats by suffix; the empty suffix denotes a folder.
FORMATS: Mapping[str, Format] = require_keys(
    SUFFIXES,
    {
        # Delays: 16 bits, in hundredths of a second; browsers show frames of one hundredth longer.
        ".gif": Format(
            name="GIF",
            **_lazy_functions("formats.gif", "write_gif", "open_gif", "rewrite_gif"),
            signature=b"GIF8",
            max_side=65_535,
            quality_steps=(0,),
            max_fps=50,
            max_seconds=655,
            one_bit_alpha=True,
        ),
        # 8192 pixels is the largest side in the highest level of H.264, level 6.2.
        **{
            suffix: Format(
                name=name,
                **_lazy_functions("formats.video", "write_video", "open_video", "rewrite_video"),
                signature=signature,
                max_side=max_side,
                quality_steps=(0, 3, 6, 9),
                cell_multiple=4,  # side of the blocks that codecs transform
                holds_sound=True,
                transparency=(),
            )
            for suffix, name, max_side, signature in (
                (".mp4", "MP4", 8192, b"....ftyp"),
                (".webm", "WebM", 16_384, rb"\x1a\x45\xdf\xa3"),
            )
        },
        # Delays: 24 bits, in milliseconds.
        ".webp": Format(
            name="WebP",
            **_lazy_functions("formats.webp", "write_webp", "open_webp", "rewrite_webp"),
            signature=b"RIFF....WEBP",
            max_side=16_383,
            quality_steps=(0,),
            max_fps=100,
            max_seconds=16_777,
        ),
        ".apng": Format(
            name="APNG",
            **_lazy_functions("formats.apng", "write_apng", "open_apng", "rewrite_apng"),
            signature=rb"\x89PNG",
            max_side=1 << 20,
            quality_steps=(0,),
            max_fps=100,
            max_seconds=655,
        ),
        # SVGs of animations; `lightsanim.output.drawings.svg` writes SVGs of stills.
        ".svg": Format(
            name="SVG film",
            **_lazy_functions("formats.animated_svg", "write_svg", "open_svg", "rewrite_svg"),
            signature=b"<svg",
            max_side=65_535,
            max_cells=16_000_000,  # the reader needs 1 GB of memory for that many
            max_frames=3000,
            max_fps=100,
            transparency=("background",),
        ),
        ".html": Format(
            name="web page",
            **_lazy_functions("formats.page", "write_html", "load_page"),
            signature=rb"\s*<!doctype html",
        ),
        ".json": Format(
            name="JSON file",
            **_lazy_functions("formats.json_animation", "write_json", "load_json"),
            signature=rb"\s*\{",
        ),
        # Programs for lamps cannot be read back.  They number lamps with an ``int``, which has only
        # 16 bits on the smallest microcontrollers.
        **{
            suffix: Format(
                name=name,
                **_lazy_functions("lamps.c_header", "write_c_source"),
                max_lamps=65_535,
                holds_steps=False,
            )
            for suffix, name in ((".h", "C header"), (".ino", "Arduino sketch"))
        },
        # Delays are 16-bit counts of tenths of a second.  WLED to 0.15 takes one tenth for 10 s.
        ".wled": Format(
            name="WLED file",
            **_lazy_functions("lamps.wled", "write_wled"),
            max_lamps=8192,  # that many fit in the memory of every ESP32
            planes_apart=False,
            max_fps=5,
            max_seconds=6553,
        ),
        "": Format(
            name="folder of PNGs",
            **_lazy_functions(
                "formats.png_folder", "write_png_folder", "open_png_folder", "rewrite_png"
            ),
            max_side=1 << 20,
        ),
    },
)


def check_suffix(path: Path, suffixes: Collection[str] = SUFFIXES) -> str:
    """Return the suffix of an output file in lower case; raise OptionError if it is unsupported.

    >>> check_suffix(Path("OUT.GIF"))
    '.gif'
    """
    choices, suffix = [*dict.fromkeys(filter(None, suffixes))], path.suffix.lower()
    if path.name == "-" or path.parts[1:] == ("dev", "stdout"):
        raise OptionError(
            "cannot write to standard output: it needs make or render, and a format, as in -o "
            "-@format=gif"
        )
    if suffix in STILL_SUFFIXES and suffixes == SUFFIXES and suffix not in suffixes:
        raise OptionError(f"cannot write {path}: {suffix} is for stills; use --sheet {path}")
    if suffix not in suffixes or path.name.startswith("."):
        known_text = ", ".join(choices) + (", or a folder for PNGs" if "" in suffixes else "")
        raise OptionError(
            f"cannot write {path}: unknown suffix {path.suffix!r}; known: "
            f"{known_text}{did_you_mean(path.suffix, choices)}"
        )
    return suffix


def find_format_by_suffix(path: Path) -> Format:
    """Return the format of an output file."""
    return FORMATS[check_suffix(path)]


READABLE_SUFFIXES = tuple(s for s, f in FORMATS.items() if s and (f.load or f.open_frames))


def find_input_format(path: Path) -> Format:
    """Return the format of an input file or folder."""
    if path.exists() and not path.is_dir() and not path.is_file():
        raise AnimationError("this is a device or a pipe, not a file")
    suffix = "" if path.is_dir() else path.suffix.lower()
    if suffix in FORMATS and suffix not in ("", *READABLE_SUFFIXES):
        name = FORMATS[suffix].with_article
        raise OptionError(f"{name} cannot be read back; write a .json file as well, and read that")
    if (not suffix and not path.is_dir()) or suffix not in FORMATS:
        raise OptionError(
            f"unknown suffix {suffix!r}; known: "
            f"{', '.join(READABLE_SUFFIXES)}{did_you_mean(suffix, READABLE_SUFFIXES)}"
        )
    return FORMATS[suffix]


InputFile: TypeAlias = str | os.PathLike[str] | bytes | BinaryIO
"""A file to read: a path, or the content as bytes or a binary file object."""


@contextmanager
def local_path(file: InputFile) -> Iterator[Path]:
    """Yield the path of an input file, which is temporary for bytes and file objects."""
    if not isinstance(file, bytes) and not hasattr(file, "read"):
        yield check_path("path", file)
        return
    name = "the bytes" if isinstance(file, bytes) else "the file object"
    try:
        content = file if isinstance(file, bytes) else file.read()
    except UnicodeDecodeError:
        content = ""
    except (OSError, ValueError) as error:
        raise AnimationError(f"cannot read {name}: {error}") from error
    if not isinstance(content, bytes):
        raise OptionError(f'cannot read {name}: it is a text file; open it as "rb"')
    suffix = next(
        (suffix for suffix, f in FORMATS.items() if re.match(f.signature, content, re.DOTALL)), None
    )
    if suffix is None:
        known_suffixes = ", ".join(READABLE_SUFFIXES)
        raise AnimationError(f"cannot read {name}: unknown content; known: {known_suffixes}")
    with TemporaryDirectory(prefix="lightsanim-") as folder:
        path = Path(folder, f"animation{suffix}")
        try:
            path.write_bytes(content)
            yield path
        except OSError as error:
            raise AnimationError(f"cannot read {name}: {error.strerror}") from error
        except LightsAnimError as error:
            raise type(error)(str(error).replace(str(path), name)) from error


def open_frames(path: Path) -> AbstractContextManager["FrameFile"]:
    """Open a file of frames, or a folder of frames."""
    format = find_input_format(path)
    if format.open_frames is None:
        raise OptionError(f"{format.with_article} stores an animation, not frames")
    if path.is_file() and not path.stat().st_size:
        raise AnimationError("the file is empty")
    return format.open_frames(path)
