"""Place N queens on N x N cells so that none attacks another.

Source: Bezzel, Schachzeitung 3 (1848) 363.  There is a solution for every N except 2 and 3 (Pauls,
Deutsche Schachzeitung 29 (1874)).
"""

from typing import TYPE_CHECKING

import numpy as np

from lightsanim.errors import SolverError
from lightsanim.game.algebra.linear import Bits
from lightsanim.options.checks import check_whole_number, pluralize
from lightsanim.system.deadline import Deadline
from .abbott import build_line_masks
from .answer import PuzzleAnswer

if TYPE_CHECKING:
    from lightsanim.game.solve.scip import IntegerProgram

# Cells a side; solving larger boards may take hours.
MAX_SIDE = 60


def solve_queens(n: int, *, time_limit: float | Deadline = 30.0) -> PuzzleAnswer:
    """Place ``n`` queens so that none attacks another: bool (n, n), True = queen."""
    from lightsanim.game.solve.scip import solve_program

    check_whole_number("N", n, 1, MAX_SIDE)
    if n in (2, 3):  # every other size has a solution
        message = f"{n} queens cannot stand on {n} x {n} cells without attacking each other."
        return PuzzleAnswer(puzzle="queens", message=message, marks=".Q")
    try:
        answer = solve_program(_build_queens_program(n), Deadline.of(time_limit))
    except SolverError as error:
        raise SolverError(
            f"no solution for {n} queens was found within the time limit; increase it"
        ) from error
    board: Bits = answer.values.reshape(n, n) == 1
    if board.sum() != n or build_line_masks(n, n)[:, board.ravel()].sum(axis=1).max() > 1:
        raise SolverError(f"wrong result: {board.sum()} queens under attack; please report this")
    return PuzzleAnswer(
        puzzle="queens",
        message=f"{pluralize(n, 'queen')} on {n} x {n} cells; none attacks another.",
        grid=board,
        value=n,
        bound=n,
        marks=".Q",
    )


def _build_queens_program(n: int) -> "IntegerProgram":
    # Constrain each row and column to one queen, each diagonal to at most one; minimise nothing.
    from lightsanim.game.solve.scip import IntegerProgram, Model, quicksum

    model = Model()
    variables = [model.addVar(f"q{cell}", vtype="B") for cell in range(n * n)]
    for number, line in enumerate(build_line_masks(n, n)):
        count = quicksum(np.array(variables, object)[line])
        model.addCons(count == 1 if number < 2 * n else count <= 1)
    for rounds in ("maxroundsroot", "maxrounds"):  # cutting planes cost more time than they save
        model.setParam(f"separating/{rounds}", 0)
    return IntegerProgram(model=model, outputs=variables)
