"""`lightsanim preview`: one picture under many options."""

from typing import Annotated

import typer

from lightsanim.commands.messages import tell
from lightsanim.commands.parameters import with_options
from lightsanim.look.theme import Theme
from lightsanim.options.table import Messages, Outputs, PictureOptions, Settings, names_of
from lightsanim.reports.in_words import file_facts


@with_options(
    settings=["size", "levels", *names_of(PictureOptions)],
    theme=["palette", "lit", "unlit", "middle"],
    outputs=["output", "overwrite"],
    messages=["quiet"],
    helps={"output": "File to write, .png. \\[default: NAME-preview.png]"},
)
def preview(
    *,
    picture: Annotated[
        str,
        typer.Argument(
            metavar="PICTURE",
            help="What to show. Its own options may follow, as for make: face.jpg@focus=face",
        ),
    ],
    settings: Settings,
    theme: Theme,
    outputs: Outputs,
    messages: Messages,
) -> None:
    """Show one picture under many options, side by side.

    Each tile of the sheet says in which words to ask make for it.

    The options given here hold for all tiles but those that compare them.

    [bold]Example[/]   lightsanim preview portrait.jpg --size 80
    """
    from lightsanim.pictures.source import source_of_word
    from lightsanim.previews.preview import preview_files

    written = preview_files(source_of_word(picture), settings, theme, outputs)
    tell(messages, *file_facts(written))
