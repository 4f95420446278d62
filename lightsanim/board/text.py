"""Boards as text: a line for each row, 0 or . for an unlit cell, 1 or # for a lit one.

With more than two levels a cell is a digit, from 0 to levels - 1.
"""

import codecs
from itertools import islice
from typing import NoReturn

import numpy as np

from lightsanim.board.arithmetic import arithmetic_of
from lightsanim.errors import OptionError
from lightsanim.look.levels import Lights
from lightsanim.options.checks import check_choice, pluralize
from lightsanim.options.choices import LEVELS

UNLIT, LIT = "0.", "1#"
DIGITS = "0123456"

# Allowed between cells.
BLANKS = " \t"

# The most cells of a text board, and bytes of its file: a blank for each cell, and line ends.
MAX_CELLS = 50_000_000
MAX_BYTES = 110_000_000

_UTF16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE
_TO_LEVELS = bytes.maketrans(f"{DIGITS}.#".encode(), bytes([*range(len(DIGITS)), 0, 1]))


def read_board(text: str, levels: int = 2) -> Lights:
    """The configuration of a text board: bool (rows, columns), True = lit.

    With more than two levels uint8 (rows, columns).  Blanks between cells, blank lines before and
    after the board, the line ends of every system and a byte order mark do not matter.

    Args:
        text: the board.
        levels: how many states a cell has.

    Raises:
        OptionError: if it is empty, ragged, too large, or of other characters; lines and columns
            count from 1.  Or for another number of levels.

    >>> read_board("0 1 1\\n# . .").astype(int).tolist()
    [[0, 1, 1], [1, 0, 0]]
    >>> read_board("012", levels=3).tolist()
    [[0, 1, 2]]
    """
    allowed = _cell_characters(check_choice("levels", levels, LEVELS))
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    # A question mark for every other character keeps the columns, and bytes are quick to search.
    lines = text.encode("ascii", "replace").split(b"\n")
    rows = [line.translate(None, BLANKS.encode()) for line in lines]
    filled = [number for number, row in enumerate(rows) if row]
    if not filled:
        raise OptionError(f"the board is empty; it has {describe_rows(levels)}")
    first, last = filled[0], filled[-1]
    for number in range(first, last + 1):
        if rows[number].translate(None, allowed.encode()):
            _raise_invalid_cell(text, number, levels)
    _check_rectangle(rows[first : last + 1], first + 1)
    cells = b"".join(rows[first : last + 1]).translate(_TO_LEVELS)
    lights = np.frombuffer(cells, arithmetic_of(levels).dtype)
    return lights.reshape(last + 1 - first, -1).copy()


def board_text(configuration: Lights, levels: int = 2) -> str:
    """A configuration as `read_board` reads it: a line of 0 and 1 for each row.

    Args:
        configuration: bool (rows, columns), or with more than two levels uint8.
        levels: how many states a cell has.

    Raises:
        OptionError: if it is of another shape, or holds what is no level; or for another number
            of levels.

    >>> print(board_text(np.eye(2, dtype=bool)), end="")
    10
    01
    """
    arithmetic = arithmetic_of(check_choice("levels", levels, LEVELS))
    lights = arithmetic.validate_levels(configuration, "configuration", (None, None))
    digits = lights.astype(np.uint8) + ord("0")
    return "".join(row.tobytes().decode() + "\n" for row in digits)


def decode_text(content: bytes) -> str | None:
    """The text of a file, UTF-8 or UTF-16 as its byte order mark says; None if it is none.

    >>> decode_text(b"01"), decode_text("01".encode("utf-16")), decode_text(b"\\x89PNG")
    ('01', '01', None)
    """
    try:
        return content.decode("utf-16" if content.startswith(_UTF16) else "utf-8-sig")
    except UnicodeDecodeError:
        return None


def is_board_text(text: str) -> bool:
    """Whether a text has characters of boards only.

    >>> is_board_text("0 1\\r\\n"), is_board_text("P1 2 2 0 1 1 0")
    (True, False)
    """
    return not text.strip(UNLIT + LIT + DIGITS + BLANKS + "\r\n\ufeff")


def describe_rows(levels: int = 2) -> str:
    """What a text board is.

    >>> describe_rows(3)
    'rows of digits from 0 to 2'
    """
    if levels == 2:
        return "rows of 0 and 1, where 1 is a lit cell"
    return f"rows of digits from 0 to {levels - 1}"


def _cell_characters(levels: int) -> str:
    return UNLIT + LIT if levels == 2 else DIGITS[:levels]


def _raise_invalid_cell(text: str, number: int, levels: int) -> NoReturn:
    # The line of this number, from 0, has a character that is none.
    allowed, line = _cell_characters(levels) + BLANKS, text.split("\n")[number]
    column = next(column for column, character in enumerate(line) if character not in allowed)
    cell = "0 or ., or where it is lit 1 or #"
    if levels > 2:
        cell = f"a digit from 0 to {levels - 1} where there are {levels} levels"
    # Perhaps the board is fine, and only of more levels.
    higher = (count for count in LEVELS if count > levels)
    fits = (count for count in higher if not text.strip(_cell_characters(count) + BLANKS + "\n"))
    advice = "".join(f"; --levels {count} would read it" for count in islice(fits, 1))
    raise OptionError(
        f"line {number + 1}, column {column + 1} of the board is {line[column]!r}; a cell is "
        f"{cell}{advice}"
    )


def _check_rectangle(rows: list[bytes], first: int) -> None:
    # ``first`` is the number of the line that they begin with.
    width = len(rows[0])
    for number, row in enumerate(rows, start=first):
        if len(row) != width:
            raise OptionError(
                f"line {number} of the board has {pluralize(len(row), 'cell')}, line {first} "
                f"has {width}; all rows must have the same length"
            )
    if len(rows) * width > MAX_CELLS:
        raise OptionError(
            f"the board is too large: {width}x{len(rows)} cells, but at most {MAX_CELLS}"
        )
