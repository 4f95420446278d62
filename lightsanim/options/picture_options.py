"""Options of a single picture, and their spelling after its name on the command line."""

import os
import re
from collections.abc import Mapping
from typing import Any

import attrs

from lightsanim.errors import OptionError
from .at_options import AT, parse_at_options
from .checks import check_known_names
from .choices import DRAWN_PREFIXES
from .settings import PER_PICTURE, MakeRequest, Settings, apply_preset
from .shell import format_option


def per_picture_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Check the options of one picture and convert them as `lightsanim.Settings` does."""
    check_known_names("option of a picture", values, (*PER_PICTURE, "preset"))
    preset, own = values.get("preset"), apply_preset(values)
    for name in [name for name in own if preset is not None and name not in PER_PICTURE]:
        flaw = f"preset {preset} sets {name} for all pictures"
        raise OptionError(f"{flaw}; set it for the whole film", "preset")
    options = Settings(**own)
    return {name: getattr(options, name) for name in own}


def format_source(path: str, own: Mapping[str, Any]) -> str:
    """Join a picture's path and its options in one word, the inverse of `parse_source_word`."""
    words = [AT + "=".join(format_option(*option)) for option in own.items()]
    if path.startswith(DRAWN_PREFIXES):
        words = [
            word if "=" in word or word.startswith(f"{AT}no-") else f"{word}=" for word in words
        ]
        path = path.replace(AT, AT * 2)
    return path + "".join(words)


def parse_source_word(word: str) -> tuple[str, dict[str, Any]]:
    """Split a word of the command line into a picture's path and its options.

    A word that names an existing file is never split.  In the words of a text or a QR code, ``@``
    begins an option only before ``NAME=`` or ``no-NAME`` of a known option; ``@@`` is an ``@``.
    """
    pairs: list[tuple[str, str | None]] = []
    is_drawn = word.startswith(DRAWN_PREFIXES)
    word = word.replace(AT * 2, _ESCAPED) if is_drawn else word
    while not os.path.lexists(word) and (match := _OPTION.fullmatch(word)):
        if is_drawn and not _is_option_of_drawn(*match.groups()[1:]):
            break
        word, name, value = match.groups()
        pairs.insert(0, (name, value))
    path = word.replace(_ESCAPED, AT)
    fields = {name: getattr(attrs.fields(MakeRequest), name) for name in (*PER_PICTURE, "preset")}
    return path, parse_at_options(pairs, fields, "a picture", path)


# Matches the last option after a file's name, but not "@2x", which is part of the name.
_OPTION = re.compile(rf"(.+){AT}([a-z][a-z_-]*)(?:=([^{AT}]*))?", re.DOTALL)
_ESCAPED = "\0"  # Stands for an escaped sign; no word of a command line contains it.


def _is_option_of_drawn(name: str, value: str | None) -> bool:
    is_known = name.removeprefix("no-").replace("-", "_") in (*PER_PICTURE, "preset")
    return is_known and (value is not None or name.startswith("no-"))
