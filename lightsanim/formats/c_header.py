"""Films for lamps: the first board and the clicks as C arrays, for microcontrollers.

The arrays are numbers packed into a few bits each, as ``docs/how-to/lamps.md`` explains, where the
reader in C stands as well.  A header is written only: what plays it is a program of the user's own.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.formats.packing import packed_bytes
from lightsanim.look.paint import OnFrame
from lightsanim.look.theme import Theme
from lightsanim.options.table import SERPENTINE
from lightsanim.version import __version__

# Letters of a name in a comment, and bytes of an array in a line.
LONGEST, ACROSS = 60, 16

# What all films share.
TYPES = """\
#include <stdint.h>
#if defined(ARDUINO)
#include <Arduino.h>
#elif defined(__AVR__)
#include <avr/pgmspace.h>
#endif
#ifndef PROGMEM
#define PROGMEM
#endif
#ifndef pgm_read_byte
#define pgm_read_byte(address) (*(const uint8_t *)(address))
#endif

#ifndef LIGHTS_FILM
#define LIGHTS_FILM
/* Numbers of so many bits each, the highest bit first. */
struct lights_numbers {
  const uint8_t *bytes;
  uint8_t bits;
};
struct lights_film {
  uint16_t rows, columns;
  uint8_t boards;               /* 1, or in colour 3: red, green, blue */
  uint8_t levels;               /* a click raises by 1, from the highest to 0 */
  uint8_t wrap, serpentine;     /* whether edges meet; whether odd rows run backward */
  uint32_t frames, clicks;
  uint32_t milliseconds;        /* that a frame is shown */
  uint16_t loop, flips, holds;  /* rounds, 0 for ever; how many of rule and of held */
  struct lights_numbers first;  /* the level of each lamp, board after board */
  struct lights_numbers lamps;  /* of each click */
  struct lights_numbers on;     /* in colour the boards of each click: 1 red + 2 green + 4 blue */
  struct lights_numbers added;  /* the clicks that each frame after the first adds */
  struct lights_numbers rule;   /* of each lamp that a click flips: rows + down, columns + right */
  struct lights_numbers held;   /* a frame, and the milliseconds that it is shown longer */
};
#endif
"""


def write_header(
    animation: Animation, path: Path, theme: Theme, on_frame: OnFrame, *, stem: str = "film"
) -> None:
    """Write an animation as a C header."""
    path.write_text("\n".join(_lines(animation, theme, identifier(stem))), encoding="utf-8")
    for _ in range(len(animation)):
        on_frame()


def identifier(stem: str) -> str:
    """A name in C, which is no keyword.

    >>> identifier("sun-moon"), identifier("film 2"), identifier("while"), identifier("日本")
    ('film_sun_moon', 'film_2', 'film_while', 'film')
    """
    word = re.sub(r"[^A-Za-z0-9]+", "_", stem).strip("_")
    return word if word.startswith("film") else f"film_{word}".rstrip("_")


def harmless(name: str) -> str:
    r"""A name in a comment, which it can neither end nor hide.

    >>> harmless("sun*/ int main;\n\u202e")
    'sun__ int main;__'
    """
    told = "".join(c if c.isprintable() and c not in "*/\\?" else "_" for c in name)
    return told if len(told) <= LONGEST else f"{told[: LONGEST - 3]}..."


def _lines(animation: Animation, theme: Theme, name: str) -> Iterator[str]:
    arrays = _arrays(animation, theme)
    yield from _comment(animation, sum(len(content) for content, _ in arrays.values()))
    yield f"#ifndef LIGHTSANIM_{name.upper()}_H"
    yield f"#define LIGHTSANIM_{name.upper()}_H"
    yield TYPES
    yield f"#define {name.upper()}_LAMPS {animation.boards * animation.board.cells}"
    for array, (content, _) in arrays.items():
        yield f"static const uint8_t {name}_{array}[{len(content)}] PROGMEM = {{"
        for start in range(0, len(content), ACROSS):
            yield "".join(f" {byte}," for byte in content[start : start + ACROSS])
        yield "};"
    yield f"static const struct lights_film {name} = {{"
    for line in _numbers(animation, theme):
        yield "  " + ", ".join(map(str, line)) + ","
    for array, (_, bits) in arrays.items():
        yield f"  {{{name}_{array}, {bits}}},"
    yield "};"
    yield "#endif"
    yield ""


def _comment(animation: Animation, size: int) -> Iterator[str]:
    board, seconds = animation.board, animation.durations().sum()
    levels = f" of {board.levels} levels" if board.levels > 2 else ""
    does = "flips" if board.levels == 2 else "raises"
    colours = ", each red, green and blue" if animation.boards > 1 else ""
    yield f"/* {' -> '.join(map(harmless, animation.pictures)) or 'Lights Out'}"
    yield ""
    guide = "docs/how-to/lamps.md"
    yield f"   A film of the game Lights Out, by lightsanim {__version__}; {guide} reads it."
    yield f"   {board.columns} x {board.rows} lamps{levels}{colours}; a click {does} {board.says}."
    yield f"   {len(animation.clicks)} clicks, {len(animation)} frames, {seconds:.3g} seconds."
    yield f"   {size} bytes of data. */"


def _numbers(animation: Animation, theme: Theme) -> Iterator[tuple[Any, ...]]:
    # In the order of ``struct lights_film``, a line for each of its own.
    board = animation.board
    yield board.rows, board.columns
    yield (animation.boards,)
    yield (board.levels,)
    yield int(board.wrap), int(theme.wiring == SERPENTINE)
    yield len(animation), len(animation.clicks)
    yield (_milliseconds(1 / animation.fps),)
    yield animation.loop, len(board.offsets()), len(animation.holds)


def _arrays(animation: Animation, theme: Theme) -> dict[str, tuple[bytes, int]]:
    # The bytes of each array, and the bits of its numbers.
    board = animation.board
    lamps = np.arange(board.cells).reshape(board.shape)
    if theme.wiring == SERPENTINE:
        lamps[1::2] = lamps[1::2, ::-1].copy()
    # What lamp a cell is, and what cell a lamp: row by row it is the same.
    first = animation.first.reshape(-1, board.cells)[:, lamps.ravel()]
    arrays = {
        "first": first,
        "lamps": lamps.ravel()[animation.clicks],
        "on": np.zeros(0) if animation.primaries is None else animation.primaries,
        "added": np.diff(animation.clicks_done),
        "rule": _rule(animation),
        "held": np.array([(frame, _milliseconds(more)) for frame, more in animation.holds]),
    }
    return {name: _packed(numbers) for name, numbers in arrays.items()}


def _rule(animation: Animation) -> NDArray[np.int64]:
    # Down and right of what a click flips, from above and left of the board: none is negative.
    board = animation.board
    offsets = np.array(board.offsets(), np.int64).reshape(-1, 2)
    moved: NDArray[np.int64] = (offsets % board.shape if board.wrap else offsets) + board.shape
    return moved


def _packed(numbers: NDArray[Any]) -> tuple[bytes, int]:
    content, bits = packed_bytes(numbers)
    return content or b"\0", bits  # C has no arrays of nothing


def _milliseconds(seconds: float) -> int:
    return round(1000 * seconds)
