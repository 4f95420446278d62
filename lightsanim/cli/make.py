"""The commands `make`, `preview` and `render`."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import attrs
import typer

from lightsanim.film.origin import Label
from lightsanim.options.choices import KNOWN_SUFFIXES, SAMPLE_PREFIX
from lightsanim.options.outputs import LabelOptions, MessageOptions, Outputs
from lightsanim.options.settings import Settings
from lightsanim.output.look.theme import Theme
from lightsanim.output.reports.in_words import format_file_lines, format_jump_note, summary_text
from .messages import print_json, print_log_lines, print_texts_missing_on_pages, show_stage_bars
from .parameters import GivenLook, with_options
from .standard_output import list_kept_files, redirect_standard_output


def _complete_picture(context: typer.Context, incomplete: str) -> list[str]:
    from lightsanim.pictures.sample_pictures import complete_sample_word

    # Bash splits sample:face into three words, and completes only the part after the colon.
    words = [*(context.params.get("pictures") or ()), incomplete]
    if ":" in words[-2:]:
        letters = "".join(words).rpartition(SAMPLE_PREFIX)[2]
        samples = complete_sample_word(SAMPLE_PREFIX + letters)
        return [word.removeprefix(SAMPLE_PREFIX) for word in samples]
    return complete_sample_word(incomplete)


@with_options(
    helps={
        "output": f"File to write, repeatable: {KNOWN_SUFFIXES}. "
        "[default: a new GIF named after the pictures]"
    }
)
def make(
    *,
    pictures: Annotated[
        list[str],
        typer.Argument(
            metavar="PICTURE...",
            autocompletion=_complete_picture,
            help="Two or more stills or clips, one clip, or one still with --transition automaton. "
            "Ten samples are included, such as sample:face; text:HELLO and qr:URL are drawn. "
            "To set options of a single picture, append them: face.jpg@focus=face@detail=2",
        ),
    ],
    outputs: Outputs,
    labels: LabelOptions,
    messages: MessageOptions,
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
    from lightsanim.pictures.source import append_more_pictures, parse_source
    from lightsanim.pipeline import make_files

    sources, label = list(map(parse_source, pictures)), Label(**attrs.asdict(labels))
    if not outputs.files:
        named = choose_unused_path(source.name for source in sources)
        outputs = attrs.evolve(outputs, output=[named], overwrite=False)
    sources = append_more_pictures(sources, settings.more_pictures)
    with (
        redirect_standard_output(outputs, messages) as files,
        show_stage_bars(hidden=messages.quiet) as progress,
    ):
        report = make_files(sources, settings, theme, files, progress, label=label)
    report = replace(report, outputs=list_kept_files(report.outputs))
    if messages.json:
        print_json(report.as_dict())
    print_texts_missing_on_pages(messages, outputs)
    print_log_lines(messages, summary_text(report), *format_jump_note(report, settings))


@with_options(messages=["json", "quiet"])
def render(
    *,
    animation: Annotated[
        Path, typer.Argument(metavar="ANIMATION", help="Animation saved as .json, .html or .svg.")
    ],
    outputs: Outputs,
    messages: MessageOptions,
    look: GivenLook,
) -> None:
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
    kept = list_kept_files(written.outputs)
    print_log_lines(messages, *written.notes, *format_file_lines(kept))


@with_options(
    settings=["size", "levels", "rgb", "spot"],
    theme=["palette", "colours"],
    outputs=["output", "overwrite"],
    messages=["quiet"],
    helps={"output": "File to write, .png. [default: NAME-preview.png]"},
)
def preview(
    *,
    picture: Annotated[
        str,
        typer.Argument(
            metavar="PICTURE",
            autocompletion=_complete_picture,
            help="Picture to show. Options can be appended, as for make: face.jpg@focus=face",
        ),
    ],
    settings: Settings,
    theme: Theme,
    outputs: Outputs,
    messages: MessageOptions,
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
