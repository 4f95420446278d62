"""Parameters of the commands, generated from the classes of options."""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import partial, wraps
from inspect import Parameter
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, get_args

import attrs
import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.exceptions import TyperException

from lightsanim.errors import OptionError
from lightsanim.options.checks import SYNONYMS, parse_number
from lightsanim.options.choices import Preset
from lightsanim.options.legacy import refuse_changed_names
from lightsanim.options.look import LookOptions
from lightsanim.options.outputs import OutputFile
from lightsanim.options.records import resolve_file_options
from lightsanim.options.settings import MakeRequest, Settings, apply_preset, split_transition_word
from lightsanim.options.values import PictureWords
from lightsanim.output.look.theme import Theme
from .help import format_help, format_overview


def _number_parser(kind: type, expected: str) -> Callable[[str], Any]:
    def read_number(text: str) -> Any:
        try:
            return parse_number(kind, text)
        except ValueError:
            raise typer.BadParameter(f"{text!r} is not {expected}") from None

    return read_number


# Parsers of option values, by type.  Limits are checked by the classes of options, so that messages
# are the same in Python, in manifests and on the command line.
READERS: Mapping[Any, Callable[[str], Any]] = {
    bool: bool,
    float: _number_parser(float, "a number"),
    int: _number_parser(int, "a whole number"),
    str: str,
    Path: Path,
}


# Minimum likeness of an unknown option's name to a known one for a question whether it is meant.
MIN_LIKENESS = 0.7


class _FastParsingMixin:
    # Parses arguments without typer, which would import Pydantic, as slow to import as numpy.

    def get_params(self, context: Any) -> Any:
        parameters = super().get_params(context)  # type: ignore[misc]
        params = inspect.signature(self.callback).parameters  # type: ignore[attr-defined]
        for item in parameters:
            annotation = params[item.name].annotation if item.name in params else None
            reader = READERS.get(_innermost_type(annotation))
            item.process_value = partial(_process_value, item, reader)
        return parameters


class Command(_FastParsingMixin, TyperCommand):
    """A command that parses its arguments and formats its help without typer."""

    def get_help(self, context: Any) -> str:
        """Return what ``--help`` prints."""
        return format_help(self, context.info_name, whole=False)

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        """Let an option of several values, such as ``--targets``, take all words that follow it."""
        if "--help-all" in args:
            typer.echo(format_help(self, context.info_name, whole=True))
            raise typer.Exit
        several = [flag for e in self.params if str(e.metavar).endswith("...") for flag in e.opts]
        flags = {f: e.is_flag for e in self.params if isinstance(e, TyperOption) for f in e.opts}
        _refuse_changed_options(self.params, args)
        for flag, word in pairwise(args):
            if word in flags and not flags.get(flag, True):
                raise OptionError(f"{flag} needs a value, not the option {word}")
        words, option = list[str](), ""
        for word in args:
            if word.startswith("-") and word != "-":
                option = word if word in several else ""
            elif option and words[-1] != option:
                words.append(option)
            words.append(word)
        try:
            _, _, given = self.make_parser(context).parse_args(words.copy())
            _refuse_repetition(given)
            return super().parse_args(context, words)
        except TyperException as error:
            if unknown := getattr(error, "option_name", "").lstrip("-"):
                # Typer compares with the dashes, so that each word is like some option.
                names = [flag[2:] for e in self.params for flag in e.opts if flag.startswith("--")]
                near = SYNONYMS.get(unknown) or get_close_matches(unknown, names, 2, MIN_LIKENESS)
                vars(error)["possibilities"] = [f"--{name}" for name in near if name in names]
            raise


def _refuse_changed_options(params: Sequence[Any], args: Sequence[str]) -> None:
    # Names of version 1.0 are refused together, before any other flaw is found.
    known = {flag for param in params for flag in param.opts}
    flags = (word.partition("=")[0] for word in args if word.startswith("--"))
    names = (re.sub("^--(no-)?", "", flag).replace("-", "_") for flag in flags if flag not in known)
    refuse_changed_names(names, ())


def _refuse_repetition(given: Sequence[Any]) -> None:
    # Only the last value of an option that cannot be repeated would count.
    for item, count in Counter(given).items():
        if count > 1 and isinstance(item, TyperOption) and not item.multiple:
            flag = max(item.opts, key=len)
            raise OptionError(
                f"{flag} is given {count} times, but counts once; leave the others out"
            )


class CommandGroup(_FastParsingMixin, TyperGroup):
    """A group of commands that parses its arguments and formats its help without typer."""

    def get_help(self, context: Any) -> str:
        """Return what ``--help`` prints."""
        return format_overview(self)

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        """Print the help if there is no command."""
        if args:
            return super().parse_args(context, args)
        typer.echo(format_overview(self))
        raise typer.Exit(OptionError.exit_status)


def _process_value(parameter: Any, reader: Any, context: Any, value: Any) -> Any:
    # Replaces ``process_value`` of typer for types that have a parser.
    is_missing = parameter.required and parameter.value_is_missing(value)
    if is_missing or (value is not None and not reader):
        return type(parameter).process_value(parameter, context, value)
    if parameter.nargs != 1 or parameter.multiple:
        value = tuple(map(reader or str, value or ()))
    elif value is not None:
        value = reader(value)
    return parameter.callback(context, parameter, value) if parameter.callback else value


class GivenLook(dict[str, Any]):
    """The options of the look that are given, without defaults."""


# For a class that commands take, the class of the options that they show.
SOURCES: Mapping[type, Any] = {
    Settings: MakeRequest,
    Theme: LookOptions,
    GivenLook: LookOptions,
}
# Types of options that the command line may repeat.
REPEATABLE_TYPES: Mapping[Any, Any] = {
    tuple[OutputFile, ...]: list[str],
    tuple[Preset, ...]: list[str],
    PictureWords: list[str],
}


def option(
    group: str,
    text: str,
    metavar: str = "",
    *,
    unset: str = "",
    flags: str = "",
    choices: Collection[Any] = (),
) -> Any:
    """Declare an option of a single command, as the annotation of its function's parameter."""
    return typer.Option(
        *flags.split(),
        help=f"{text} [default: {unset}]" if unset else text,
        rich_help_panel=group,
        metavar=metavar,
        autocompletion=complete_from(choices) if choices else None,
    )


def complete_from(choices: Collection[Any]) -> Callable[[str], list[str]]:
    """Return a function that completes the first letters of a choice in the shell."""
    return lambda incomplete: [word for word in map(str, choices) if word.startswith(incomplete)]


def with_options(
    *, defaults: Mapping[str, Any] = {}, helps: Mapping[str, str] = {}, **names: Collection[str]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Replace each parameter that is a class of options by all or those of its options named."""

    def decorate_command(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        params: list[Parameter] = []
        groups: dict[str, tuple[type, dict[str, str]]] = {}
        for name, parameter in signature.parameters.items():
            kind = parameter.annotation
            if kind not in SOURCES and not attrs.has(kind):
                params.append(parameter.replace(kind=Parameter.KEYWORD_ONLY))
                continue
            fields = attrs.fields(SOURCES.get(kind, kind))
            chosen = [
                field
                for field in fields
                if field.name in names.get(name, (field.name,))
                and not field.metadata["at"]
                and not field.metadata["hidden"]
            ]
            # If an option has the name of an argument, its parameter gets a trailing underscore.
            keys = {f.name: f"{f.name}{'_' * (f.name in signature.parameters)}" for f in chosen}
            groups[name] = kind, keys
            for field in chosen:
                default = defaults.get(field.name, field.default)
                text = helps.get(field.name, field.metadata["help"])
                params.append(_make_parameter(field, keys[field.name], default, text))
        params.append(Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context))

        @wraps(command)
        def run_command(*, context: typer.Context, **arguments: Any) -> None:
            for name, (kind, keys) in groups.items():
                group_values = {option: arguments.pop(key) for option, key in keys.items()}
                arguments[name] = _collect_options(kind, group_values, context)
            command(**arguments)

        run_command.__signature__ = signature.replace(parameters=params)  # type: ignore[attr-defined]
        run_command.__annotations__ = {parameter.name: parameter.annotation for parameter in params}
        return run_command

    return decorate_command


def _collect_options(kind: type, values: Mapping[str, Any], context: typer.Context) -> Any:
    # Options that the user sets override a preset, even if they are set to their defaults.
    sources = {name: context.get_parameter_source(name) for name in values}
    set_by_user = [name for name, source in sources.items() if source and source.name != "DEFAULT"]
    given = {name: values[name] for name in set_by_user}
    if kind is Settings:
        given = apply_preset(split_transition_word(given))
    return kind(**resolve_file_options(given))


def _make_parameter(field: "attrs.Attribute[Any]", key: str, default: Any, text: str) -> Parameter:
    # Values of other types stay texts, which the class of options parses.
    kind: Any = REPEATABLE_TYPES.get(field.type) or _innermost_type(field.type)
    meta, name = field.metadata, field.name.replace("_", "-")
    switch = f"--{name}/--no-{name}" if kind is bool and field.default is not False else f"--{name}"
    if kind not in (*READERS, *REPEATABLE_TYPES.values()):
        kind, default = str, None if default is None else str(default)
    facts = {name: meta[name] for name in ("metavar", "unset", "choices")}
    entry = option(meta["group"], text, **facts, flags=meta["flags"] or switch)
    annotation: Any = Annotated[kind if default is not None else kind | None, entry]
    return Parameter(key, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _innermost_type(annotation: Any) -> Any:
    # Takes the first type out of annotations, unions and lists, and that of a Literal's values.
    while arguments := get_args(annotation):
        annotation = arguments[0]
    return annotation if isinstance(annotation, type) else type(annotation)
