"""The nearest accessible configuration with more than two levels.

A cell that is to show v and shows w is off by |w - v| levels, as it is seen: from bright one up is
dark, and the furthest off.  As with two levels, only a cell's column of the parity checks matters,
so that cells fall into classes, and where the checks fall into components each is a question of
its own: which multiples of the classes' columns add up to minus the syndrome at the least cost?
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.modular import Indices, Residues, negative
from lightsanim.board.board import Board
from lightsanim.board.plus import ROW_MAPS
from lightsanim.errors import OptionError
from lightsanim.options.stencils import abbreviated
from lightsanim.solve.modular_classes import (
    ModularComponent,
    modular_classes_of,
    modular_components_of,
)
from lightsanim.solve.modular_decode import cost_of, decode, explain
from lightsanim.solve.modular_moves import Moves, moves_of
from lightsanim.solve.modular_search import (
    MAX_SEARCHED,
    MAX_TABLE,
    cheapest_by_table,
    search_by_cost,
)
from lightsanim.solve.status import OnProgress
from lightsanim.system.deadline import Deadline

# Cells that are sorted into classes in seconds.
MAX_SORTED_CELLS = 5_000_000


def nearest_levels(
    board: Board,
    target: Residues,
    start: Residues,
    in_levels: NDArray[np.floating] | None,
    deadline: Deadline,
    on_progress: OnProgress,
) -> tuple[Residues, int]:
    """The nearest configuration found, and a proven bound on how many levels any is off by.

    ``target``: uint8 (rows, columns), ``in_levels``: (rows, columns).
    """
    q, difference = board.levels, board.subtract(target, start)
    if board.nullity == 0:
        return target, 0
    if not board.can_list_patterns or board.cells > MAX_SORTED_CELLS:
        unreachable = _unreachable(board, difference)
        return board.subtract(target, unreachable), int(unreachable.any())
    checks = board.parity_checks().reshape(board.nullity, board.cells)
    questions = []
    for part in modular_components_of(checks, q):
        sums = [np.sum(row * difference.flat[part.cells], dtype=np.int64) for row in part.patterns]
        syndrome = (np.array(sums) % q).astype(np.uint8)
        if syndrome.any():
            questions.append(_question(part, negative(syndrome, q), target, in_levels, q))
    changes = np.zeros(board.cells, np.uint8)
    bests, bounds = [question.least for question in questions], [1] * len(questions)
    for number, (question, until) in enumerate(deadline.shared(questions)):

        def say(best: int, bound: int, number: int = number) -> None:
            bests[number], bounds[number] = best, bound
            on_progress(sum(bests), sum(bounds))

        multiples, bound = _cheapest(question, q, until, say)
        say(round(cost_of(question.moves.costs, multiples)), bound)
        changes[question.cells] = question.moves.changes(multiples)
    return board.add(target, changes.reshape(board.shape)), sum(bounds)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Question:
    """Which multiples of a component's classes add up to a syndrome at the least cost?"""

    cells: Indices  # of the component
    columns: Residues  # uint8 (classes, checks)
    moves: Moves  # what the multiples cost
    syndrome: Residues  # uint8 (checks,), what they must add up to
    start: Residues  # uint8 (classes,), multiples that do
    least: int  # what these cost


def _question(
    part: ModularComponent,
    syndrome: Residues,
    target: Residues,
    in_levels: NDArray[np.floating] | None,
    q: int,
) -> _Question:
    classes = modular_classes_of(part.patterns, q)
    tones = None if in_levels is None else in_levels.ravel()[part.cells]
    moves = moves_of(classes, target.ravel()[part.cells], tones, q)
    start = explain(classes.columns, syndrome, q)
    return _Question(
        cells=part.cells,
        columns=classes.columns,
        moves=moves,
        syndrome=syndrome,
        start=start,
        least=round(cost_of(moves.costs, start)),
    )


def _cheapest(
    question: _Question, q: int, deadline: Deadline, say: Callable[[int, int], None]
) -> tuple[Residues, int]:
    # The multiples found and the proven bound on their cost.
    columns, costs, syndrome = question.columns, question.moves.costs, question.syndrome
    best, bound = question.start, 1
    if len(columns) == columns.shape[1]:
        # Independent columns explain a syndrome in one way only.
        return best, question.least
    if q ** columns.shape[1] * len(columns) * q <= MAX_TABLE:
        best = cheapest_by_table(columns, costs, syndrome, q)
        return best, round(cost_of(costs, best))
    if columns.size * (q - 1) <= MAX_SEARCHED:
        for bound, found in search_by_cost(columns, costs, syndrome, q, deadline.part(0.6)):
            best = best if found is None else found
            least = round(cost_of(costs, best))
            say(least, bound)
            if least <= bound:
                return best, least
    found = decode(columns, costs, syndrome, q, best, bound, deadline, lambda c: say(c, bound))
    return found, bound


def _unreachable(board: Board, difference: Residues) -> Residues:
    # A few cells' part of the difference that clicks cannot make, whatever it costs.
    if board.rule not in ROW_MAPS or board.wrap:
        raise OptionError(
            f"a {board.columns}x{board.rows} board of rule {abbreviated(board.rule)} has "
            f"{board.nullity} parity checks, too many to find the nearest configuration; "
            "choose another size, or perfect",
            "size",
        )
    from lightsanim.board.modular_plus import ModularPlusFactors

    factors = ModularPlusFactors(board.rule, board.levels, *board.shape)
    return factors.unreachable(difference)
