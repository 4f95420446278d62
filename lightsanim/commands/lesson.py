"""`lightsanim lesson`: a page that teaches the game."""

from typing import Annotated

from lightsanim.commands.messages import tell
from lightsanim.commands.parameters import option, with_options
from lightsanim.options.table import Messages, Outputs
from lightsanim.reports.in_words import file_facts


@with_options(
    outputs=["output", "overwrite"],
    messages=["quiet"],
    required=["output"],
    helps={"output": "File to write, .html."},
)
def lesson(
    *,
    size: Annotated[
        str, option("Board", "COLUMNSxROWS of the boards, 3 to 12 cells a side.", "SIZE")
    ] = "5x5",
    outputs: Outputs,
    messages: Messages,
) -> None:
    """Write a page that teaches how to turn every light off, on boards that one can click.

    It is one file that needs no network: light chasing step by step, what the bottom row tells,
    quiet patterns and their sums, why a start has so many solutions or none, other rules.

    [bold]Example[/]   lightsanim lesson -o lesson.html
    """
    from lightsanim.lessons.lesson import write_lesson

    write_lesson(outputs.output, size, overwrite=outputs.overwrite)
    tell(messages, *file_facts(outputs.output))
