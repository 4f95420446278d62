"""Pictures in, an animation out: the stages in order, and the report of what each did."""

import os
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, fields, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np

from lightsanim.animation.animation import Animation, animate
from lightsanim.animation.origin import Origin
from lightsanim.board.board import Board
from lightsanim.cores import cores
from lightsanim.errors import OptionError
from lightsanim.formats.outputs import (
    check_frames,
    check_outputs,
    check_times,
    notes_on,
    write_together,
)
from lightsanim.formats.stills import SHEET_FRAMES, Stills
from lightsanim.look.theme import Theme
from lightsanim.pictures.load import PictureSource, load_picture, path_of
from lightsanim.pictures.picture import Picture
from lightsanim.puzzles.table import PREFIX, puzzle_picture
from lightsanim.report import MoveReport, PictureReport, Report
from lightsanim.settings import Settings
from lightsanim.solve.fewest import Fewest
from lightsanim.solve.nearest import Nearest
from lightsanim.stages import (
    Clock,
    Progress,
    board_for,
    find_fewest,
    find_nearest,
    order_moves,
    stacked,
    targets_for,
)
from lightsanim.version import __version__


def make(pictures: Sequence[PictureSource], **options: Any) -> Animation:
    """Turn two or more pictures into a Lights Out animation.

    Args:
        pictures: paths, Pillow images or arrays; three or more make a chain.
        options: the fields of `lightsanim.Settings`: ``size=60``, ``order="radial"``, ...

    Raises:
        OptionError: for an unknown option, a value that it cannot take, or fewer than 2 pictures.
        PictureError: if a picture cannot be read.
        SolverError: if a solver fails.

    Returns:
        The animation, ready to be saved.

    >>> fade = np.linspace(0, 1, 40).reshape(1, 40).repeat(30, axis=0)
    >>> animation = make([fade, fade[:, ::-1]], size="8x6", seed=1)
    >>> animation.first.shape, len(animation.pictures)
    ((6, 8), 2)
    """
    unknown = sorted(set(options) - {field.name for field in fields(Settings)})
    if unknown:
        known = ", ".join(field.name for field in fields(Settings))
        raise OptionError(f"unknown option {unknown[0]!r}; known: {known}")
    return make_with_report(pictures, Settings(**options))[0]


def make_files(
    pictures: Sequence[PictureSource],
    outputs: Sequence[str | Path],
    settings: Settings,
    theme: Theme,
    *,
    sheet: Path | None = None,
    sheet_frames: int = SHEET_FRAMES,
    overwrite: bool = True,
    progress: Progress = lambda stage, share, note: None,
) -> Report:
    """Make an animation and write it to one or more files.

    Args:
        pictures: paths, Pillow images or arrays.
        outputs: the files; their suffixes say in which formats.
        settings: the options of `make`.
        theme: the look.
        sheet: a picture of several stills side by side.
        sheet_frames: how many.
        overwrite: whether files that exist may be replaced.
        progress: see `Progress`.

    Returns:
        The facts of its making, with the files written.

    Raises:
        OptionError: for options that contradict each other or the formats.
        OutputError: if a file cannot be written; no half-written file is left behind.
    """
    longest = max(settings.hold_first, settings.hold_last) + 1 / settings.fps
    stills = [Stills(path=sheet, count=sheet_frames)] if sheet is not None else []
    paths = check_outputs(outputs, longest, stills, overwrite=overwrite)
    everything = [*paths, *(still.path for still in stills)]
    _check_no_picture_is_replaced(pictures, everything)
    animation, report = make_with_report(
        pictures,
        settings,
        progress,
        approve=lambda board: check_frames(paths, theme, board, stills),
    )
    clock = Clock(progress)
    write_files(animation, paths, stills, theme, clock)
    return replace(
        report,
        outputs=[str(path) for path in everything],
        seconds=report.seconds | clock.seconds,
        notes=notes_on(paths, settings.fps),
    )


def render_files(
    animation: Animation,
    outputs: Sequence[str | Path],
    theme: Theme,
    *,
    still: Path | None = None,
    frame: int = -1,
    sheet: Path | None = None,
    sheet_frames: int = SHEET_FRAMES,
    overwrite: bool = True,
    progress: Progress = lambda stage, share, note: None,
) -> list[str]:
    """Write an animation to files, without solving; arguments as for `make_files`, and:

    Args:
        animation: what to draw.
        outputs: the files.
        theme: the look.
        still: a picture of one frame.
        frame: which one, -1 being the last.
        sheet: a picture of several stills side by side.
        sheet_frames: how many.
        overwrite: whether files that exist may be replaced.
        progress: see `Progress`.

    Returns:
        The files written.
    """
    stills = [Stills(path=still, frame=frame)] if still is not None else []
    stills += [Stills(path=sheet, count=sheet_frames)] if sheet is not None else []
    longest = float(animation.durations().max())
    paths = check_outputs(outputs, longest, stills, overwrite=overwrite)
    check_frames(paths, theme, animation.board, stills)
    write_files(animation, paths, stills, theme, Clock(progress))
    return [str(path) for path in [*paths, *(still.path for still in stills)]]


def write_files(
    animation: Animation,
    paths: Sequence[Path],
    stills: Sequence[Stills],
    theme: Theme,
    clock: Clock,
) -> None:
    """The stage that writes: files and stills that are checked already."""
    # Equal pictures add up their holds, which only the animation knows.
    check_times(paths, float(animation.durations().max()))
    frames, written = len(animation.frames) * len(paths), count(1)
    with clock.stage("write"):
        write_together(
            animation,
            paths,
            stills,
            theme,
            lambda: clock.progress("write", next(written) / frames, ""),
        )


def _check_no_picture_is_replaced(
    pictures: Sequence[PictureSource], outputs: Sequence[Path]
) -> None:
    sources = {os.path.realpath(p) for p in pictures if isinstance(p, str | os.PathLike)}
    for output in outputs:
        if os.path.realpath(output) in sources:
            raise OptionError(f"{output} is one of the pictures; write to another file")


def make_with_report(
    pictures: Sequence[PictureSource],
    settings: Settings,
    progress: Progress = lambda stage, share, note: None,
    approve: Callable[[Board], None] = lambda board: None,
) -> tuple[Animation, Report]:
    """As `make`, with the report of what each stage did.

    Args:
        pictures: paths, Pillow images or arrays.
        settings: all options.
        progress: told of every stage and of the searches in it, from several threads.
        approve: called with the board before the search begins; refuses by raising.

    Returns:
        The animation, and the facts of its making.
    """
    if isinstance(pictures, str | os.PathLike):
        raise OptionError(f"pictures must be a list of at least 2, not {str(pictures)!r} alone")
    if len(pictures) < 2:
        raise OptionError(f"an animation needs at least 2 pictures, not {len(pictures)}")
    seed = drawn_seed() if settings.seed is None else settings.seed
    clock = Clock(progress)
    with clock.stage("read"):
        loaded = (picture_of(source, settings) for source in pictures)
        first = next(loaded)
        board = board_for(first, settings)
        approve(board)
        with ThreadPoolExecutor(max_workers=cores()) as pool:
            # Read one after the other, dithered side by side.
            dithered = [
                (picture.sha256, pool.submit(targets_for, picture, board, settings))
                for picture in chain([first], loaded)
            ]
            digests = tuple(sha256 for sha256, _ in dithered)
            targets = [target.result() for _, target in dithered]
    with clock.stage("nearest") as say:
        reached = find_nearest(board, targets, settings, say)
        stops = [*reached, reached[0]] if settings.cycle else reached
    with clock.stage("fewest") as say:
        moves = find_fewest(board, stops, settings, say)
    with clock.stage("order"):
        rng = np.random.default_rng(seed)
        animation = animate(
            board,
            stacked([nearest.configuration for nearest in reached[0]]),
            order_moves(board, moves, reached, targets, settings, rng),
            settings.timing,
            returns=settings.cycle or settings.boomerang,
            pictures=tuple(target.name for target, *_ in targets),
            targets=tuple(stacked([t.configuration for t in boards]) for boards in targets),
            seed=int(seed),
            origin=Origin(
                program=__version__, settings=replace(settings, seed=seed).as_dict(), sha256=digests
            ),
        )
    return animation, report_of(pictures, animation, reached, moves, clock.seconds)


def picture_of(source: PictureSource, settings: Settings) -> Picture:
    """The picture of a source; a path such as ``puzzle:abbott:24`` stands for a puzzle's answer.

    >>> picture = picture_of("puzzle:abbott:8", Settings())
    >>> picture.name, picture.light.shape
    ('abbott 8', (8, 8))
    """
    called = path_of(source)
    if not called.startswith(PREFIX):
        return load_picture(source, settings.background, rgb=settings.rgb)
    answer = load_picture(puzzle_picture(called, time_limit=settings.time_limit), rgb=settings.rgb)
    return replace(answer, name=called.removeprefix(PREFIX).replace(":", " "))


def report_of(
    pictures: Sequence[PictureSource],
    animation: Animation,
    reached: Sequence[Sequence[Nearest]],
    moves: Sequence[Sequence[Fewest]],
    seconds: dict[str, float],
) -> Report:
    """The facts of a finished run, without its outputs."""
    board = animation.board
    return Report(
        board={**asdict(board), "nullity": board.nullity},
        pictures=[
            PictureReport.of(path_of(picture), nearest)
            for picture, nearest in zip(pictures, reached, strict=True)
        ],
        moves=[MoveReport.of(move) for move in moves],
        frames=len(animation.frames),
        fps=float(animation.fps),
        boards=animation.boards,
        duration=round(float(animation.durations().sum()), 3),
        seed=animation.seed,
        seconds=seconds,
    )


def drawn_seed() -> int:
    """A seed that nobody chose, short enough to type."""
    return secrets.randbelow(10**6)
