"""The command `verify`."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from lightsanim.cli.messages import print_error, print_json, print_log_lines, show_counting_bar
from lightsanim.cli.parameters import option, with_options
from lightsanim.errors import OptionError
from lightsanim.options.outputs import MessageOptions
from lightsanim.reports.in_words import format_verdict_lines, to_printable_line


@with_options(messages=["json", "quiet"])
def verify(
    *,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Animation to verify: a file, or a folder of PNGs."),
    ],
    targets: Annotated[
        list[str],
        option(
            "Pictures",
            "Count the cells that differ from these pictures (written as for make).",
            "PICTURE...",
        ),
    ] = [],  # noqa: B006 - typer copies it
    clicks_target: Annotated[
        str | None, option("Pictures", "Compare the cells clicked with this picture.", "PICTURE")
    ] = None,
    size: Annotated[
        str | None, option("Board", "Board size, COLUMNSxROWS, if not in the file.", "SIZE")
    ] = None,
    rule: Annotated[
        str | None, option("Board", "Rule of the board, if not in the file.", "RULE", unset="plus")
    ] = None,
    wrap: Annotated[
        bool | None,
        option("Board", "Join opposite edges, if the file does not say.", flags="--wrap/--no-wrap"),
    ] = None,
    levels: Annotated[
        int | None, option("Board", "Number of levels, if not in the file.", "N", unset="2")
    ] = None,
    command: Annotated[
        bool, option("Output", "Print the command that makes the file again.", flags="--command")
    ] = False,
    messages: MessageOptions,
) -> None:
    """Prove that legal clicks turn each frame of an animation into the next.

    The exit status is 0 if they do. It is 1 if they do not, or if the file cannot be read.

    [bold]Example[/]   lightsanim verify out.gif --targets sample:sun sample:moon
    """
    from lightsanim.pictures.source import parse_source
    from lightsanim.proof.verify import verify as verify_file

    file, *extra_files = files
    if extra_files:
        remedy = "pass pictures for comparison after --targets"
        raise OptionError(f"verify reads one file, not {len(files)}; {remedy}")
    with show_counting_bar("frames", hidden=messages.quiet) as on_frame:
        proof = verify_file(
            file,
            size=size,
            rule=rule,
            wrap=wrap,
            levels=levels,
            targets=[*map(parse_source, targets)],
            clicks_target=None if clicks_target is None else parse_source(clicks_target),
            on_frame=on_frame,
        )
    if messages.json:
        print_json(proof.as_dict())
    elif proof.legal and not messages.quiet:
        lines = map(to_printable_line, format_verdict_lines(file, proof, targets, clicks_target))
        print("\n".join(lines), flush=True)
    if command and not messages.json:
        if proof.command is None:
            reason = "does not state how it was made, or its click order was made in Python"
            raise OptionError(f"{file} {reason}, so no command makes it")
        print(to_printable_line(proof.command), flush=True)
        _, _, *words = shlex.split(proof.command)
        if any(":" not in word for word in words[: words.index("-o")]):
            print_log_lines(messages, "Films record names without folders and endings: add these.")
    if not proof.legal:
        print_error(f"{file} is not legal: {proof.reason}")
        raise typer.Exit(1)
