"""`lightsanim verify`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from lightsanim.console import counting_bar, printable, say_error
from lightsanim.errors import OptionError
from lightsanim.options import Quiet, option

# What only this command needs is loaded when it runs.


def verify(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="As made with -o FILE, or a folder of PNGs."),
    ],
    targets: Annotated[
        list[Path],
        option(
            "Pictures",
            "Count the cells that differ from these pictures.",
            "--targets",
            metavar="PICTURE...",
        ),
    ] = [],  # noqa: B006 - typer copies it
    size: Annotated[
        str | None,
        option(
            "Board",
            "COLUMNSxROWS, for a file that does not say it itself.",
            "--size",
            metavar="SIZE",
        ),
    ] = None,
    rule: Annotated[
        str | None,
        option(
            "Board", "The rule of such a file. [dim]\\[default: plus][/]", "--rule", metavar="RULE"
        ),
    ] = None,
    wrap: Annotated[
        bool | None, option("Board", "Whether its opposite edges meet.", "--wrap/--no-wrap")
    ] = None,
    as_json: Annotated[bool, option("Output", "Print the report as JSON.", "--json")] = False,
    quiet: Quiet = False,
) -> None:
    """Read an animation back and prove that each frame follows from the last by clicks.

    Exit status 0 says that it does, 1 that it does not, or that the file cannot be read.

    [bold]Example[/]   lightsanim verify out.gif --targets sun.png moon.png
    """
    from lightsanim.commands.verify_words import verdict
    from lightsanim.proof.verify import verify as verify_file

    file, *more = files
    if more and not targets:
        raise OptionError(
            f"verify reads one file, not {len(files)}; pictures to compare it with follow --targets"
        )
    pictures = [*targets, *more]
    with counting_bar("frames", hidden=quiet) as on_frame:
        found = verify_file(
            file, size=size, rule=rule, wrap=wrap, targets=pictures, on_frame=on_frame
        )
    if as_json:
        print(json.dumps(found.as_dict()), flush=True)
    elif found.legal and not quiet:
        print("\n".join(map(printable, verdict(file, found, pictures))), flush=True)
    if not found.legal:
        say_error(f"{file} is not legal: {found.reason}")
        raise typer.Exit(1)
