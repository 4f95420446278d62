"""Checks of the values that users give: what is wrong, and what would be right."""

import difflib
import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any, TypeVar

from lightsanim.errors import OptionError

Value = TypeVar("Value")


def check_whole(name: str, value: Any, low: int, high: float = math.inf) -> None:
    """Is ``value`` a whole number from ``low`` to ``high``?

    Args:
        name: of the option, for the message.
        value: what was given.
        low: the least that will do.
        high: the most that will do.

    Raises:
        OptionError: if it is not.

    >>> check_whole("seed", 3, 0)
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not low <= value <= high:
        raise OptionError(f"{name} must be a whole number {_range(low, high)}, not {value!r}")


def check_number(name: str, value: Any, low: float, high: float = math.inf) -> None:
    """Is ``value`` a finite number from ``low`` to ``high``?

    Args:
        name: of the option, for the message.
        value: what was given.
        low: the least that will do.
        high: the most that will do.

    Raises:
        OptionError: if it is not.

    >>> check_number("gamma", 1.2, 0.1)
    """
    real = isinstance(value, Real) and not isinstance(value, bool) and _is_finite(value)
    if not real or not low <= value <= high:
        raise OptionError(f"{name} must be a number {_range(low, high)}, not {value!r}")


def check_flag(name: str, value: Any) -> None:
    """Is ``value`` True or False?

    Args:
        name: of the option, for the message.
        value: what was given.

    Raises:
        OptionError: if it is neither.

    >>> check_flag("cycle", True)
    """
    if not isinstance(value, bool):
        raise OptionError(f"{name} must be true or false, not {value!r}")


def check_choice(name: str, value: Any, known: Iterable[str | int]) -> None:
    """Is ``value`` one of the ``known`` names or numbers?

    Args:
        name: of the option, for the message.
        value: what was given.
        known: what will do.

    Raises:
        OptionError: if it is not; names the nearest one.

    >>> check_choice("fit", "cover", ["cover", "contain"])
    """
    choices = list(known)
    if not any(isinstance(value, type(choice)) and value == choice for choice in choices):
        names = list(map(str, choices))
        raise OptionError(
            f"{name} must be one of {', '.join(names)}, not {value!r}{guess(value, names)}"
        )


def unknown_names(what: str, given: Iterable[object], known: Iterable[str]) -> list[str]:
    """What is wrong with names that do not exist: a message each, in alphabetical order.

    Args:
        what: they are names of, such as ``option``.
        given: the names that were given.
        known: the names that exist.

    >>> unknown_names("option", ["fps", "lop"], ["fps", "loop"])
    ["unknown option 'lop'; did you mean loop?"]
    """
    names = list(known)
    unknown = sorted({str(name) for name in given}.difference(names))
    return [f"unknown {what} {name!r}{guess(name, names)}" for name in unknown]


def check_names(what: str, given: Iterable[object], known: Iterable[str]) -> None:
    """Are all names known?

    Args:
        what: they are names of, such as ``option``.
        given: the names that were given.
        known: the names that exist.

    Raises:
        OptionError: for the first one, in alphabetical order, that does not exist.

    >>> check_names("option", ["fps"], ["fps", "loop"])
    """
    names = list(known)
    for problem in unknown_names(what, given, names):
        raise OptionError(f"{problem}; known: {', '.join(names)}")


def keyed(names: Iterable[str], table: Mapping[str, Value]) -> dict[str, Value]:
    """A table with an entry for each of the names that an option can take, in their order.

    Raises:
        KeyError: if a name has no entry, or an entry no name.

    >>> keyed(["a", "b"], {"b": 2, "a": 1})
    {'a': 1, 'b': 2}
    """
    ordered = {name: table[name] for name in names}
    for name in table:
        ordered[name]
    return ordered


def guess(value: Any, known: Iterable[str]) -> str:
    """The end of a message: the known name that is nearest to ``value``, if one is near.

    Args:
        value: what was given.
        known: the names that exist.

    >>> guess("ambr", ["amber", "rose"])
    '; did you mean amber?'
    """
    near = difflib.get_close_matches(value.lower(), list(known), 1) if type(value) is str else []
    return f"; did you mean {near[0]}?" if near else ""


def _is_finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an int beyond all floats
        return False


def _range(low: float, high: float) -> str:
    return f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
