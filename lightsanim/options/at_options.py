"""Options that follow the name of what has them: ``face.jpg@focus=face``, ``out.gif@cell=4``."""

from collections.abc import Mapping
from typing import Any, get_args

from lightsanim.errors import OptionError
from .checks import parse_number, quote_value
from .declare import Field
from .shell import format_option

AT = "@"  # Sign before each option.


def format_at_options(values: Mapping[str, Any]) -> str:
    """Format options as they follow a name, except those that are None.

    >>> format_at_options({"max_bytes": 800, "numbers": True, "cell": None})
    '@max-bytes=800@numbers'
    """
    given = {name: value for name, value in values.items() if value is not None}
    words = ("=".join(format_option(*option)) for option in given.items())
    return "".join(AT + word.replace(AT, AT * 2) for word in words)


def parse_at_option(option: Field, name: str, text: str | None) -> Any:
    """Parse the value of an option that follows as ``@NAME=TEXT``, ``@NAME`` or ``@no-NAME``."""
    known, is_negated = name.removeprefix("no-"), name.startswith("no-")
    if not option.metadata["metavar"]:
        if text:
            raise OptionError(f"{known} must be {AT}{known} or {AT}no-{known}, without a value")
        return not is_negated
    if text is None or is_negated:
        raise OptionError(f"{known} needs a value: {AT}{known}={option.metadata['metavar']}")
    for kind, noun in ((int, "a whole number"), (float, "a number")):
        if kind in (option.type, *get_args(option.type)):
            try:
                return parse_number(kind, text)
            except ValueError:
                raise OptionError(f"{known} must be {noun}, not {quote_value(text)}") from None
    return text
