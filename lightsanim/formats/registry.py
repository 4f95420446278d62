"""The table of file formats, by suffix: name, limits, writer and reader; and files read by it."""

import math
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightsanim.animation.animation import Animation
from lightsanim.board.board import Board
from lightsanim.errors import AnimationError, OptionError
from lightsanim.look.theme import COLOURED_PARTS, FrameGeometry, Theme
from lightsanim.options.checks import did_you_mean, require_keys
from lightsanim.options.choices import STILL_SUFFIXES, SUFFIXES
from lightsanim.options.colours import Colour
from lightsanim.options.values import MAX_SIDE

if TYPE_CHECKING:
    from lightsanim.formats.frames import FrameFile


@dataclass(frozen=True, kw_only=True, eq=False)
class SavedFile:
    """A file that carries an animation."""

    animation: Animation  # what it carries
    # The look that it is shown in; None for a file that shows nothing by itself, or whose look is
    # not known.
    theme: Theme | None = None
    # Puzzles that a page of puzzles has beside it, each with its solution.
    series: tuple[Animation, ...] = ()
    flaw: str | None = None  # why the file may show something else; None if it cannot


def make_lazy_function(name: str) -> Callable[..., Any]:
    """A function, by its full name, of a module that is imported when it is called."""
    module, _, function = name.rpartition(".")

    def import_and_call(*args: Any, **options: Any) -> Any:
        return getattr(import_module(module), function)(*args, **options)

    return import_and_call


@dataclass(frozen=True, kw_only=True)
class Format:
    """A file format: how it is written and read, and what it can hold."""

    name: str  # in messages
    # The writer, of an animation to a path in a theme, with what is called for each frame, and for
    # lamps the stem of the file's name; it tells what it changed, if it did.
    write: Callable[..., str | None]
    # The reader of one that shows frames; None for one that carries an animation.
    open_frames: Callable[[Path], AbstractContextManager["FrameFile"]] | None = None
    # What writes such a file again with other metadata, its frames as they are.
    rewrite: Callable[..., None] | None = None
    # The reader of one that carries an animation; None for one that shows frames.  Without both it
    # is written only.
    load: Callable[[Path], SavedFile] | None = None
    max_side: float = math.inf  # the largest side of a frame, in pixels
    max_cells: float = math.inf  # the most cells of a frame, with those of a panel of clicks
    max_lamps: float = math.inf  # the most cells; of all boards together, if these are apart
    planes_apart: bool = True  # whether they are
    max_fps: float = math.inf  # the most frames a second; an animation of more is thinned
    max_seconds: float = math.inf  # the longest that a frame can be shown
    max_frames: float = math.inf  # the most frames
    transparency: tuple[str, ...] = COLOURED_PARTS  # what of the look can be transparent
    one_bit_alpha: bool = False  # whether they are opaque or clear, and nothing between
    holds_sound: bool = False  # whether it holds that of clips
    holds_steps: bool = True  # whether it holds films whose clicks are made many at once

    @property
    def with_article(self) -> str:
        """Its name after an article."""
        return f"{'an' if self.name[0] in 'AMS' else 'a'} {self.name}"


# By suffix; none is a folder.
FORMATS: Mapping[str, Format] = require_keys(
    SUFFIXES,
    {
        # GIF counts hundredths of a second in two bytes; browsers slow down what is shown for one.
        ".gif": Format(
            name="GIF",
            write=make_lazy_function("lightsanim.formats.gif.write_gif"),
            open_frames=make_lazy_function("lightsanim.formats.gif.open_gif"),
            rewrite=make_lazy_function("lightsanim.formats.gif.rewrite_gif"),
            max_side=65_535,
            max_fps=50,
            max_seconds=655,
            one_bit_alpha=True,
        ),
        # The largest side of H.264's highest level, 6.2.
        **{
            suffix: Format(
                name=name,
                write=make_lazy_function("lightsanim.formats.video.write_video"),
                open_frames=make_lazy_function("lightsanim.formats.video.open_video"),
                rewrite=make_lazy_function("lightsanim.formats.video.rewrite_video"),
                max_side=max_side,
                holds_sound=True,
                transparency=(),
            )
            for suffix, name, max_side in ((".mp4", "MP4", 8192), (".webm", "WebM", 16_384))
        },
        # Milliseconds in three bytes; hundredths of a second in two.
        ".webp": Format(
            name="WebP",
            write=make_lazy_function("lightsanim.formats.webp.write_webp"),
            open_frames=make_lazy_function("lightsanim.formats.webp.open_webp"),
            rewrite=make_lazy_function("lightsanim.formats.webp.rewrite_webp"),
            max_side=16_383,
            max_fps=100,
            max_seconds=16_777,
        ),
        ".apng": Format(
            name="APNG",
            write=make_lazy_function("lightsanim.formats.png.write_apng"),
            open_frames=make_lazy_function("lightsanim.formats.png.open_apng"),
            rewrite=make_lazy_function("lightsanim.formats.png.rewrite_png"),
            max_side=1 << 20,
            max_fps=100,
            max_seconds=655,
        ),
        # Stills as .svg are drawings: see `lightsanim.drawings.svg`.
        ".svg": Format(
            name="SVG film",
            write=make_lazy_function("lightsanim.formats.animated_svg.write_svg"),
            open_frames=make_lazy_function("lightsanim.formats.animated_svg.open_svg"),
            rewrite=make_lazy_function("lightsanim.formats.animated_svg.rewrite_svg"),
            max_side=65_535,
            max_cells=16_000_000,  # which are read back in 1 GB
            max_frames=3000,
            max_fps=100,
            transparency=("background",),
        ),
        ".html": Format(
            name="web page",
            write=make_lazy_function("lightsanim.formats.page.write_html"),
            load=make_lazy_function("lightsanim.formats.page.load_page"),
        ),
        ".json": Format(
            name="JSON file",
            write=make_lazy_function("lightsanim.formats.json_animation.write_json"),
            load=make_lazy_function("lightsanim.formats.json_animation.load_document"),
        ),
        # What is played by somebody else's program is written only.
        # Numbers of lamps have 16 bits, as ``int`` has on the smallest machines.
        **{
            suffix: Format(
                name=name,
                write=make_lazy_function("lightsanim.led.c_header.write_c_source"),
                max_lamps=65_535,
                holds_steps=False,
            )
            for suffix, name in ((".h", "C header"), (".ino", "Arduino sketch"))
        },
        # Tenths of a second in two bytes; up to version 0.15, one tenth is taken for ten seconds.
        ".wled": Format(
            name="WLED file",
            write=make_lazy_function("lightsanim.led.wled.write_wled"),
            max_lamps=8192,  # for which every ESP32 has room
            planes_apart=False,
            max_fps=5,
            max_seconds=6553,
        ),
        "": Format(
            name="folder of PNGs",
            write=make_lazy_function("lightsanim.formats.png.write_png_folder"),
            open_frames=make_lazy_function("lightsanim.formats.png.open_png_folder"),
            rewrite=make_lazy_function("lightsanim.formats.png.rewrite_png"),
            max_side=1 << 20,
        ),
    },
)


def check_suffix(path: Path, suffixes: Collection[str] = SUFFIXES) -> str:
    """The suffix of a file to be written, in lower case.

    >>> check_suffix(Path("OUT.GIF"))
    '.gif'
    """
    choices, suffix = [*dict.fromkeys(filter(None, suffixes))], path.suffix.lower()
    if path.name == "-":
        raise OptionError("cannot write to standard output; name a file")
    if suffix in STILL_SUFFIXES and suffixes == SUFFIXES and suffix not in suffixes:
        advice = f"{suffix} is for stills, as with --sheet {path}, not for films"
        raise OptionError(f"cannot write {path}: {advice}")
    if suffix not in suffixes or path.name.startswith("."):
        known_text = ", ".join(choices) + (", or a folder for PNGs" if "" in suffixes else "")
        reason = f"unknown suffix {path.suffix!r}; known: {known_text}"
        raise OptionError(f"cannot write {path}: {reason}{did_you_mean(path.suffix, choices)}")
    return suffix


def find_format_by_suffix(path: Path) -> Format:
    """The format that a path's suffix names."""
    return FORMATS[check_suffix(path)]


def build_untrusted_board(**members: Any) -> Board:
    """The board that an untrusted file names.

    >>> build_untrusted_board(rows=2, columns=3, rule="king")
    Board(rows=2, columns=3, rule='king', wrap=False, levels=2)
    """
    board = Board(**members)
    if max(board.shape) > MAX_SIDE:
        size = f"{board.columns}x{board.rows}"
        raise OptionError(f"a board of {size} is too large: at most {MAX_SIDE} cells a side")
    return board


# Suffixes of what can be read back.
READABLE_SUFFIXES = tuple(s for s, f in FORMATS.items() if s and (f.load or f.open_frames))


def find_input_format(path: Path) -> Format:
    """The format of a file, by its suffix, or of a folder."""
    if path.exists() and not path.is_dir() and not path.is_file():
        raise AnimationError("it is a device or a pipe, not a file")
    suffix = "" if path.is_dir() else path.suffix.lower()
    if suffix in FORMATS and suffix not in ("", *READABLE_SUFFIXES):
        advice = "write a .json beside it, and read that"
        raise OptionError(f"{FORMATS[suffix].with_article} is written only; {advice}")
    if (not suffix and not path.is_dir()) or suffix not in FORMATS:
        known_suffixes = f"{', '.join(READABLE_SUFFIXES)}{did_you_mean(suffix, READABLE_SUFFIXES)}"
        raise OptionError(f"unknown suffix {suffix!r}; known: {known_suffixes}")
    return FORMATS[suffix]


def open_frames(path: Path) -> AbstractContextManager["FrameFile"]:
    """Open a file of frames, or a folder of them."""
    format = find_input_format(path)
    if format.open_frames is None:
        raise OptionError(f"{format.with_article} has no frames; read its animation")
    if path.is_file() and not path.stat().st_size:
        raise AnimationError("it is empty")
    return format.open_frames(path)


def has_pixels(format: Format) -> bool:
    """Whether the format holds pixels."""
    return format.max_side < math.inf


def check_look(format: Format, theme: Theme, board: Board, planes: int) -> None:
    """Check that a format that holds pixels can hold those of a board in a look."""
    _check_size(format, theme.geometry(*board.shape, planes, board.levels))
    _check_colours(format, theme, planes, board.levels)


def _check_size(format: Format, geometry: FrameGeometry) -> None:
    width, height = geometry.width, geometry.height
    if (cells := math.prod(geometry.shape_with_panel)) > format.max_cells:
        what = f"{format.with_article} has at most {format.max_cells:,} cells, not {cells:,}"
        raise OptionError(f"{what}; take fewer", "size")
    if max(width, height) > format.max_side:
        side, gap = max(geometry.shape_with_panel), geometry.gap
        largest = (int(format.max_side) - gap) // side - gap
        limit = f"{format.with_article} has at most {format.max_side} pixels a side"
        what = f"{limit}, not {width}x{height}"
        if geometry.canvas:
            raise OptionError(f"{what}; take a smaller canvas", "canvas")
        if largest > 0:
            raise OptionError(f"{what}; cells of {largest} px fit", "cell")
        raise OptionError(f"{what}; take fewer cells", "size")


def _check_colours(format: Format, theme: Theme, planes: int, levels: int) -> None:
    parts = theme.transparent_parts
    if missing := [part for part in parts if part not in format.transparency]:
        takers = [f for f in FORMATS.values() if has_pixels(f) and {*missing} <= {*f.transparency}]
        *names, last = [taker.with_article for taker in takers]
        flaw = f"{format.with_article} holds no transparent colours ({', '.join(missing)})"
        raise OptionError(f"{flaw}; {', '.join(names)} and {last} do", missing[0])
    shades = {Colour(*shade) for shade in theme.shades_with_alpha(planes, levels).tolist()}
    if (
        parts
        and format.one_bit_alpha
        and len({shade.with_one_bit_alpha() for shade in shades}) < len(shades)
    ):
        flaw = f"{format.with_article} has no partly transparent colours"
        consequence = f"without which these {levels} levels look alike"
        raise OptionError(f"{flaw}, {consequence}; take others, or a WebP", parts[0])
