"""The clicks of a solution in the order in which they are to be made."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.legal_order import find_legal_order
from lightsanim.board.board import Board
from lightsanim.errors import OptionError, SolverError
from lightsanim.look.levels import Lights
from lightsanim.options.checks import check_choice
from lightsanim.options.choices import ANY_PRESSES
from lightsanim.solve.solution import Solution, click_sets
from lightsanim.solve.status import Status, status_from_bound
from lightsanim.system.deadline import Deadline

# Attempts for each group of clicks that touch, where there is one click set, and where there are
# several to try.
ATTEMPTS, ATTEMPTS_PER_SET = 1000, 100

ADVICE = "choose press any"


@dataclass(frozen=True, kw_only=True, eq=False)
class ClickSequence:
    """Clicks one after the other.

    Attributes:
        board: the board.
        cells: int32 (clicks,), ``row * columns + column``; with more than two levels those of one
            cell one after the other.
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
        return status_from_bound(self.count, self.bound)

    @property
    def clicks(self) -> Lights:
        """The click set: bool (rows, columns), or with more than two levels uint8."""
        presses = np.bincount(self.cells, minlength=self.board.cells)
        return presses.reshape(self.board.shape).astype(self.board.reference.dtype)

    @property
    def places(self) -> list[list[int]]:
        """[row, column] of each click, from 0."""
        rows_and_columns = np.divmod(self.cells, self.board.columns)
        positions: list[list[int]] = np.column_stack(rows_and_columns).tolist()
        return positions


def order_clicks_by_row(board: Board, clicks: Lights, bound: int) -> ClickSequence:
    """The clicks of a set row by row, from left to right.

    ``clicks``: bool (rows, columns).

    >>> order_clicks_by_row(Board(2, 2), np.eye(2, dtype=bool), 2).places
    [[0, 0], [1, 1]]
    >>> order_clicks_by_row(Board(1, 2, levels=3), np.array([[0, 2]]), 2).places
    [[0, 1], [0, 1]]
    """
    cells = np.repeat(np.arange(board.cells, dtype=np.int32), clicks.ravel())
    return ClickSequence(board=board, cells=cells, bound=bound)


def check_press_option(press: str, levels: int) -> str:
    """``press``, if it is one of `ANY_PRESSES` that boards of so many levels know."""
    check_choice("press", press, ANY_PRESSES)
    if press != "any" and levels > 2:
        raise OptionError(f"press {press} is for 2 levels alone, not {levels}; {ADVICE}", "press")
    return press


def check_first_and_last_click(board: Board, start: Lights, end: Lights, press: str) -> None:
    """Refuse a way whose first or last click cannot be legal, whatever lies between.

    ``start``: bool (rows, columns), ``end``: bool (rows, columns).
    """
    if press == "any" or np.array_equal(start, end):
        return
    required = press == "lit"
    if not (start == required).any():
        raise SolverError(f"no click can be the first: no cell of the start is {press}; {ADVICE}")
    state_after = required ^ bool(board.neighbourhood(0, 0)[0, 0])
    if not (end == state_after).any():
        state = "lit" if state_after else "unlit"
        raise SolverError(
            f"no click can be the last: it leaves a cell {state}, and none of the goal is; {ADVICE}"
        )


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
        OptionError: for another ``press``, or one but ``any`` with more than two levels.
        SolverError: if no click set has such an order, or none was found.

    >>> from lightsanim.solve.solution import solve_board
    >>> solution = solve_board(Board(1, 3), np.ones((1, 3), bool), np.zeros((1, 3), bool))
    >>> order_solution(solution, "lit", np.random.default_rng(0)).places
    [[0, 1]]
    """
    board, fewest = solution.board, solution.fewest
    check_press_option(press, board.levels)
    if fewest is None:
        return None
    if press == "any":
        return order_clicks_by_row(board, fewest.clicks, fewest.bound)
    check_first_and_last_click(board, solution.start, solution.end, press)
    deadline, failures = Deadline(time_limit), 0
    attempts = ATTEMPTS if board.nullity == 0 else ATTEMPTS_PER_SET
    for clicks in click_sets(board, fewest.clicks):
        try:
            cells = find_legal_order(
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
