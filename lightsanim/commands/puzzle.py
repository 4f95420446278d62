"""`lightsanim puzzle`: the game's relatives."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from lightsanim.commands.game import AsJson, TimeLimit
from lightsanim.commands.sources import check_not_replaced
from lightsanim.console import file_facts, printable, progress_bars, say
from lightsanim.look.theme import Theme
from lightsanim.options import (
    Background,
    Cell,
    Gap,
    Lit,
    Overwrite,
    Palette,
    Quiet,
    Shape,
    Unlit,
    Width,
    option,
)
from lightsanim.puzzles.table import PUZZLES, solve_puzzle
from lightsanim.settings import Settings
from lightsanim.stages import Clock

KNOWN = "  ".join(f"{name} {known.words}" for name, known in PUZZLES.items())


def puzzle(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of {', '.join(PUZZLES)}.")],
    words: Annotated[
        list[str],
        typer.Argument(metavar="[WORD...]", help=f"What it takes: {KNOWN}.".replace("[", "\\[")),
    ] = [],  # noqa: B006 - typer copies it
    time_limit: TimeLimit = Settings.time_limit,
    width: Width = Theme.width,
    cell: Cell = Theme.cell,
    gap: Gap = Theme.gap,
    shape: Shape = Theme.shape,
    palette: Palette = Theme.palette,
    lit: Lit = Theme.lit,
    unlit: Unlit = Theme.unlit,
    background: Background = None,
    output: Annotated[
        list[Path],
        option(
            "Output",
            "The answer as .png or .svg; for abbott also as .html, a page to play on.",
            "-o",
            "--output",
            metavar="FILE",
            readable=False,
        ),
    ] = [],  # noqa: B006 - typer copies it
    overwrite: Overwrite = True,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Solve one of the game's relatives.

    An answer can be a picture for make, as in
    lightsanim make puzzle:abbott:24 puzzle:queens:24 --size 24 -o out.gif.

    [bold]Example[/]   lightsanim puzzle abbott 8

    [bold]Example[/]   lightsanim puzzle queens 24 -o queens.svg
    """
    options = locals()
    look = {field.name: options[field.name] for field in fields(Theme) if field.name in options}
    Theme(**look)
    if output:
        from lightsanim.puzzles.draw import check_drawing, save_answer

        check_not_replaced(words[:1] if name == "ashes" else [], output, "the file of clues")
        for path in output:
            check_drawing(name, path, overwrite=overwrite)
    with progress_bars(hidden=quiet) as progress, Clock(progress).stage("nearest") as note:
        answer = solve_puzzle(
            name,
            words,
            time_limit=time_limit,
            on_progress=lambda best, bound: note(f"{best}, at most {bound}"),
        )
    if as_json:
        print(json.dumps(answer.as_json()), flush=True)
    elif not quiet:
        print("\n\n".join(filter(None, [printable(answer.said), answer.drawing()])), flush=True)
    for path in output:
        save_answer(answer, path, overwrite=overwrite, **look)
    if output and not quiet:
        say("\n".join(file_facts([str(path) for path in output])))
