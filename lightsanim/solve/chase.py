"""The paper's heuristic: light chasing from the target towards all-on.

Going row by row, the clicks of each row put right what is still wrong in the row before, so that
only the last row keeps wrong cells.  The same works towards each of the four edges, and for the
ring rule as for the plus.

Source: Bosch, "Lights Out Animations", Bridges 2016.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lightsanim.algebra.linear import Bits, pack_rows, unpack_rows
from lightsanim.board.board import Board
from lightsanim.board.plus import ROW_MAPS, chase_rows
from lightsanim.errors import OptionError

_Turn = Callable[[Bits], Bits]

# How to turn a board so that an edge comes to lie at the bottom.  Each is its own inverse.
EDGES: dict[str, _Turn] = {
    "bottom": lambda a: a,
    "top": np.flipud,
    "right": np.transpose,
    "left": lambda a: a[::-1, ::-1].T,
}


@dataclass(frozen=True, kw_only=True)
class Chased:
    """What light chasing reaches.

    Attributes:
        configuration: bool (rows, columns), accessible from all-on.
        clicks: the click set that leads there from all-on, bool (rows, columns).
        wrong: the cells that differ from the target, all in the row or column at ``edge``.
        edge: one of `EDGES`.
    """

    configuration: Bits
    clicks: Bits
    wrong: Bits
    edge: str


def can_chase(board: Board) -> bool:
    """Whether it is a plain board of the plus or the ring rule, with two levels.

    >>> can_chase(Board(3, 3)), can_chase(Board(3, 3, wrap=True))
    (True, False)
    """
    return board.rule in ROW_MAPS and not board.wrap and board.levels == 2


def chase(board: Board, target: Bits, edge: str = "bottom") -> Chased:
    """Push every wrong cell of ``target`` to one edge of a plain board of the plus or ring rule.

    Args:
        board: a plain board of the plus or ring rule.
        target: bool (rows, columns).
        edge: one of `EDGES`.

    Raises:
        OptionError: for another rule, a wrapped board, a wrong shape or an unknown edge.

    >>> chased = chase(Board(5, 5), np.eye(5, dtype=bool))
    >>> bool((Board(5, 5).toggles(chased.clicks) == ~chased.configuration).all())
    True
    """
    if not can_chase(board):
        rules = " or ".join(ROW_MAPS)
        raise OptionError(f"light chasing needs a plain board of rule {rules}, not {board}")
    if edge not in EDGES:
        raise OptionError(f"unknown edge {edge!r}; known: {', '.join(EDGES)}")
    turn, target = EDGES[edge], board.checked(target, "target")
    unlit = turn(~target)
    n = unlit.shape[1]
    clicks, leftover = chase_rows(0, pack_rows(unlit), (1 << n) - 1, ROW_MAPS[board.rule])
    wrong = np.zeros_like(unlit)
    wrong[-1] = unpack_rows([leftover], n)[0]
    return Chased(
        configuration=np.ascontiguousarray(target ^ turn(wrong)),
        clicks=np.ascontiguousarray(turn(unpack_rows(clicks, n))),
        wrong=np.ascontiguousarray(turn(wrong)),
        edge=edge,
    )


def chase_to_nearest_edge(board: Board, target: Bits) -> Chased:
    """The best of light chasing towards all four edges.

    Args:
        board: a plain board of the plus or ring rule.
        target: bool (rows, columns).
    """
    return min((chase(board, target, edge) for edge in EDGES), key=lambda c: int(c.wrong.sum()))
