"""Which bottom rows chasing can be left with, and which clicks in the top row mend them.

What a click in the top row changes, chasing carries down to the bottom row.  All sets of clicks in
the top row are tried, at most 4,096, or 531,441 where cells have three levels.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.board.board import Board
from lightsanim.look.levels import Lights

# Bottom rows that are shown each; of more only those that all others are sums of.
MAX_LISTED = 15

Row = tuple[int, ...]


class Mending(NamedTuple):
    """What mends a bottom row: after these clicks in the top row, chasing ends with no light."""

    bottom: Row  # the levels of the bottom row when all other rows are dark
    top: Row  # how often to click each cell of the top row


@dataclass(frozen=True)
class BottomRows:
    """The bottom rows that can be mended."""

    # Where they are not all, the first light of each bottom row is dim and in no other, and what
    # can be mended is just the sums of these bottom rows.
    mendings: tuple[Mending, ...]
    count: int  # how many there are in all, without the dark one

    @property
    def all_listed(self) -> bool:
        """Whether `mendings` has each of them."""
        return len(self.mendings) == self.count


def can_be_chased(board: Board) -> bool:
    """Whether a click changes one cell of the row above it and of no other row further up.

    >>> can_be_chased(Board(5, 5)), can_be_chased(Board(5, 5, rule="king"))
    (True, False)
    """
    return [offset for offset in board.offsets() if offset[0] < 0] == [(-1, 0)]


def chased(board: Board, lights: Lights) -> Lights:
    """What light chasing leaves: (rows, columns), dark but for the bottom row.

    >>> chased(Board(3, 3), np.eye(3, dtype=bool)).astype(int).tolist()
    [[0, 0, 0], [0, 0, 0], [0, 1, 1]]
    """
    for row in range(board.rows - 1):
        clicks = np.zeros_like(lights)
        clicks[row + 1] = lights[row]
        lights = board.subtract(lights, board.toggles(clicks))
    return lights


def bottom_rows(board: Board) -> BottomRows:
    """The bottom rows that can be mended on a plain board that can be chased.

    Of several sets of clicks that mend a bottom row the smallest is taken.

    >>> rows = bottom_rows(Board(5, 5))
    >>> rows.count, rows.mendings[0]
    (7, Mending(bottom=(1, 1, 1, 0, 0), top=(0, 1, 0, 0, 0)))
    """
    tops, bottoms = _mended(board)
    count = len(tops) - 1
    if count > MAX_LISTED:
        # For each column in which one begins, the one that has 1 there and 0 in other such columns.
        starts = np.unique((bottoms[1:] > 0).argmax(axis=1))
        wanted = bottoms[:, starts].sum(axis=1) == 1
    else:
        wanted = bottoms.any(axis=1)
    found = zip(bottoms[wanted].tolist(), tops[wanted].tolist(), strict=True)
    mendings = (Mending(tuple(bottom), tuple(top)) for bottom, top in found)
    return BottomRows(tuple(sorted(mendings, key=lambda one: one.bottom, reverse=True)), count)


def _mended(board: Board) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    # Top rows, and the bottom rows that they mend, each once; the first is dark.
    columns, levels = board.columns, board.levels
    tops = np.indices((levels,) * columns, np.uint8).reshape(columns, -1).T
    tops = tops[np.argsort(tops.sum(axis=1), kind="stable")]
    left = [chased(board, board.neighbourhood(0, column))[-1] for column in range(columns)]
    bottoms = (tops @ np.array(left, np.uint8) * np.uint8(levels - 1)) % np.uint8(levels)
    _, first = np.unique(bottoms @ levels ** np.arange(columns), return_index=True)
    return tops[first], bottoms[first]
