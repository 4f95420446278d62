"""The commands `make`, `preview` and `render`."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import click
from click.core import ParameterSource

from lightsanim.errors import OptionError
from lightsanim.film.origin import Label
from lightsanim.options.choices import KNOWN_SUFFIXES
from lightsanim.options.look import LookOptions
from lightsanim.options.outputs import LabelOptions, MessageOptions, Outputs
from lightsanim.options.records import option_names
from lightsanim.options.settings import MakeRequest, Settings
from lightsanim.output.look.theme import Theme
from lightsanim.output.reports.in_words import format_file_lines, format_jump_note, summary_text
from .completion import OUTPUT_COMPLETERS, complete_picture_word, complete_transition_word
from .messages import print_json, print_log_lines, print_texts_missing_on_pages, show_stage_bars
from .parameters import GivenLook, argument, command, option, options
from .standard_output import list_kept_files, redirect_standard_output

if TYPE_CHECKING:
    from lightsanim.pictures.source import Source

PLAN_SUFFIX = ".toml"
PICTURE_HELP = (
    "Two or more stills or clips, one clip, one still with --transition automaton, or a plan (see "
    "--plan). Ten samples are included, such as sample:face; text:HELLO and qr:URL are drawn. To "
    "set options of a single picture, append them: face.jpg@focus=face@detail=2"
)


@command(
    argument("pictures", "PICTURE...", PICTURE_HELP, several=True, complete=complete_picture_word),
    option("--plan", "Output", "Print all that the film is made from, as TOML, and make no film."),
    outputs=options(
        Outputs,
        helps={
            "output": f"File to write, repeatable: {KNOWN_SUFFIXES}. "
            "[default: a new GIF named after the pictures]"
        },
        completers=OUTPUT_COMPLETERS,
    ),
    labels=options(LabelOptions),
    messages=options(MessageOptions),
    settings=options(Settings, completers={"transition": complete_transition_word}),
    theme=options(Theme),
)
def make(
    pictures: Sequence[str],
    outputs: Outputs,
    labels: LabelOptions,
    messages: MessageOptions,
    plan: bool,
    settings: Settings,
    theme: Theme,
) -> None:
    """Turn two or more pictures, or a clip, into a Lights Out animation.

    A click flips a cell and its neighbours. The first frame looks like the first picture; clicks
    turn it into the next one, frame by frame. A clip plays with its sound if the format has any,
    and each of its frames is reached by clicks.

    Example: lightsanim make sample:sun sample:moon -o out.gif --preset colour
    """
    from lightsanim.output.saving.output_files import choose_unused_path
    from lightsanim.pipeline import make_files

    sources, settings, theme, label = _read_request(pictures, settings, theme, labels)
    if plan:
        from lightsanim.plan_file import make_plan

        with show_stage_bars(hidden=messages.quiet) as progress:
            text = make_plan(sources, settings, theme, outputs, progress, label=label)
        sys.stdout.buffer.write(text.encode())  # TOML is UTF-8
        sys.stdout.flush()
        return
    if not outputs.files:
        shown = sources[: len(sources) - len(settings.more_pictures)]
        named = choose_unused_path(source.name for source in shown)
        outputs = attrs.evolve(outputs, output=[named], overwrite=False)
    with (
        redirect_standard_output(outputs, messages) as files,
        show_stage_bars(hidden=messages.quiet) as progress,
    ):
        report = make_files(sources, settings, theme, files, progress, label=label)
    report = replace(report, outputs=list_kept_files(report.outputs))
    if messages.json:
        print_json(report.as_dict())
    print_texts_missing_on_pages(messages, outputs)
    repeats_at_once = not (settings.loop or settings.returns)
    jump = format_jump_note(report) if repeats_at_once else []
    print_log_lines(messages, summary_text(report), *jump)


def _read_request(
    pictures: Sequence[str], settings: Settings, theme: Theme, labels: LabelOptions
) -> "tuple[Sequence[Source], Settings, Theme, Label]":
    """Return what the arguments and options state, or what the plan states that they name."""
    from lightsanim.pictures.source import append_more_pictures, parse_source

    plans = [path for path in pictures if path.lower().endswith(PLAN_SUFFIX)]
    if not plans:
        sources = append_more_pictures(map(parse_source, pictures), settings.more_pictures)
        return sources, settings, theme, Label(**attrs.asdict(labels))
    if len(pictures) > 1:
        raise OptionError(f"{plans[0]} is a plan, which names all pictures; leave the others out")
    context = click.get_current_context()
    for name in chain(*map(option_names, (MakeRequest, LookOptions, LabelOptions))):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise OptionError(f"{name} stands in the plan; change it in {plans[0]}", name)
    from lightsanim.plan_file import load_plan

    saved = load_plan(plans[0])
    return saved.pictures, saved.settings, saved.theme, saved.label


@command(
    argument("animation", "ANIMATION", "Animation saved as .json, .html or .svg.", kind=Path),
    outputs=options(Outputs, completers=OUTPUT_COMPLETERS),
    messages=options(MessageOptions),
    look=options(GivenLook),
)
def render(animation: Path, outputs: Outputs, messages: MessageOptions, look: GivenLook) -> None:
    """Write a saved animation in another format or look, without searching for clicks again.

    Example: lightsanim render out.json -o out.webm --lit gold --shape circle
    """
    from lightsanim.output.saving.save import render_files
    from lightsanim.proof.load_animation import load_film

    film, saved = load_film(animation)
    with (
        redirect_standard_output(outputs, messages) as files,
        show_stage_bars(hidden=messages.quiet) as progress,
    ):
        written = render_files(film, saved.with_look(look), files, progress=progress)
    if messages.json:
        print_json(written._asdict())
    print_texts_missing_on_pages(messages, outputs)
    print_log_lines(messages, *written.notes, *format_file_lines(list_kept_files(written.outputs)))


@command(
    argument(
        "picture",
        "PICTURE",
        "Picture to show. Options can be appended, as for make: face.jpg@focus=face",
        complete=complete_picture_word,
    ),
    settings=options(Settings, "size", "levels", "rgb", "spot"),
    theme=options(Theme, "palette", "colours"),
    outputs=options(
        Outputs,
        "output",
        "overwrite",
        helps={"output": "File to write, .png. [default: NAME-preview.png]"},
    ),
    messages=options(MessageOptions, "quiet"),
)
def preview(
    picture: str, settings: Settings, theme: Theme, outputs: Outputs, messages: MessageOptions
) -> None:
    """Compare the effects of many options on a picture, on one sheet.

    Each tile of the sheet is labelled with its options for make. Options after the picture apply
    to all tiles, except to tiles that compare values of the same option.

    Example: lightsanim preview sample:face@detail=3 --size 80
    """
    from lightsanim.apps.previews.preview import preview_files
    from lightsanim.pictures.source import parse_source

    written = preview_files(parse_source(picture), settings, theme, outputs)
    print_log_lines(messages, *format_file_lines(written))
