"""The paper's heuristic: light chasing from a start, usually all-on, towards the target.

Going row by row, the clicks of each row put right what is still wrong in the row before, so that
only the last row keeps wrong cells.  The same works towards each of the four edges, and for the
ring rule as for the plus.  Towards all-off it is how the game is taught.

Source: Bosch, "Lights Out Animations", Bridges 2016.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lightsanim.algebra.linear import Bits, pack_rows, unpack_rows
from lightsanim.board.board import Board
from lightsanim.board.plus import ROW_MAPS, chase_rows
from lightsanim.errors import OptionError

# How to turn a board so that an edge comes to lie at the bottom.  Each is its own inverse.
EDGES: dict[str, Callable[[Bits], Bits]] = {
    "bottom": lambda a: a,
    "top": np.flipud,
    "right": np.transpose,
    "left": lambda a: a[::-1, ::-1].T,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class ChaseStep:
    """The clicks of one row, or towards the left or right edge of one column."""

    clicks: Bits  # bool (rows, columns), True = clicked: each lies next to a cell that was wrong
    configuration: Bits  # bool (rows, columns), what they lead to


@dataclass(frozen=True, kw_only=True, eq=False)
class Chase:
    """What light chasing reaches."""

    board: Board  # the board
    start: Bits  # bool (rows, columns), where it starts
    configuration: Bits  # bool (rows, columns), accessible from the start
    clicks: Bits  # the click set that leads there, bool (rows, columns)
    wrong: Bits  # the cells that differ from the target, all in the row or column at ``edge``
    edge: str  # one of `EDGES`

    @property
    def steps(self) -> tuple[ChaseStep, ...]:
        """Row by row, from the second one on: in the first, nothing is clicked.

        After each step one row more is as in the target; what is wrong at last, is `wrong`.

        >>> lit = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]], bool)
        >>> for step in chase(Board(3, 3), np.zeros((3, 3), bool), start=lit).steps:
        ...     print(np.argwhere(step.clicks).tolist(), *step.configuration.astype(int).tolist())
        [[1, 0], [1, 2]] [0, 0, 0] [1, 1, 0] [0, 1, 1]
        [[2, 0], [2, 1]] [0, 0, 0] [0, 0, 0] [0, 1, 0]
        """
        clicks, lights, steps = EDGES[self.edge](self.clicks), self.start, []
        for row in range(1, len(clicks)):
            line = np.zeros_like(clicks)
            line[row] = clicks[row]
            row_clicks = np.ascontiguousarray(EDGES[self.edge](line))
            lights = lights ^ self.board.toggles(row_clicks)
            steps.append(ChaseStep(clicks=row_clicks, configuration=lights))
        return tuple(steps)


def can_chase(board: Board) -> bool:
    """Whether it is a plain board of the plus or the ring rule, with two levels.

    >>> can_chase(Board(3, 3)), can_chase(Board(3, 3, wrap=True))
    (True, False)
    """
    return board.rule in ROW_MAPS and not board.wrap and board.levels == 2


def chase(board: Board, target: Bits, edge: str = "bottom", *, start: Bits | None = None) -> Chase:
    """Push every wrong cell of ``target`` to one edge of a plain board of the plus or ring rule.

    Args:
        board: a plain board of the plus or ring rule.
        target: bool (rows, columns).
        edge: one of `EDGES`.
        start: bool (rows, columns); None for all-on.  With a target that is all off this is light
            chasing as the game is played.

    Returns:
        The configuration reached, and in its ``steps`` the clicks of each row on the way.

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
    start = board.reference if start is None else board.checked(start, "start")
    difference = turn(start ^ target)
    n = difference.shape[1]
    clicks, leftover = chase_rows(0, pack_rows(difference), (1 << n) - 1, ROW_MAPS[board.rule])
    wrong = np.zeros_like(difference)
    wrong[-1] = unpack_rows([leftover], n)[0]
    return Chase(
        board=board,
        start=start,
        configuration=np.ascontiguousarray(target ^ turn(wrong)),
        clicks=np.ascontiguousarray(turn(unpack_rows(clicks, n))),
        wrong=np.ascontiguousarray(turn(wrong)),
        edge=edge,
    )


def chase_to_best_edge(board: Board, target: Bits) -> Chase:
    """The best of light chasing towards all four edges."""
    return min((chase(board, target, edge) for edge in EDGES), key=lambda c: int(c.wrong.sum()))
