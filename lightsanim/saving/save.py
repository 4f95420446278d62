"""From an animation to files: checked before the work starts, then all written, or none."""

from dataclasses import replace
from functools import partial
from io import TextIOBase
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, NamedTuple, Unpack, cast

import numpy as np

from lightsanim.animation.animation import Animation
from lightsanim.animation.painting import OnFrame
from lightsanim.animation.timing import holds_as_frames, limit_fps
from lightsanim.board.arithmetic import arithmetic_of
from lightsanim.board.text import board_text
from lightsanim.drawings.stills import StillContent, Stills, write_stills
from lightsanim.errors import OptionError, OutputError
from lightsanim.formats.registry import find_format_by_suffix, has_pixels
from lightsanim.led.wiring import LAMP_SUFFIXES
from lightsanim.look.levels import Lights, count_planes
from lightsanim.look.theme import Theme, parse_theme
from lightsanim.options.checks import check_choice, check_path, quote_value
from lightsanim.options.choices import LEVELS, SUFFIXES
from lightsanim.options.keywords import Format, LookKeywords, SavedLookKeywords
from lightsanim.options.outputs import Outputs
from lightsanim.options.values import to_byte_count
from lightsanim.saving.atomic import Content, write_files_together
from lightsanim.saving.output_files import (
    GIF,
    PAGE,
    OutputFiles,
    check_formats_hold_board,
    check_frame_times,
    check_outputs,
    describe_format_limits,
    output_files_from_options,
)
from lightsanim.system.progress import Progress, StageTimer, no_progress


def save(
    animation: Animation,
    file: str | Path | BinaryIO,
    format: Format | None,
    look: SavedLookKeywords,
) -> None:
    """Write an animation; see `lightsanim.Animation.save`, which this implements."""
    if not hasattr(file, "write"):
        if format is not None:
            raise OptionError(
                f"format is for file objects; the suffix of {quote_value(file)} says it"
            )
        _save_to_path(animation, check_path("file", file), look)
        return
    stream = cast(BinaryIO, file)
    if format is None:
        raise OptionError("a file object has no suffix: say its format, such as format='gif'")
    _check_writable_stream(stream)
    content = to_bytes(animation, format, look)
    try:
        stream.write(content)
    except (OSError, ValueError, TypeError) as error:
        raise OutputError(f"cannot write to {quote_value(stream)}: {error}") from error


def to_bytes(animation: Animation, format: Format, look: SavedLookKeywords) -> bytes:
    """A file's content; see `lightsanim.Animation.to_bytes`, which this implements."""
    name = format.lower().removeprefix(".") if isinstance(format, str) else format
    check_choice("format", name, [suffix[1:] for suffix in SUFFIXES if suffix])
    with TemporaryDirectory(prefix="lightsanim-") as folder:
        path = Path(folder) / f"animation.{name}"
        _save_to_path(animation, path, look)
        return path.read_bytes()


def _save_to_path(animation: Animation, path: Path, look: SavedLookKeywords) -> None:
    options: dict[str, Any] = {**look}
    limit = options.pop("max_bytes", None)
    limit = None if limit is None else to_byte_count(limit)
    files = OutputFiles(animations=(path,), max_bytes=limit)
    _check_and_write_files(animation, files, parse_theme(options), StageTimer(no_progress))


def _check_and_write_files(
    animation: Animation, files: OutputFiles, theme: Theme, clock: StageTimer
) -> list[str]:
    steps = None if animation.steps is None else len(animation.steps)
    check_outputs(files, float(animation.durations().max()))
    check_formats_hold_board(files, theme, animation.board, animation.boards, steps)
    return write_files(animation, files, theme, clock)


def _check_writable_stream(stream: BinaryIO) -> None:
    # Before the work; what has only a `write` is tried.
    name = quote_value(stream)
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
    **look: Unpack[LookKeywords],
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
    theme, still = parse_theme(look), Stills(path=check_path("path", path))
    plane_shape = (3,) if np.ndim(configuration) == 3 else ()
    arithmetic = arithmetic_of(check_choice("levels", levels, LEVELS))
    configuration = arithmetic.validate_levels(
        configuration, "configuration", (*plane_shape, None, None)
    )
    if marks is not None:
        marks = arithmetic.validate_levels(marks, "marks", configuration.shape[-2:])
    check_outputs(OutputFiles(stills=(still,)))
    if theme.show_clicks is not None and marks is None:
        reason = "show_clicks needs clicks, and one configuration has none; give them as marks"
        raise OptionError(reason, "show_clicks")
    rows, columns = configuration.shape[-2:]
    still.check_options(theme, rows, columns, count_planes(configuration), levels)
    content = StillContent(configurations=[configuration], levels=levels, marks=marks)
    write_files_together({still.path: partial(write_stills, content, theme=theme)})


def write_files(
    animation: Animation,
    files: OutputFiles,
    theme: Theme,
    clock: StageTimer,
    *,
    marks: Lights | None = None,
    puzzle: bool = False,
) -> list[str]:
    """The stage that writes files that are checked already: all of them, or none.

    ``marks``: bool (rows, columns).  With ``puzzle``, pages are puzzles to play.
    """
    # Equal pictures add up their holds, which only the animation knows.
    check_frame_times(files.animations, float(animation.durations().max()))
    frames, frame_numbers = len(animation) * len(files.animations), count(1)
    notes: list[str] = []

    def report_frame() -> None:
        done = min(next(frame_numbers), frames)  # holds may take more
        clock.progress("write", done / frames, f"frame {done} of {frames}")

    def write_film(path: Path, new: Path) -> None:
        if puzzle and path.suffix.lower() == PAGE:
            from lightsanim.formats.page import player_html

            new.write_bytes(player_html(animation, theme, puzzle=True).encode())
        elif changed := _write_animation(
            animation, path, new, theme, report_frame, files.max_bytes
        ):
            notes.append(f"{path.name} has {changed}.")

    def write_still(still: Stills, new: Path) -> None:
        title, content = ", ".join(animation.pictures), still.build_still_content(animation, marks)
        write_stills(content, new, theme, across=still.columns, title=title)

    contents: dict[Path, Content] = {path: partial(write_film, path) for path in files.animations}
    contents |= {still.path: partial(write_still, still) for still in files.stills}
    for path in files.texts:
        contents[path] = board_text(animation.first, animation.board.levels).encode()
    with clock.time_stage("write"):
        write_files_together(contents, overwrite=files.overwrite)
    return notes


def _write_animation(
    animation: Animation,
    path: Path,
    new: Path,
    theme: Theme,
    on_frame: OnFrame,
    max_bytes: int | None,
) -> str | None:
    # Writes to ``new`` what takes the place of ``path``, and tells what was changed for that.
    format = find_format_by_suffix(path)
    film = limit_fps(animation, format.max_fps)
    if path.suffix.lower() in LAMP_SUFFIXES:
        return format.write(film, new, theme, on_frame, stem=path.stem)
    if path.suffix.lower() == GIF and max_bytes is not None:
        from lightsanim.saving.size_limit import write_gif_within_limit

        return write_gif_within_limit(film, new, theme, on_frame, max_bytes)
    if theme.show_clicks is not None and has_pixels(format):
        film = holds_as_frames(film)
    return format.write(film, new, theme, on_frame)


class RenderReport(NamedTuple):
    """What was written without solving."""

    outputs: list[str]  # the files
    notes: list[str]  # what else there is to know, in a sentence each


def render_files(
    animation: Animation,
    theme: Theme,
    outputs: Outputs,
    *,
    still: str | Path | None = None,
    frame: int = -1,
    progress: Progress = no_progress,
) -> RenderReport:
    """Write an animation to files, without solving.

    Args:
        animation: what to draw.
        theme: the look.
        outputs: the files; their suffixes say in which formats.
        still: a picture of one frame.
        frame: which one, -1 being the last.
        progress: see `Progress`.

    Returns:
        The files written, and what to know of them.

    Raises:
        OptionError: for options that contradict the formats, or a frame that is not there.
        OutputError: if a file cannot be written; no half-written file is left behind.
    """
    files = output_files_from_options(outputs)
    if still is not None:
        files = replace(files, stills=(Stills(path=Path(still), frame=frame), *files.stills))
    fitted = _check_and_write_files(animation, files, theme, StageTimer(progress))
    notes = [*describe_format_limits(files.animations, animation, theme), *fitted]
    return RenderReport(outputs=list(map(str, files.all_paths)), notes=notes)
