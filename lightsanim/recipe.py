"""The command that makes an animation again."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import fields

from lightsanim.errors import OptionError
from lightsanim.formats.stills import SHEET_FRAMES
from lightsanim.look.theme import Theme
from lightsanim.settings import Settings


def make_command(
    pictures: Sequence[str],
    outputs: Sequence[str],
    settings: Settings,
    theme: Theme,
    *,
    sheet: str | None = None,
    sheet_frames: int = SHEET_FRAMES,
) -> str:
    """The line for a shell that calls ``lightsanim make`` with these options.

    Options with their default values are left out, but for the seed.

    Args:
        pictures: their paths.
        outputs: the files to write.
        settings: the options of `make`.
        theme: the look.
        sheet: a picture of several stills.
        sheet_frames: how many.

    Raises:
        OptionError: if pictures and cells have backgrounds that one option cannot say.

    >>> make_command(["sun.png", "my moon.png"], ["out.gif"], Settings(seed=7, cycle=True), Theme())
    "lightsanim make sun.png 'my moon.png' -o out.gif --seed 7 --cycle"
    """
    words = ["lightsanim", "make", *map(_path, pictures)]
    for output in outputs:
        words += ["-o", _path(output)]
    words += [*_options(settings, Settings()), *_options(theme, Theme())]
    words += _background(settings, theme)
    if sheet is not None:
        words += ["--sheet", _path(sheet)]
        if sheet_frames != SHEET_FRAMES:
            words += ["--sheet-frames", str(sheet_frames)]
    return " ".join(map(quoted, words))


def quoted(word: str) -> str:
    r"""A word for a POSIX shell, in which nothing can steer a terminal or hide.

    >>> print(quoted("it's"), quoted("a\nb"))
    'it'"'"'s' $'a\012b'
    """
    if word.isprintable():
        return shlex.quote(word)
    # Octets of names that are no text, line ends, and what turns the direction of reading.
    return f"$'{''.join(map(_escaped, word))}'"


def _escaped(character: str) -> str:
    if character.isprintable() and character not in "\\'":
        return character
    known = "surrogateescape" if "\udc80" <= character <= "\udcff" else "replace"
    return "".join(f"\\{octet:03o}" for octet in character.encode("utf-8", known))


def _path(path: str) -> str:
    # What begins like an option is none.
    return f"./{path}" if path.startswith("-") else path


def _options(given: Settings | Theme, usual: Settings | Theme) -> Iterator[str]:
    for field in fields(given):
        value, default = getattr(given, field.name), getattr(usual, field.name)
        # A size may be a number or its digits.
        if field.name == "background" or value == default or str(value) == str(default):
            continue
        name = field.name.replace("_", "-")
        if isinstance(default, bool):
            yield f"--{name}" if value else f"--no-{name}"
        elif value is not None:
            yield from (f"--{name}", str(value))


def _background(settings: Settings, theme: Theme) -> list[str]:
    # On the command line one option is both the pictures' background and the board's.
    if theme.background is None and settings.background == Settings.background:
        return []
    if theme.background != settings.background:
        raise OptionError(
            f"one --background cannot be {settings.background} behind pictures and "
            f"{theme.background} between cells"
        )
    return ["--background", settings.background]
