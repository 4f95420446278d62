"""The pipeline from pictures to a film, after Bosch (Bridges 2016): its stages, what they pass on.

open      sources -> inputs: stills, clips, puzzles              `lightsanim.pictures.inputs`
resolve   settings -> options, with defaults for these inputs    `lightsanim.plan`
load      inputs -> frames: the still, or a clip's first frame   `lightsanim.pictures.inputs`
choose    options, first frame, look -> board                    `lightsanim.board_choice`
prepare   frames -> cropped, and scaled to the board's cells     `lightsanim.pictures.inputs`
complete  prepared -> plan: shots (dithered stills and clips),   `lightsanim.plan`
          colours, order, seed
solve     plan -> film: a transition chooses an end for each     `lightsanim.film.build_film`
          picture (a wipe: the nearest accessible configuration)
          and moves between ends (a wipe: the fewest clicks)
write     film -> files                                          `lightsanim.output.saving.save`

A new transition is a class in `lightsanim.film.transitions`, and a line of the table there.  An
option that is not possible is refused as soon as that is known: by `Settings`; by `resolve`, with
these inputs; by `plan_files`, in these formats; and so before the stage "solve".
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from math import inf
from typing import Unpack

from lightsanim.board_choice import choose_board
from lightsanim.film.animation import Animation
from lightsanim.film.build_film import build_film
from lightsanim.film.origin import NO_LABEL, Label
from lightsanim.options.checks import check_list
from lightsanim.options.keywords import MakeKeywords
from lightsanim.options.outputs import Outputs
from lightsanim.options.settings import Settings, require_named_options, settings_from_values
from lightsanim.output.look.theme import Theme
from lightsanim.output.reports.report import Report, report_film
from lightsanim.output.saving.output_files import (
    OutputFiles,
    check_code_contrast,
    check_formats_hold_board,
    check_no_source_is_replaced,
    check_outputs,
    describe_format_limits,
)
from lightsanim.output.saving.save import write_files
from lightsanim.pictures.inputs import Input, Prepared, open_inputs
from lightsanim.pictures.picture import Picture
from lightsanim.pictures.source import PictureSource, Source, append_more_pictures, to_source
from lightsanim.pictures.targets import Destination, Lights
from lightsanim.system.cores import max_cores
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import Progress, StageTimer, no_progress
from lightsanim.system.threads import map_in_order
from .plan import Plan, complete, resolve


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
    return solve(plan_film(sources, settings, clock), clock)


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
        pictures: pictures as for `make`, to which the caller has appended those of
            ``settings.more_pictures``.
        settings: options of `make`.
        theme: look of the frames.
        outputs: files to write, with formats by their suffixes.
        progress: callback for the progress of each stage.
        on_written: callback that takes the animation after its files have been written.
        label: title and credits to store in the files.

    Raises:
        OptionError: if options contradict each other or the formats.
        PictureError: if a picture cannot be read.
        SolverError: if a solver fails.
        OutputError: if a file cannot be written; no half-written file is left behind.
    """
    clock = StageTimer(progress)
    plan, theme, files = plan_files(pictures, settings, theme, outputs, clock)
    animation, report = solve(plan, clock)
    animation = animation.with_label(label)
    size_notes = write_files(animation, files, theme, clock)
    on_written(animation)
    notes = [*report.notes, *describe_format_limits(files, animation, theme), *size_notes]
    return replace(report, outputs=list(map(str, files.all_paths)), notes=notes)


def plan_files(
    pictures: Sequence[PictureSource],
    settings: Settings,
    theme: Theme,
    outputs: Outputs,
    clock: StageTimer,
) -> tuple[Plan, Theme, OutputFiles]:
    """Return the plan of a film, its look and its files, which are checked as far as possible."""
    files = OutputFiles.from_options(outputs)
    sources = list(map(to_source, check_list("pictures", pictures)))
    check_outputs(files, settings.longest)
    check_no_source_is_replaced(sources, files.all_paths)
    theme = theme.with_click_totals() if settings.clicks_picture else theme
    plan = plan_film(sources, settings, clock, files.theme_for_board(theme, outputs.canvas))
    theme = theme.with_spot_colours(plan.options.spot)
    planes, steps = plan.options.plane_count, plan.min_step_count
    check_formats_hold_board(files, theme, plan.film_board, planes, steps)
    check_code_contrast([source.path for source in plan.sources], theme)
    return plan, theme, files


def plan_film(
    sources: Sequence[Source],
    settings: Settings,
    clock: StageTimer,
    theme: Theme | None = None,
    lights: Lights | None = None,
) -> Plan:
    """Open the pictures, prepare them, and decide all that the settings leave open.

    The canvas of ``theme`` sets the shape of a board without a given size or without rows.
    ``lights`` is a cache of scaled pictures, which belongs to the caller: the studio keeps one.
    """
    with clock.time_stage("read"):
        inputs = open_inputs(sources, settings, fps=settings.fps, time_limit=settings.time_limit)
        options = resolve(settings, inputs)
        # It has no limit, but notes whether the search for a puzzle's answer came to its own.
        puzzles = Deadline(inf)
        frames = (picture.first_frame(options, puzzles) for picture in inputs)
        first = next(frames)
        has_clips = any(picture.fps for picture in inputs)  # stills have no rate
        board = choose_board(first, options, theme, has_clips=has_clips)
        to = Destination.of(options, board, request=settings, has_clips=has_clips, lights=lights)

        def prepare(picture: tuple[Input, Picture]) -> Prepared:
            opened, frame = picture
            return opened.prepare(frame, to)

        # One still is decoded after the other, while others are prepared.
        pictures = zip(inputs, chain([first], frames), strict=True)
        prepared = list(map_in_order(prepare, pictures, workers=max_cores()))
        return complete(options, to, inputs, prepared, cut_short=puzzles.cut_short)


def solve(plan: Plan, clock: StageTimer) -> tuple[Animation, Report]:
    """Find the clicks from each picture to the next; return the animation and the report."""
    film, facts = build_film(plan.film_board, plan.shots, plan.options, clock)
    facts.cut_short |= plan.cut_short
    animation = replace(film, origin=plan.origin(cut_short=facts.cut_short))
    options = plan.options
    return animation, report_film(
        animation,
        facts,
        clock.seconds,
        order=str(options.order) if plan.has_click_order else None,
        boomerang=options.is_boomerang,
        notes=plan.notes,
        advises_size=options.settle,  # without wipes at its ends, a sketch is exact on no board
    )
