"""Light chasing: a heuristic that reaches a configuration close to the target.

Row by row, clicks correct the wrong cells of the row before, so that only the last row keeps wrong
cells.  The method works towards each of the four edges, for the plus rule and the ring rule.
With an all-off target, it is the usual way to solve the game by hand.

Source: Bosch, "Lights Out Animations", Bridges 2016.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lightsanim.errors import OptionError
from lightsanim.game.algebra.linear import Bits, pack_rows, unpack_rows
from lightsanim.game.board.board import Board
from lightsanim.game.board.plus import ROW_MAPS, chase_rows

# For each edge, a map of the board that moves it to the bottom.  Each map is its own inverse.
EDGES: dict[str, Callable[[Bits], Bits]] = {
    "bottom": lambda a: a,
    "top": np.flipud,
    "right": np.transpose,
    "left": lambda a: a[::-1, ::-1].T,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class ChaseStep:
    """One step of light chasing: clicks in one row, or in one column for a side edge."""

    clicks: Bits  # Clicked cells, bool (rows, columns); each lies beside a cell that was wrong.
    configuration: Bits  # Lights after these clicks, bool (rows, columns).


@dataclass(frozen=True, kw_only=True, eq=False)
class Chase:
    """The result of light chasing."""

    board: Board
    start: Bits  # Configuration before the first click, bool (rows, columns).
    configuration: Bits  # Configuration that the clicks lead to, bool (rows, columns).
    clicks: Bits  # Click set from the start to the configuration, bool (rows, columns).
    wrong: Bits  # Cells that differ from the target, all along ``edge``, bool (rows, columns).
    edge: str  # Name of the edge that keeps the wrong cells (see `EDGES`).

    @property
    def steps(self) -> tuple[ChaseStep, ...]:
        """The steps, one for each row from the second on; the first row gets no clicks.

        Each step makes one more row equal to the target; `wrong` marks the cells that stay wrong.

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
    """Return whether light chasing works: two levels, no wrapping, and the plus or ring rule."""
    return board.rule in ROW_MAPS and not board.wrap and board.levels == 2


def chase(board: Board, target: Bits, edge: str = "bottom", *, start: Bits | None = None) -> Chase:
    """Reach a configuration that differs from ``target`` only along one edge, by light chasing.

    Args:
        board: a board with two levels and the plus or ring rule, not wrapped.
        target: bool (rows, columns); an all-off target gives light chasing as in the game.
        edge: one of `EDGES`.
        start: bool (rows, columns); None for all-on.

    Returns:
        The configuration reached and its click set; its ``steps`` list the clicks row by row.

    Raises:
        OptionError: if `can_chase` is false, the shape is wrong, or the edge is unknown.

    >>> chased = chase(Board(5, 5), np.eye(5, dtype=bool))
    >>> bool((Board(5, 5).toggles(chased.clicks) == ~chased.configuration).all())
    True
    """
    if not can_chase(board):
        rules = " or ".join(ROW_MAPS)
        raise OptionError(f"light chasing needs 2 levels, no wrap and rule {rules}, not {board}")
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
    """Chase lights towards each of the four edges; return the result with fewest wrong cells."""
    return min((chase(board, target, edge) for edge in EDGES), key=lambda c: int(c.wrong.sum()))
