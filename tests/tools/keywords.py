"""Writes what says to type checkers and editors what the table says.

It is `lightsanim/options/keywords.py`, and the signature of `make` in `lightsanim/__init__.pyi`.

python tests/tools/keywords.py
"""

import inspect
import re
from pathlib import Path
from textwrap import indent, wrap
from types import UnionType
from typing import Literal, Union, get_args, get_origin

import attrs

import lightsanim
from lightsanim.apps.teaching.worksheet import GAME_OPTIONS
from lightsanim.options import choices
from lightsanim.options.outputs import LimitOptions, SoundOptions
from lightsanim.options.records import option_names
from lightsanim.options.settings import PER_PICTURE, MakeRequest
from lightsanim.options.sheet_options import SheetOptions
from lightsanim.output.look.theme import Theme

HEAD = '''"""The types of options that functions take by name, for type checkers and editors.

`tests/tools/keywords.py` writes this file from the table of options; a test compares them.
"""

# fmt: off

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypedDict

from .page_words import PageWords
from .values import \
ArrayLike, Canvas, Crop, CustomOrder, Focus, Panels, Size, Span
'''

STUB = Path(lightsanim.__file__).with_suffix(".pyi")
SIGNATURE = "# The signature of `make`, written by `tests/tools/keywords.py`.\n# fmt: off\n"
LOOK = {Theme: option_names(Theme)}
OF_ONE = (*PER_PICTURE, "preset")
MAKE = {MakeRequest: [name for name in option_names(MakeRequest) if name not in OF_ONE]}
SHEET = {SheetOptions: option_names(SheetOptions), MakeRequest: GAME_OPTIONS}

# A class, what it is for, and options of the table.
KINDS = (
    ("LookKeywords(TypedDict, total=False)", "Options of the look, see `lightsanim.Theme`.", LOOK),
    (
        "SavedLookKeywords(LookKeywords, total=False)",
        "Options of the look, the limit of a file's size, and the sound of videos.",
        {LimitOptions: ["max_bytes"], SoundOptions: ["mute"]},
    ),
    ("PictureKeywords(TypedDict, total=False)", "Options of one picture.", {MakeRequest: OF_ONE}),
    (
        "MakeKeywords(PictureKeywords, total=False)",
        "Options of `make`, see `lightsanim.Settings`.",
        MAKE,
    ),
    ("WorksheetKeywords(TypedDict, total=False)", "Options of `lightsanim.worksheet`.", SHEET),
)


def format_type(kind):
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(map(format_type, get_args(kind)))
    name = str(kind) if get_args(kind) else kind.__name__.removesuffix("Type")
    return re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Za-z])", "", name).replace("'", '"')


def options_of(kind, names):
    """The lines of options: what a class takes for them."""
    parameters = inspect.signature(kind).parameters
    for field in attrs.fields(kind):
        if field.name in names:
            yield f"    {field.name}: {format_type(parameters[field.name].annotation)}"


def module():
    formats = format_type(Literal[tuple(suffix[1:] for suffix in choices.SUFFIXES if suffix)])
    text = f"{HEAD}\nFormat = {formats}\n"
    for name, purpose, kinds in KINDS:
        lines = [line for kind, names in kinds.items() for line in options_of(kind, names)]
        text += "\n".join(["", "", f"class {name}:", f'    """{purpose}"""', "", *lines, ""])
    return text


def stub():
    """The stub of the package: what is written by hand, and the signature of `make`."""
    by_hand = STUB.read_text(encoding="utf-8").partition(SIGNATURE)[0]
    offered = inspect.signature(MakeRequest).parameters
    defaults = {name: offered[name].default for name in option_names(MakeRequest)}
    kinds = dict(line.split(": ", 1) for line in options_of(MakeRequest, defaults))
    words = [f"{name}: {kinds[f'    {name}']} = {default!r}," for name, default in defaults.items()]
    text = "pictures: Sequence[PictureSource], /, *, " + " ".join(words).replace("'", '"')
    lines = "\n".join(wrap(text, 96, break_on_hyphens=False))
    first = inspect.getdoc(lightsanim.make).partition("\n")[0]
    parameters = indent(lines, "    ")
    return f'{by_hand}{SIGNATURE}def make(\n{parameters}\n) -> Animation:\n    """{first}"""\n'


if __name__ == "__main__":
    Path(choices.__file__).with_name("keywords.py").write_text(module(), encoding="utf-8")
    STUB.write_text(stub(), encoding="utf-8")
