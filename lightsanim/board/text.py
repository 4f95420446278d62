"""Boards as text: a line for each row, 0 or . for an unlit cell, 1 or # for a lit one."""

import codecs
from typing import NoReturn

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.checks import check_bits
from lightsanim.errors import OptionError

UNLIT, LIT = "0.", "1#"

# Allowed between cells.
BLANKS = " \t"

# The most cells of a text board, and bytes of its file: a blank for each cell, and line ends.
MAX_CELLS = 50_000_000
MAX_BYTES = 110_000_000

_UTF16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE
_TO_BITS = bytes.maketrans((UNLIT + LIT).encode(), b"\0\0\1\1")


def read_board(text: str) -> Bits:
    """The configuration of a text board: bool (rows, columns), True = lit.

    Blanks between cells, blank lines before and after the board, the line ends of every system and
    a byte order mark do not matter.

    Raises:
        OptionError: if it is empty, ragged, too large, or of other characters; lines and columns
            count from 1.

    >>> read_board("0 1 1\\n# . .").astype(int).tolist()
    [[0, 1, 1], [1, 0, 0]]
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    # A question mark for every other character keeps the columns, and bytes are quick to search.
    lines = text.encode("ascii", "replace").split(b"\n")
    rows = [line.translate(None, BLANKS.encode()) for line in lines]
    filled = [number for number, row in enumerate(rows) if row]
    if not filled:
        raise OptionError("the board is empty; it has rows of 0 and 1, where 1 is a lit cell")
    first, last = filled[0], filled[-1]
    for number in range(first, last + 1):
        if rows[number].translate(None, (UNLIT + LIT).encode()):
            _refuse(text.split("\n")[number], number + 1)
    _check_rectangle(rows[first : last + 1], first + 1)
    cells = b"".join(rows[first : last + 1]).translate(_TO_BITS)
    return np.frombuffer(cells, bool).reshape(last + 1 - first, -1).copy()


def board_text(configuration: Bits) -> str:
    """A configuration as `read_board` reads it: a line of 0 and 1 for each row.

    Raises:
        OptionError: if it is not bool (rows, columns).

    >>> print(board_text(np.eye(2, dtype=bool)), end="")
    10
    01
    """
    digits = check_bits("configuration", configuration, None, None).astype(np.uint8) + ord("0")
    return "".join(row.tobytes().decode() + "\n" for row in digits)


def decoded(written: bytes) -> str | None:
    """The text of a file, UTF-8 or UTF-16 as its byte order mark says; None if it is none.

    >>> decoded(b"01"), decoded("01".encode("utf-16")), decoded(b"\\x89PNG")
    ('01', '01', None)
    """
    try:
        return written.decode("utf-16" if written.startswith(_UTF16) else "utf-8-sig")
    except UnicodeDecodeError:
        return None


def is_board_text(text: str) -> bool:
    """Whether a text has characters of boards only.

    >>> is_board_text("0 1\\r\\n"), is_board_text("P1 2 2 0 1 1 0")
    (True, False)
    """
    return not text.strip(UNLIT + LIT + BLANKS + "\r\n\ufeff")


def _refuse(line: str, number: int) -> NoReturn:
    known = UNLIT + LIT + BLANKS
    column = next(column for column, character in enumerate(line) if character not in known)
    raise OptionError(
        f"line {number}, column {column + 1} of the board is {line[column]!r}; a cell is 0 or ., "
        "or where it is lit 1 or #"
    )


def _check_rectangle(rows: list[bytes], first: int) -> None:
    # ``first`` is the number of the line that they begin with.
    width = len(rows[0])
    for number, row in enumerate(rows, start=first):
        if len(row) != width:
            cells = f"{len(row)} cell{'' if len(row) == 1 else 's'}"
            raise OptionError(
                f"line {number} of the board has {cells}, line {first} has {width}; all rows must "
                "have the same length"
            )
    if len(rows) * width > MAX_CELLS:
        raise OptionError(
            f"the board is too large: {width}x{len(rows)} cells, but at most {MAX_CELLS}"
        )
