"""`lightsanim verify`."""

from pathlib import Path
from typing import Annotated

import typer

from lightsanim.cli.messages import print_error, print_json, show_counting_bar
from lightsanim.cli.parameters import option, with_options
from lightsanim.errors import OptionError
from lightsanim.options.outputs import MessageOptions
from lightsanim.reports.in_words import format_verdict_lines, to_printable_line


@with_options(messages=["json", "quiet"])
def verify(
    *,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="As made with -o FILE, or a folder of PNGs; first."),
    ],
    targets: Annotated[
        list[str],
        option(
            "Pictures",
            "Count the cells that differ from these pictures, as named to make.",
            "PICTURE...",
        ),
    ] = [],  # noqa: B006 - typer copies it
    size: Annotated[
        str | None, option("Board", "COLUMNSxROWS, for a file that does not say it itself.", "SIZE")
    ] = None,
    rule: Annotated[
        str | None, option("Board", "The rule of such a file.", "RULE", unset="plus")
    ] = None,
    wrap: Annotated[
        bool | None, option("Board", "Whether its opposite edges meet.", flags="--wrap/--no-wrap")
    ] = None,
    levels: Annotated[
        int | None, option("Board", "How many states its cells have.", "N", unset="2", reader=int)
    ] = None,
    messages: MessageOptions,
) -> None:
    """Read an animation back and prove that each frame follows from the last by clicks.

    Exit status 0 says that it does, 1 that it does not, or that the file cannot be read.

    [bold]Example[/]   lightsanim verify out.gif --targets sample:sun sample:moon
    """
    from lightsanim.pictures.source import parse_source
    from lightsanim.proof.verify import verify as verify_file

    file, *extra_files = files
    if extra_files:
        raise OptionError(
            f"verify reads one file, not {len(files)}; pictures to compare it with follow --targets"
        )
    with show_counting_bar("frames", hidden=messages.quiet) as on_frame:
        proof = verify_file(
            file,
            size=size,
            rule=rule,
            wrap=wrap,
            levels=levels,
            targets=[*map(parse_source, targets)],
            on_frame=on_frame,
        )
    if messages.json:
        print_json(proof.as_dict())
    elif proof.legal and not messages.quiet:
        print(
            "\n".join(map(to_printable_line, format_verdict_lines(file, proof, targets))),
            flush=True,
        )
    if not proof.legal:
        print_error(f"{file} is not legal: {proof.reason}")
        raise typer.Exit(1)
