"""Completion of words in bash, zsh and fish: samples, and the options that follow a name."""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import PurePath
from typing import Any

import attrs
import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    shell_complete,
    split_arg_string,
)

from lightsanim.options.at_options import AT
from lightsanim.options.declare import Field
from lightsanim.options.outputs import (
    ALL_KINDS,
    FILM_OPTIONS,
    OUTPUT_OPTIONS,
    SHEET_OPTIONS,
    STANDARD_OUTPUT,
    STILL_OPTIONS,
    Kinds,
    list_options,
)
from lightsanim.options.settings import PER_PICTURE, MakeRequest, Settings, transition_options
from lightsanim.options.stages import TRANSITIONS

COMPLETION_VARIABLE = "_LIGHTSANIM_COMPLETE"  # Shells ask for completions by this variable.
SHELLS = ("bash", "zsh", "fish")
# Bash completes only the part of a word after the last of these signs, or from an @ on.
WORD_BREAKS = "=:@"

BASH_SCRIPT = """\
%(complete_func)s() {
    local IFS=$'\\n' type value completion
    for completion in $(COMP_LINE="$COMP_LINE" COMP_POINT=$COMP_POINT \
%(complete_var)s=bash_complete "$1"); do
        IFS=',' read -r type value <<< "$completion"
        if [[ $type == plain ]]; then
            COMPREPLY+=("$value")
            [[ $value == *= ]] && compopt -o nospace
        else
            compopt -o default
        fi
    done
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class WholeWordBashComplete(BashComplete):
    """Completion in bash that sees whole words, although bash splits them at ``@`` and ``:``."""

    source_template = BASH_SCRIPT
    prefix = ""  # Part of the word that bash leaves as it is.

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, and the last of them if it is incomplete."""
        line = os.environ["COMP_LINE"][: int(os.environ["COMP_POINT"])]
        words = split_arg_string(line)
        incomplete = "" if not words or line[-1:].isspace() else words.pop()
        place = max(map(incomplete.rfind, WORD_BREAKS))
        self.prefix = incomplete[: place + (incomplete[place : place + 1] != AT)]
        return words[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Format a completion, without the part of the word that bash keeps."""
        return f"{item.type},{str(item.value).removeprefix(self.prefix)}"


add_completion_class(WholeWordBashComplete, "bash")


def complete_words(group: click.Group, instruction: str) -> int:
    """Print what a shell asks for, and return the exit status."""
    return shell_complete(group, {}, "lightsanim", COMPLETION_VARIABLE, instruction)


def print_completion_script(context: click.Context, option: Any, shell: str | None) -> None:
    """Print the script that makes a shell complete the words of the program, and exit."""
    if shell is not None:
        kind: Any = get_completion_class(shell)
        complete = kind(context.command, {}, "lightsanim", COMPLETION_VARIABLE)
        click.echo(complete.source_template % complete.source_vars())
        context.exit()


def complete_picture_word(start: str) -> list[str]:
    """Complete a sample, or an option after a picture's name."""
    from lightsanim.pictures.words.sample import complete_sample_word

    fields = {name: getattr(attrs.fields(MakeRequest), name) for name in PER_PICTURE}
    return _complete_at_option(start, fields) if AT in start else complete_sample_word(start)


def complete_transition_word(start: str) -> list[str]:
    """Complete a transition, or an option after its name."""
    known = transition_options(start.partition(AT)[0])
    fields = {at: getattr(attrs.fields(Settings), name) for at, name in known.items()}
    names: list[str] = [name for name in TRANSITIONS if name.startswith(start)]
    return _complete_at_option(start, fields) if AT in start else names


def _complete_output_word(table: Mapping[str, Kinds], start: str) -> list[str]:
    path = start.partition(AT)[0]
    known = table.get(PurePath(path).suffix.lower(), ())
    kinds = ALL_KINDS if path == STANDARD_OUTPUT else known
    return _complete_at_option(start, {n: OUTPUT_OPTIONS[n] for n in list_options(kinds)})


OUTPUT_COMPLETERS = {
    "output": partial(_complete_output_word, FILM_OPTIONS),
    "still": partial(_complete_output_word, STILL_OPTIONS),
    "sheet": partial(_complete_output_word, SHEET_OPTIONS),
}


def _complete_at_option(start: str, fields: Mapping[str, Field]) -> list[str]:
    # Complete the name of an option after the last sign, or its value, if it has choices.
    head, _, typed = start.rpartition(AT)
    if not head:
        return []
    words = [
        "no-" * (field.default is True)
        + name.replace("_", "-")
        + "=" * bool(field.metadata["metavar"])
        for name, field in fields.items()
    ]
    name, has_value, _ = typed.partition("=")
    if has_value and (field := fields.get(name.replace("-", "_"))):
        words = [f"{name}={choice}" for choice in field.metadata["choices"]]
    return [f"{head}{AT}{word}" for word in words if word.startswith(typed)]
