"""The arguments and options of the commands: click's, built from the table of options."""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias, get_args

import attrs
import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from lightsanim.errors import OptionError
from lightsanim.options.checks import SYNONYMS, parse_number
from lightsanim.options.choices import Preset
from lightsanim.options.declare import Field
from lightsanim.options.legacy import refuse_changed_names
from lightsanim.options.look import LookOptions
from lightsanim.options.outputs import OutputFile
from lightsanim.options.records import resolve_file_options
from lightsanim.options.settings import MakeRequest, Settings, apply_preset, split_transition_word
from lightsanim.options.values import PictureWords
from lightsanim.output.look.theme import Theme
from .help import flags_of_files_with, format_default, format_help, format_overview

Completer: TypeAlias = Callable[[str], Iterable[str]]
"""A function that returns the words which complete the first letters of one."""

# Minimum likeness of an unknown option's name to a known one for a question whether it is meant.
MIN_LIKENESS = 0.7


class NumberType(click.ParamType[Any]):
    """A number in ASCII; the classes of options check its limits."""

    def __init__(self, kind: type, name: str) -> None:
        self.kind, self.name = kind, name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse a text; fail if it is no number of this kind."""
        try:
            return parse_number(self.kind, value)
        except ValueError:
            self.fail(f"{value!r} is not {self.name}", param, ctx)


# Types of values; those of all others stay texts, which the class of options parses.
TYPES: Mapping[Any, click.ParamType[Any]] = {
    float: NumberType(float, "a number"),
    int: NumberType(int, "a whole number"),
    Path: click.Path(path_type=Path),
}
FILE_METAVARS = ("PICTURE", "FILE", "START", "GOAL")  # Placeholders of the names of files.
# Types of options that may be repeated.
REPEATABLE_TYPES = (tuple[OutputFile, ...], tuple[Preset, ...], PictureWords)


class Argument(click.Argument):
    """An argument with a help text."""

    def __init__(self, *declarations: str, text: str, **settings: Any) -> None:
        super().__init__(declarations, **settings)
        self.help = text


class Option(click.Option):
    """An option with the subject under which the help lists it, and its default in words."""

    def __init__(self, *declarations: str, group: str, unset: str = "", **settings: Any) -> None:
        super().__init__(declarations, **settings)
        self.group, self.unset = group, unset


def argument(
    name: str,
    metavar: str,
    text: str,
    *,
    kind: type = str,
    default: Any = None,
    several: bool = False,
    required: bool = True,
    complete: Completer | None = None,
) -> Argument:
    """Declare an argument of a command; an optional one has a default or is not required."""
    return Argument(
        name,
        text=text,
        metavar=metavar,
        type=TYPES.get(kind, click.STRING),
        required=required and default is None,
        nargs=-1 if several else 1,
        shell_complete=None if kind is Path else _to_shell_completion(complete, metavar),
        **_default_setting(default),
    )


def option(
    flags: str,
    group: str,
    text: str,
    metavar: str = "",
    *,
    kind: type = str,
    default: Any = None,
    unset: str = "",
    repeats: bool = False,
    required: bool = False,
    complete: Completer | None = None,
) -> Option:
    """Declare an option of a command; without ``metavar`` it is a switch."""
    unset_switch = {} if metavar else {"default": None if "/" in flags else False}
    return Option(
        *flags.split(),
        group=group,
        unset=unset or format_default(default),
        help=text,
        metavar=metavar or None,
        type=None if not metavar else TYPES.get(kind, click.STRING),
        is_flag=None if metavar else True,
        multiple=repeats,
        required=required,
        shell_complete=None if kind is Path else _to_shell_completion(complete, metavar),
        **{**unset_switch, **_default_setting(default)},
    )


def _default_setting(default: Any) -> dict[str, Any]:
    # Click takes an explicit None for a value that need not be given.
    return {} if default is None else {"default": default}


def complete_from(choices: Collection[Any]) -> Completer:
    """Return a completer of the words of a list."""
    return lambda start: [word for word in map(str, choices) if word.startswith(start)]


def _to_shell_completion(complete: Completer | None, metavar: str) -> Any:
    names_file = metavar.removesuffix("...") in FILE_METAVARS
    if complete is None and not names_file:
        return None

    def complete_word(ctx: click.Context, param: click.Parameter, start: str) -> Any:
        words = [CompletionItem(word) for word in (complete(start) if complete else ())]
        # For a word without completions, the shell completes the names of files.
        return words or [CompletionItem(start, type="file")] * names_file

    return complete_word


class GivenLook(dict[str, Any]):
    """The options of the look that are given, without defaults."""


# For a class that commands take, the class of the options that they show.
SOURCES: Mapping[type, Any] = {
    Settings: MakeRequest,
    Theme: LookOptions,
    GivenLook: LookOptions,
}


@dataclass(frozen=True)
class OptionGroup:
    """Options of the table that a command takes as one object of a class."""

    kind: type
    options: Mapping[str, Option]  # The options by name.

    def collect(self, values: dict[str, Any], context: click.Context) -> Any:
        """Take the options of the group out of ``values``, and build the object."""
        taken = {name: values.pop(name) for name in self.options}
        # Options that are given override a preset, even if they have their defaults.
        given = {
            name: value
            for name, value in taken.items()
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        }
        if self.kind is Settings:
            given = apply_preset(split_transition_word(given))
        return self.kind(**resolve_file_options(given))


def options(
    kind: type,
    *names: str,
    helps: Mapping[str, str] = {},
    completers: Mapping[str, Completer] = {},
) -> OptionGroup:
    """Return the options of a class in the table, or those named, with other texts for some."""
    fields = {
        field.name: field
        for field in attrs.fields(SOURCES.get(kind, kind))
        if not field.metadata["at"] and not field.metadata["hidden"]
    }
    chosen = names or tuple(fields)
    built = {}
    for name in chosen:
        field, meta = fields[name], fields[name].metadata
        flag = name.replace("_", "-")
        switch = f"--{flag}/--no-{flag}" if field.default is not False else f"--{flag}"
        built[name] = option(
            meta["flags"] or (switch if not meta["metavar"] else f"--{flag}"),
            meta["group"],
            helps.get(name, meta["help"]),
            meta["metavar"],
            kind=_kind_of_value(field),
            unset=meta["unset"] or format_default(field.default),
            repeats=field.type in REPEATABLE_TYPES,
            complete=completers.get(name)
            or (complete_from(meta["choices"]) if meta["choices"] else None),
        )
    return OptionGroup(kind, built)


def _kind_of_value(field: Field) -> type:
    # Return the type of the values that the option's class takes: a number, or a text.
    kinds = (field.type, *get_args(field.type), *map(type, get_args(field.type)))
    return next((kind for kind in (float, int) if kind in kinds), str)


class Command(click.Command):
    """A command of the program, with its own help."""

    def get_help(self, ctx: click.Context) -> str:
        """Return what ``--help`` prints."""
        return format_help(self, whole=False)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of the command line, after a look at what click accepts in silence."""
        args = _repeat_flags_of_lists(self.params, args)
        if ctx.resilient_parsing:  # as it is while a shell completes words
            return super().parse_args(ctx, args)
        _refuse_changed_options(self.params, args)
        flags = {flag: e for e in self.params if isinstance(e, Option) for flag in e.opts}
        for flag, word in pairwise(args):
            if word in flags and flag in flags and not flags[flag].is_flag:
                raise OptionError(f"{flag} needs a value, not the option {word}")
        try:
            _, _, given = self.make_parser(ctx).parse_args(list(args))
            _refuse_repetition(given)
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            # Click compares with the dashes, so that each word is like some option.
            unknown = error.option_name.lstrip("-")
            names = [flag[2:] for flag in flags if flag.startswith("--")]
            near = SYNONYMS.get(unknown) or get_close_matches(unknown, names, 2, MIN_LIKENESS)
            meant = " or ".join(f"--{name}" for name in near if name in names)
            question = f"; did you mean {meant}?" if meant else ""
            for flag in flags_of_files_with(str(self.name), unknown.replace("-", "_"))[:1]:
                question = f"; it follows a file: {flag} FILE@{unknown}=..."
            raise click.NoSuchOption(
                error.option_name,
                f"no such option: {error.option_name}{question}",
                ctx=ctx,
            ) from None


def command(
    *parameters: click.Parameter, ignores_unknown_options: bool = False, **groups: OptionGroup
) -> Callable[[Callable[..., None]], Command]:
    """Turn a function into a command with these parameters and groups of options by name."""

    def build_command(function: Callable[..., None]) -> Command:
        def run_function(**values: Any) -> None:
            context = click.get_current_context()
            objects = {name: group.collect(values, context) for name, group in groups.items()}
            function(**values, **objects)

        members = [member for group in groups.values() for member in group.options.values()]
        return Command(
            function.__name__,
            callback=run_function,
            params=[*parameters, *members, _build_help_all_option()],
            help=inspect.getdoc(function),
            context_settings={
                "ignore_unknown_options": ignores_unknown_options,
                "help_option_names": ["-h", "--help"],
            },
        )

    return build_command


def _build_help_all_option() -> click.Option:
    def print_whole_help(context: click.Context, option: click.Parameter, is_given: bool) -> None:
        if is_given:
            click.echo(format_help(context.command, whole=True))
            context.exit()

    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        hidden=True,
        callback=print_whole_help,
    )


def _repeat_flags_of_lists(params: Sequence[click.Parameter], args: list[str]) -> list[str]:
    # An option of several values, such as ``--targets``, takes all words that follow it.
    several = [flag for e in params if str(e.metavar).endswith("...") for flag in e.opts]
    words, flag = list[str](), ""
    for word in args:
        if word.startswith("-") and word != "-":
            flag = word if word in several else ""
        elif flag and words[-1] != flag:
            words.append(flag)
        words.append(word)
    return words


def _refuse_changed_options(params: Sequence[click.Parameter], args: Sequence[str]) -> None:
    # Names of version 1.0 are refused together, before any other flaw is found.
    known = {flag for param in params for flag in param.opts}
    flags = (word.partition("=")[0] for word in args if word.startswith("--"))
    names = (re.sub("^--(no-)?", "", flag).replace("-", "_") for flag in flags if flag not in known)
    refuse_changed_names(names, ())


def _refuse_repetition(given: Sequence[click.Parameter]) -> None:
    # Only the last value of an option that cannot be repeated would count.
    for item, count in Counter(given).items():
        if count > 1 and isinstance(item, click.Option) and not item.multiple:
            flag = max(item.opts, key=len)
            raise OptionError(
                f"{flag} is given {count} times, but counts once; leave the others out"
            )


class CommandGroup(click.Group):
    """The program, with its own overview of the commands."""

    def get_help(self, ctx: click.Context) -> str:
        """Return what ``--help`` prints."""
        return format_overview(self)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Print the overview if there is no command."""
        if not args and not ctx.resilient_parsing:  # as it is while a shell completes words
            click.echo(format_overview(self))
            ctx.exit(OptionError.exit_status)
        return super().parse_args(ctx, args)
