"""The pipeline from pictures to an animation: its stages in order, and their report."""

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Unpack

import attrs
import numpy as np

from lightsanim.board_choice import choose_board
from lightsanim.errors import OptionError, PictureError
from lightsanim.film.animation import Animation
from lightsanim.film.build_film import build_film, check_clips
from lightsanim.film.clip_film import estimate_clip_frames
from lightsanim.film.order import choose_order
from lightsanim.film.origin import NO_LABEL, Label, Origin
from lightsanim.film.timing import divide_total
from lightsanim.film.transitions.searched_wipe import join_boards
from lightsanim.game.board.board import Board
from lightsanim.options.checks import check_list
from lightsanim.options.choices import (
    AUTO,
    BLUE_NOISE,
    LEVELS,
    SEARCHED_DITHERS,
    THRESHOLD,
    WORD_PREFIXES,
)
from lightsanim.options.keywords import MakeKeywords
from lightsanim.options.outputs import Outputs
from lightsanim.options.picture_options import format_source
from lightsanim.options.records import JsonValue, options_to_json_object, to_json_values
from lightsanim.options.settings import (
    Settings,
    choose_seed,
    require_named_options,
    settings_from_values,
    transitions_with_option,
)
from lightsanim.options.values import PictureWords, Size
from lightsanim.output.look.theme import Theme
from lightsanim.output.reports.report import Report, perfect_size_advice
from lightsanim.output.saving.output_files import (
    OutputFiles,
    check_code_contrast,
    check_formats_hold_board,
    check_no_source_is_replaced,
    check_outputs,
    describe_format_limits,
)
from lightsanim.output.saving.save import write_files
from lightsanim.pictures.clip import Clip, resolve_clip_focus, sample_clip_cells
from lightsanim.pictures.dither import Target
from lightsanim.pictures.faces import INSTALL_OPENCV, can_find_faces
from lightsanim.pictures.load import open_source
from lightsanim.pictures.picture import Picture, PictureFile
from lightsanim.pictures.puzzle_pictures import is_puzzle_source, load_source_picture
from lightsanim.pictures.shots import clip_shot, still_shot
from lightsanim.pictures.source import PictureSource, Source, append_more_pictures, to_source
from lightsanim.pictures.spot import SpotTarget, find_spot_colours
from lightsanim.pictures.targets import (
    PictureCells,
    cells_for,
    describe_cut,
    dither_cells,
    resolve_auto_dither,
    resolve_still,
)
from lightsanim.system.cores import max_cores
from lightsanim.system.deadline import CUT_SHORT_NOTE, Deadline
from lightsanim.system.progress import Progress, StageTimer, no_progress
from lightsanim.system.threads import Result, map_in_order
from lightsanim.version import __version__

MAX_KEPT_BYTES = 500_000_000  # Maximum bytes of files kept in memory; others are read again.

# Mean CIEDE2000 difference of flat pictures in spot colours above which more levels are suggested.
MAX_FLAT_DIFFERENCE = 1.5

NO_FACE_SEARCH_NOTE = f"No face was looked for, because OpenCV 4 is missing: {INSTALL_OPENCV}"


@require_named_options
def make(pictures: Sequence[PictureSource], /, **options: Unpack[MakeKeywords]) -> Animation:
    """Turn pictures (stills or clips) into a Lights Out animation.

    Args:
        pictures: two or more paths, Pillow images or arrays; a single clip; or a single still with
            ``transition="automaton"``.  Each picture becomes the next.
        options: options of `lightsanim.Settings` by name, such as ``size=60``, and ``preset``.
            ``order`` may also be an array (rows, columns) of the times at which cells are clicked,
            or a function that computes it from float arrays of the rows and columns of all cells.

    Raises:
        OptionError: if an option is unknown or invalid, or if there are too few pictures.
        PictureError: if a picture cannot be read.
        SolverError: if a solver fails.

    >>> import numpy as np
    >>> fade = np.linspace(0, 1, 40).reshape(1, 40).repeat(30, axis=0)
    >>> make([fade, fade[:, ::-1]], size="8x6", seed=1)
    <Animation 'picture -> picture': 8x6 cells, 15 clicks, 16 frames, 4.6 s>
    """
    return make_with_report(pictures, **options)[0]


@require_named_options
def make_with_report(
    pictures: Sequence[PictureSource], /, **options: Unpack[MakeKeywords]
) -> tuple[Animation, Report]:
    """Make an animation as `make` does, and return it with the report of all stages."""
    settings, clock = settings_from_values(options), StageTimer(no_progress)
    sources = append_more_pictures(check_list("pictures", pictures), settings.more_pictures)
    return solve_targets(read_targets(sources, settings, clock), clock)


def make_files(
    pictures: Sequence[PictureSource],
    settings: Settings,
    theme: Theme,
    outputs: Outputs,
    progress: Progress = no_progress,
    on_written: Callable[[Animation], None] = lambda animation: None,
    *,
    label: Label = NO_LABEL,
) -> Report:
    """Make an animation and write it to one or more files.

    Args:
        pictures: pictures as for `make`, and last those of ``settings.more_pictures``.
        settings: options of `make`.
        theme: look of the frames.
        outputs: files to write, with formats by their suffixes.
        progress: callback for the progress of each stage.
        on_written: callback that takes the animation after its files have been written.
        label: title and credits to store in the files.

    Raises:
        OptionError: if options contradict each other or the formats.
        OutputError: if a file cannot be written; no half-written file is left behind.
    """
    files, clock = OutputFiles.from_options(outputs), StageTimer(progress)
    sources = list(map(to_source, check_list("pictures", pictures)))
    check_outputs(files, settings.longest)
    check_no_source_is_replaced(sources, files.all_paths)
    theme = theme.with_click_totals() if settings.clicks_picture else theme
    first = files.theme_of(files.all_paths[0], theme)
    if first.canvas is None and outputs.canvas is not None:
        first = attrs.evolve(first, canvas=outputs.canvas, width=Theme().width)
    read = read_targets(sources, settings, clock, theme=first)
    theme = theme.with_spot_colours(read.settings.spot)
    check_formats_hold_board(files, theme, read.film_board, read.plane_count, read.min_step_count)
    check_code_contrast([*read.paths, *settings.more_pictures], theme)
    animation, report = solve_targets(read, clock)
    animation = add_label(animation, label)
    fitted = write_files(animation, files, theme, clock)
    on_written(animation)
    notes = [*report.notes, *describe_format_limits(files, animation, theme), *fitted]
    return replace(report, outputs=list(map(str, files.all_paths)), notes=notes)


def add_label(animation: Animation, label: Label) -> Animation:
    """Return the animation with a label in its origin, or unchanged if it has no origin."""
    if animation.origin is None or animation.origin.label == label:
        return animation
    return replace(animation, origin=replace(animation.origin, label=label))


@dataclass(frozen=True, kw_only=True, eq=False)
class DitheredPictures:
    """Dithered stills and opened clips, with the board and the settings for them."""

    settings: Settings  # Settings with the defaults for these pictures filled in.
    board: Board  # The board of each picture.
    paths: list[str]  # Names of the pictures as the user gave them.
    words: tuple[str, ...]  # See `Origin.words`, `own` and `sha256`.
    own: tuple[Mapping[str, JsonValue], ...]
    sha256: tuple[str | None, ...]
    targets: list[list[Target] | Clip]  # Per picture: a target for each plane, or the clip.
    more_targets: list[list[Target]]  # The targets of `Settings.more_pictures`.
    cut_short: bool  # True if the time limit ended the search for a puzzle's answer.
    notes: list[str]  # Remarks on faces, inverted drawings and replaced dithers.

    @property
    def film_board(self) -> Board:
        """The board of the film."""
        return join_boards(self.board) if self.settings.beside else self.board

    @property
    def plane_count(self) -> int:
        """Number of colour planes: 1, or 3 in colour."""
        return 3 if self.settings.rgb else 1

    @property
    def min_step_count(self) -> int | None:
        """Minimum number of steps of the film; None if it consists of single clicks."""
        clips = [targets for targets in self.targets if isinstance(targets, Clip)]
        if not clips and self.settings.transition not in ("dissolve", "automaton"):
            return None
        return max(0, estimate_clip_frames(clips, self.settings.frame_rate) - 1)


def read_targets(
    pictures: Sequence[PictureSource],
    settings: Settings,
    clock: StageTimer,
    cells_of: Callable[[Picture, Board, Settings], PictureCells] = cells_for,
    theme: Theme | None = None,
) -> DitheredPictures:
    """Read pictures one by one, and dither them in parallel.

    The canvas of ``theme`` sets the shape of a board without a given size or without rows.
    """
    sources = [to_source(picture) for picture in pictures]
    puzzles = Deadline(math.inf)
    with clock.time_stage("read"):
        opened = list(_open_sources(sources, settings))
        original, settings = settings, _settings_with_defaults(opened, settings)

        def load_opened_picture(opened: Picture | Clip | Source) -> Picture | Clip:
            if isinstance(opened, Clip):
                return opened
            return load_source_picture(opened, settings, within=puzzles)

        loading = _read_each_source(sources, load_opened_picture, opened)
        first = next(loading)
        is_moving = any(isinstance(picture, Clip) for picture in opened)
        still = first.first_frame if isinstance(first, Clip) else first
        board = choose_board(still, settings, theme, has_clips=is_moving)
        shape = board.columns / board.rows

        def prepare_loaded_picture(picture: Picture | Clip) -> tuple[Any, ...]:
            # Returns the picture's digest, options and remark, and its cells or the clip.
            cells: PictureCells | Clip
            if isinstance(picture, Clip):
                frame = picture.first_frame
                # The plain background of a drawing is extended in stills only.
                covering = attrs.evolve(settings, fit="cover") if settings.fit == AUTO else settings
                cut = describe_cut(frame, frame, covering, shape)
                picture, remark = resolve_clip_focus(picture, settings, shape)
                cells = picture
            else:
                shown, remark = resolve_still(picture, settings, shape)
                cut = describe_cut(picture, shown, settings, shape)
                picture = resolve_auto_dither(shown, original, board, has_clips=is_moving)
                cells = cells_of(picture, board, settings)
                if not np.ptp(picture.light):
                    remark = "has only one colour, so there is nothing to see"
            return picture.sha256, to_json_values(picture.own), remark or cut, cells

        results = map_in_order(prepare_loaded_picture, chain([first], loading), workers=max_cores())
        sha256, own_options, remarks, cells = zip(*results, strict=True)
        settings = choose_spot_colours(settings, board, cells)

        def dither_prepared_picture(cells: PictureCells | Clip) -> list[Target] | Clip:
            if isinstance(cells, Clip):
                return cells
            return dither_cells(cells, board.shape, settings.spot)

        targets = list(map_in_order(dither_prepared_picture, cells, workers=max_cores()))
        flat = [
            target.mean_difference
            for planes, own in zip(targets, own_options, strict=True)
            for target in ([] if isinstance(planes, Clip) else planes)
            if own.get("dither") == THRESHOLD and isinstance(target, SpotTarget)
        ]
    paths = [source.path for source in sources]
    shown = len(sources) - len(settings.more_pictures)
    more_targets = [planes for planes in targets[shown:] if not isinstance(planes, Clip)]
    targets = targets[:shown]
    notes = [f"{path} {remark}." for path, remark in zip(paths, remarks, strict=True) if remark]
    for source, picture in zip(sources, opened, strict=True):
        dither = source.own.get("dither", original.dither)
        if dither in SEARCHED_DITHERS and picture.own.get("dither", settings.dither) != dither:
            notes.append(f"Dither {dither} is for stills only: {BLUE_NOISE} was used instead.")
        if isinstance(picture, Clip) and picture.remark:
            notes.append(f"{source.path} {picture.remark}.")
        focus = source.own.get("focus", original.focus)
        if focus is not None and focus.on == AUTO and not can_find_faces():
            notes.append(NO_FACE_SEARCH_NOTE)
    if settings.levels < LEVELS[-1] and flat and np.mean(flat) > MAX_FLAT_DIFFERENCE:
        notes.append(f"The pictures have more colours than {settings.levels}: try more levels.")
    words = tuple(source.word for source in sources)
    more = PictureWords(map(format_source, words[shown:], own_options[shown:]))
    settings = _fill_in_chosen_settings(settings, board, targets, more)
    # None is kept where it replaces an option for all pictures.
    own_options = tuple(
        {n: v for n, v in own.items() if v is not None or getattr(settings, n) is not None}
        for own in own_options
    )
    return DitheredPictures(
        settings=settings,
        board=board,
        paths=paths[:shown],
        words=words[:shown] if any(w.startswith(WORD_PREFIXES) for w in words) else (),
        own=own_options if any(own_options) else (),
        sha256=sha256,
        targets=targets,
        more_targets=more_targets,
        cut_short=puzzles.cut_short,
        notes=list(dict.fromkeys(notes)),
    )


def choose_spot_colours(
    settings: Settings, board: Board, pictures: Sequence[PictureCells | Clip]
) -> Settings:
    """Return the settings with the spot colours of all pictures, if these are to be chosen."""
    if settings.spot is not True:
        return settings
    cells = chain(
        *(
            sample_clip_cells(picture, board, settings) if isinstance(picture, Clip) else [picture]
            for picture in pictures
        )
    )
    colours = find_spot_colours([picture.rgb for picture in cells], settings.levels)
    return attrs.evolve(settings, spot=colours)


def _has_click_order(settings: Settings, targets: Sequence[list[Target] | Clip]) -> bool:
    return (
        settings.transition in transitions_with_option("order")
        and settings.settle
        and len(targets) > 1
    )


def _fill_in_chosen_settings(
    settings: Settings, board: Board, targets: Sequence[list[Target] | Clip], more: PictureWords
) -> Settings:
    chosen: dict[str, Any] = {"size": Size(columns=board.columns, rows=board.rows)}
    chosen |= {"beside": more} if settings.beside else {"clicks_picture": next(iter(more), None)}
    if settings.focus is not None and isinstance(settings.focus.on, str):
        chosen["focus"] = None  # Each picture has the crop that was found instead.
    if settings.order == AUTO and _has_click_order(settings, targets):
        stills = (planes for planes in targets if not isinstance(planes, Clip))
        chosen["order"] = choose_order(
            [np.array([target.grey for target in planes]) for planes in stills]
        )
    return attrs.evolve(settings, **chosen)


def _read_each_source(
    sources: Sequence[Source], read: Callable[[Any], Result], items: Sequence[object]
) -> Iterator[Result]:
    # Errors name pictures without a file by their position.
    for number, (source, item) in enumerate(zip(sources, items, strict=True), start=1):
        try:
            yield read(item)
        except PictureError as error:
            if isinstance(source.picture, str | os.PathLike | PictureFile | Picture):
                raise
            reason = str(error).removeprefix(f"cannot read {source.path}: ")
            raise PictureError(f"cannot read picture {number}: {reason}") from error


def _open_sources(
    sources: Sequence[Source], settings: Settings
) -> Iterator[Picture | Clip | Source]:
    # Yields opened clips, and stills to be decoded later, if possible from bytes already read.
    kept_bytes = 0

    def open_source_unless_puzzle(source: Source) -> Picture | Clip | Source:
        return source if is_puzzle_source(source) else open_source(source, settings)

    for source, opened in zip(
        sources, _read_each_source(sources, open_source_unless_puzzle, sources), strict=True
    ):
        if isinstance(opened, Source) and isinstance(opened.picture, PictureFile):
            kept_bytes += len(opened.picture.content)
        is_reopened = kept_bytes > MAX_KEPT_BYTES and os.path.isfile(source.path)
        yield source if is_reopened and isinstance(opened, Source) else opened


def _settings_with_defaults(
    opened: Sequence[Picture | Clip | Source], settings: Settings
) -> Settings:
    shown = len(opened) - len(settings.more_pictures)
    if settings.clicks_picture is not None and shown != 2:
        raise OptionError(f"clicks_picture needs exactly 2 pictures, not {shown}", "clicks_picture")
    if settings.beside and len(settings.beside) != shown:
        raise OptionError(
            f"beside needs a picture for each of the {shown}, not {len(settings.beside)}", "beside"
        )
    clips = [picture for picture in opened if isinstance(picture, Clip)]
    stills = [picture for picture in opened if not isinstance(picture, Clip)]
    if not clips and len(stills) < (1 if settings.transition == "automaton" else 2):
        for still in stills:
            load_source_picture(still, settings)  # an unreadable picture is reported first
        raise OptionError(f"an animation needs a clip or at least 2 pictures, not {len(opened)}")
    if not clips:
        settings = settings.with_defaults_for(pictures=shown)
        divide_total(settings, shown)  # raises OptionError if the total is too short
        return settings
    check_clips(len(opened), settings)
    return settings.with_defaults_for(clips[0].fps)


def solve_targets(read: DitheredPictures, clock: StageTimer) -> tuple[Animation, Report]:
    """Find the clicks from each picture to the next; return the animation and the report."""
    settings = attrs.evolve(read.settings, seed=choose_seed(read.settings))
    board, more = read.film_board, map(still_shot, settings.more_pictures, read.more_targets)
    shots = [
        clip_shot(targets, read.board, settings)
        if isinstance(targets, Clip)
        else still_shot(path, targets)
        for path, targets in zip(read.paths, read.targets, strict=True)
    ]
    film, report = build_film(board, [*shots, *more], settings, clock)
    cut_short = read.cut_short or report.cut_short
    origin = Origin(
        program=__version__,
        settings=options_to_json_object(settings),
        sha256=read.sha256,
        cut_short=cut_short,
        own=read.own,
        words=read.words,
    )
    animation = replace(film, origin=origin)
    return animation, Report(
        board={**board.as_dict(), "nullity": board.nullity},
        pictures=report.pictures,
        moves=report.moves,
        boomerang=settings.is_boomerang,
        frames=len(animation),
        fps=animation.fps,
        boards=animation.boards,
        duration=round(float(animation.durations().sum()), 3),
        seed=animation.seed,
        order=str(settings.order) if _has_click_order(settings, read.targets) else None,
        seconds=clock.seconds,
        cut_short=cut_short,
        notes=[
            *read.notes,
            *([CUT_SHORT_NOTE] if cut_short else []),
            *report.notes,
            # Without wipes at its ends, a sketch is inexact on every board.
            *(perfect_size_advice(board, report.pictures, cut_short) if settings.settle else []),
        ],
    )
