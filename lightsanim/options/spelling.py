"""How the command line spells options, for a shell or after a picture's name."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def in_words(values: Mapping[str, Any]) -> str:
    """Options as a line for a shell.

    >>> in_words({"dither": "threshold", "detail": 3.0, "invert": True, "autocontrast": False})
    '--dither threshold --detail 3 --invert --no-autocontrast'
    """
    return " ".join(map(quoted, words_of(values)))


def words_of(values: Mapping[str, Any]) -> Iterator[str]:
    """The same, word by word."""
    for name, value in values.items():
        option, *words = spelled(name, value)
        yield from (f"--{option}", *words)


def spelled(name: str, value: Any) -> tuple[str] | tuple[str, str]:
    """An option's name and value; a switch is a name alone.

    >>> spelled("time_limit", 3.0), spelled("autocontrast", False), spelled("sheet", Path("-1"))
    (('time-limit', '3'), ('no-autocontrast',), ('sheet', './-1'))
    """
    name = name.replace("_", "-")
    if isinstance(value, bool):
        return (name if value else f"no-{name}",)
    if isinstance(value, float):
        return name, str(value).removesuffix(".0")
    return name, path_word(str(value)) if isinstance(value, Path) else str(value)


def path_word(path: str) -> str:
    """A path that is not taken for an option, whatever it begins with."""
    return f"./{path}" if path.startswith("-") else path


def quoted(word: str) -> str:
    r"""A word for a POSIX shell, in which nothing can steer a terminal or hide.

    >>> print(quoted("it's"), quoted("a\nb"))
    'it'"'"'s' $'a\012b'
    """
    if word.isprintable():
        return shlex.quote(word)
    # Bytes of names that are not text, line ends, and what turns the direction of reading.
    return f"$'{''.join(map(_escaped, word))}'"


def _escaped(character: str) -> str:
    if character.isprintable() and character not in "\\'":
        return character
    known = "surrogateescape" if "\udc80" <= character <= "\udcff" else "replace"
    return "".join(f"\\{byte:03o}" for byte in character.encode("utf-8", known))
