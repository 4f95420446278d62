"""From an animation to files: checked before the work starts, then all written, or none."""

import math
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import TextIOBase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation, Lights, boards_of, rested, thinned
from lightsanim.animation.steps import packed_size
from lightsanim.board.board import Board
from lightsanim.board.levels import arithmetic_of
from lightsanim.board.text import board_text
from lightsanim.drawings.stills import Stills, write_stills
from lightsanim.errors import OptionError, OutputError
from lightsanim.formats.c_header import write_header
from lightsanim.formats.packing import check_steps
from lightsanim.formats.replacing import existing, replacing, replacing_together
from lightsanim.formats.table import FORMATS, Format, check_suffix, format_of
from lightsanim.look.paint import OnFrame, tiles_of
from lightsanim.look.theme import Geometry, Theme
from lightsanim.options.checks import check_choice, check_names, check_path, shown
from lightsanim.options.table import LEVELS, STILL_SUFFIXES, STRAIGHT, SUFFIXES, names_of
from lightsanim.options.values import Colour, to_byte_count

TEXT, PAGE, GIF, HEADER = ".txt", ".html", ".gif", ".h"


@dataclass(frozen=True, kw_only=True)
class OutputFiles:
    """Files that are written together: all of them, or none.

    Attributes:
        animations: in the formats of `lightsanim.formats.table.FORMATS`.
        stills: pictures of some of the frames.
        texts: text boards of the first frame.
        max_bytes: the most that a GIF may have; None for any size.
        overwrite: whether files that exist may be replaced.
    """

    animations: tuple[Path, ...] = ()
    stills: tuple[Stills, ...] = ()
    texts: tuple[Path, ...] = ()
    max_bytes: int | None = None
    overwrite: bool = True

    @property
    def paths(self) -> list[Path]:
        """All of them."""
        return [*self.animations, *(still.path for still in self.stills), *self.texts]


def files_by_suffix(
    paths: Iterable[Path], suffixes: Sequence[str], *, overwrite: bool = True
) -> OutputFiles:
    """Files by what their suffixes say that they show; a picture shows the first frame.

    Args:
        paths: as given.
        suffixes: those that will do.
        overwrite: whether files that exist may be replaced.

    Raises:
        OptionError: for another suffix.

    >>> files_by_suffix([Path("a.txt"), Path("b.gif")], [".txt", ".gif"]).texts
    (PosixPath('a.txt'),)
    """
    by_suffix = [(path, check_suffix(path, suffixes)) for path in paths]
    return OutputFiles(
        animations=tuple(p for p, suffix in by_suffix if suffix not in (*STILL_SUFFIXES, TEXT)),
        stills=tuple(
            Stills(path=p, frame=0) for p, suffix in by_suffix if suffix in STILL_SUFFIXES
        ),
        texts=tuple(path for path, suffix in by_suffix if suffix == TEXT),
        overwrite=overwrite,
    )


def save(
    animation: Animation,
    file: str | Path | BinaryIO,
    format: str | None,
    look: Mapping[str, Any],
) -> None:
    """Write an animation; see `lightsanim.Animation.save`, which this implements."""
    if not hasattr(file, "write"):
        if format is not None:
            raise OptionError(f"format is for file objects; the suffix of {shown(file)} says it")
        _save(animation, check_path("file", file), look)
        return
    stream = cast(BinaryIO, file)
    if format is None:
        raise OptionError("a file object has no suffix: say its format, such as format='gif'")
    _check_stream(stream)
    content = to_bytes(animation, format, look)
    try:
        stream.write(content)
    except (OSError, ValueError, TypeError) as error:
        raise OutputError(f"cannot write to {shown(stream)}: {error}") from error


def to_bytes(animation: Animation, format: str, look: Mapping[str, Any]) -> bytes:
    """A file's content; see `lightsanim.Animation.to_bytes`, which this implements."""
    name = format.lower().removeprefix(".") if isinstance(format, str) else format
    check_choice("format", name, [suffix[1:] for suffix in SUFFIXES if suffix])
    with TemporaryDirectory(prefix="lightsanim-") as folder:
        path = Path(folder) / f"animation.{name}"
        _save(animation, path, look)
        return path.read_bytes()


def _save(animation: Animation, path: Path, look: Mapping[str, Any]) -> None:
    options = dict(look)
    limit = options.pop("max_bytes", None)
    limit = None if limit is None else to_byte_count(limit)
    files, theme = OutputFiles(animations=(path,), max_bytes=limit), theme_of(options)
    check_outputs(files, float(animation.durations().max()))
    check_frames(files, theme, animation.board, animation.boards)
    write_together(animation, files, theme)


def _check_stream(stream: BinaryIO) -> None:
    # Before the work; what has only a `write` is tried.
    name = shown(stream)
    if getattr(stream, "closed", False):
        raise OutputError(f"cannot write to {name}: it is closed")
    if isinstance(stream, TextIOBase):
        raise OutputError(f'cannot write to {name}: it takes text; open it as "wb"')
    if not getattr(stream, "writable", lambda: True)():
        raise OutputError(f'cannot write to {name}: it is not open for writing; open it as "wb"')


def save_still(
    configuration: Lights,
    path: str | Path,
    *,
    marks: Lights | None = None,
    levels: int = 2,
    **look: Any,
) -> None:
    """Write one configuration as a picture.

    Args:
        configuration: bool (rows, columns), or in colour bool (3, rows, columns); with more than
            two levels uint8, 0 to levels - 1.
        path: ``.png``, ``.svg`` or ``.pdf``.
        marks: bool (rows, columns), cells to mark with a dot, such as those to click; with more
            than two levels uint8, how many dots.  They are what ``show_clicks`` shows.
        levels: how many states a cell has: 2, 3, 5 or, on one board, 7.
        look: what to draw, see `lightsanim.Theme`: ``cell``, ``gap``, ``lit``, ...

    Raises:
        OptionError: for another suffix or an unknown look, or for arrays of other shapes or values.
        OutputError: if the file cannot be written.

    >>> import numpy as np, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_still(np.eye(8, dtype=bool), f"{folder}/eye.svg", shape="circle")
    ...     Path(f"{folder}/eye.svg").read_text()[:4]
    '<svg'
    """
    theme, still = theme_of(look), Stills(path=check_path("path", path))
    boards = (3,) if np.ndim(configuration) == 3 else ()
    arithmetic = arithmetic_of(check_choice("levels", levels, LEVELS))
    configuration = arithmetic.checked(configuration, "configuration", (*boards, None, None))
    if marks is not None:
        marks = arithmetic.checked(marks, "marks", configuration.shape[-2:])
    check_outputs(OutputFiles(stills=(still,)))
    if theme.show_clicks is not None and marks is None:
        raise OptionError(
            "show_clicks needs clicks, and one configuration has none; give them as marks",
            "show_clicks",
        )
    rows, columns = configuration.shape[-2:]
    still.check(theme, rows, columns, boards_of(configuration), levels)
    with replacing(still.path) as new:
        write_stills([configuration], new, theme, marks=marks, levels=levels)


def theme_of(look: Mapping[str, Any]) -> Theme:
    """The theme of a look that was given option by option.

    Raises:
        OptionError: for an unknown option, or a value that it cannot take.
    """
    check_names("look", look, names_of(Theme))
    return Theme(**look)


def check_outputs(files: OutputFiles, longest: float = 0) -> None:
    """Check that files can be written, before the work starts.

    What has changed when they take their places decides: see `replacing_together`.

    Args:
        files: the files.
        longest: seconds that the frame shown longest is shown.

    Raises:
        OptionError: for an unknown suffix, times that a format cannot show, or a file that is
            named twice.
        OutputError: if a folder is missing or not writable, if a path is a folder, or if a file
            exists and must not be overwritten.
    """
    if not files.paths:
        raise OptionError("there is nothing to write; name an output with -o")
    check_times(files.animations, longest)
    check_max_bytes(files.animations, files.max_bytes)
    for path in files.paths:
        _check_place(path, files.overwrite)
    places = [os.path.realpath(path) for path in files.paths]
    for path, place in zip(files.paths, places, strict=True):
        if places.count(place) > 1:
            raise OptionError(f"{path} is named twice as an output; once is enough")


def check_times(paths: Iterable[Path], longest: float) -> None:
    """Check that the formats can show a frame for as long as asked.

    Args:
        paths: the files.
        longest: seconds that the frame shown longest is shown.

    Raises:
        OptionError: if one cannot.
    """
    for path in paths:
        format = format_of(path)
        if longest > format.max_seconds:
            raise OptionError(
                f"a {format.name} shows a frame for at most {format.max_seconds:g} seconds, "
                f"not {longest:g}"
            )


def check_max_bytes(paths: Iterable[Path], max_bytes: int | None) -> None:
    """Check that there is a GIF where its bytes are limited.

    Args:
        paths: the files.
        max_bytes: the most that a GIF may have; None for any size.

    Raises:
        OptionError: if there is none.
    """
    if max_bytes is not None and not any(map(_is_gif, paths)):
        raise OptionError("max_bytes is for GIFs alone; leave it out, or write a .gif", "max_bytes")


def _is_gif(path: Path) -> bool:
    return path.suffix.lower() == GIF


def check_frames(files: OutputFiles, theme: Theme, board: Board, boards: int = 1) -> None:
    """Check that the formats can hold the frames of a board in a look.

    Args:
        files: the files.
        theme: the look.
        board: the board.
        boards: 1, or in colour 3.

    Raises:
        OptionError: if one cannot.
    """
    if theme.hatch is not None and not files.stills:
        raise OptionError(
            "hatch is for stills as .svg or .pdf, and there are none to write", "hatch"
        )
    for name, wanted, suffix in (
        ("wiring", theme.wiring != STRAIGHT, HEADER),
        ("exhibit", theme.exhibit, PAGE),
    ):
        if wanted and suffix not in [path.suffix.lower() for path in files.animations]:
            raise OptionError(f"{name} is for a {suffix} file, and there is none to write", name)
    for still in files.stills:
        still.check(theme, *board.shape, boards, board.levels)
    shades = theme.shades_with_alpha(boards, board.levels)
    if len(np.unique(shades, axis=0)) < len(shades):
        raise OptionError("lit and unlit cells look alike in these colours; take others", "lit")
    for format in map(format_of, files.animations):
        if (lamps := boards * board.cells) > format.max_lamps:
            raise OptionError(
                f"{_a(format)} is for at most {format.max_lamps} lamps, not {lamps}; "
                "take fewer cells",
                "size",
            )
    for format in filter(_is_drawn, map(format_of, files.animations)):
        _check_size(format, theme.geometry(*board.shape, boards, board.levels))
        _check_colours(format, theme, boards, board.levels)


def check_length(
    paths: Iterable[Path], board: Board, boards: int, steps: int | None = None
) -> None:
    """Check that the formats can hold a film, as far as its length is known before it is made.

    Args:
        paths: the files.
        board: the board.
        boards: 1, or in colour 3.
        steps: that it has at least, each of many clicks at once; None for single clicks.

    Raises:
        OptionError: if one cannot.
    """
    if steps is None:
        return
    formats = list(map(format_of, paths))
    for format in formats:
        if not format.steps:
            raise OptionError(
                f"{_a(format)} holds single clicks, and a dissolve or a clip has hundreds for each "
                f"frame; take stills, and the transition wipe or sketch",
                "transition",
            )
    if any(format.load is not None for format in formats):
        size = math.prod(packed_size((boards, *board.shape), board.levels))
        check_steps(steps, steps * size)


def _is_drawn(format: Format) -> bool:
    return format.max_side < math.inf


def _check_size(format: Format, geometry: Geometry) -> None:
    width, height = geometry.width, geometry.height
    if max(width, height) > format.max_side:
        side, gap = max(geometry.grid), geometry.gap
        largest = (int(format.max_side) - gap) // side - gap
        advice = f"cells of {largest} px fit" if largest > 0 else "take fewer cells"
        raise OptionError(
            f"{_a(format)} has at most {format.max_side} pixels a side, not {width}x{height}; "
            f"{advice if geometry.canvas is None else 'take a smaller canvas'}",
            "canvas" if geometry.canvas else "cell" if largest > 0 else "size",
        )


def _check_colours(format: Format, theme: Theme, boards: int, levels: int) -> None:
    parts = theme.transparent_parts
    if parts and not format.transparency:
        others = [
            _a(known) for known in FORMATS.values() if known.transparency and _is_drawn(known)
        ]
        raise OptionError(
            f"{_a(format)} holds no transparent colours ({', '.join(parts)}); "
            f"{', '.join(others[:-1])} and {others[-1]} do",
            parts[0],
        )
    if parts and format.one_bit and not _tells_one_bit(theme.shades_with_alpha(boards, levels)):
        raise OptionError(
            f"{_a(format)} has no partly transparent colours, without which these {levels} levels "
            f"look alike; take others, or a WebP",
            parts[0],
        )


def _tells_one_bit(shades: NDArray[np.uint8]) -> bool:
    # Do shades, uint8 (shades, 4), stay different where each is opaque or not there?
    there = {Colour(*shade).one_bit() for shade in shades.tolist()}
    return len(there) == len(np.unique(shades, axis=0))


def _a(format: Format) -> str:
    return f"{'an' if format.name[0] in 'AM' else 'a'} {format.name}"


def _check_place(path: Path, overwrite: bool) -> None:
    try:
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            folder = target.parent if path.is_symlink() else path.parent
            raise OutputError(f"cannot write {path}: there is no folder {folder}")
        if target.is_dir() and (path.suffix or any(target.iterdir())):
            what = "it is a folder" if path.suffix else "the folder is not empty"
            raise OutputError(f"cannot write {path}: {what}")
        if target.exists() and not target.is_file() and not target.is_dir():
            raise OutputError(f"cannot write {path}: it is a device or a pipe, not a file")
        if not os.access(target.parent, os.W_OK | os.X_OK):
            raise OutputError(f"cannot write {path}: the folder {path.parent} is not writable")
        if not overwrite and os.path.lexists(path) and not target.is_dir():
            raise existing(path)
        if target.is_file() and not path.suffix:
            raise OutputError(f"cannot write {path}: it is a file, and this is a folder of PNGs")
        if target.exists() and _is_guarded(target):
            raise OutputError(
                f"cannot write {path}: it is another user's, in a folder with the sticky bit"
            )
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error


def _is_guarded(target: Path) -> bool:
    # In a folder with the sticky bit only its owner, a file's owner and root replace the file.
    folder, file = target.parent.stat(), target.stat()
    sticky = folder.st_mode & stat.S_ISVTX != 0
    return sticky and os.geteuid() not in (0, folder.st_uid, file.st_uid)


def write_together(
    animation: Animation,
    files: OutputFiles,
    theme: Theme,
    on_frame: OnFrame = lambda: None,
    *,
    marks: Lights | None = None,
    puzzle: str | None = None,
) -> list[str]:
    """Write files that `check_outputs` and `check_frames` have passed: all of them, or none.

    Args:
        animation: what to write.
        files: the files.
        theme: the look.
        on_frame: called when a frame is written.
        marks: bool (rows, columns), or with more than two levels uint8, the dots of cells to mark
            on stills; None for none.
        puzzle: the title of a web page that begins as a game; None for one that plays.

    Returns:
        A sentence for each file that had to be made smaller.

    Raises:
        OptionError: for a still of a frame that is not there, or a GIF that cannot be small enough.
        OutputError: if writing fails.
    """
    notes: list[str] = []
    with replacing_together(overwrite=files.overwrite) as writing:
        for path in files.animations:
            with writing(path) as new:
                if puzzle is not None and path.suffix.lower() == PAGE:
                    _write_game(animation, new, theme, puzzle)
                else:
                    notes += _write(animation, path, new, theme, on_frame, files.max_bytes)
        for still in files.stills:
            with writing(still.path) as new:
                write_stills(
                    still.of(animation),
                    new,
                    theme,
                    marks=marks,
                    presses=still.presses(animation) if marks is None else None,
                    levels=animation.board.levels,
                    title=", ".join(animation.pictures),
                )
        for path in files.texts:
            with writing(path) as new:
                text = board_text(animation.first, animation.board.levels)
                new.write_text(text, encoding="ascii")
    return notes


def _write_game(animation: Animation, new: Path, theme: Theme, title: str) -> None:
    from lightsanim.formats.page import player_html

    new.write_bytes(player_html(animation, theme, title=title, puzzle=True).encode())


def _write(
    animation: Animation,
    path: Path,
    new: Path,
    theme: Theme,
    on_frame: OnFrame,
    max_bytes: int | None,
) -> Iterator[str]:
    # Writes to ``new`` what takes the place of ``path``, and tells what was changed for that.
    format, steps = format_of(path), animation.steps
    check_length([path], animation.board, animation.boards, None if steps is None else len(steps))
    if path.suffix.lower() == HEADER:
        write_header(animation, new, theme, on_frame, stem=path.stem)
        return
    film = thinned(animation, format.max_fps)
    if max_bytes is None or not _is_gif(path):
        if theme.show_clicks is not None and _is_drawn(format):
            film = rested(film)
        format.write(film, new, theme, on_frame)
        return
    from lightsanim.formats.fitting import write_gif_within

    changed = write_gif_within(film, new, theme, on_frame, max_bytes)
    if changed is not None:
        yield f"{path.name} has {changed}."


def notes_on(paths: Iterable[Path], animation: Animation, theme: Theme) -> list[str]:
    """A sentence for each file that cannot show what was asked.

    Args:
        paths: the files.
        animation: what they show.
        theme: in which look.
    """
    formats = {path: format_of(path) for path in paths}
    notes = [
        f"{path.name} shows {format.max_fps:g} frames a second, the most for a {format.name}."
        for path, format in formats.items()
        if animation.fps > format.max_fps
    ]
    notes += [
        f"{path.name} shows partly transparent colours as opaque or not at all: so a {format.name}."
        for path, format in formats.items()
        if format.one_bit and theme.one_bit() != theme
    ]
    silent = [
        path.name for path, format in formats.items() if animation.sounds and not format.sound
    ]
    if silent:
        notes.append(f"{', '.join(silent)}: without the clips' sound, which MP4 and WebM hold.")
    drawn = any(format.max_side < math.inf for format in formats.values())
    if drawn and tiles_of(animation, theme).coarse:
        shades = animation.board.levels**animation.boards
        notes.append(f"With {shades} shades few colours are left for the edges of cells and marks.")
    return notes
