"""Build the solvers' four integer programs, and solve them with SCIP.

No other solver uses SCIP.  Source of two programs: Bosch, "Lights Out Animations", Bridges 2016.
"""

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyscipopt import Model as Model
from pyscipopt import quicksum as quicksum
from pyscipopt.scip import PY_SCIP_EVENTTYPE as EVENT
from pyscipopt.scip import PY_SCIP_PARAMSETTING as SETTING

from lightsanim.errors import SolverError
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.board.board import Board
from lightsanim.system.deadline import Deadline
from .cell_classes import CellClasses, Counts
from .status import OnProgress

# SCIP's tolerance for integrality and feasibility; subtracted before bounds are rounded up.
TOLERANCE = 1e-6
# Minimum seconds to search a node of a parity program, for each cell of a check.
CHECK_CELL_SECONDS = 2e-7
# Maximum time for SCIP: a multiple of the work that is left, or these seconds if that is less, so
# that a machine under load does not end a search of little work.
MAX_SLOWNESS, MIN_SECONDS = 100, 60
# Seconds to wait for SCIP to stop after an interrupt.
INTERRUPT_SECONDS = 0.5


@dataclass(frozen=True, kw_only=True)
class IntegerProgram:
    """An integer program that minimises an integer objective, with an optional first solution."""

    model: Model
    outputs: Sequence[Any]  # The variables whose values are returned.
    others: Sequence[Any] = ()  # All other variables.
    # First solution: a value for each of ``outputs`` and ``others``; empty if there is none.
    start: Sequence[int] = ()
    node_seconds: float = 1e-9  # Least work to search a node of SCIP's tree, in seconds.


@dataclass(frozen=True, kw_only=True)
class ProgramSolution:
    """The best solution that SCIP has found when it stops."""

    values: NDArray[np.int64]  # Values of the returned variables, int64 (outputs,).
    bound: int  # No solution has a smaller objective than this.


def clicks_program(
    board: Board, difference: Bits, start: Bits, *, nearest: bool = False
) -> IntegerProgram:
    """Build one of the paper's programs, for clicks that toggle ``difference``, or nearly so.

    minimise  sum x    subject to    sum of x over C(i, j) = d + 2 y    for each cell,
    x in {0, 1},  y integer, 0 to |C(i, j)| / 2,

    where C(i, j) holds the cells whose clicks flip cell (i, j), and d is 1 for cells to toggle.
    If ``nearest``, minimise  sum z  instead, where z in {0, 1} marks the wrong cells: the right
    side is  d + (1 - 2 d) z + 2 y.
    """
    model, neighbours = Model(), board.neighbours()
    x = [model.addVar(f"x{cell}", vtype="B") for cell in range(board.cells)]
    y = [
        model.addVar(f"y{cell}", vtype="I", lb=0, ub=len(neighbourhood) // 2)
        for cell, neighbourhood in enumerate(neighbours)
    ]
    z = [model.addVar(f"z{cell}", vtype="B") for cell in range(board.cells)] if nearest else []
    flipped = difference.ravel().astype(int)
    for cell, d in enumerate(flipped.tolist()):
        count = quicksum(x[neighbour] for neighbour in neighbours[cell]) - 2 * y[cell]
        model.addCons((count + (2 * d - 1) * z[cell] if nearest else count) == d)
    model.setObjective(quicksum(z or x), "minimize")
    clicks = start.ravel().astype(int)
    pressed = np.array([clicks[cells].sum() for cells in neighbours])
    wrong = (pressed & 1) ^ flipped if nearest else []
    values = [*clicks, *pressed // 2, *wrong]
    return IntegerProgram(model=model, outputs=x, others=[*y, *z], start=values)


def nearest_by_parity_program(
    checks: Bits, syndrome: Bits, start: Bits, bound: int = 0
) -> IntegerProgram:
    """Build the program for the fewest cells whose change produces ``syndrome``.

    minimise  sum z    subject to    XOR of z over check t = syndrome[t]    for each check.

    ``checks`` is bool (nullity, cells), ``syndrome`` bool (nullity,), ``start`` bool (cells,).
    """
    model = Model()
    z = [model.addVar(f"z{cell}", vtype="B") for cell in range(checks.shape[1])]
    for check, parity in zip(checks, syndrome, strict=True):
        # SCIP needs a Python bool here; numpy's bool fails.
        model.addConsXor([z[cell] for cell in np.flatnonzero(check)], bool(parity))
    if bound:
        model.addCons(quicksum(z) >= bound)
    model.setObjective(quicksum(z), "minimize")
    seconds = CHECK_CELL_SECONDS * (1 + int(checks.sum()))
    return IntegerProgram(model=model, outputs=z, start=start.tolist(), node_seconds=seconds)


def solve_program(
    program: IntegerProgram, deadline: Deadline, on_progress: OnProgress | None = None
) -> ProgramSolution:
    """Run SCIP from the program's start until it is done or the time is up.

    SCIP runs in its own thread without Python's global lock, so that the calling thread can react
    to Ctrl-C, and several programs can be solved in parallel.
    """
    model = program.model
    _set_parameters(model, program.node_seconds, deadline)
    _add_start(program)
    if on_progress is not None:
        _attach_progress(model, on_progress)
    failures: list[Exception] = []
    finished = threading.Event()

    def run_solver() -> None:
        try:
            model.optimizeNogil()
        except Exception as failure:  # pyscipopt raises plain Exception objects
            failures.append(failure)
        finished.set()

    threading.Thread(target=run_solver, name="scip", daemon=True).start()
    try:
        while not finished.wait(0.05):
            if deadline.cancelled:
                model.interruptSolve()
    except BaseException:
        model.interruptSolve()
        finished.wait(INTERRUPT_SECONDS)
        raise
    if model.getStatus() in ("timelimit", "userinterrupt"):
        deadline.cut()
    if failures:
        raise SolverError(f"SCIP failed: {failures[0]}") from failures[0]
    return _read_solution(program)


def _set_parameters(model: Model, node_seconds: float, deadline: Deadline) -> None:
    model.hideOutput()
    model.setParam("misc/catchctrlc", False)
    model.setParam("timing/clocktype", 2)  # 2 selects the wall clock, like the deadline.
    # Switch off two features that have bugs in SCIP 10.0; this costs no time.  Pairwise presolving
    # of XOR constraints changes the solutions (test_puzzles.py).  Symmetry handling can report a
    # solution as optimal that is not (scipopt/scip issues 162, 207).
    model.setParam("constraints/xor/presolpairwise", False)
    model.setParam("misc/usesymmetry", 0)
    work = max(0.0, deadline.work_left)
    seconds = max(MAX_SLOWNESS * work, MIN_SECONDS)
    model.setParam("limits/time", min(deadline.remaining, seconds, 1e9))
    model.setParam("limits/totalnodes", math.ceil(min(work / node_seconds, 1e12)))


def _add_start(program: IntegerProgram) -> None:
    if not program.start:
        return
    solution = program.model.createSol()
    variables = [*program.outputs, *program.others]
    for variable, value in zip(variables, program.start, strict=True):
        program.model.setSolVal(solution, variable, value)
    if not program.model.checkSol(solution, printreason=False, original=True):
        raise SolverError("the start values given to SCIP do not satisfy its program")
    program.model.addSol(solution)


def _attach_progress(model: Model, on_progress: OnProgress) -> None:
    def report_event(model: Model, event: Any) -> None:
        if model.getStageName() == "SOLVING":  # after solving, the bounds are meaningless
            on_progress(round(model.getPrimalbound()), _round_bound_up(model.getDualbound()))

    events = [EVENT.BESTSOLFOUND, EVENT.DUALBOUNDIMPROVED]
    model.attachEventHandlerCallback(report_event, events, name="progress")


def _read_solution(program: IntegerProgram) -> ProgramSolution:
    # Check the number of solutions: SCIP's status only says why it stopped.
    model = program.model
    if not model.getNSols():
        raise SolverError(f"SCIP ended without a solution ({model.getStatus()})")
    best = model.getBestSol()
    values = np.rint([model.getSolVal(best, x) for x in program.outputs]).astype(np.int64)
    return ProgramSolution(values=values, bound=_round_bound_up(model.getDualbound()))


def _round_bound_up(bound: float) -> int:
    # Round a lower bound up to an integer of at least 0; SCIP's first bound is -infinity.
    return max(0, math.ceil(bound - TOLERANCE)) if bound > -1e19 else 0


def worst_case_program(
    classes: CellClasses, start: Counts, limits: Counts, goal: int
) -> IntegerProgram:
    """Build the program for the largest click set that no added quiet patterns make smaller.

    minimise  short    subject to    sum of counts over the classes that are not on q
    + sum of (sizes - counts) over those that are + short >= goal    for each combination q of the
    quiet patterns,    counts integer, 0 to ``limits``,    short integer, at least 0.
    """
    model = Model()
    short = model.addVar("short", vtype="I", lb=0)
    counts = [
        model.addVar(f"i{index}", vtype="I", lb=0, ub=int(top)) for index, top in enumerate(limits)
    ]
    signs = classes.size_changes_per_click(np.arange(1 << classes.patterns)).T.tolist()
    sizes = classes.sizes.tolist()
    for row in signs:
        on = sum(size for sign, size in zip(row, sizes, strict=True) if sign < 0)
        sum_size = quicksum(sign * count for sign, count in zip(row, counts, strict=True))
        model.addCons(sum_size + short >= goal - on)
    model.setObjective(short, "minimize")
    # The start is nearly always optimal; SCIP proves this fastest by branching alone.
    model.setHeuristics(SETTING.OFF)
    model.setSeparating(SETTING.OFF)
    lightest = int(classes.compute_sum_sizes(start).min())
    values = [*start, goal - lightest]
    return IntegerProgram(model=model, outputs=counts, others=[short], start=values)
