"""The output files of a command: their names, checks before the work, and notes after it."""

import math
import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lightsanim.errors import OptionError, OutputError
from lightsanim.film.animation import Animation
from lightsanim.film.clicks import packed_click_set_size
from lightsanim.game.board.board import Board
from lightsanim.options.choices import QR_PREFIX, STILL_SUFFIXES
from lightsanim.options.outputs import Outputs
from lightsanim.options.values import STRAIGHT, Panels, numbered_file_names, to_file_stem
from lightsanim.output.drawings.sheet import list_drawing_options
from lightsanim.output.drawings.stills import Stills
from lightsanim.output.formats.bit_packing import check_steps
from lightsanim.output.formats.registry import (
    SIZED_SUFFIXES,
    Format,
    check_suffix,
    find_format_by_suffix,
)
from lightsanim.output.lamps.wiring import LAMP_SUFFIXES, READERS
from lightsanim.output.look.flashing import CALM_FPS, may_flash
from lightsanim.output.look.paint_film import frame_layout, geometry_of
from lightsanim.output.look.theme import Theme
from lightsanim.pictures.light import colour_to_light
from lightsanim.pictures.source import Source
from lightsanim.system.posix import is_user
from .atomic import file_exists_error

TEXT, PAGE, GIF = ".txt", ".html", ".gif"
# Least contrast of QR codes, and the light that is added to both colours (WCAG 2, contrast ratio).
MIN_CODE_CONTRAST, FLARE = 3, 0.05


@dataclass(frozen=True, kw_only=True)
class OutputFiles:
    """The output files of a command, which are written together."""

    animations: tuple[Path, ...] = ()  # Films; formats: `lightsanim.output.formats.registry`.
    stills: tuple[Stills, ...] = ()  # Pictures of one or more frames.
    texts: tuple[Path, ...] = ()  # Text files of the first frame.
    max_bytes: int | None = None  # Maximum size of a file of frames, in bytes; None for no limit.
    overwrite: bool = True  # Whether existing files may be replaced.

    @classmethod
    def from_options(
        cls, outputs: Outputs, still: str | Path | None = None, frame: int = -1
    ) -> "OutputFiles":
        """Return the files that the output options name, and the file for a still of a frame."""
        sheet, frames, columns = outputs.sheet, outputs.sheet_frames, outputs.sheet_columns
        if sheet is None and columns is not None:
            raise OptionError("sheet_columns needs a contact sheet; set sheet", "sheet_columns")
        stills = () if sheet is None else (Stills(path=sheet, count=frames, columns=columns),)
        single = () if still is None else (Stills(path=Path(still), frame=frame),)
        return cls(
            animations=outputs.output,
            stills=(*single, *stills),
            max_bytes=outputs.max_bytes,
            overwrite=outputs.overwrite,
        )

    @classmethod
    def by_suffix(
        cls, paths: Iterable[Path], suffixes: Sequence[str], *, overwrite: bool = True
    ) -> "OutputFiles":
        """Sort paths by suffix into animations, stills of the first frame, and text files.

        >>> OutputFiles.by_suffix([Path("a.txt"), Path("b.gif")], [".txt", ".gif"]).texts
        (PosixPath('a.txt'),)
        """
        by_suffix = [(path, check_suffix(path, suffixes)) for path in paths]
        stills = [path for path, suffix in by_suffix if suffix in STILL_SUFFIXES]
        return cls(
            animations=tuple(p for p, suffix in by_suffix if suffix not in (*STILL_SUFFIXES, TEXT)),
            stills=tuple(Stills(path=path, frame=0) for path in stills),
            texts=tuple(path for path, suffix in by_suffix if suffix == TEXT),
            overwrite=overwrite,
        )

    @property
    def all_paths(self) -> list[Path]:
        """The paths of all files."""
        return [*self.animations, *(still.path for still in self.stills), *self.texts]


def choose_unused_path(names: Iterable[str], suffix: str = GIF) -> Path:
    """Choose an unused path for an animation of pictures with these names.

    >>> choose_unused_path(["face", "skull"])
    PosixPath('face-skull.gif')
    """
    paths = map(Path, numbered_file_names(to_file_stem("-".join(names)), suffix))
    return next(path for path in paths if not os.path.lexists(path))


def check_outputs(files: OutputFiles, longest_hold: float = 0) -> None:
    """Raise OptionError or OutputError, before the work starts, if a file cannot be written."""
    if not files.all_paths:
        raise OptionError("there is nothing to write; name an output with -o")
    check_frame_times(files.animations, longest_hold)
    check_max_bytes(files.animations, files.max_bytes)
    for path in files.all_paths:
        try:
            flaw = _find_path_flaw(path, files.overwrite)
        except OSError as error:
            flaw = error.strerror or str(error)
        if flaw is not None:
            raise OutputError(f"cannot write {path}: {flaw}")
    real_paths = [os.path.realpath(path) for path in files.all_paths]
    for path, real_path in zip(files.all_paths, real_paths, strict=True):
        if real_paths.count(real_path) > 1:
            raise OptionError(f"{path} is named twice as an output; name it once")


def check_frame_times(paths: Iterable[Path], longest_hold: float) -> None:
    """Raise OptionError if a format cannot show a frame for ``longest_hold`` seconds."""
    for format in map(find_format_by_suffix, paths):
        if longest_hold > format.max_seconds:
            limit = f"at most {format.max_seconds:g} seconds, not {longest_hold:g}"
            raise OptionError(f"{format.with_article} shows a frame for {limit}")


def check_max_bytes(paths: Iterable[Path], max_bytes: int | None) -> None:
    """Raise OptionError if a size limit is given without a file whose size can be limited."""
    if max_bytes is not None and not any(path.suffix.lower() in SIZED_SUFFIXES for path in paths):
        kinds = ", ".join(SIZED_SUFFIXES)
        raise OptionError(f"max_bytes needs one of {kinds}; choose such an output", "max_bytes")


def check_formats_hold_board(
    files: OutputFiles, theme: Theme, board: Board, planes: int = 1, steps: int | None = None
) -> None:
    """Raise OptionError if a format cannot hold a board's frames, or an option needs another."""
    # ``steps`` is the least number of steps if steps have many clicks; None if each is one click.
    if not files.stills and (names := list_drawing_options(theme)):
        raise OptionError(f"{names[0]} needs a .svg or .pdf still; choose such an output", names[0])
    if not files.stills and theme.print_width is not None:
        raise OptionError("print_width needs a still; choose still or sheet", "print_width")
    players = [suffix for suffix, readers in READERS.items() if theme.reader in readers]
    for name, is_wanted, takers in (
        ("wiring", theme.wiring != STRAIGHT, LAMP_SUFFIXES),
        ("panels", theme.panels != Panels(), LAMP_SUFFIXES),
        (f"reader {theme.reader}", theme.reader, players),
        ("visitor_clicks", theme.is_exhibit, [PAGE]),
        ("show_clicks total", theme.show_clicks == "total", [PAGE]),
    ):
        if is_wanted and not any(path.suffix.lower() in takers for path in files.animations):
            flaw = f"{name} needs a {' or '.join(takers)} file; choose such an output"
            raise OptionError(flaw, name.split()[0])
    across, down, _ = theme.panels
    if board.columns % across or board.rows % down:
        flaw = f"{across}x{down} panels do not divide a board of {board.columns}x{board.rows} cells"
        raise OptionError(f"{flaw}; choose columns and rows that are multiples", "panels")
    for still in files.stills:
        still.check_options(theme, *board.shape, planes, board.levels)
    shades = theme.shades_with_alpha(planes, board.levels)
    if len({*map(tuple, shades.tolist())}) < len(shades):
        option = "lit" if theme.colours is None else "colours"
        raise OptionError("some levels have the same colour; choose other colours", option)
    for format in map(find_format_by_suffix, files.animations):
        if (lamps := board.cells * (planes if format.planes_apart else 1)) > format.max_lamps:
            flaw = f"{format.with_article} has at most {format.max_lamps} lamps, not {lamps}"
            raise OptionError(f"{flaw}; choose fewer cells", "size")
        if format.has_pixels:
            format.check_look(theme, board, planes)
        if steps is not None:
            _check_step_count(format, board, planes, steps)


def check_code_contrast(words: Iterable[str], theme: Theme) -> None:
    """Raise OptionError if one of the pictures is a QR code that cameras cannot read."""
    lit, unlit = (colour_to_light(theme.colour_of(part).rgb) + FLARE for part in ("lit", "unlit"))
    if any(word.startswith(QR_PREFIX) for word in words) and lit < MIN_CODE_CONTRAST * unlit:
        limit = f"QR codes need lit cells of {MIN_CODE_CONTRAST} times the unlit cells' brightness"
        raise OptionError(f"{limit}, not {lit / unlit:.2g} times; choose other colours", "lit")


def _check_step_count(format: Format, board: Board, planes: int, steps: int) -> None:
    if not format.holds_steps:
        flaw = f"{format.with_article} cannot hold a clip or a dissolve"
        raise OptionError(f"{flaw}; choose stills, and transition wipe or sketch", "transition")
    if steps >= format.max_frames:
        megabytes = steps * (90 + planes * board.cells / 2) / 1e6  # fitted to measured clips
        limit = f"at most {format.max_frames} frames of a clip or a dissolve"
        estimate = f"{steps + 1} frames would take about {megabytes:.1f} MB"
        flaw = f"{format.with_article} has {limit}, and {estimate}"
        raise OptionError(f"{flaw}; choose fewer frames, or an MP4 or WebM")
    if format.load is not None:
        step_shape = packed_click_set_size((planes, *board.shape), board.levels)
        check_steps(steps, steps * math.prod(step_shape))


def _find_path_flaw(path: Path, overwrite: bool) -> str | None:
    # Return why a file or folder cannot be written; None if it can.
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        folder = target.parent if path.is_symlink() else path.parent
        return f"the folder {folder} does not exist"
    if target.is_dir() and (path.suffix or any(target.iterdir())):
        return "it is a folder" if path.suffix else "the folder is not empty"
    if target.exists() and not target.is_file() and not target.is_dir():
        return "it is a device or a pipe, not a file"
    if not os.access(target.parent, os.W_OK | os.X_OK):
        return f"the folder {path.parent} is not writable"
    if not overwrite and os.path.lexists(path) and not target.is_dir():
        raise file_exists_error(path)
    if target.is_file() and not path.suffix:
        return "it is a file, not a folder for PNGs"
    if target.exists():
        # A folder's sticky bit lets only root, its owner and the file's owner replace a file.
        parent, file = target.parent.stat(), target.stat()
        if parent.st_mode & stat.S_ISVTX and not is_user(0, parent.st_uid, file.st_uid):
            return "it belongs to another user, and the folder's sticky bit protects it"
    return None


def describe_format_limits(paths: Iterable[Path], animation: Animation, theme: Theme) -> list[str]:
    """Return a sentence on each option that an output's format cannot represent exactly."""
    formats = {path: find_format_by_suffix(path) for path in paths}
    notes = [
        f"{path.name} shows {format.max_fps:g} frames a second, the limit of {format.with_article}."
        for path, format in formats.items()
        if animation.fps > format.max_fps
    ]
    notes += [
        f"{path.name} shows partly transparent colours as opaque or not at all."
        for path, format in formats.items()
        if format.one_bit_alpha and theme.with_one_bit_alpha() != theme
    ]
    silent = [path.name for path, format in formats.items() if not format.holds_sound]
    if formats and may_flash(animation, theme):
        notes.append(
            "The film may flash more than three times a second (WCAG 2.3.1), so pages play it only "
            f"after a click: --fps {CALM_FPS} calms it."
        )
    if animation.sounds and silent:
        notes.append(f"{', '.join(silent)}: no sound; MP4 and WebM have the clips' sound.")
    geometry, (rows, columns) = geometry_of(animation, theme), animation.board.shape
    board_size = columns * geometry.cell, rows * geometry.cell
    is_covered = theme.shape == "square" and (geometry.width, geometry.height) == board_size
    if formats and theme.background is not None and is_covered:
        clear = "--unlit none makes cells clear"
        if theme.colours:
            clear = "none in --colours makes a level clear (verify --command lists the colours)"
        notes.append(f"The background is not seen: no gaps here; {clear}.")
    shown = animation.board.levels if animation.boards == 1 else 2
    if theme.colours and len(theme.colours) > shown:
        notes.append(f"{len(theme.colours)} colours for {shown} levels: not all are shown.")
    has_pixels = any(format.has_pixels for format in formats.values())
    if has_pixels and frame_layout(animation, theme)[1].coarse:
        shades = animation.board.levels**animation.boards
        notes.append(f"With {shades} shades, few colours are left for edges of cells and marks.")
    return notes


def check_no_source_is_replaced(
    sources: Sequence[object], outputs: Sequence[Path], description: str = "one of the pictures"
) -> None:
    """Raise OptionError if an output would replace one of the files that are read."""
    pictures = [s.picture if isinstance(s, Source) else s for s in sources]
    files = {os.path.realpath(p) for p in pictures if isinstance(p, str | os.PathLike)}
    for output in outputs:
        if os.path.realpath(output) in files:
            raise OptionError(f"{output} is {description}; write to another file")
