"""The output files of a command: their names, checks before the work, and notes after it."""

import math
import os
import stat
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import attrs

from lightsanim.errors import OptionError, OutputError
from lightsanim.film.animation import Animation
from lightsanim.film.clicks import packed_click_set_size
from lightsanim.game.board.board import Board
from lightsanim.options.choices import STILL_SUFFIXES
from lightsanim.options.look import FrameOptions
from lightsanim.options.outputs import (
    OUTPUT_OPTIONS,
    Kinds,
    OutputFile,
    Outputs,
    describe_takers,
    list_options,
)
from lightsanim.options.records import non_default_values
from lightsanim.options.values import Canvas, numbered_file_names, to_file_stem
from lightsanim.output.drawings.stills import Stills
from lightsanim.output.formats.bit_packing import check_steps
from lightsanim.output.formats.registry import (
    Format,
    check_suffix,
    find_format_by_suffix,
)
from lightsanim.output.lamps.wiring import LIBRARIES
from lightsanim.output.look.flashing import CALM_FPS, may_flash
from lightsanim.output.look.paint_film import frame_layout, geometry_of
from lightsanim.output.look.theme import Theme
from lightsanim.pictures.light import colour_to_light
from lightsanim.pictures.source import Source
from lightsanim.pictures.words.table import find_word
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
    # The options that a file has itself, and the names of all that it can have.
    own: Mapping[Path, Mapping[str, Any]] = field(default_factory=dict)
    known: Mapping[Path, Collection[str]] = field(default_factory=dict)
    overwrite: bool = True  # Whether existing files may be replaced.

    @classmethod
    def from_options(cls, outputs: Outputs) -> "OutputFiles":
        """Return the files that the output options name."""
        own, known = dict[Path, Any](), dict[Path, Any]()
        for file, table in outputs.files:
            file.check_options(table)
            known[file.path] = file.known_options(table)
            own[file.path] = _with_shared_options(outputs, file, known[file.path])
        if outputs.max_bytes is not None and all("max_bytes" not in o for o in own.values()):
            takers = describe_takers("max_bytes")
            raise OptionError(f"max_bytes is for {takers}; choose such an output", "max_bytes")
        return cls(
            animations=outputs.paths,
            stills=tuple(
                Stills.from_options(file.path, own[file.path], is_sheet=file is outputs.sheet)
                for file in (outputs.still, outputs.sheet)
                if file is not None
            ),
            own=own,
            known=known,
            overwrite=outputs.overwrite,
        )

    @classmethod
    def by_suffix(cls, outputs: Outputs, table: Mapping[str, Kinds]) -> "OutputFiles":
        """Sort the outputs by suffix into animations, stills of the first frame, and text files.

        ``table`` has the suffixes that are possible, and the options of each.

        >>> OutputFiles.by_suffix(Outputs(output=["a.txt", "b.gif"]), {TEXT: (), GIF: ()}).texts
        (PosixPath('a.txt'),)
        """
        kinds: dict[str, list[Path]] = {"film": [], "still": [], "text": []}
        own, known = dict[Path, Any](), dict[Path, Any]()
        for file in outputs.output:
            suffix = check_suffix(file.path, tuple(table))
            file.check_options(table)
            own[file.path], known[file.path] = file.own, file.known_options(table)
            kind = "still" if suffix in STILL_SUFFIXES else "text" if suffix == TEXT else "film"
            kinds[kind].append(file.path)
        return cls(
            animations=tuple(kinds["film"]),
            stills=tuple(Stills(path=path, frame="0") for path in kinds["still"]),
            texts=tuple(kinds["text"]),
            own=own,
            known=known,
            overwrite=outputs.overwrite,
        )

    @property
    def all_paths(self) -> list[Path]:
        """The paths of all files."""
        return [*self.animations, *(still.path for still in self.stills), *self.texts]

    def theme_for_board(self, theme: Theme, canvas: Canvas | None) -> Theme:
        """Return the look of the first file, whose canvas shapes the board, as ``canvas`` does."""
        first = self.theme_of(self.all_paths[0], theme)
        if first.canvas is not None or canvas is None:
            return first
        return attrs.evolve(first, canvas=canvas, width=Theme().width)

    def theme_of(self, path: Path, theme: Theme) -> Theme:
        """Return the look of one file: ``theme`` with the file's own options, and no others'."""
        names = {name for name in OUTPUT_OPTIONS if hasattr(theme, name)}
        known = {*self.known.get(path, names), *list_options((FrameOptions,))}
        changed = {name: getattr(Theme(), name) for name in names - known}
        own = {name: value for name, value in self.own.get(path, {}).items() if name in names}
        # A size of the file replaces a size of another kind for all files.
        changed |= {"canvas": None} if "width" in own else {}
        changed |= {"width": Theme().width} if "canvas" in own else {}
        if "visitor_clicks" in own and theme.panel_side is not None:
            changed["show_clicks"] = None  # such a page has no place for a panel
        return attrs.evolve(theme, **{**changed, **own})


def _with_shared_options(
    outputs: Outputs, file: OutputFile, known: Collection[str]
) -> Mapping[str, Any]:
    # Return a file's own options, and those given once for all outputs.
    shared = {"max_bytes": outputs.max_bytes, "canvas": outputs.canvas}
    replaced = {"canvas"} if "width" in file.own else set()
    given = {n: v for n, v in shared.items() if v is not None and n in known and n not in replaced}
    return {**given, **file.own}


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
            raise OptionError(
                f"{format.with_article} shows a frame for at most {format.max_seconds:g} seconds, "
                f"not {longest_hold:g}"
            )


def check_formats_hold_board(
    files: OutputFiles, theme: Theme, board: Board, planes: int = 1, steps: int | None = None
) -> None:
    """Raise OptionError if a format cannot hold a board's frames, or an option needs another."""
    # ``steps`` is the least number of steps if steps have many clicks; None if each is one click.
    known = {*chain(*files.known.values()), *list_options((FrameOptions,))}
    for name in sorted(non_default_values(theme).keys() & OUTPUT_OPTIONS.keys()):
        if name not in known:
            raise OptionError(f"{name} is for {describe_takers(name)}; choose such an output", name)
    exhibits = [path for path in files.animations if files.own.get(path, {}).get("visitor_clicks")]
    if theme.panel_side is not None and [*exhibits] == files.all_paths:
        flaw = "pages on which visitors click have no panel of clicks"
        raise OptionError(f"{flaw}; leave show_clicks or visitor_clicks out", "show_clicks")
    for still in files.stills:
        look = files.theme_of(still.path, theme)
        still.check_options(look, *board.shape, planes, board.levels)
        _check_shades(look, planes, board.levels)
    for path in files.animations:
        format, look = find_format_by_suffix(path), files.theme_of(path, theme)
        _check_library(path, look)
        _check_panels(look, board)
        _check_shades(look, planes, board.levels)
        if (lamps := board.cells * (planes if format.planes_apart else 1)) > format.max_lamps:
            flaw = f"{format.with_article} has at most {format.max_lamps} lamps, not {lamps}"
            raise OptionError(f"{flaw}; choose fewer cells", "size")
        if format.has_pixels:
            format.check_look(look, board, planes)
        if steps is not None:
            _check_step_count(format, board, planes, steps)


def _check_library(path: Path, theme: Theme) -> None:
    libraries = LIBRARIES.get(path.suffix.lower(), (None,))
    if theme.library is not None and theme.library not in libraries:
        expected = " or ".join(filter(None, libraries))
        raise OptionError(
            f"library of {path.name} must be {expected}, not {theme.library}", "library"
        )


def _check_panels(theme: Theme, board: Board) -> None:
    across, down, _ = theme.panels
    if board.columns % across or board.rows % down:
        raise OptionError(
            f"{across}x{down} panels do not divide a board of {board.columns}x{board.rows} cells; "
            "choose columns and rows that are multiples",
            "panels",
        )


def _check_shades(theme: Theme, planes: int, levels: int) -> None:
    shades = theme.shades_with_alpha(planes, levels)
    if len({*map(tuple, shades.tolist())}) < len(shades):
        raise OptionError(
            "some levels have the same colour; choose other colours",
            "lit" if theme.colours is None else "colours",
        )


def check_code_contrast(words: Iterable[str], theme: Theme) -> None:
    """Raise OptionError if one of the pictures is a QR code that cameras cannot read."""
    lit, unlit = (colour_to_light(theme.colour_of(part).rgb) + FLARE for part in ("lit", "unlit"))
    is_scanned = any(find_word(word).needs_contrast for word in words)
    if is_scanned and lit < MIN_CODE_CONTRAST * unlit:
        raise OptionError(
            f"QR codes need lit cells of {MIN_CODE_CONTRAST} times the unlit cells' brightness, "
            f"not {lit / unlit:.2g} times; choose other colours",
            "lit",
        )


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


def describe_format_limits(files: OutputFiles, animation: Animation, theme: Theme) -> list[str]:
    """Return a sentence on each option that an output's format cannot represent exactly."""
    formats = {path: find_format_by_suffix(path) for path in files.animations}
    looks = {path: files.theme_of(path, theme) for path in formats}
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
    drawn = {path: look for path, look in looks.items() if formats[path].has_pixels}
    notes += _describe_margins(drawn)
    is_covered = theme.shape == "square" and not any(
        has_margins_or_gaps(look, animation) for look in looks.values()
    )
    if formats and theme.background is not None and is_covered:
        clear = "--unlit none makes cells clear"
        if theme.colours:
            clear = "none in --colours makes a level clear (verify --command lists the colours)"
        notes.append(f"The background is not seen: no gaps here; {clear}.")
    shown = animation.board.levels if animation.boards == 1 else 2
    if theme.colours and len(theme.colours) > shown:
        notes.append(f"{len(theme.colours)} colours for {shown} levels: not all are shown.")
    if any(frame_layout(animation, look)[1].coarse for look in drawn.values()):
        shades = animation.board.levels**animation.boards
        notes.append(f"With {shades} shades, few colours are left for edges of cells and marks.")
    return notes


def has_margins_or_gaps(theme: Theme, animation: Animation) -> bool:
    """Return whether a frame in this look has other pixels than those of cells."""
    geometry, (rows, columns) = geometry_of(animation, theme), animation.board.shape
    return (geometry.width, geometry.height) != (columns * geometry.cell, rows * geometry.cell)


def _describe_margins(looks: Mapping[Path, Theme]) -> list[str]:
    # Tell which files have margins, because the canvas of the first output shapes the board.
    canvases = {path: look.canvas for path, look in looks.items() if look.canvas is not None}
    first = next(iter(canvases), None)
    others = [path.name for path, canvas in canvases.items() if canvas != canvases[first or path]]
    if not others or first is None:
        return []
    verb = "has" if len(others) == 1 else "have"
    return [f"{', '.join(others)} {verb} margins: the canvas of {first.name} shapes the board."]


def check_no_source_is_replaced(
    sources: Sequence[object], outputs: Sequence[Path], description: str = "one of the pictures"
) -> None:
    """Raise OptionError if an output would replace one of the files that are read."""
    pictures = [s.picture if isinstance(s, Source) else s for s in sources]
    files = {os.path.realpath(p) for p in pictures if isinstance(p, str | os.PathLike)}
    for output in outputs:
        if os.path.realpath(output) in files:
            raise OptionError(f"{output} is {description}; write to another file")
