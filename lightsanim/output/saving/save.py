"""Save animations and single configurations as files."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from io import TextIOBase
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, NamedTuple, Unpack, cast

import attrs
import numpy as np

from lightsanim.errors import OptionError, OutputError
from lightsanim.film.animation import Animation
from lightsanim.film.timing import holds_as_frames, limit_fps
from lightsanim.game.board.text import board_text
from lightsanim.game.levels import Lights, check_lights, count_planes, pack_levels
from lightsanim.options.checks import check_choice, check_path, quote_value
from lightsanim.options.choices import LEVELS, SUFFIXES
from lightsanim.options.colours import Colour
from lightsanim.options.keywords import Format, LookKeywords, SavedLookKeywords
from lightsanim.options.outputs import DRAWING_OPTIONS, OutputFile, Outputs
from lightsanim.output.drawings.stills import StillContent, Stills, write_stills
from lightsanim.output.formats.registry import find_format_by_suffix
from lightsanim.output.lamps.wiring import LAMP_SUFFIXES
from lightsanim.output.look.paint_film import OnFrame, geometry_of, theme_for
from lightsanim.output.look.theme import Theme, split_look
from lightsanim.system.progress import Progress, StageTimer, no_progress
from .atomic import Content, write_files_together
from .output_files import (
    PAGE,
    OutputFiles,
    check_code_contrast,
    check_formats_hold_board,
    check_frame_times,
    check_outputs,
    describe_format_limits,
    has_margins_or_gaps,
)


def save(
    animation: Animation,
    file: str | Path | BinaryIO,
    format: Format | None,
    look: SavedLookKeywords,
) -> None:
    """Implement `lightsanim.Animation.save`."""
    if not hasattr(file, "write"):
        if format is not None:
            raise OptionError(f"format is only for file objects, not for {quote_value(file)}")
        _save_to_path(animation, check_path("file", file), look)
        return
    stream = cast(BinaryIO, file)
    if format is None:
        raise OptionError("a file object needs a format, such as format='gif'")
    _check_writable_stream(stream)
    content = to_bytes(animation, format, look)
    try:
        stream.write(content)
    except (OSError, ValueError, TypeError) as error:
        raise OutputError(f"cannot write to {quote_value(stream)}: {error}") from error


def to_bytes(animation: Animation, format: Format, look: SavedLookKeywords) -> bytes:
    """Implement `lightsanim.Animation.to_bytes`."""
    name = format.lower().removeprefix(".") if isinstance(format, str) else format
    check_choice("format", name, [suffix[1:] for suffix in SUFFIXES if suffix])
    with TemporaryDirectory(prefix="lightsanim-") as folder:
        path = Path(folder) / f"animation.{name}"
        _save_to_path(animation, path, look)
        return path.read_bytes()


def _save_to_path(animation: Animation, path: Path, look: SavedLookKeywords) -> None:
    theme, own = split_look(look)
    files = OutputFiles.from_options(Outputs(output=[{"path": path, **own}]))
    _check_and_write_files(animation, files, theme, StageTimer(no_progress))


def _check_and_write_files(
    animation: Animation, files: OutputFiles, theme: Theme, clock: StageTimer
) -> list[str]:
    theme = theme_for(animation, theme)
    steps = None if animation.steps is None else len(animation.steps)
    check_outputs(files, float(animation.durations().max()))
    check_formats_hold_board(files, theme, animation.board, animation.boards, steps)
    check_code_contrast(animation.origin.words if animation.origin else (), theme)
    return write_files(animation, files, theme, clock)


def _check_writable_stream(stream: BinaryIO) -> None:
    # Called before the work starts.  An object that has only the method `write` passes.
    name = quote_value(stream)
    if getattr(stream, "closed", False):
        raise OutputError(f"cannot write to {name}: it is closed")
    if isinstance(stream, TextIOBase):
        raise OutputError(f'cannot write to {name}: it is a text file; open it as "wb"')
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
        configuration: array of shape (rows, columns), or (3, rows, columns) in colour; bool with
            two levels, else uint8 from 0 to levels - 1.
        path: output file with the suffix ``.png``, ``.svg`` or ``.pdf``.
        marks: array of shape (rows, columns) with the cells that get a dot, such as those to
            click; bool with two levels, else uint8 with the number of dots.  ``show_clicks`` shows
            these cells as clicks.
        levels: number of states of a cell: 2, 3, 5, or 7 (not in colour).
        look: options of `lightsanim.Theme`, such as ``cell``, ``gap`` and ``lit``.

    Raises:
        OptionError: if the suffix, a look option, or the shape or a value of an array is invalid.
        OutputError: if the file cannot be written.

    >>> import numpy as np, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_still(np.eye(8, dtype=bool), f"{folder}/eye.svg", shape="circle")
    ...     Path(f"{folder}/eye.svg").read_text()[:4]
    '<svg'
    """
    theme, own = split_look(look)
    still = Stills(path=check_path("path", path))
    OutputFile(path=still.path, own=own).check_options(DRAWING_OPTIONS)
    theme = attrs.evolve(theme, **own)
    plane_shape = (3,) if np.ndim(configuration) == 3 else ()
    levels, shape = check_choice("levels", levels, LEVELS), (*plane_shape, None, None)
    configuration = check_lights(configuration, "configuration", shape, levels=levels)
    if marks is not None:
        marks = check_lights(marks, "marks", configuration.shape[-2:], levels=levels)
    check_outputs(OutputFiles(stills=(still,)))
    if theme.panel_side is not None and marks is None:
        raise OptionError("show_clicks needs marks, which are the clicks to show", "show_clicks")
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
    marks: Lights | None = None,  # Bool (rows, columns): the cells of stills that get a dot.
    puzzle: bool = False,  # Whether pages are puzzles to play.
    series: Sequence[Animation] = (),  # The further puzzles of such pages.
) -> list[str]:
    """Write all files or none, after `check_outputs` has checked them; return notes for users."""
    # Check again: the holds of equal successive pictures were added up.
    check_frame_times(files.animations, float(animation.durations().max()))
    theme = theme_for(animation, theme)
    frames, frame_numbers = len(animation) * len(files.animations), count(1)
    notes: list[str] = []

    def on_frame() -> None:
        done = min(next(frame_numbers), frames)  # a hold may be written as several frames
        clock.progress("write", done / frames, f"frame {done} of {frames}")

    def look_of(path: Path) -> Theme:
        return _with_ground_as_margin(files.theme_of(path, theme), animation)

    def write_film(path: Path, new: Path) -> None:
        look, own = look_of(path), files.own.get(path, {})
        mute = own.get("mute")
        film = replace(animation.with_settings(mute=True), sounds=()) if mute else animation
        if puzzle and path.suffix.lower() == PAGE:
            from lightsanim.output.formats.page import player_html

            new.write_bytes(player_html(animation, look, puzzle=True, series=series).encode())
        elif changed := _write_animation(film, path, new, look, on_frame, own.get("max_bytes")):
            notes.append(f"{path.name} has {changed}.")

    def write_still(still: Stills, new: Path) -> None:
        look = look_of(still.path)
        content = still.build_still_content(animation, marks, total=look.shows_click_totals)
        title = ", ".join(animation.pictures)
        labels = [list(map(str, content.numbers))] if content.numbers else []
        write_stills(content, new, look, across=still.columns, title=title, labels=labels)

    contents: dict[Path, Content] = {path: partial(write_film, path) for path in files.animations}
    contents |= {still.path: partial(write_still, still) for still in files.stills}
    for path in files.texts:
        contents[path] = board_text(animation.first, animation.board.levels).encode()
    with clock.time_stage("write"):
        write_files_together(contents, overwrite=files.overwrite)
    return notes


def _with_ground_as_margin(theme: Theme, animation: Animation) -> Theme:
    # Returns a theme that fills the margins of a canvas with the most common colour at the edges of
    # the first and last board, unless the background has a colour or is also seen between cells.
    if theme.canvas is None or theme.background or theme.panel_side or theme.shape != "square":
        return theme
    if geometry_of(animation, theme).gap or not has_margins_or_gaps(theme, animation):
        return theme
    planes, levels = animation.boards, animation.board.levels
    ends = [pack_levels(lights, levels) for lights in (animation.first, animation.last)]
    edges = [edge for shades in ends for edge in (*shades[[0, -1]], *shades.T[[0, -1]])]
    ground = np.bincount(np.concatenate(edges)).argmax()
    return attrs.evolve(
        theme, background=Colour(*theme.shades_with_alpha(planes, levels)[ground].tolist())
    )


def _write_animation(
    animation: Animation,
    path: Path,
    new: Path,
    theme: Theme,
    on_frame: OnFrame,
    max_bytes: int | None,
) -> str | None:
    # Writes ``new``, which will replace ``path``; returns a note on what was changed, or None.
    format = find_format_by_suffix(path)
    film = limit_fps(animation, format.max_fps)
    if path.suffix.lower() in LAMP_SUFFIXES:
        return format.write(film, new, theme, on_frame, stem=path.stem)
    if format.quality_steps and max_bytes is not None:
        from .size_limit import write_within_limit  # imported late: most films have no limit

        return write_within_limit(film, new, theme, on_frame, max_bytes, format)
    if theme.panel_side is not None and format.has_pixels:
        film = holds_as_frames(film)
    return format.write(film, new, theme, on_frame)


class RenderReport(NamedTuple):
    """The report of `render_files`: the files written, and notes on them."""

    outputs: list[str]  # Paths of the files written.
    notes: list[str]  # Notes for the user, one sentence each.


def render_files(
    animation: Animation,
    theme: Theme,
    outputs: Outputs,
    *,
    progress: Progress = no_progress,
) -> RenderReport:
    """Write an existing animation to files.

    Args:
        animation: what to draw.
        theme: the look.
        outputs: the files; their suffixes choose the formats.
        progress: see `Progress`.

    Raises:
        OptionError: if options do not fit the formats, or the frame does not exist.
        OutputError: if a file cannot be written; then none is.
    """
    files = OutputFiles.from_options(outputs)
    fitted = _check_and_write_files(animation, files, theme, StageTimer(progress))
    theme = theme_for(animation, theme)
    return RenderReport(
        outputs=list(map(str, files.all_paths)),
        notes=[*describe_format_limits(files, animation, theme), *fitted],
    )
