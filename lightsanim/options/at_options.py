"""Options that follow the name of what has them: ``face.jpg@focus=face``, ``out.gif@cell=4``."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from lightsanim.errors import OptionError
from .checks import check_known_names, parse_number, quote_value
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


def parse_at_options(
    pairs: Iterable[tuple[str, str | None]], fields: Mapping[str, Field], noun: str, owner: str
) -> dict[str, Any]:
    """Parse options that follow a name: pairs of a name and of the text after its = or None.

    Args:
        pairs: the options in their order.
        fields: the options that exist, by name.
        noun: what has them, such as "an output".
        owner: its name.

    Raises:
        OptionError: for an option that does not exist, is given twice, or has another type.
    """
    own: dict[str, Any] = {}
    for given, text in pairs:
        name = given.removeprefix("no-").replace("-", "_")
        check_known_names(f"option of {noun}", [name], fields)
        if name in own:
            raise OptionError(f"{owner} has {given} twice; leave one out", name)
        own[name] = _parse_at_option(fields[name], given, text)
    return own


def _parse_at_option(option: Field, name: str, text: str | None) -> Any:
    # Parse the value of an option that follows as ``@NAME=TEXT``, ``@NAME`` or ``@no-NAME``.
    # An option without a default is unset by ``@no-NAME``.
    known, is_negated = name.removeprefix("no-"), name.startswith("no-")
    if is_negated and not text and option.default is None:
        return None
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
