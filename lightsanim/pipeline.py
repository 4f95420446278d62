"""Pictures in, an animation out: the stages in order, and the report of what each did."""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import attrs

from lightsanim.animation.animate import animate
from lightsanim.animation.animation import Animation
from lightsanim.animation.boards import stacked
from lightsanim.animation.dissolve import dissolve
from lightsanim.animation.facts import MoveReport, PictureReport
from lightsanim.animation.film_board import board_for
from lightsanim.animation.film_of_clips import check_clips, expected_frames, film_of
from lightsanim.animation.label import UNSAID, Label
from lightsanim.animation.origin import Origin
from lightsanim.animation.sketch import sketch_film
from lightsanim.animation.wipe import wipe
from lightsanim.board.board import Board
from lightsanim.drawings.stills import Stills
from lightsanim.errors import OptionError, PictureError
from lightsanim.formats.load import open_source
from lightsanim.formats.output_files import (
    check_frames,
    check_length,
    check_no_source_is_replaced,
    check_outputs,
    notes_on,
    output_files,
)
from lightsanim.formats.outputs import write_files
from lightsanim.look.theme import Theme
from lightsanim.options.by_name import Result, taking_options
from lightsanim.options.checks import keyed
from lightsanim.options.seeds import drawn_seed
from lightsanim.options.table import (
    TRANSITIONS,
    Outputs,
    Plain,
    Request,
    Settings,
    plain,
    plain_values,
)
from lightsanim.pictures.clip import Clip, with_part_found_once
from lightsanim.pictures.crop import with_found_part
from lightsanim.pictures.dither import Target
from lightsanim.pictures.picture import Picture, PictureFile
from lightsanim.pictures.source import PictureSource, Source, as_source
from lightsanim.pictures.targets import targets_for, with_own
from lightsanim.puzzles.pictures import is_puzzle, picture_of
from lightsanim.reports.advice import advice_on
from lightsanim.reports.report import Report
from lightsanim.system.cores import cores
from lightsanim.system.deadline import CUT_SHORT, Deadline
from lightsanim.system.progress import Clock, Progress, untold
from lightsanim.system.threads import map_in_order
from lightsanim.version import __version__

WAYS = keyed(TRANSITIONS, {"wipe": wipe, "dissolve": dissolve, "sketch": sketch_film})


@taking_options(Request)
def make(pictures: Sequence[PictureSource], settings: Settings) -> Animation:
    """Turn pictures, stills and clips, into a Lights Out animation.

    Args:
        pictures: paths, Pillow images or arrays, two or more, or a single clip; three or more make
            a chain.
        settings: the options, each by its name: ``size=60``, ``order="radial"``, ...; see
            `lightsanim.Settings`; ``preset="linocut"`` for several at once.

    Raises:
        OptionError: for an unknown option, a value that it cannot take, or fewer than 2 pictures.
        PictureError: if a picture cannot be read.
        SolverError: if a solver fails.

    Returns:
        The animation, ready to be saved.

    >>> import numpy as np
    >>> fade = np.linspace(0, 1, 40).reshape(1, 40).repeat(30, axis=0)
    >>> make([fade, fade[:, ::-1]], size="8x6", seed=1)
    <Animation 'picture -> picture': 8x6 cells, 16 clicks, 17 frames, 3.64 s>
    """
    return _made(pictures, settings)[0]


@taking_options(Request)
def make_with_report(
    pictures: Sequence[PictureSource], settings: Settings
) -> tuple[Animation, Report]:
    """As `make`, with the report of what each stage did.

    Args:
        pictures: as for `make`.
        settings: the options, each by its name, as for `make`.

    Returns:
        The animation, and the facts of its making.
    """
    return _made(pictures, settings)


def _made(pictures: Sequence[PictureSource], settings: Settings) -> tuple[Animation, Report]:
    clock = Clock(untold)
    return solve_targets(read_targets(pictures, settings, clock), clock)


def make_files(
    pictures: Sequence[PictureSource],
    settings: Settings,
    theme: Theme,
    outputs: Outputs,
    progress: Progress = untold,
    on_written: Callable[[Animation], None] = lambda animation: None,
    *,
    label: Label = UNSAID,
) -> Report:
    """Make an animation and write it to one or more files.

    Args:
        pictures: paths, Pillow images or arrays.
        settings: the options of `make`.
        theme: the look.
        outputs: the files; their suffixes say in which formats.
        progress: see `Progress`.
        on_written: called with the animation when they are there.
        label: what the files say of the work.

    Returns:
        The facts of its making, with the files written.

    Raises:
        OptionError: for options that contradict each other or the formats.
        OutputError: if a file cannot be written; no half-written file is left behind.
    """
    pictures, files = list(map(as_source, pictures)), output_files(outputs)
    check_outputs(files, settings.longest)
    check_no_source_is_replaced(pictures, files.paths)
    clock = Clock(progress)
    read = read_targets(pictures, settings, clock)
    boards = 3 if settings.rgb else 1
    check_frames(files, theme, read.board, boards)
    check_length(files.animations, read.board, boards, _steps(read))
    animation, report = solve_targets(read, clock)
    animation = labelled(animation, label)
    fitted = write_files(animation, files, theme, clock)
    on_written(animation)
    notes = [*report.notes, *notes_on(files.animations, animation, theme), *fitted]
    return replace(report, outputs=list(map(str, files.paths)), notes=notes)


def _steps(read: "ReadPictures") -> int | None:
    # How many the film has at least; None where each click is made by itself.
    clips = any(isinstance(targets, Clip) for targets in read.targets)
    if not clips and read.settings.transition != "dissolve":
        return None
    return max(0, expected_frames(read.targets, read.settings.frame_rate) - 1)


def labelled(animation: Animation, label: Label) -> Animation:
    """An animation that `make` has made, with what is said of it."""
    if animation.origin is None or animation.origin.label == label:
        return animation
    return replace(animation, origin=replace(animation.origin, label=label))


class Rendered(NamedTuple):
    """What was written without solving.

    Attributes:
        outputs: the files.
        notes: what else there is to know, in a sentence each.
    """

    outputs: list[str]
    notes: list[str]


def render_files(
    animation: Animation,
    theme: Theme,
    outputs: Outputs,
    *,
    still: str | Path | None = None,
    frame: int = -1,
    progress: Progress = untold,
) -> Rendered:
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
    files = output_files(outputs)
    if still is not None:
        files = replace(files, stills=(Stills(path=Path(still), frame=frame), *files.stills))
    check_outputs(files, float(animation.durations().max()))
    check_frames(files, theme, animation.board, animation.boards)
    fitted = write_files(animation, files, theme, Clock(progress))
    notes = [*notes_on(files.animations, animation, theme), *fitted]
    return Rendered(outputs=list(map(str, files.paths)), notes=notes)


class ReadPicture(NamedTuple):
    """A picture's digest, its own options, and what was found in it."""

    sha256: str | None
    own: Mapping[str, Plain]
    found: str | None

    @classmethod
    def of(cls, picture: Picture | Clip, found: str | None) -> "ReadPicture":
        """What is kept of a picture."""
        return cls(sha256=picture.sha256, own=plain_values(picture.own), found=found)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadPictures:
    """Pictures that were read and dithered; clips were opened only.

    Attributes:
        settings: as they suit the pictures.
        board: whose cells are to show them.
        paths: what the user calls them.
        own: the options of each, see `lightsanim.animation.origin.Origin`.
        sha256: of each picture's file; None where there is none.
        targets: of each picture, one for each board, 1, or in colour 3; or the clip.
        cut_short: whether the time limit ended the search for a puzzle's answer.
        notes: on what was looked for in them.
    """

    settings: Settings
    board: Board
    paths: list[str]
    own: tuple[Mapping[str, Plain], ...]
    sha256: tuple[str | None, ...]
    targets: list[list[Target] | Clip]
    cut_short: bool
    notes: list[str]


def read_targets(
    pictures: Sequence[PictureSource],
    settings: Settings,
    clock: Clock,
    targets_of: Callable[[Picture, Board, Settings], list[Target]] = targets_for,
) -> ReadPictures:
    """Read pictures one after the other, and dither them side by side.

    Args:
        pictures: paths, Pillow images or arrays.
        settings: the options of `make`.
        clock: told of the progress.
        targets_of: as `targets_for`; who asks again and again can keep what takes long.

    Raises:
        OptionError: for a still alone, or a board that is too large.
        PictureError: if a picture cannot be read.
    """
    sources = [as_source(picture) for picture in pictures]
    puzzles = Deadline(math.inf)
    with clock.stage("read"):
        opened = [
            _numbered(number, source, partial(opened_of, source, settings))
            for number, source in enumerate(sources, start=1)
        ]
        settings = settings_for(opened, settings)
        loaded = (
            picture
            if isinstance(picture, Clip)
            else _numbered(number, source, partial(picture_of, picture, settings, within=puzzles))
            for number, (source, picture) in enumerate(zip(sources, opened, strict=True), start=1)
        )
        first = next(loaded)
        board = board_for(first.first if isinstance(first, Clip) else first, settings)
        shape = board.columns / board.rows

        def dithered(picture: Picture | Clip) -> tuple[ReadPicture, list[Target] | Clip]:
            if isinstance(picture, Clip):
                picture, found = with_part_found_once(picture, settings, shape)
                return ReadPicture.of(picture, found), picture
            picture, found = with_found_part(picture, with_own(settings, picture), shape)
            return ReadPicture.of(picture, found), targets_of(picture, board, settings)

        read, targets = zip(
            *map_in_order(dithered, chain([first], loaded), workers=cores()), strict=True
        )
    paths = [source.path for source in sources]
    return ReadPictures(
        settings=settings,
        board=board,
        paths=paths,
        own=tuple(picture.own for picture in read) if any(picture.own for picture in read) else (),
        sha256=tuple(picture.sha256 for picture in read),
        targets=list(targets),
        cut_short=puzzles.cut_short,
        notes=[
            f"{path} shows {picture.found}: crop {picture.own['crop']}."
            for path, picture in zip(paths, read, strict=True)
            if picture.found is not None
        ],
    )


def _numbered(number: int, source: Source, read: Callable[[], Result]) -> Result:
    # What has no name of its own is called by its place in messages.
    try:
        return read()
    except PictureError as error:
        if isinstance(source.picture, str | os.PathLike | PictureFile | Picture):
            raise
        reason = str(error).removeprefix(f"cannot read {source.path}: ")
        raise PictureError(f"cannot read picture {number}: {reason}") from error


def opened_of(source: Source, settings: Settings) -> Picture | Clip | Source:
    """A clip, or a frame of one; a still as it is, to be loaded when its turn comes.

    Args:
        source: of any kind.
        settings: the options of `make`.

    Raises:
        PictureError: if it cannot be read.
        OptionError: for a part of a clip that it does not have.
    """
    opened = source if is_puzzle(source) else open_source(source, settings)
    # Pipes can be read once only; of files the bytes need not be kept.
    return source if isinstance(opened, Source) and os.path.isfile(source.path) else opened


def settings_for(opened: Sequence[Picture | Clip | Source], settings: Settings) -> Settings:
    """The settings as they suit the pictures.

    Args:
        opened: as of `opened_of`.
        settings: the options of `make`.

    Raises:
        OptionError: for a still alone, or options that clips cannot have.
    """
    clips = [picture for picture in opened if isinstance(picture, Clip)]
    stills = [picture for picture in opened if not isinstance(picture, Clip)]
    if len(stills) < 2 and not clips:
        for still in stills:
            picture_of(still, settings)  # what cannot be read is not a still
        raise OptionError(f"an animation needs a clip, or at least 2 pictures, not {len(opened)}")
    if not clips:
        return settings.suited()
    check_clips(len(opened), settings)
    return settings.suited(clips[0].fps)


def solve_targets(read: ReadPictures, clock: Clock) -> tuple[Animation, Report]:
    """The animation that leads from each picture to the next, and the facts of its making.

    Args:
        read: the pictures.
        clock: told of the progress.
    """
    seed = drawn_seed() if read.settings.seed is None else read.settings.seed
    read = replace(read, settings=attrs.evolve(read.settings, seed=seed))
    stills = [targets for targets in read.targets if not isinstance(targets, Clip)]
    if len(stills) < len(read.targets):
        return _film(read, clock)
    return _of_stills(read, stills, clock)


def _of_stills(
    read: ReadPictures, targets: Sequence[Sequence[Target]], clock: Clock
) -> tuple[Animation, Report]:
    board, settings = read.board, read.settings
    transition = WAYS[settings.transition](board, targets, settings, clock)
    cut_short = read.cut_short or transition.cut_short
    animation = animate(
        board,
        stacked([nearest.configuration for nearest in transition.reached[0]]),
        transition.moves,
        settings,
        fronts=transition.fronts,
        returns=settings.cycle or settings.boomerang,
        pictures=tuple(target.name for target, *_ in targets),
        targets=tuple(stacked([t.configuration for t in boards]) for boards in targets),
        seed=settings.seed,
        origin=_origin(read, cut_short),
    )
    pictures = list(map(PictureReport.of, read.paths, transition.reached))
    facts = pictures, transition.reports, transition.notes
    return animation, _report(read, animation, *facts, cut_short, clock)


def _film(read: ReadPictures, clock: Clock) -> tuple[Animation, Report]:
    board, settings = read.board, read.settings
    pictures = list(zip(read.paths, read.targets, strict=True))
    film = film_of(board, pictures, settings, WAYS[settings.transition], clock)
    cut_short = read.cut_short or film.cut_short
    animation = film.animation(board, settings, _origin(read, cut_short))
    facts = film.pictures, film.moves, film.notes
    return animation, _report(read, animation, *facts, cut_short, clock)


def _origin(read: ReadPictures, cut_short: bool) -> Origin:
    return Origin(
        program=__version__,
        settings=plain(read.settings),
        sha256=read.sha256,
        cut_short=cut_short,
        own=read.own,
    )


def _report(
    read: ReadPictures,
    animation: Animation,
    pictures: list[PictureReport],
    moves: Sequence[MoveReport],
    notes: Sequence[str],
    cut_short: bool,
    clock: Clock,
) -> Report:
    board = read.board
    return Report(
        board={**board.as_dict(), "nullity": board.nullity},
        pictures=pictures,
        moves=list(moves),
        frames=len(animation),
        fps=animation.fps,
        boards=animation.boards,
        duration=round(float(animation.durations().sum()), 3),
        seed=animation.seed,
        seconds=clock.seconds,
        cut_short=cut_short,
        notes=[
            *read.notes,
            *([CUT_SHORT] if cut_short else []),
            *notes,
            # Without its ends a sketch shows no picture exactly, whatever the board.
            *(advice_on(board, pictures, cut_short) if read.settings.settle else []),
        ],
    )
