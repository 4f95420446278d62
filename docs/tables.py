"""Generate the reference of commands and options while the site is built (a hook of MkDocs).

In a page, a line ``<!-- options -->`` is replaced by the table of options (`lightsanim.options`),
``<!-- commands -->`` by the commands (`lightsanim.cli.app`), and ``<!-- docstring MODULE -->`` by
the docstring of a module, with the listing of a file's members as a table.

The text between ``<!-- measured TITLE -->`` and ``<!-- -->`` is replaced by the table in
results.json whose title begins with TITLE.  ``<!-- measured TITLE; COLUMN -->`` inserts only the
smallest and the largest value of a column; ``; NAME=VALUE`` before COLUMN selects rows.
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import groupby
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs

from lightsanim.cli.app import app
from lightsanim.options.outputs import (
    ALL_KINDS,
    FILM_OPTIONS,
    OUTPUT_OPTIONS,
    SHEET_OPTIONS,
    STILL_OPTIONS,
    MessageOptions,
    Outputs,
    suffixes_with,
)
from lightsanim.options.settings import PER_PICTURE, MakeRequest, transition_options
from lightsanim.options.stages import TRANSITIONS
from lightsanim.output.look.theme import Theme

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))  # MkDocs does not import hooks as modules of this folder

from benchmarks.results import load, shown, table_lines  # noqa: E402

FILES = "File to write"

# Options whose choices are shown in a picture, drawn by figures.py.
PICTURED = ("dither", "order", "transition", "palette", "shape")
FIGURE = "../how-it-works/figures/option-{}.png"

Option = Any  # a field of the table of options
Parameter = Any  # an argument or option of a command, of click

COMMANDS = app.commands
MEASURED = re.compile(r"(?s)(<!-- measured ([^>]+) -->).*?<!-- -->")
LINE = re.compile(r"(?m)^<!-- (options|commands|docstring) ?(\S*) -->$")
EXAMPLE = re.compile(r"(?m)(?:^Example: .*\n*)+")
LISTING = re.compile(r"(?ms)^    \{\n(.*?)^    \}.*?$")
UNSET = re.compile(r" \[default: (.*)\]$")

FIELDS: dict[str, Option] = {
    field.name: field
    for kind in (MakeRequest, Theme, *ALL_KINDS, Outputs, MessageOptions)
    for field in attrs.fields(kind)
    if not field.metadata["hidden"]
}
SHARED = ("canvas", "max_bytes")  # Options of outputs that also hold for all outputs.


def on_page_markdown(markdown: str, **kwargs: Any) -> str:
    """Replace the lines of a page that ask for generated text."""
    makers: dict[str, Callable[..., str]] = {
        "options": options_page,
        "commands": commands_page,
        "docstring": lambda module: docstring_page(import_module(module)),
    }
    page = LINE.sub(lambda line: makers[line[1]](*filter(None, [line[2]])), markdown)
    return with_figures(page)


# Measured values.


def with_figures(markdown: str) -> str:
    """Return a page with the latest measured values."""
    results = load(ROOT / "benchmarks" / "results.json")
    tables = [table for findings in results.values() for table in findings["tables"]]

    def figures(found: re.Match[str]) -> str:
        title, *parts = found[2].split("; ")
        [rows] = [table.rows for table in tables if table.title.startswith(title)]
        if not parts:
            return "\n".join([f"{found[1]}\n", *table_lines(rows), "\n<!-- -->"])
        *wheres, column = parts
        for name, _, value in (where.partition("=") for where in wheres):
            rows = [row for row in rows if shown(row[name]) == value]
        values = [row[column] for row in rows]
        ends = dict.fromkeys([shown(min(values)), shown(max(values))])
        return f"{found[1]}{' to '.join(ends)}<!-- -->"

    return MEASURED.sub(figures, markdown)


# Options.


def options_page() -> str:
    """Return all options by groups, each with a heading, a table and the pictures of choices."""
    groups = list(dict.fromkeys(field.metadata["group"] for field in FIELDS.values()))
    by_group = sorted(FIELDS.values(), key=lambda field: groups.index(field.metadata["group"]))
    lines: list[str] = []
    for group, members in groupby(by_group, lambda field: field.metadata["group"]):
        fields = list(members)
        lines += [f"## {group} {{ #group-{group.lower()} }}", _option_table(fields)]
        lines += [
            f"`{flag_of(field.name)}`:\n\n![Its choices]({FIGURE.format(field.name)})"
            for field in fields
            if field.name in PICTURED
        ]
    return "\n\n".join(lines)


def _option_table(fields: list[Option]) -> str:
    rows = [
        "| Option | Value | Default | What it sets, and where |",
        "| --- | --- | --- | --- |",
    ]
    for field in fields:
        anchor = f"`{flag_of(field.name)}`{{ #{field.name.replace('_', '-')} }}"
        text = plain(_help(field)).replace("|", "\\|")
        if field.name in PER_PICTURE:
            text += " Each picture can have its own."
        users = [name for name, command in COMMANDS.items() if _has(command, field.name)]
        where = " ".join(f"[{name}](command-line.md#{name})" for name in users)
        if field.name in OUTPUT_OPTIONS:
            where = f"After {_files_with(field.name)}. {where}".strip()
        rows.append(f"| {anchor} | {_takes(field)} | {_default(field)} | {text}<br>{where} |")
    return "\n".join(rows)


def _files_with(name: str) -> str:
    # Return the files after whose names an option can follow.
    films = [f"`{suffix}`" for suffix in suffixes_with(name, FILM_OPTIONS) if suffix[0] == "."]
    others = [
        flag
        for flag, table in (("`--still`", STILL_OPTIONS), ("`--sheet`", SHEET_OPTIONS))
        if suffixes_with(name, table)
    ]
    return ", ".join([*films, *others]) or "`-o -`"


def _help(field: Option) -> str:
    # Return the help text without the list of choices, which the table shows separately.
    told = field.metadata
    if told["free"]:
        return str(told["help"])
    return f"{told['help'].removesuffix(': ' + ', '.join(map(str, told['choices'])) + '.')}."


def flag_of(name: str) -> str:
    """Return the long form of an option, as typed on the command line.

    >>> flag_of("time_limit"), flag_of("sketch_blur"), flag_of("hatch_angle")
    ('--time-limit', 'sketch@blur', '@hatch-angle')
    """
    for transition in TRANSITIONS:
        for at, option in transition_options(transition).items():
            if option == name:
                return f"{transition}@{at}"
    sign = "@" if name in OUTPUT_OPTIONS and name not in SHARED else "--"
    return f"{sign}{name.replace('_', '-')}"


def _takes(field: Option) -> str:
    told, kind = field.metadata, field.metadata["kind"]
    if kind == "flag":
        return "switch"
    if kind in ("number", "whole"):
        return _range(kind, *(told["limits"] or (0, inf)))
    if not told["choices"] or told["free"]:  # the help text names the choices
        return f"`{told['metavar']}`"
    return ", ".join(f"`{name}`" for name in told["choices"])


def _range(kind: str, low: float, high: float) -> str:
    what = "whole number" if kind == "whole" else "number"
    return f"{what}, {low:,} or more" if high == inf else f"{what} from {low:,} to {high:,}"


def _default(field: Option) -> str:
    default, unset = field.default, field.metadata["unset"]
    if default is None or default == ():
        return unset
    if isinstance(default, bool):
        head, sign, name = flag_of(field.name).rpartition("@")
        off = f"{head}@no-{name}" if sign else f"--no-{name.removeprefix('--')}"
        return f"on; off: `{off}`" if default else "off"
    return f"`{default:g}`" if isinstance(default, float) else f"`{default}`"


def _has(command: Any, name: str) -> bool:
    return any(each.name == name and _is_of_table(each) for each in command.params)


# Commands.


def commands_page() -> str:
    """Return the reference of all commands: help, example, arguments and options."""
    return "\n\n".join(_command(name, command) for name, command in COMMANDS.items())


def _command(name: str, command: Any) -> str:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    words = " ".join(each.metavar if each.required else _bracketed(each) for each in arguments)
    text, example = _text_and_example(command.help)
    usage = " ".join(filter(None, ["lightsanim", name, words, "[OPTION...]"]))
    parts = [f"## {name}", text, f"```text\n{usage}\n```", example]
    parts += [f"`{each.metavar}`\n:   {plain(each.help)}" for each in arguments]
    options = [each for each in command.params if _is_option(each)]
    own = [each for each in options if not _is_as_in_table(each)]
    parts += [_own_option(each) for each in own]
    shared = "\n".join(_links(each for each in options if _is_as_in_table(each)))
    parts += [f"As in the table of [options](options.md):\n\n{shared}"] if shared else []
    return "\n\n".join(filter(None, parts))


def _bracketed(argument: Parameter) -> str:
    return argument.metavar if argument.metavar.startswith("[") else f"[{argument.metavar}]"


def _text_and_example(text: str) -> tuple[str, str]:
    # Return the help text of a command, and its examples as a fenced block.
    lines = re.findall(r"(?m)^Example: (.*)", text)
    fence = "\n".join(["```sh", *lines, "```"]) if lines else ""
    return plain(EXAMPLE.sub("", text)).strip(), fence


def _own_option(option: Parameter) -> str:
    flags = ", ".join(f"`{flag}`" for flag in [*option.opts, *option.secondary_opts])
    value = "" if option.is_flag else f" `{option.metavar}`"
    text = plain(option.help)
    unset = UNSET.search(text)
    facts = [unset[1]] if unset else [option.unset] if option.unset else []
    told = UNSET.sub("", text) + "".join(f" Default: {fact}." for fact in facts)
    return f"{flags}{value}\n:   {told}{' Required.' if option.required else ''}"


def _links(options: Iterable[Parameter]) -> Iterator[str]:
    def group_of(option: Parameter) -> str:
        return str(FIELDS[option.name].metadata["group"])

    for group, members in groupby(sorted(options, key=_place), group_of):
        links = (
            f"[`{flag_of(one.name)}`](options.md#{one.name.replace('_', '-')})" for one in members
        )
        yield f"- {group}: {' '.join(links)}"


def _place(option: Parameter) -> tuple[int, int]:
    names = list(FIELDS)
    groups = [field.metadata["group"] for field in FIELDS.values()]
    return groups.index(FIELDS[option.name].metadata["group"]), names.index(option.name)


def _is_option(parameter: Parameter) -> bool:
    return any(word.startswith("-") for word in parameter.opts) and not parameter.hidden


def _is_of_table(parameter: Parameter) -> bool:
    # The help must be that of the table, or say which files the command writes.
    field = FIELDS.get(parameter.name)
    if field is None or not _is_option(parameter):
        return False
    texts = (field.metadata["help"], FILES)
    return field.metadata["metavar"] == (parameter.metavar or "") and any(
        text in parameter.help for text in texts
    )


def _is_as_in_table(option: Parameter) -> bool:
    return _is_of_table(option) and not option.required and FILES not in option.help


# Docstrings of modules, which describe file formats.


def docstring_page(module: ModuleType) -> str:
    """Return a docstring without its first paragraph, with the listing of members as a table."""
    _, text = (inspect.getdoc(module) or "").split("\n\n", 1)
    return LISTING.sub(lambda found: _members(found[1].splitlines()), text)


def _members(lines: list[str]) -> str:
    # The descriptions of members begin at the column of the word "always" in the first line.
    column = lines[0].index("always")
    rows: list[list[str]] = []
    for line in lines:
        member, said = line[:column], line[column:]
        if not member.endswith(" ") or '": ' in said:  # a long line without a description
            member, said = line, ""
        if line.startswith('      "'):
            rows.append(["", ""])
        rows[-1] = [f"{rows[-1][0]} {member.strip()}".strip(), f"{rows[-1][1]} {said.strip()}"]
    table = (
        f"| `{member.removesuffix(',')}` | {said.strip().replace('*', '&#42;')} |"
        for member, said in rows
    )
    return "\n".join(["| member | |", "| --- | --- |", *table])


def plain(text: str) -> str:
    """Convert a help text to Markdown."""
    return text.replace("*", r"\*").replace("<", "&lt;")
