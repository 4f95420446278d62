"""How the command line reads options, and those that several commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer

from lightsanim.board.rule import KNOWN_RULES
from lightsanim.formats.table import KNOWN
from lightsanim.look.theme import PALETTES, SHAPES
from lightsanim.settings import CHOICES


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a number") from None


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a whole number") from None


# How the values of options with these placeholders are read.
PARSERS = {
    "N": _whole,
    "PX": _whole,
    "RATE": _number,
    "SECONDS": _number,
    "AMOUNT": _number,
    "EXPONENT": _number,
}


def option(group: str, text: str, *names: str, metavar: str = "", **more: Any) -> Any:
    """An option in a group of the help; its placeholder says how its value is read."""
    parser = PARSERS.get(metavar)
    return typer.Option(
        *names, help=text, rich_help_panel=group, metavar=metavar, parser=parser, **more
    )


def choice(group: str, text: str, name: str) -> Any:
    """An option that takes one of `CHOICES`."""
    return option(group, f"{text}: {', '.join(CHOICES[name])}.", f"--{name}", metavar="NAME")


def _file(text: str, *names: str) -> Any:
    # An output need not be readable.
    return option("Output", text, *names, metavar="FILE", readable=False)


Outputs = Annotated[list[Path], _file(f"File to write, once or more: {KNOWN}.", "-o", "--output")]
Sheet = Annotated[Path | None, _file("Stills side by side, as .png or .svg.", "--sheet")]
SheetFrames = Annotated[int, option("Output", "How many.", "--sheet-frames", metavar="N")]
Overwrite = Annotated[
    bool, option("Output", "Replace files that exist.", "--overwrite/--no-overwrite")
]
Quiet = Annotated[bool, option("Output", "Say nothing but errors.", "--quiet", "-q")]
Verbose = Annotated[bool, option("Output", "Say more.", "--verbose", "-v")]

Rule = Annotated[
    str, option("Board", f"What a click flips: {KNOWN_RULES}.", "--rule", metavar="NAME")
]
Wrap = Annotated[bool, option("Board", "Join opposite edges, as on a torus.", "--wrap")]

Width = Annotated[int, option("Look", "Pixels of a frame, about.", "--width", metavar="PX")]
Cell = Annotated[
    int | None, option("Look", "Pixels of a cell, in place of --width.", "--cell", metavar="PX")
]
Gap = Annotated[int | None, option("Look", "Pixels between cells.", "--gap", metavar="PX")]
Shape = Annotated[
    str, option("Look", f"Of a cell: {', '.join(SHAPES)}.", "--shape", metavar="NAME")
]
Palette = Annotated[
    str, option("Look", f"Colours: {', '.join(PALETTES)}.", "--palette", metavar="NAME")
]
Lit = Annotated[
    str | None, option("Look", "Of lit cells: a name or #rrggbb.", "--lit", metavar="COLOUR")
]
Unlit = Annotated[str | None, option("Look", "Of unlit cells.", "--unlit", metavar="COLOUR")]
Background = Annotated[
    str | None,
    option(
        "Look", "Of the gaps, and behind transparent pictures.", "--background", metavar="COLOUR"
    ),
]
Mark = Annotated[
    str | None,
    option("Look", "Of a dot on the cells being clicked.", "--mark", metavar="COLOUR"),
]
