"""A puzzle as the end of an address: ``#5x5-...``, which a page of puzzles opens and `solve` reads.

A rule other than plus, ``wrap`` and levels above two stand after the size, each with a point before
it, as in ``#9x9.king.wrap.3-...``.  After the hyphen come bytes in base64url, without ``=``: the
version; the start, as a number to the base of levels whose digits are the levels of the cells, row
by row, in as many bytes as the largest takes; and the CRC-32 of all that, from the size to the
start.  Numbers have their highest byte first.
"""

import base64
import re
from pathlib import Path
from zlib import crc32

import numpy as np

from lightsanim.board.board import Board
from lightsanim.board.levels import Lights
from lightsanim.errors import OptionError

VERSION = 1

# The most cells on a side, and the most characters, so that with a page's name they are under 200.
LARGEST_SIDE, LONGEST = 20, 190

# What a link says of its board: columns, rows, rule, wrap and levels.
SIZE = re.compile(r"(\d\d?)x(\d\d?)(?:\.(?!wrap)([a-z]+|[01/]+))?(\.wrap)?(?:\.([357]))?", re.ASCII)

# Bytes of the version and of the checksum; characters of a link in a message.
LEAST, MAX_SHOWN = 5, 40


def link_of(board: Board, start: Lights) -> str | None:
    """The link to a puzzle; None where it would be too long.

    >>> link_of(Board(3, 3), np.eye(3, dtype=bool))
    '#3x3-AQERJSYhLA'
    """
    if max(board.shape) > LARGEST_SIDE:
        return None
    rule = "" if board.rule == "plus" else f".{board.rule}"
    more = ".wrap" * board.wrap + f".{board.levels}" * (board.levels > 2)
    size = f"{board.columns}x{board.rows}{rule}{more}-"
    largest = board.levels**board.cells - 1
    number = int("".join(map(str, start.astype(int).flat)), board.levels)
    content = bytes([VERSION]) + number.to_bytes(-(-largest.bit_length() // 8), "big")
    content += _checksum(size, content)
    link = f"#{size}{base64.urlsafe_b64encode(content).decode().rstrip('=')}"
    return None if len(link) > LONGEST else link


def is_link(word: str) -> bool:
    """Whether a word ends as a link does, and is no file.

    >>> is_link("play.html#5x5-AQE"), is_link("play.html")
    (True, False)
    """
    return re.search(r"#\d[^#]*$", word) is not None and not Path(word).exists()


def read_link(word: str) -> tuple[Board, Lights]:
    """The board of a link and its start; the page's address may stand before it.

    Raises:
        OptionError: for a link that was cut or edited, or that is of a later version.

    >>> read_link("play.html#3x3-AQERJSYhLA")[1].astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    link = word[word.rfind("#") :]
    shown = link if len(link) <= MAX_SHOWN else f"{link[:MAX_SHOWN]}..."
    size, hyphen, text = link[1:].partition("-")
    content = _decoded(text)
    if len(content) < LEAST or _checksum(size + hyphen, content[:-4]) != content[-4:]:
        raise OptionError(f"the link {shown} was cut or edited; ask for the whole link")
    if content[0] > VERSION:
        later = "update, or ask for the board as text"
        raise OptionError(f"the link {shown} is of a later version; {later}")
    parts = SIZE.fullmatch(size)
    if parts is None:
        raise OptionError(f"the link {shown} is none that lightsanim writes")
    columns, rows, rule, wrap, levels = parts.groups()
    board = Board(
        int(rows), int(columns), rule=rule or "plus", wrap=bool(wrap), levels=int(levels or 2)
    )
    number, digits = int.from_bytes(content[1:-4], "big"), list[int]()
    for _ in range(board.cells):
        number, digit = divmod(number, board.levels)
        digits.append(digit)
    start = np.array(digits[::-1]).astype(board.reference.dtype).reshape(board.shape)
    if link_of(board, start) != link:
        raise OptionError(f"the link {shown} is none that lightsanim writes")
    return board, start


def _checksum(size: str, content: bytes) -> bytes:
    return crc32(size.encode("utf-8", "replace") + content).to_bytes(4, "big")


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except ValueError:
        return b""
