"""Solve the same integer programs with Google's CP-SAT, with the same start and time limit.

Each function passes the start as a hint, uses all cores, and returns (value, bound) of an answer
that was checked on a board.
"""

import math
import os
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from ortools.sat.python import cp_model

from lightsanim import Board
from lightsanim.game.algebra.linear import Bits


def nearest_by_parity(checks: Bits, syndrome: Bits, start: Bits, seconds: float) -> tuple[int, int]:
    """Find the fewest cells that explain a syndrome, with one XOR constraint per parity check.

    Args:
        checks: bool (nullity, cells).
        syndrome: bool (nullity,).
        start: bool (cells,), cells that explain it.
        seconds: time limit for building and solving the model.
    """
    began, model = time.perf_counter(), cp_model.CpModel()
    z = [model.new_bool_var(f"z{cell}") for cell in range(len(start))]
    true = model.new_constant(1)
    for check, odd in zip(checks, syndrome, strict=True):
        cells = [z[cell] for cell in np.flatnonzero(check)]
        model.add_bool_xor(cells if odd else [*cells, true])
    model.minimize(sum(z))
    _hint(model, z, start)
    chosen, bound = _solve(model, z, seconds - (time.perf_counter() - began))
    assert (checks[:, chosen].sum(axis=1) % 2 == syndrome).all()
    return int(chosen.sum()), bound


def nearest_by_clicks(board: Board, target: Bits, start: Bits, seconds: float) -> tuple[int, int]:
    """Solve the paper's program for the fewest wrong cells; see `lightsanim.game.solve.scip`."""
    began, (model, x, y, counts) = time.perf_counter(), _clicks_model(board)
    z = [model.new_bool_var(f"z{cell}") for cell in range(board.cells)]
    unlit = (~target).ravel().astype(int)
    for cell, count in enumerate(counts):
        d = int(unlit[cell])
        model.add(count - 2 * y[cell] + (2 * d - 1) * z[cell] == d)
    model.minimize(sum(z))
    pressed = _press_counts(board, start)
    _hint(model, [*x, *y, *z], [*start.ravel(), *(pressed // 2), *(pressed & 1 ^ unlit)])
    clicks, bound = _solve(model, x, seconds - (time.perf_counter() - began))
    reached = ~board.toggles(clicks.reshape(board.shape))
    return int((reached ^ target).sum()), bound


def fewest_clicks(board: Board, difference: Bits, start: Bits, seconds: float) -> tuple[int, int]:
    """Solve the paper's basic program; see `lightsanim.game.solve.scip`."""
    began, (model, x, y, counts) = time.perf_counter(), _clicks_model(board)
    wanted = difference.ravel().astype(int)
    for cell, count in enumerate(counts):
        model.add(count - 2 * y[cell] == int(wanted[cell]))
    model.minimize(sum(x))
    halves = (_press_counts(board, start) - wanted) // 2
    _hint(model, [*x, *y], [*start.ravel(), *halves])
    clicks, bound = _solve(model, x, seconds - (time.perf_counter() - began))
    assert (board.toggles(clicks.reshape(board.shape)) == difference).all()
    return int(clicks.sum()), bound


def _clicks_model(
    board: Board,
) -> tuple[cp_model.CpModel, list[cp_model.IntVar], list[cp_model.IntVar], list[Any]]:
    # Return the model, the clicks x, the halves y, and the sum of x over each neighbourhood.
    model = cp_model.CpModel()
    x = [model.new_bool_var(f"x{cell}") for cell in range(board.cells)]
    y = [model.new_int_var(0, 2, f"y{cell}") for cell in range(board.cells)]
    counts = [sum(x[other] for other in cells) for cells in board.neighbours()]
    return model, x, y, counts


def _press_counts(board: Board, clicks: Bits) -> np.ndarray:
    pressed = clicks.ravel().astype(int)
    return np.array([pressed[cells].sum() for cells in board.neighbours()])


def _hint(
    model: cp_model.CpModel, variables: Sequence[cp_model.IntVar], values: Iterable[int]
) -> None:
    for variable, value in zip(variables, values, strict=True):
        model.add_hint(variable, int(value))


def _solve(
    model: cp_model.CpModel, asked: Sequence[cp_model.IntVar], seconds: float
) -> tuple[Bits, int]:
    # Return the best values found for the given variables, and the proven bound.
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = max(seconds, 0.01)
    solver.parameters.num_workers = os.cpu_count() or 1
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE), solver.status_name(status)
    values = np.array([solver.boolean_value(variable) for variable in asked])
    return values, max(0, math.ceil(solver.best_objective_bound - 1e-6))
