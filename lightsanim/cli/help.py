"""The help of a command: what is used most on one screen, or all of its options by subject."""

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Any

from typer.core import TyperArgument, TyperOption

# Width of the column of names; smallest and greatest width of all.
NAMES_WIDTH, MIN_WIDTH, MAX_WIDTH = 26, 48, 100
# Maximum length of the list of a choice's names that a short help has.
MAX_CHOICES = 50
# The options that ``--help`` shows of a command that has more than fit on one screen.
COMMON: Mapping[str, str] = {
    "make": "output size preset levels rgb dither focus fit transition order duration ending "
    "palette canvas title seed",
    "preview": "size output levels rgb spot focus fit dither palette",
    "render": "output sheet still frame cell canvas gap shape palette lit unlit show_clicks "
    "max_bytes",
    "solve": "size output nearest check press levels rule wrap draw json cell palette",
    "board": "hardest output levels rule wrap json cell palette",
    "pose": "clicks hardest count output levels rule wrap seed json cell palette words",
    "puzzle": "output json cell palette words_",
    "worksheet": "puzzle size count clicks difficulty title answers words levels output seed",
}
# The order of subjects; others follow.
SUBJECTS = (
    "Picture",
    "Clips",
    "Board",
    "Clicks",
    "Timing",
    "Look",
    "Paper",
    "Output",
    "Label",
    "Solve",
)


def format_help(command: Any, name: str, *, whole: bool) -> str:
    """Format the help of a command called ``lightsanim NAME``, with all of its options if asked."""
    width = _screen_width()
    arguments = [param for param in command.params if isinstance(param, TyperArgument)]
    options = {param.name: param for param in command.params if isinstance(param, TyperOption)}
    words = ["Usage:", "lightsanim", name, *map(_argument_name, arguments), "[OPTIONS]"]
    paragraphs = [" ".join(words), *(command.help or "").split("\n\n")]
    lines = [line for text in paragraphs for line in (*_fill(text, width), "")]
    for argument in arguments:
        lines += _format_entry(_argument_name(argument), argument.help or "", width)
    lines += [""] * bool(arguments)
    common = COMMON.get(name, "").split()
    if common and not whole:
        chosen = [options[option] for option in common]
        lines += ["The options that are used most:"]
        lines += _format_options(chosen, width, brief=True)
        lines += ["", f"All {len(options)} options: lightsanim {name} --help-all"]
        return "\n".join(lines)
    groups: dict[str, list[Any]] = {subject: [] for subject in SUBJECTS}
    for option in options.values():
        groups.setdefault(option.rich_help_panel or "Other", []).append(option)
    for subject, members in groups.items():
        if members:
            lines += [f"{subject}:", *_format_options(members, width, brief=False), ""]
    return "\n".join(lines[:-1])


def format_overview(group: Any) -> str:
    """Format the help of the program: its commands, each with the first sentence of its help."""
    width = _screen_width()
    lines = ["Usage: lightsanim COMMAND [OPTIONS]", "", *_fill(group.help, width), ""]
    for name, command in group.commands.items():
        first, _, _ = (command.help or "").partition("\n\n")
        lines += _format_entry(name, first, width, names_width=13)
    options = [param for param in group.params if isinstance(param, TyperOption)]
    lines += ["", *_format_options(options, width, brief=False)]
    return "\n".join([*lines, "", "The options of a command: lightsanim COMMAND --help"])


def _screen_width() -> int:
    return max(MIN_WIDTH, min(shutil.get_terminal_size().columns, MAX_WIDTH) - 1)


def _fill(text: str, width: int) -> list[str]:
    return wrap(" ".join(text.split()), width, break_on_hyphens=False, break_long_words=False)


def _argument_name(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return name if argument.required else f"[{name}]"


def _format_options(options: Iterable[Any], width: int, *, brief: bool) -> Iterator[str]:
    for option in options:
        switch = f"/{option.secondary_opts[0]}" if option.secondary_opts else ""
        flags = sorted((f"{flag}{switch}" for flag in option.opts), key=len)
        names = ", ".join(flags) if len(flags[0]) == 2 else f"    {', '.join(flags)}"
        value = f" {option.metavar}" if option.metavar and not option.is_flag else ""
        text = option.help or ""
        if brief:
            names_of_choices = re.search(r": (?:[\w-]+, )+[\w-]+\.$", text)
            text = re.split(r"[.:;](?: |$)| \(", text)[0]
            if names_of_choices and len(names_of_choices[0]) < MAX_CHOICES:
                text += names_of_choices[0].rstrip(".")
        elif default := _format_default(option):
            text = f"{text} [default: {default}]"
        yield from _format_entry(f"{names}{value}", text, width)


def _format_default(option: Any) -> str:
    default = option.default
    if option.secondary_opts and default is not None:
        return str((option.opts if default else option.secondary_opts)[0]).removeprefix("--")
    shows = not option.is_flag and default not in (None, (), [], "") and not callable(default)
    return str(default) if shows else ""


def _format_entry(
    names: str, text: str, width: int, names_width: int = NAMES_WIDTH
) -> Iterator[str]:
    lines = _fill(text, width - names_width - 2) or [""]
    if len(names) > names_width - 2:
        yield f"  {names}"
    else:
        yield f"  {names:{names_width}}{lines.pop(0)}".rstrip()
    yield from (f"{'':{names_width + 2}}{line}" for line in lines)
