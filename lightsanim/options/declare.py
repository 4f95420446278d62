"""Declarations of options, with metadata for the command line, forms and the docs.

To add an option, add a field to the class of its group, and use it where it takes effect.  The
classes hold canonical values, so that options are equal regardless of their spelling.
"""

from collections.abc import Callable
from types import NoneType
from typing import Any, Literal, TypeAlias, get_args, get_origin

import attrs
from attrs import field

from .checks import check_bool, check_choice, check_number, check_whole_number
from .colours import Colour, to_colour

Field: TypeAlias = "attrs.Attribute[Any]"


def option_info(text: str, metavar: str = "", **details: Any) -> dict[str, Any]:
    """Return the metadata of an option: help text, placeholder for the value, and details.

    These are ``unset`` (description of the default None), ``hidden`` (only records of version 1.0
    set it), ``at`` (name after the sign @ that follows a transition), ``flags`` (of the command
    line), ``kind`` (of a form's field), ``choices`` (values to suggest), ``limits`` (smallest and
    largest number), ``slider`` (the same for forms, and the step), ``group`` and ``marks``.  The
    last two default to those of the class.  Marks, by which `option_names` selects options, are
    "advanced" (forms show it last), "per_picture" (can be given for a single picture), "of_clips"
    (clips only), "of_stills" (stills only), and "of_ways" (not for a single clip, which has no
    transition).
    """
    return {
        "help": text,
        "metavar": metavar,
        "unset": "",
        "flags": "",
        "kind": "text",
        "choices": (),
        "free": True,
        "limits": (),
        "slider": (),
        "check": None,
        "hidden": False,
        "at": "",
        **details,
    }


def colour_option(
    text: str, check: Callable[..., Colour] = to_colour, **details: Any
) -> dict[str, Any]:
    """Return the metadata of an option whose value is a colour."""
    return option_info(text, "COLOUR", kind="colour", check=check, **details)


def flag_option(default: bool | None, text: str, **details: Any) -> Any:
    """Declare an option that is on or off."""
    return custom_option(check_bool, default, text, kind="flag", **details)


def choice_option(default: object, text: str, metavar: str = "NAME", **details: Any) -> Any:
    """Declare an option whose value is one of the names or numbers in its Literal type."""
    return custom_option(check_choice, default, text, metavar, kind="choice", **details)


def number_option(
    default: float | None, limits: tuple[float, float], text: str, metavar: str, **details: Any
) -> Any:
    """Declare an option with a number within limits."""
    details |= {"kind": "number", "limits": limits}
    return custom_option(check_number, default, text, metavar, **details)


def integer_option(
    default: int | None, limits: tuple[int, float], text: str, metavar: str, **details: Any
) -> Any:
    """Declare an option with a whole number within limits."""
    details |= {"kind": "whole", "limits": limits}
    return custom_option(check_whole_number, default, text, metavar, **details)


def custom_option(
    check: Callable[..., Any], default: object, text: str, metavar: str = "", **details: Any
) -> Any:
    """Declare an option whose values ``check(name, value, ...)`` checks and converts."""
    return field(default=default, metadata=option_info(text, metavar, check=check, **details))


def _choices_of_type(kind: Any) -> tuple[str | int, ...]:
    # Return the values of a Literal type, or of the first Literal type in a union.
    if get_origin(kind) is Literal:
        return get_args(kind)
    return next(filter(None, map(_choices_of_type, get_args(kind))), ())


def _build_converter(option: Field) -> Callable[[Any], Any]:
    # Returns a converter that passes the option's name, and its limits or choices, to its check.
    check, choices = option.metadata["check"], _choices_of_type(option.type)
    allowed: dict[str, Any] = dict(zip(("low", "high"), option.metadata["limits"], strict=False))
    allowed |= {"allowed": choices} if choices else {}
    is_optional = NoneType in get_args(option.type)

    def convert_value(value: Any) -> Any:
        if value is None and is_optional:
            return None
        return check(name=option.name, value=value, **allowed)

    # Python's `help` and `tests/tools/keywords.py` read the type that is accepted.
    accepted = check.__annotations__["value"]
    if accepted is Any:
        accepted = option.type
    elif is_optional:
        accepted = accepted | None
    convert_value.__annotations__["value"] = accepted
    return convert_value


def group_transformer(name: str, marks: str = "") -> Callable[[type, list[Field]], list[Field]]:
    """Return a transformer for attrs that completes a class's options and its docstring."""

    def complete_options(kind: type, fields: list[Field]) -> list[Field]:
        options, lines = list[Field](), [(kind.__doc__ or "").rstrip(), "", "Attributes:"]
        for option in fields:
            meta = {"group": name, "marks": marks, **option.metadata}
            names = _choices_of_type(option.type) if meta["kind"] == "choice" else ()
            if names and meta["free"]:  # inherited options are complete already
                meta |= {"choices": names, "free": False}
                meta["help"] += f": {', '.join(map(str, names))}."
            option = option.evolve(metadata=meta)
            if meta["check"] is not None:
                option = option.evolve(converter=_build_converter(option))
            options.append(option)
            lines.append(f"    {option.name}: {meta['help']}")
        kind.__doc__ = "\n".join(lines)
        return options

    return complete_options
