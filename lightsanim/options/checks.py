"""Checks of the values that users give, with messages that say which values are valid.

The checks of single values return Python's own types, because JSON cannot hold numpy's numbers.
"""

import difflib
import json
import math
import os
import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lightsanim.errors import OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=str | int)
Number = TypeVar("Number", int, float)

MAX_SHOWN = 80  # Maximum length of a value in a message, in characters.
# Option names to suggest for words that mean them, but resemble others or none.
SYNONYMS = {
    "length": ("total",),
    "speed": ("duration", "fps"),
    **dict.fromkeys(("color", "colour", "colors"), ("rgb", "spot", "colours", "lit")),
}
MAX_FILE_NAME, MAX_PATH = 255, 4096  # Maximum lengths on Linux, in bytes.
MAX_LISTED = 3  # Maximum number of names listed in a message.
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxlong = _SHORT.maxother = MAX_SHOWN


def invalid_value_error(
    name: str, expected: str, value: Any, names: Iterable[str] = ()
) -> OptionError:
    """Return the error for an invalid value, with the most similar of ``names`` as a suggestion."""
    return OptionError(
        f"{name} must {expected}, not {quote_value(value)}{did_you_mean(value, names)}", name
    )


def check_whole_number(name: str, value: Any, low: int, high: float = math.inf) -> int:
    """Return ``value`` as an int if it is a whole number from ``low`` to ``high``."""
    if isinstance(value, Integral) and not isinstance(value, bool) and low <= int(value) <= high:
        return int(value)
    raise invalid_value_error(name, f"be a whole number {_format_range(low, high)}", value)


def check_number(name: str, value: Any, low: float, high: float = math.inf) -> float:
    """Return ``value`` as a float if it is a finite number from ``low`` to ``high``."""
    number = to_float_or_none(value)
    if number is not None and low <= number <= high and math.isfinite(number):
        return number
    raise invalid_value_error(name, f"be a number {_format_range(low, high)}", value)


def parse_number(kind: type[Number], text: str | float) -> Number:
    """Parse a number; raise a ValueError if it has underscores or is not written in ASCII."""
    if "_" in str(text) or not str(text).isascii():
        raise ValueError(f"not a number: {text!r}")
    return kind(text)


def to_float_or_none(value: Any) -> float | None:
    """Convert a number of any type to a float, or return None if that is impossible."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        return float(value) + 0.0  # adding 0.0 turns -0.0 into 0.0
    except OverflowError:
        return None


def find_hidden_character(text: str) -> str | None:
    """Return the first unprintable character of a line, such as ``U+202E``, or None."""
    # Characters U+200C to U+200F may follow non-ASCII letters, where spelling needs them.
    rest = re.sub("(?<=[^\0-\x7f\u200c-\u200f])[\u200c-\u200f]", "", text)
    return next((f"U+{ord(letter):04X}" for letter in rest if not letter.isprintable()), None)


def check_seconds(value: Any) -> float:
    """Return ``value`` as a float if it is a positive number of seconds; infinity is valid."""
    seconds = to_float_or_none(value)
    if seconds is None or not seconds > 0:
        flaw = f"the time limit must be more than 0 seconds, not {quote_value(value)}"
        raise OptionError(flaw, "time_limit")
    return seconds


def check_bool_array(name: str, value: Any, *sides: int | None) -> "NDArray[np.bool_]":
    """Return ``value`` as a bool array if it has this shape and holds only bools, or 0 and 1."""
    import numpy as np  # imported late, so that --help starts faster

    array = _to_array(name, value, sides)
    if array.dtype != bool:
        wrong = array[~np.isin(array, (0, 1))] if array.dtype.kind in "iufO" else array
        for bad in wrong.ravel()[:1].tolist():
            expected = "hold True and False, or 1 and 0"
            raise OptionError(f"{name} must {expected}, not {quote_value(bad)}")
    return array.astype(bool, copy=False)


def _to_array(
    name: str, value: Any, sides: tuple[int | None, ...], kinds: str = ""
) -> "NDArray[Any]":
    import numpy as np

    try:
        array = np.asarray(value)
    except ValueError:  # numpy refuses nested lists of different lengths
        array = np.asarray(None)
    expected = f"({', '.join('any' if side is None else str(side) for side in sides)})"
    if kinds and array.dtype.kind not in kinds:
        expected = f"be real numbers of shape {expected}"
        raise OptionError(f"{name} must {expected}, not {quote_value(value)}")
    if array.ndim != len(sides) or not all(
        length == side if side is not None else length
        for length, side in zip(array.shape, sides, strict=True)
    ):
        shape = array.shape or quote_value(value)
        raise OptionError(f"{name} must have shape {expected}, not {shape}")
    return array


def check_float_array(
    name: str, value: Any, shape: tuple[int | None, ...]
) -> "NDArray[np.float64]":
    """Return ``value`` as a float array if it has this shape and holds finite numbers."""
    import numpy as np

    array = _to_array(name, value, shape, kinds="biuf").astype(float, copy=False)
    for bad in array[~np.isfinite(array)][:1].tolist():
        raise OptionError(f"{name} must hold finite numbers, not {bad}")
    return array


def check_path(name: str, value: Any) -> Path:
    """Convert a path or a text to a `Path`; raise an OptionError if it cannot be one."""
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    is_path = isinstance(path, str) and path != "" and "\0" not in path
    # A long text may be the content of a file.
    if not is_path or len(path) > (MAX_FILE_NAME if "\n" in path else MAX_PATH):
        raise invalid_value_error(name, "be the path of a file", value)
    return Path(path)


def read_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file."""
    import tomllib

    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise OptionError(f"cannot read {path} as TOML: {error}") from error


def dump_toml(value: Any) -> str:
    """Format a value as TOML; bytes that are not text become question marks."""
    # TOML writes strings, numbers, lists and booleans as JSON does, except the character DEL.
    text = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return text.encode("utf-8", "replace").decode()


def check_list(name: str, value: Any) -> list[Any]:
    """Return the items of an iterable that is neither a string nor a path."""
    if isinstance(value, str | bytes | os.PathLike) or not isinstance(value, Iterable):
        raise invalid_value_error(name, "be a list", value)
    return list(value)


def check_bool(name: str, value: Any) -> bool:
    """Return ``value`` as a bool if it is a bool of Python or of numpy."""
    if type(value).__name__ == "bool":  # numpy's bool type has this name, too
        return bool(value)
    raise invalid_value_error(name, "be true or false", value)


def check_choice(name: str, value: Any, allowed: Iterable[Choice]) -> Choice:
    """Return the member of ``allowed`` that equals ``value``."""
    choices = list(allowed)
    if isinstance(value, str | Integral) and value in choices:
        return choices[choices.index(cast(Choice, value))]
    names = list(map(str, choices))
    raise invalid_value_error(name, f"be one of {', '.join(names)}", value, names)


def unknown_names_error(noun: str, used: Iterable[object], allowed: Iterable[str]) -> list[str]:
    """Return a message for each unknown name, in alphabetical order."""
    names = list(allowed)
    unknown = sorted({str(name) for name in used}.difference(names))
    return [f"unknown {noun} {name!r}{did_you_mean(name, names)}" for name in unknown]


def check_known_names(noun: str, used: Iterable[object], allowed: Iterable[str]) -> None:
    """Raise an OptionError if a name is unknown."""
    names = list(allowed)
    for first in sorted({str(name) for name in used}.difference(names)):
        problem = f"unknown {noun} {first!r}{did_you_mean(first, names)}"
        raise OptionError(f"{problem}; known: {', '.join(names)}", first)


def require_keys(names: Iterable[str], table: Mapping[str, Value]) -> dict[str, Value]:
    """Return the table in the order of ``names``; raise a KeyError if the keys differ from them."""
    ordered = {name: table[name] for name in names}
    for name in table:
        ordered[name]
    return ordered


def did_you_mean(value: Any, names: Iterable[str]) -> str:
    """Return a question that suggests the names that are meant, or "" if no name is similar."""
    word, names = value.lower() if type(value) is str else "", list(names)
    similar = difflib.get_close_matches(word, names, 1)
    near = [name for name in SYNONYMS.get(word, similar) if name in names]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def quote_value(value: Any) -> str:
    """Format a value for a message, on one line and shortened if it is long."""
    if shape := getattr(value, "shape", ()):
        return f"an array of {value.dtype} {shape}"
    try:
        return " ".join(_SHORT.repr(value).split())
    except ValueError:  # Python refuses to write integers of more than 4300 digits
        return "a number with too many digits"


def format_names(names: Sequence[str]) -> str:
    """Join the first three names for a message, and add the number of further names."""
    remainder = [f"{len(names) - MAX_LISTED} more"] if len(names) > MAX_LISTED else []
    *listed_first, last = [*names[:MAX_LISTED], *remainder]
    return f"{', '.join(listed_first)} and {last}" if listed_first else last


def pluralize(number: int, noun: str) -> str:
    """Format a number of things, such as "2 clicks"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def levels_in_words(levels: int) -> str:
    """Return the end of a board's description: " of 3 levels", or "" for two levels."""
    return f" of {levels} levels" if levels > 2 else ""


def _format_range(low: float, high: float) -> str:
    return f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
