"""Animations of the game Lights Out from pictures, in which every step is a legal click.

The stages of the pipeline, all of which `make` runs:

    picture                  load_picture
    -> target                targets_for: fit to the board and dither
    -> nearest accessible    nearest_accessible: minimise the wrong cells
    -> click set             fewest_clicks: minimise the clicks between two configurations
    -> click order           order_clicks
    -> animation             animate: combine first configuration, ordered clicks and timing
    -> file                  Animation.save

The terms:

    cell                     one position of the board
    configuration            which cells are lit: bool (rows, columns), True = lit = white
    click, click set         a press of one cell; the unordered set of the cells pressed
    neighbourhood, rule      the cells that one click flips; the neighbourhoods of all cells
    toggles                  the cells that a click set flips
    accessible               reachable by clicks from the all-on board; with more than two levels
                             from the all-off board
    quiet pattern, nullity   a click set that flips nothing; the dimension of their space
    parity check             a set of cells of which every click flips an even number
    syndrome                 one bit for each parity check, all zero exactly when accessible
    target                   the dithered picture
    sketch                   a film found by searching for few clicks, not for exact pictures
    wrong cell               a cell of an accessible configuration that differs from the target
    light chasing            clearing the board row by row
    levels, q                the number of states of a cell; with more than two, configurations are
                             uint8 (rows, columns), 0 (dark) to q - 1 (bright), and click sets count
                             the presses of each cell; a press adds 1 modulo q
"""

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from lightsanim.game.showing import connect
from lightsanim.version import __version__ as __version__

connect(lambda: import_module("lightsanim.output.presentation"))

# The public names and their modules, read from the type stub.  Modules are imported on first use,
# so that the command line starts fast, and can handle Ctrl-C during further imports.
_MODULES = {"make": "lightsanim.pipeline"} | {
    name: module
    for module, name in re.findall(
        r"(?m)^from (lightsanim\.\S+) import (\w+) as",
        Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"),
    )
}

__all__ = sorted(_MODULES)


@cache
def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return __all__
