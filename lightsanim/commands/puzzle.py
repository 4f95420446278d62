"""`lightsanim puzzle`: the game's relatives."""

from typing import Annotated

import attrs
import typer

from lightsanim.commands.game import UNMARKED
from lightsanim.commands.messages import print_json, tell
from lightsanim.commands.parameters import with_options
from lightsanim.commands.progress import progress_bars
from lightsanim.look.theme import Theme
from lightsanim.options.table import KNOWN_STILLS, PUZZLES, Messages, Outputs, Settings
from lightsanim.reports.in_words import file_facts, printable

KNOWN = "  ".join(f"{name} {words}" for name, words in PUZZLES.items())


@with_options(
    settings=["time_limit"],
    theme=UNMARKED,
    outputs=["output", "overwrite"],
    messages=["json", "quiet"],
    helps={
        "output": f"The answer as {KNOWN_STILLS}; for abbott also as .html, a page to play on.",
    },
)
def puzzle(
    *,
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of {', '.join(PUZZLES)}.")],
    words: Annotated[
        list[str],
        typer.Argument(metavar="[WORD...]", help=f"What it takes: {KNOWN}.".replace("[", "\\[")),
    ] = [],  # noqa: B006 - typer copies it
    settings: Settings,
    theme: Theme,
    outputs: Outputs,
    messages: Messages,
) -> None:
    """Solve one of the game's relatives.

    An answer can be a picture for make, as in
    lightsanim make puzzle:abbott:24 puzzle:queens:24 --size 24 -o out.gif.

    [bold]Example[/]   lightsanim puzzle abbott 8

    [bold]Example[/]   lightsanim puzzle queens 24 -o queens.svg
    """
    from lightsanim.formats.output_files import check_no_source_is_replaced
    from lightsanim.puzzles.table import solve_puzzle
    from lightsanim.system.progress import Clock

    output = outputs.output
    if output:
        from lightsanim.puzzles.files import check_drawings, save_drawings

        clues = words[:1] if name == "ashes" else []
        check_no_source_is_replaced(clues, output, "the file of clues")
        check_drawings(name, output, overwrite=outputs.overwrite)
    with (
        progress_bars(hidden=messages.quiet) as progress,
        Clock(progress).stage("nearest") as note,
    ):
        answer = solve_puzzle(
            name,
            words,
            time_limit=settings.time_limit,
            on_progress=lambda best, bound: note(f"{best}, at most {bound}"),
        )
    if messages.json:
        print_json(answer.as_json())
    elif not messages.quiet:
        print("\n\n".join(filter(None, [printable(answer.said), answer.drawing()])), flush=True)
    if output:
        look = attrs.asdict(theme, recurse=False)
        save_drawings(answer, output, overwrite=outputs.overwrite, **look)
    tell(messages, *file_facts(output))
