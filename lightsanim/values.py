"""Checks of the values that users give: what is wrong, and what would be right."""

import difflib
import math
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

from lightsanim.errors import OptionError


def check_whole(name: str, value: Any, low: int, high: float = math.inf) -> None:
    """Is ``value`` a whole number from ``low`` to ``high``?

    Raises:
        OptionError: if it is not.

    >>> check_whole("seed", 3, 0)
    """
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or not low <= value <= high:
        raise OptionError(f"{name} must be a whole number {_range(low, high)}, not {value!r}")


def check_number(name: str, value: Any, low: float, high: float = math.inf) -> None:
    """Is ``value`` a finite number from ``low`` to ``high``?

    Raises:
        OptionError: if it is not.

    >>> check_number("gamma", 1.2, 0.1)
    """
    real = isinstance(value, Real) and not isinstance(value, bool) and _is_finite(value)
    if not real or not low <= value <= high:
        raise OptionError(f"{name} must be a number {_range(low, high)}, not {value!r}")


def check_flag(name: str, value: Any) -> None:
    """Is ``value`` True or False?

    Raises:
        OptionError: if it is neither.

    >>> check_flag("cycle", True)
    """
    if not isinstance(value, bool):
        raise OptionError(f"{name} must be true or false, not {value!r}")


def check_choice(name: str, value: Any, known: Iterable[str]) -> None:
    """Is ``value`` one of the ``known`` names?

    Raises:
        OptionError: if it is not; names the nearest one.

    >>> check_choice("fit", "cover", ["cover", "contain"])
    """
    names = list(known)
    if value not in names:
        raise OptionError(
            f"{name} must be one of {', '.join(names)}, not {value!r}{guess(value, names)}"
        )


def guess(value: Any, known: Iterable[str]) -> str:
    """The end of a message: the known name that is nearest to ``value``, if one is near.

    >>> guess("ambr", ["amber", "rose"])
    '; did you mean amber?'
    """
    near = difflib.get_close_matches(str(value).lower(), list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


def _is_finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an int beyond all floats
        return False


def _range(low: float, high: float) -> str:
    return f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
