"""Click sequences: the clicks that solve a board, in a legal order."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError, SolverError
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.options.checks import check_choice
from lightsanim.options.choices import ANY_PRESSES
from lightsanim.system.deadline import Deadline
from .legal_order import find_legal_order
from .solution import Solution, click_sets
from .status import Status, status_from_bound

# Maximum attempts to order each group of interacting clicks if there is only one click set.
ATTEMPTS = 1000
# Maximum attempts to order each group if there are several click sets to try.
ATTEMPTS_PER_SET = 100
ADVICE = "set press to any"


@dataclass(frozen=True, kw_only=True, eq=False)
class ClickSequence:
    """Clicks in the order in which they are made.

    Attributes:
        board: board that is clicked.
        cells: int32 array of shape (clicks,): the clicked cells, ``row * columns + column``.
            Several presses of one cell follow each other.
        bound: proven lower bound on the clicks that toggle the same cells.
    """

    board: Board
    cells: NDArray[np.int32]
    bound: int

    @property
    def count(self) -> int:
        """Number of clicks."""
        return len(self.cells)

    @property
    def status(self) -> Status:
        """OPTIMAL if the number of clicks is proven minimal, otherwise FEASIBLE."""
        return status_from_bound(self.count, self.bound)

    @property
    def clicks(self) -> Lights:
        """Click set of shape (rows, columns), bool, or with more than two levels uint8."""
        presses = np.bincount(self.cells, minlength=self.board.cells)
        return presses.reshape(self.board.shape).astype(self.board.reference.dtype)

    @property
    def places(self) -> list[list[int]]:
        """The [row, column] of each click, counted from 0."""
        return [[*divmod(cell, self.board.columns)] for cell in self.cells.tolist()]


def order_clicks_by_row(board: Board, clicks: Lights, bound: int) -> ClickSequence:
    """Return the clicks of a click set ordered row by row, from left to right."""
    cells = np.repeat(np.arange(board.cells, dtype=np.int32), clicks.ravel())
    return ClickSequence(board=board, cells=cells, bound=bound)


def check_press_option(press: str, levels: int) -> str:
    """Check and return the option ``press``, which must be ``any`` with more than two levels."""
    check_choice("press", press, ANY_PRESSES)
    if press != "any" and levels > 2:
        raise OptionError(f"press {press} needs 2 levels, not {levels}; {ADVICE}", "press")
    return press


def check_first_and_last_click(board: Board, start: Lights, end: Lights, press: str) -> None:
    """Raise a `SolverError` if there is no legal first click or no legal last click."""
    if press == "any" or np.array_equal(start, end):
        return
    required = press == "lit"
    if not (start == required).any():
        raise SolverError(f"no first click is legal: no cell of the start is {press}; {ADVICE}")
    state_after = required ^ bool(board.neighbourhood(0, 0)[0, 0])
    if not (end == state_after).any():
        state = "lit" if state_after else "unlit"
        raise SolverError(
            f"no last click is legal: it leaves its cell {state}, but no cell of the goal is "
            f"{state}; {ADVICE}"
        )


def order_solution(
    solution: Solution, press: str, rng: np.random.Generator, *, time_limit: float = 30.0
) -> ClickSequence | None:
    """Return the fewest clicks in a legal order, or None if no clicks solve the board.

    If no legal order of the smallest click set is found, the next larger ones are tried.

    Args:
        solution: solution whose clicks are ordered.
        press: required state of each cell before it is clicked, ``lit`` or ``unlit``; with ``any``
            the order is row by row.
        rng: random generator that chooses among legal orders.
        time_limit: seconds for trying further click sets.

    Raises:
        OptionError: if ``press`` is unknown, or not ``any`` with more than two levels.
        SolverError: if no click set has a legal order, or none was found.

    >>> from lightsanim.game.solve.solution import solve_board
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
                raise  # keep this error, which gives the reason
            failures += 1
            if deadline.expired:
                break
        else:
            return ClickSequence(board=board, cells=cells, bound=fewest.bound)
    several = f"any of the {failures} smallest click sets"
    sets = "the smallest click set" if failures == 1 else several
    reason = f"that clicks each cell once, and only while it is {press}"
    raise SolverError(f"no order of {sets} was found {reason}; {ADVICE}")
