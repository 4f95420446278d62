"""How the command line spells options, for a shell or after a picture's name."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def format_shell_line(values: Mapping[str, Any]) -> str:
    """Options as a line for a shell.

    >>> values = {"dither": "threshold", "detail": 3.0, "invert": True, "autocontrast": False}
    >>> format_shell_line(values)
    '--dither threshold --detail 3 --invert --no-autocontrast'
    """
    return " ".join(map(quote_for_shell, format_shell_words(values)))


def format_shell_words(values: Mapping[str, Any]) -> Iterator[str]:
    """The same, word by word."""
    for name, value in values.items():
        option, *words = format_option(name, value)
        yield from (f"--{option}", *words)


def format_option(name: str, value: Any) -> tuple[str] | tuple[str, str]:
    """An option's name and value; a switch is a name alone.

    >>> format_option("time_limit", 3.0), format_option("autocontrast", False)
    (('time-limit', '3'), ('no-autocontrast',))
    >>> format_option("sheet", Path("-1"))
    ('sheet', './-1')
    """
    name = name.replace("_", "-")
    if isinstance(value, bool):
        return (name if value else f"no-{name}",)
    if isinstance(value, float):
        return name, str(value).removesuffix(".0")
    return name, format_path_argument(str(value)) if isinstance(value, Path) else str(value)


def format_path_argument(path: str) -> str:
    """A path that is not taken for an option, whatever it begins with."""
    return f"./{path}" if path.startswith("-") else path


def quote_for_shell(word: str) -> str:
    r"""A word for a POSIX shell, in which nothing can steer a terminal or hide.

    >>> print(quote_for_shell("it's"), quote_for_shell("a\nb"))
    'it'"'"'s' $'a\012b'
    """
    if word.isprintable():
        return shlex.quote(word)
    # Bytes of names that are not text, line ends, and what turns the direction of reading.
    return f"$'{''.join(map(_escape_bytes, word))}'"


def _escape_bytes(character: str) -> str:
    if character.isprintable() and character not in "\\'":
        return character
    error_handler = "surrogateescape" if "\udc80" <= character <= "\udcff" else "replace"
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", error_handler))
