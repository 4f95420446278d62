"""The help of a command: what is used most on one screen, or all of its options by subject."""

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Any

import attrs
import click

from lightsanim.options.declare import Field
from lightsanim.options.outputs import (
    ANSWER_OPTIONS,
    DRAWING_OPTIONS,
    FILM_OPTIONS,
    OUTPUT_OPTIONS,
    PAGE_OPTIONS,
    POSE_OPTIONS,
    SHEET_OPTIONS,
    SOLVE_OPTIONS,
    STILL_OPTIONS,
    Kinds,
    StreamOptions,
    suffixes_with,
)
from lightsanim.options.settings import Settings, transition_options
from lightsanim.options.stages import TRANSITIONS

# Width of the column of names; smallest and greatest width of all.
NAMES_WIDTH, AT_WIDTH, MIN_WIDTH, MAX_WIDTH = 26, 32, 48, 100
# Maximum length of the list of a choice's names that a short help has.
MAX_CHOICES = 50
# The options that ``--help`` shows of a command that has more than fit on one screen.
COMMON: Mapping[str, str] = {
    "make": "output size preset levels rgb dither focus fit transition order duration ending "
    "palette canvas title seed",
    "render": "output sheet still canvas max_bytes shape gap palette colours lit unlit background "
    "show_clicks",
    "solve": "size output nearest check press levels rule wrap draw json palette",
    "board": "hardest output levels rule wrap json palette",
    "puzzle": "output json palette colours shape",
    "pose": "clicks hardest count output levels rule wrap seed json palette",
    "worksheet": "puzzle size count clicks difficulty title answers language levels output seed",
}
# The options that follow the files of each command, by option of the command and suffix.
FILMS = {
    "": FILM_OPTIONS,
    "--still": STILL_OPTIONS,
    "--sheet": SHEET_OPTIONS,
    "-o -": {"": (StreamOptions,)},
}
FILE_OPTIONS: Mapping[str, Mapping[str, Mapping[str, Kinds]]] = {
    "make": FILMS,
    "render": FILMS,
    "solve": {"": SOLVE_OPTIONS},
    "pose": {"": POSE_OPTIONS},
    "puzzle": {"": ANSWER_OPTIONS},
    "board": {"": DRAWING_OPTIONS},
    "lesson": {"": PAGE_OPTIONS},
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


def format_help(command: click.Command, *, whole: bool) -> str:
    """Format the help of a command, with all of its options if asked."""
    width, name = _screen_width(), str(command.name)
    arguments = [param for param in command.params if isinstance(param, click.Argument)]
    options = {param.name: param for param in command.params if _is_shown(param)}
    words = ["Usage:", "lightsanim", name, *map(_argument_name, arguments), "[OPTIONS]"]
    paragraphs = [" ".join(words), *(command.help or "").split("\n\n")]
    lines = [line for text in paragraphs for line in (*_fill(text, width), "")]
    for argument in arguments:
        lines += _format_entry(_argument_name(argument), vars(argument)["help"], width)
    lines += [""] * bool(arguments)
    common = COMMON.get(name, "").split()
    if common and not whole:
        chosen = [options[option] for option in common]
        lines += ["The options that are used most:"]
        lines += _format_options(chosen, width, brief=True)
        beside = ", and those after a file, as in a.gif@cell=4" if "canvas" in options else ""
        rest = f"All {len(options)} options{beside}: lightsanim {name} --help-all"
        lines += ["", *_fill(rest, width)]
        return "\n".join(lines)
    groups: dict[str, list[Any]] = {subject: [] for subject in SUBJECTS}
    for option in options.values():
        groups.setdefault(vars(option)["group"], []).append(option)
    for subject, members in groups.items():
        if members:
            lines += [f"{subject}:", *_format_options(members, width, brief=False), ""]
    if "transition" in options:
        lines += _format_transition_options(width)
    lines += _format_output_options(FILE_OPTIONS.get(name, {}), width)
    return "\n".join(lines[:-1])


def flags_of_files_with(command: str, name: str) -> list[str]:
    """Return the options of a command after whose files an option can follow, such as "-o"."""
    return [
        flag or "-o"
        for flag, table in FILE_OPTIONS.get(command, {}).items()
        if suffixes_with(name, table)
    ]


def format_overview(group: click.Group) -> str:
    """Format the help of the program: its commands, each with the first sentence of its help."""
    width = _screen_width()
    lines = ["Usage: lightsanim COMMAND [OPTIONS]", "", *_fill(group.help or "", width), ""]
    for name, command in group.commands.items():
        first, _, _ = (command.help or "").partition("\n\n")
        lines += _format_entry(name, first, width, names_width=13)
    options = [param for param in group.params if isinstance(param, click.Option)]
    lines += ["", *_format_options(options, width, brief=False)]
    return "\n".join([*lines, "", "The options of a command: lightsanim COMMAND --help"])


def _is_shown(param: click.Parameter) -> bool:
    return isinstance(param, click.Option) and not param.hidden


def _format_transition_options(width: int) -> Iterator[str]:
    # The options that follow the name of a transition.
    fields = attrs.fields(Settings)
    yield "--transition NAME@OPTION:"
    for transition in TRANSITIONS:
        for at, name in transition_options(transition).items():
            option = getattr(fields, name)
            entry = f"{transition}@{_format_at_name(at, option)}"
            yield from _format_entry(entry, _text_of_field(option), width, names_width=AT_WIDTH)
    yield ""


def _format_output_options(tables: Mapping[str, Mapping[str, Kinds]], width: int) -> Iterator[str]:
    # The options that follow the name of a file, under the files that have them.
    takers: dict[str, list[str]] = {}
    for name in OUTPUT_OPTIONS:
        files = dict[str, None]()
        for flag, table in tables.items():
            known = suffixes_with(name, table)
            files |= dict.fromkeys([flag] if flag and known else known)
        if files:
            takers.setdefault(", ".join(files), []).append(name)
    for key, members in takers.items():
        yield from _fill(f"FILE@OPTION of {key}:", width)
        for name in members:
            option = OUTPUT_OPTIONS[name]
            entry = f"@{_format_at_name(name, option)}"
            yield from _format_entry(entry, _text_of_field(option), width, names_width=AT_WIDTH)
        yield ""


def _format_at_name(name: str, option: Field) -> str:
    metavar, name = option.metadata["metavar"], name.replace("_", "-")
    if option.default is True:
        return f"{name}/@no-{name}"
    return f"{name}={metavar}" if metavar else name


def _text_of_field(option: Field) -> str:
    unset = option.metadata["unset"] or format_default(option.default)
    return f"{option.metadata['help']} [default: {unset}]" if unset else option.metadata["help"]


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
        elif unset := vars(option).get("unset"):
            text = f"{text} [default: {unset}]"
        yield from _format_entry(f"{names}{value}", text, width)


def _format_entry(
    names: str, text: str, width: int, names_width: int = NAMES_WIDTH
) -> Iterator[str]:
    lines = _fill(text, width - names_width - 2) or [""]
    if len(names) > names_width - 2:
        yield f"  {names}"
    else:
        yield f"  {names:{names_width}}{lines.pop(0)}".rstrip()
    yield from (f"{'':{names_width + 2}}{line}" for line in lines)


def format_default(value: Any) -> str:
    """Format the default of an option for its help; none is shown for what is off or empty."""
    if value is None or value is False or value == ():
        return ""
    return "on" if value is True else str(value).removesuffix(".0")
