"""Which bottom rows chasing can be left with, and which clicks in the top row mend them.

What a click in the top row changes, chasing carries down to the bottom row.  All sets of clicks in
the top row are tried, at most 4,096.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lightsanim.board.board import Board
from lightsanim.board.plus import chase_rows

# Bottom rows that are shown each; of more only those that all others are sums of.
MAX_LISTED = 15

Columns = tuple[int, ...]


@dataclass(frozen=True)
class Mending:
    """What mends a bottom row: after these clicks in the top row, chasing ends with no light."""

    bottom: Columns  # the columns lit in the bottom row when all other rows are dark, from 0
    top: Columns  # the columns to click in the top row


@dataclass(frozen=True)
class BottomRows:
    """The bottom rows that can be mended."""

    # By their bottom rows.  Where they are not all, the first light of each bottom row is in no
    # other, and what can be mended is just the sums of these bottom rows.
    mendings: tuple[Mending, ...]
    count: int  # how many there are in all, without the dark one

    @property
    def all_listed(self) -> bool:
        """Whether `mendings` has each of them."""
        return len(self.mendings) == self.count


def bottom_rows(board: Board) -> BottomRows:
    """The bottom rows that can be mended on a plain board of the plus rule.

    Of several sets of clicks that mend a bottom row the smallest is taken.

    >>> rows = bottom_rows(Board(5, 5))
    >>> rows.count, rows.mendings[0]
    (7, Mending(bottom=(0, 1, 2), top=(1,)))
    """
    mended = _mended(board)
    bottoms: Iterable[int] = [bottom for bottom in mended if bottom]
    if len(mended) - 1 > MAX_LISTED:
        bottoms = _reduced_basis(mended)
    found = [Mending(_columns(bottom), _columns(mended[bottom])) for bottom in bottoms]
    return BottomRows(tuple(sorted(found, key=lambda one: one.bottom)), len(mended) - 1)


def _mended(board: Board) -> Mapping[int, int]:
    # Top row by bottom row; bit j = column j.
    mask, found = (1 << board.columns) - 1, dict[int, int]()
    for top in sorted(range(mask + 1), key=int.bit_count):
        _, bottom = chase_rows(top, [0] * board.rows, mask)
        found.setdefault(bottom, top)
    return found


def _reduced_basis(span: Iterable[int]) -> list[int]:
    # For each lowest bit that occurs, the member that has no other such bit.
    members = list(span)
    pivots = {member & -member for member in members} - {0}
    all_pivots = sum(pivots)
    return [member for member in members if member & all_pivots in pivots]


def _columns(row: int) -> Columns:
    return tuple(column for column in range(row.bit_length()) if row >> column & 1)
