"""Boards as text: a line for each row, with 0 or . for an unlit cell and 1 or # for a lit one.

With more than two levels each cell is a digit from 0 to levels - 1.
"""

import codecs
from itertools import islice
from typing import NoReturn

import numpy as np

from lightsanim.errors import OptionError
from lightsanim.game.levels import Lights, check_lights, dtype_of
from lightsanim.options.checks import check_choice, pluralize
from lightsanim.options.choices import LEVELS

UNLIT, LIT = "0.", "1#"
DIGITS = "0123456"
BLANKS = " \t"  # characters allowed between cells
MAX_CELLS = 50_000_000
# Maximum size of a text file, in bytes: for each cell a digit and a blank, and line ends.
MAX_BYTES = 110_000_000
_UTF16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE
_TO_LEVELS = bytes.maketrans(f"{DIGITS}.#".encode(), bytes([*range(len(DIGITS)), 0, 1]))


def read_board(text: str, levels: int = 2) -> Lights:
    """Return the configuration of a text board as a bool array, True = lit.

    With more than two levels the array is uint8.  Blanks between cells, blank lines before and
    after the board, the line ends of any system and a byte order mark are ignored.

    Args:
        text: the text board.
        levels: number of states of a cell: 2, 3, 5 or 7.

    Raises:
        OptionError: if the board is empty, too large, has rows of different lengths or other
            characters, or ``levels`` is another number.  Messages count lines and columns from 1.

    >>> read_board("0 1 1\\n# . .").astype(int).tolist()
    [[0, 1, 1], [1, 0, 0]]
    >>> read_board("012", levels=3).tolist()
    [[0, 1, 2]]
    """
    allowed = _cell_characters(check_choice("levels", levels, LEVELS))
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    # Search bytes, which is fast; each non-ASCII character becomes one question mark.
    lines = text.encode("ascii", "replace").split(b"\n")
    rows = [line.translate(None, BLANKS.encode()) for line in lines]
    filled = [number for number, row in enumerate(rows) if row]
    if not filled:
        raise OptionError(f"the board is empty; it must have {describe_rows(levels)}")
    first, last = filled[0], filled[-1]
    for number in range(first, last + 1):
        if not rows[number]:
            reason = "the text must have one board, not several"
            raise OptionError(f"line {number + 1} is empty; {reason}")
        if rows[number].translate(None, allowed.encode()):
            _raise_invalid_cell(text, number, levels)
    _check_rectangle(rows[first : last + 1], first + 1)
    cells = b"".join(rows[first : last + 1]).translate(_TO_LEVELS)
    lights = np.frombuffer(cells, dtype_of(levels))
    return lights.reshape(last + 1 - first, -1).copy()


def read_board_file(name: str, content: bytes, levels: int) -> Lights:
    """Return the configuration in the content of a file; errors begin with its name."""
    if len(content) > MAX_BYTES:
        raise OptionError(f"{name} is too large: a text board has at most {MAX_CELLS} cells")
    text = decode_text(content)
    if text is None:
        raise OptionError(f"{name} is not a text board, which has {describe_rows(levels)}")
    try:
        return read_board(text, levels)
    except OptionError as error:
        raise OptionError(f"{name}: {error}") from None


def board_text(configuration: Lights, levels: int = 2) -> str:
    """Format a configuration as text for `read_board`: a line of digits for each row.

    Args:
        configuration: bool array of shape (rows, columns), uint8 with more than two levels.
        levels: number of states of a cell: 2, 3, 5 or 7.

    Raises:
        OptionError: if the array has another shape, a value is not a level, or ``levels`` is
            another number.

    >>> print(board_text(np.eye(2, dtype=bool)), end="")
    10
    01
    """
    levels = check_choice("levels", levels, LEVELS)
    lights = check_lights(configuration, "configuration", (None, None), levels=levels)
    digits = lights.astype(np.uint8) + ord("0")
    return "".join(row.tobytes().decode() + "\n" for row in digits)


def decode_text(content: bytes) -> str | None:
    """Decode UTF-8, or UTF-16 with a byte order mark; return None for any other content."""
    try:
        return content.decode("utf-16" if content.startswith(_UTF16) else "utf-8-sig")
    except UnicodeDecodeError:
        return None


def is_board_text(text: str) -> bool:
    """Return whether a text contains only characters of text boards."""
    return not text.strip(UNLIT + LIT + DIGITS + BLANKS + "\r\n\ufeff")


def describe_rows(levels: int = 2) -> str:
    """Return a description of the rows of a text board, for messages."""
    if levels == 2:
        return "rows of 0 and 1, where 1 is a lit cell"
    return f"rows of digits from 0 to {levels - 1}"


def _cell_characters(levels: int) -> str:
    return UNLIT + LIT if levels == 2 else DIGITS[:levels]


def _raise_invalid_cell(text: str, number: int, levels: int) -> NoReturn:
    # Report the first invalid character of a line; ``number`` counts from 0.
    allowed, line = _cell_characters(levels) + BLANKS, text.split("\n")[number]
    column = next(column for column, character in enumerate(line) if character not in allowed)
    cell = "0 or . (unlit), or 1 or # (lit)"
    if levels > 2:
        cell = f"a digit from 0 to {levels - 1} with {levels} levels"
    # Suggest the next number of levels with which the board would be valid.
    higher = (count for count in LEVELS if count > levels)
    fits = (count for count in higher if not text.strip(_cell_characters(count) + BLANKS + "\n"))
    advice = "".join(f"; to read it, set --levels {count}" for count in islice(fits, 1))
    raise OptionError(
        f"line {number + 1}, column {column + 1} of the board is {line[column]!r}; "
        f"a cell must be {cell}{advice}"
    )


def _check_rectangle(rows: list[bytes], first: int) -> None:
    # ``first`` is the line number of the first row.
    width = len(rows[0])
    for number, row in enumerate(rows, start=first):
        if len(row) != width:
            raise OptionError(
                f"line {number} of the board has {pluralize(len(row), 'cell')}, line {first} "
                f"has {width}; all rows must have the same length"
            )
    if len(rows) * width > MAX_CELLS:
        raise OptionError(f"the board must have at most {MAX_CELLS} cells, not {width}x{len(rows)}")
