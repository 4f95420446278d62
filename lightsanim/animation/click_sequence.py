"""The clicks of a solution in the order in which they are to be made."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.animation.legal import order_legally
from lightsanim.board.board import Board
from lightsanim.deadline import Deadline
from lightsanim.errors import SolverError
from lightsanim.solve.outcome import Status, status_of
from lightsanim.solve.solution import Solution, click_sets

# Attempts for each group of clicks that touch, where there is one click set, and where there are
# several to try.
ATTEMPTS, ATTEMPTS_EACH = 1000, 100

ADVICE = "choose press any"


@dataclass(frozen=True, kw_only=True, eq=False)
class ClickSequence:
    """Clicks one after the other.

    Attributes:
        board: the board.
        cells: int32 (clicks,), ``row * columns + column``.
        bound: no fewer clicks toggle the same cells.
    """

    board: Board
    cells: NDArray[np.int32]
    bound: int

    @property
    def count(self) -> int:
        """How many clicks."""
        return len(self.cells)

    @property
    def status(self) -> Status:
        """OPTIMAL when no fewer clicks toggle the same cells."""
        return status_of(self.count, self.bound)

    @property
    def clicks(self) -> Bits:
        """The click set: bool (rows, columns)."""
        clicks = np.zeros(self.board.cells, bool)
        clicks[self.cells] = True
        return clicks.reshape(self.board.shape)

    @property
    def places(self) -> list[list[int]]:
        """[row, column] of each click, from 0."""
        rows, columns = np.divmod(self.cells, self.board.columns)
        places: list[list[int]] = np.column_stack([rows, columns]).tolist()
        return places


def row_by_row(board: Board, clicks: Bits, bound: int) -> ClickSequence:
    """The clicks of a set row by row, from left to right.

    Args:
        board: the board.
        clicks: bool (rows, columns).
        bound: no fewer clicks toggle the same cells.

    >>> row_by_row(Board(2, 2), np.eye(2, dtype=bool), 2).places
    [[0, 0], [1, 1]]
    """
    return ClickSequence(board=board, cells=np.flatnonzero(clicks).astype(np.int32), bound=bound)


def order_solution(
    solution: Solution,
    press: str,
    rng: np.random.Generator,
    *,
    time_limit: float = 30.0,
) -> ClickSequence | None:
    """The fewest clicks in an order in which each cell may be clicked.

    Where the smallest click set has no such order, the next ones are tried.

    Args:
        solution: what is to be clicked.
        press: ``any`` for any order (row by row), or that each cell is ``unlit`` or ``lit`` when it
            is clicked.
        rng: decides between the orders.
        time_limit: seconds.

    Returns:
        The clicks; None if the solution has none.

    Raises:
        SolverError: if no click set has such an order, or none was found.

    >>> from lightsanim.solve.solution import solve_board
    >>> solution = solve_board(Board(1, 3), np.ones((1, 3), bool), np.zeros((1, 3), bool))
    >>> order_solution(solution, "lit", np.random.default_rng(0)).places
    [[0, 1]]
    """
    board, fewest = solution.board, solution.fewest
    if fewest is None:
        return None
    if press == "any":
        return row_by_row(board, fewest.clicks, fewest.bound)
    deadline, failures = Deadline(time_limit), 0
    attempts = ATTEMPTS if board.nullity == 0 else ATTEMPTS_EACH
    for clicks in click_sets(board, fewest.clicks):
        try:
            cells = order_legally(
                board, solution.start, clicks, rng, press=press, attempts=attempts, advice=ADVICE
            )
        except SolverError:
            if board.nullity == 0:
                raise  # it says why
            failures += 1
            if deadline.expired:
                break
        else:
            return ClickSequence(board=board, cells=cells, bound=fewest.bound)
    sets = (
        "the smallest click set" if failures == 1 else f"any of the {failures} smallest click sets"
    )
    raise SolverError(
        f"no order of {sets} was found in which each cell is clicked once, and {press} when it is "
        f"clicked; {ADVICE}"
    )
