"""Solve Abbott's Window: light as many panes as possible, an even number of them in every line.

The lines of an N x N window are its rows, its columns and its diagonals of two panes or more.
Source: Dudeney, Amusements in Mathematics (1917), no. 292; as an integer program in the NEOS guide,
"Abbott's Window Puzzle".
"""

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import SolverError
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.solve.status import OnProgress
from lightsanim.options.checks import check_choice, check_whole_number
from lightsanim.system.deadline import Deadline
from .answer import PuzzleAnswer

if TYPE_CHECKING:
    from lightsanim.game.solve.scip import IntegerProgram

MAX_SIDE = 100
# Share of the remaining time, by rotational symmetry of the windows searched: 4-fold, 2-fold, any.
TIME_SHARES = {4: 0.2, 2: 0.4, 1: 1.0}


def solve_abbott(
    n: int,
    *,
    form: str = "xor",
    time_limit: float | Deadline = 30.0,
    on_progress: OnProgress = lambda best, bound: None,
) -> PuzzleAnswer:
    """Return an ``n`` x ``n`` window with the most lit panes, an even number in every line.

    For an even ``n`` a construction is optimal.  For an odd ``n`` integer programs improve the
    constructed window: first with 4-fold rotational symmetry, then with 2-fold, then with none.
    """
    check_whole_number("N", n, 1, MAX_SIDE)
    check_choice("form", form, ("xor", "integer"))
    deadline = Deadline.of(time_limit)
    lit, cap = build_even_window(n), n * n - min_dark_panes(n)
    for turns, share in TIME_SHARES.items() if n % 2 else ():
        if deadline.expired:
            break
        window, bound = _improve_window(n, form, turns, lit, deadline.part(share), on_progress)
        lit = max(lit, window, key=np.count_nonzero)
        cap = min(cap, bound) if turns == 1 else cap
    value = int(lit.sum())
    if count_odd_lines(lit) or value > cap:
        raise SolverError(
            f"wrong solver result: {value} lit panes (proven maximum: {cap}), lines with an odd "
            f"number: {count_odd_lines(lit)}; please report this"
        )
    end = "no window can have more" if value == cap else f"at most {cap} are possible"
    return PuzzleAnswer(
        puzzle="abbott",
        message=f"{value} of {n * n} panes are lit; {end}.",
        grid=lit,
        value=value,
        bound=cap,
        marks="#o",
    )


@cache
def build_line_masks(rows: int, columns: int, *, diagonals: bool = True) -> Bits:
    """Return a mask for each row, column and diagonal of two or more cells: bool (lines, cells)."""
    row, column = np.indices((rows, columns)).reshape(2, -1)
    kinds = (row, column, column - row, -row - column)[: 4 if diagonals else 2]
    lines = [kind == number for kind in kinds for number in np.unique(kind)]
    straight = rows + columns
    return np.array([*lines[:straight], *(line for line in lines[straight:] if line.sum() > 1)])


def count_odd_lines(lit: Bits) -> int:
    """Count the lines of a window, bool (n, n), that have an odd number of lit panes."""
    return int((build_line_masks(*lit.shape)[:, lit.ravel()].sum(axis=1) % 2).sum())


def min_dark_panes(n: int) -> int:
    """Return a lower bound on the number of dark panes of an ``n`` x ``n`` window.

    A line with an odd number of panes has at least one dark pane.  For an odd ``n``, each row is
    such a line.  For an even ``n``, n - 2 diagonals in each direction are.  Those of one direction
    lie on the black squares of a chessboard, those of the other on the white, so none share a pane.
    """
    return n if n % 2 else 2 * (n - 2)


def build_even_window(n: int) -> Bits:
    """Construct a window with an even number of lit panes in every line: bool (n, n), True = lit.

    For an even ``n``, the two long diagonals without the corners are dark: the fewest possible.

    For an odd n = 2 m + 1, the middle row and column are dark.  Rows, columns and long diagonals
    then have an even number; the diagonals at the distances 2, 4, ..., n - 3 from the long ones do
    not.  Making the four panes (m +- a, m +- b) dark corrects the diagonals at the distances a + b
    and |a - b|, and changes no parity of a row or column.  With a = m, this corrects two distances
    with the sum 2 m.  The distance m, if it is even, is corrected alone, with a = b = m / 2.
    """
    lit, m = np.ones((n, n), bool), n // 2
    if n % 2 == 0:
        inner = np.arange(1, n - 1)
        lit[inner, inner] = lit[inner, n - 1 - inner] = False
        return lit
    lit[m] = lit[:, m] = False
    for distance in range(2, m + 1, 2):
        a, b = (m, m - distance) if distance < m else (m // 2, m // 2)
        lit[np.ix_([m - a, m + a], [m - b, m + b])] = False
    return lit


def build_abbott_program(
    n: int, form: str = "xor", *, start: Bits | None = None, turns: int = 1
) -> "IntegerProgram":
    """Build the integer program: fewest dark panes, an even number of lit panes in every line.

    With d = 1 for a dark pane, minimise  sum d  subject to, for each line,

    - "xor":      XOR of d over the line = its length mod 2,  or
    - "integer":  sum of 1 - d over the line = 2 y,  y whole, as in the NEOS guide.
    """
    from lightsanim.game.solve.scip import IntegerProgram, Model, quicksum

    model, classes = Model(), _symmetry_classes(n, turns)
    panes, sizes = np.unique(classes, return_counts=True)
    dark = {pane: model.addVar(f"d{pane}", vtype="B") for pane in panes.tolist()}
    closed = {pane: int(start is None or not start.flat[pane]) for pane in dark}
    # Rotations map some lines onto each other; keep only one line of each such group.
    lines = dict.fromkeys(tuple(sorted(classes[line].tolist())) for line in build_line_masks(n, n))
    halves = []
    for line in lines:
        if form == "integer":
            halves.append(model.addVar(vtype="I", lb=0, ub=len(line) // 2))
            model.addCons(quicksum(1 - dark[pane] for pane in line) == 2 * halves[-1])
        # A pane that occurs twice in a line cancels in the XOR.  SCIP needs a Python bool.
        elif odd := [dark[pane] for pane, times in Counter(line).items() if times % 2]:
            model.addConsXor(odd, bool(len(line) % 2))
    half_values = [sum(1 - closed[pane] for pane in line) // 2 for line in lines if halves]
    total = quicksum(int(size) * dark[pane] for pane, size in zip(dark, sizes, strict=True))
    model.setObjective(total, "minimize")
    # Each row has an even number of lit panes, so the total is even: stop at a gap below 2.
    model.setParam("limits/absgap", 1.5)
    start_values = [*closed.values(), *half_values]
    return IntegerProgram(model=model, outputs=[*dark.values()], others=halves, start=start_values)


def _symmetry_classes(n: int, turns: int) -> NDArray[np.int64]:
    # Return, for each pane, the lowest pane number among its images under rotation.
    panes = np.arange(n * n).reshape(n, n)
    rotations = [np.rot90(panes, 4 // turns * turn) for turn in range(turns)]
    return np.asarray(np.minimum.reduce(rotations)).ravel()


def _improve_window(
    n: int, form: str, turns: int, lit: Bits, deadline: Deadline, on_progress: OnProgress
) -> tuple[Bits, int]:
    # Return the best window with this rotational symmetry, and the upper bound on its lit panes.
    from lightsanim.game.solve.scip import solve_program

    # Bounds for symmetric windows do not hold for others, so they are not reported.
    report = None if turns > 1 else lambda dark, bound: on_progress(n * n - dark, n * n - bound)
    is_symmetric = np.array_equal(lit, np.rot90(lit, 4 // turns))
    program = build_abbott_program(n, form, start=lit if is_symmetric else None, turns=turns)
    answer = solve_program(program, deadline, report)
    _, class_index = np.unique(_symmetry_classes(n, turns), return_inverse=True)
    cap = n * n - answer.bound
    return answer.values[class_index].reshape(n, n) == 0, cap - cap % 2
