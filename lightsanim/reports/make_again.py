"""The command that makes an animation again."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from lightsanim.errors import OptionError
from lightsanim.look.theme import Theme
from lightsanim.options.table import Outputs, Settings, given
from lightsanim.options.values import CustomOrder


def make_command(
    pictures: Sequence[str], settings: Settings, theme: Theme, outputs: Outputs
) -> str:
    """The line for a shell that calls ``lightsanim make`` with these options.

    Options with their default values are left out.

    >>> from pathlib import Path
    >>> outputs = Outputs(output=[Path("out.gif")])
    >>> make_command(["sun.png", "my moon.png"], Settings(seed=7, cycle=True), Theme(), outputs)
    "lightsanim make sun.png 'my moon.png' -o out.gif --seed 7 --cycle"
    """
    if isinstance(settings.order, CustomOrder):
        raise OptionError(
            "no command gives a custom order, an array or a function; keep the JSON", "order"
        )
    words = ["lightsanim", "make", *map(_path, pictures)]
    for output in outputs.output:
        words += ["-o", _path(str(output))]
    for options in (settings, theme, attrs.evolve(outputs, output=())):
        words += _words(options)
    return " ".join(map(quoted, words))


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


def _path(path: str) -> str:
    # A name that begins like an option is given as a path.
    return f"./{path}" if path.startswith("-") else path


def _words(options: attrs.AttrsInstance) -> Iterator[str]:
    for option, value in given(options).items():
        name = option.replace("_", "-")
        if isinstance(value, bool):
            yield f"--{name}" if value else f"--no-{name}"
        else:
            yield from (f"--{name}", _path(str(value)) if isinstance(value, Path) else str(value))
