"""Puzzle links: URL fragments such as ``#5x5-...`` that puzzle pages and `solve` read.

The part before the hyphen names the size and, each after a dot, the rule if it is not plus,
``wrap`` if set, and the levels if more than two, as in ``#9x9.king.wrap.3-...``.  The part after it
holds bytes in base64url without ``=``: the version, the start, and the CRC-32 of all that precedes.
The start is a number in base ``levels`` whose digits are the levels of the cells, row by row, in
as many bytes as the largest start of that board needs.  All numbers are big-endian.
"""

import base64
import re
from contextlib import suppress
from zlib import crc32

import numpy as np

from lightsanim.errors import OptionError
from lightsanim.game.board.board import Board
from .levels import Lights

VERSION = 1
# Maximum number of cells along a side; larger boards have no link.
MAX_SIDE = 20
# Maximum length of a link, in characters: with a page's file name before it, fewer than 200.
MAX_LENGTH = 190
# Matches a link on its own, or at the end of a URL.
LINK_PATTERN = re.compile(r"#(?=\d)[^#]*$")


def make_link(board: Board, start: Lights) -> str | None:
    """Return the link to a puzzle, or None if the board is too large for one."""
    if max(board.shape) > MAX_SIDE:
        return None
    options = _format_board_options(board.rule, board.wrap, board.levels)
    size = f"{board.columns}x{board.rows}{options}"
    number = int("".join(map(str, start.astype(int).flat)), board.levels)
    length = -(-(board.levels**board.cells - 1).bit_length() // 8)
    content = bytes([VERSION]) + number.to_bytes(length, "big")
    text = base64.urlsafe_b64encode(content + _link_checksum(size, content)).decode()
    link = f"#{size}-{text.rstrip('=')}"
    return None if len(link) > MAX_LENGTH else link


def parse_link(address: str, *, rule: str = "plus", wrap: bool = False, levels: int = 2) -> Lights:
    """Return the start configuration of the puzzle that a link encodes."""
    link, content = address[address.rfind("#") :], b""
    name = f"the link {link if len(link) < 60 else f'{link[:60]}...'}"
    damaged = OptionError(f"{name} was cut or edited; ask for the whole link")
    size, _, text = link[1:].partition("-")
    with suppress(ValueError):
        content = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    sides = re.match(r"(\d\d?)x(\d\d?)(?![^.])", size)
    if not sides or len(link) > MAX_LENGTH or _link_checksum(size, content[:-4]) != content[-4:]:
        raise damaged
    if content[0] > VERSION:
        raise OptionError(f"{name} needs a later version; update, or ask for the board as text")
    if size[sides.end() :] != _format_board_options(rule, wrap, levels):
        raise OptionError(f"{name} is for another game; set --rule, --wrap and --levels to match")
    board = Board(int(sides[2]), int(sides[1]), rule=rule, wrap=wrap, levels=levels)
    digits = np.base_repr(int.from_bytes(content[1:-4], "big"), levels).zfill(board.cells)
    start = np.array([*map(int, digits[-board.cells :])], board.reference.dtype)
    if make_link(board, start.reshape(board.shape)) != link:
        raise damaged
    return start.reshape(board.shape)


def _format_board_options(rule: str, wrap: bool, levels: int) -> str:
    return f".{rule}" * (rule != "plus") + ".wrap" * wrap + f".{levels}" * (levels > 2)


def _link_checksum(size: str, content: bytes) -> bytes:
    return crc32(f"{size}-".encode("utf-8", "replace") + content).to_bytes(4, "big")
