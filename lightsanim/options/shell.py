"""Formatting of options for a shell command, or after a picture's name."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .values import PictureWords

PICTURE_OPTIONS = ("beside", "clicks-picture")  # Options whose values are pictures.


def format_shell_line(values: Mapping[str, Any]) -> str:
    """Format options as a part of a shell command."""
    return " ".join(map(quote_for_shell, format_shell_words(values)))


def format_shell_words(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of options on the command line, unquoted."""
    given = {name: value for name, value in values.items() if value is not None}
    for name, values_of_option in given.items():
        is_repeated = isinstance(values_of_option, PictureWords)
        for value in values_of_option if is_repeated else [values_of_option]:
            option, *words = format_option(name, value)
            is_like_option = any(word.startswith("-") for word in words)
            yield from [f"--{option}={words[0]}"] if is_like_option else [f"--{option}", *words]


def format_option(name: str, value: Any) -> tuple[str] | tuple[str, str]:
    """Return the name and the value of an option as words, or only the name of a switch."""
    name = name.replace("_", "-")
    if value is None:
        return (f"no-{name}",)
    if isinstance(value, bool) or name == "spot":  # the colours found need not be given again
        return (name if value else f"no-{name}",)
    if isinstance(value, float):
        return name, str(value).removesuffix(".0")
    is_path = isinstance(value, Path) or name in PICTURE_OPTIONS
    return name, format_path_argument(str(value)) if is_path else str(value)


def format_path_argument(path: str) -> str:
    """Prefix a path with ``./`` if it looks like an option."""
    return f"./{path}" if path.startswith("-") else path


def quote_for_shell(word: str) -> str:
    r"""Quote a word for a POSIX shell, with unprintable characters escaped."""
    if word.isprintable():
        return shlex.quote(word)
    return f"$'{''.join(map(_escape_bytes, word))}'"


def _escape_bytes(character: str) -> str:
    if character.isprintable() and character not in "\\'":
        return character
    error_handler = "surrogateescape" if "\udc80" <= character <= "\udcff" else "replace"
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", error_handler))
