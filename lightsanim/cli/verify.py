"""The command `verify`."""

import shlex
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from click.exceptions import Exit

from lightsanim.errors import LightsAnimError, OptionError
from lightsanim.options.outputs import MessageOptions
from lightsanim.output.reports.in_words import format_verdict_lines, to_printable_line
from .completion import complete_picture_word
from .messages import print_error, print_json, print_log_lines, show_counting_bar
from .parameters import argument, command, option, options

if TYPE_CHECKING:
    from lightsanim.proof.verify import Verification

MORE_PICTURES = "--beside", "--clicks-picture"  # Options that name further pictures.
EXIT_STATUSES = {"legal": 0, "not legal": 1, "cannot tell": 3}
STATUSES = 0, 3, 2, 1  # Of several files, the last of these exit statuses counts.


@command(
    argument(
        "files", "FILE...", "Films to verify: files, or folders of PNGs.", kind=Path, several=True
    ),
    option(
        "--targets",
        "Pictures",
        "Count the cells that differ from these pictures (written as for make).",
        "PICTURE...",
        repeats=True,
        complete=complete_picture_word,
    ),
    option(
        "--clicks-target",
        "Pictures",
        "Compare the cells clicked with this picture.",
        "PICTURE",
        complete=complete_picture_word,
    ),
    option("--size", "Board", "Board size, COLUMNSxROWS, if not in the file.", "SIZE"),
    option("--rule", "Board", "Rule of the board, if not in the file.", "RULE", unset="plus"),
    option(
        "--wrap/--no-wrap", "Board", "Join opposite edges, if the file does not say.", default=None
    ),
    option("--levels", "Board", "Number of levels, if not in the file.", "N", kind=int, unset="2"),
    option("--command", "Output", "Print the command that makes the file again."),
    messages=options(MessageOptions),
)
def verify(
    *,
    files: Sequence[Path],
    targets: Sequence[str],
    clicks_target: str | None,
    size: str | None,
    rule: str | None,
    wrap: bool | None,
    levels: int | None,
    command: bool,
    messages: MessageOptions,
) -> None:
    """Prove that legal clicks turn each frame of an animation into the next.

    The exit status is 0 if they do, 1 if they do not or the file cannot be read, and 3 if this
    version cannot tell. Of several files, 1 counts before 3, and 3 before 0.

    Example: lightsanim verify out.gif --targets sample:sun sample:moon
    """
    from lightsanim.output.formats.registry import READABLE_SUFFIXES
    from lightsanim.pictures.source import parse_source
    from lightsanim.proof.verify import verify as verify_file

    for file in files[1:]:
        if file.suffix.lower() not in ("", *READABLE_SUFFIXES):
            raise OptionError(
                f"{file} is not a film that verify reads; pass pictures for comparison after "
                "--targets"
            )
    prove = partial(
        verify_file,
        size=size,
        rule=rule,
        wrap=wrap,
        levels=levels,
        targets=[*map(parse_source, targets)],
        clicks_target=None if clicks_target is None else parse_source(clicks_target),
    )
    statuses = []
    for file in files:
        try:
            with show_counting_bar("frames", hidden=messages.quiet) as on_frame:
                proof = prove(file, on_frame=on_frame)
            lines = format_verdict_lines(file, proof, targets, clicks_target)
            statuses.append(_print_verdict(file, proof, lines, messages, command=command))
        except LightsAnimError as error:
            print_error(str(error))
            statuses.append(error.exit_status)
    if status := max(statuses, key=STATUSES.index):
        raise Exit(status)


def _print_verdict(
    file: Path,
    proof: "Verification",
    lines: Iterable[str],
    messages: MessageOptions,
    *,
    command: bool,
) -> int:
    # Print a verdict, and the command that makes the file again; return the exit status.
    if messages.json:
        print_json({"file": str(file), **proof.as_dict()})
    elif proof.legal and not messages.quiet:
        print("\n".join(map(to_printable_line, lines)), flush=True)
    if proof.verdict == "not legal":
        print_error(f"{file} is not legal: {proof.reason}")
    elif proof.verdict == "cannot tell":
        print_error(f"cannot tell whether {file} is legal: {proof.reason}")
    if command and not messages.json:
        if proof.command is None:
            raise OptionError(
                f"{file} does not state how it was made, or was made with an order or an option "
                "that the command line does not have"
            )
        print(to_printable_line(proof.command), flush=True)
        _, _, *words = shlex.split(proof.command)
        pictures = words[: words.index("-o")]
        pictures += (word for name, word in pairwise(words) if name in MORE_PICTURES)
        if any(":" not in word for word in pictures):
            print_log_lines(messages, "Films record names without folders and endings: add these.")
    return EXIT_STATUSES[proof.verdict]
