"""The nearest accessible configuration: as few cells as possible differ from the target.

Changing a set of cells makes a configuration accessible exactly when it explains the syndrome:
in each parity check it must change an odd number of cells where the syndrome's bit is 1 and an even
number where it is 0.  So only the check bits of a cell matter, and of all cells with the same
check bits the one that shows least is enough.  Where the checks fall into components that share no
cell, each is a question of its own.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits, parities
from lightsanim.board.board import Board
from lightsanim.board.levels import Lights
from lightsanim.errors import InaccessibleError, OptionError, SolverError
from lightsanim.options.checks import check_choice, check_floats
from lightsanim.options.stencils import abbreviated
from lightsanim.options.table import PROGRAMS
from lightsanim.solve.chase import Chased, can_chase, chase_to_nearest_edge
from lightsanim.solve.components import Component, components_of
from lightsanim.solve.decode import decode, explain
from lightsanim.solve.modular_nearest import nearest_levels
from lightsanim.solve.parity_checks import (
    Indices,
    ParityChecks,
    pack_words,
    parity_checks_of,
    unpack_words,
)
from lightsanim.solve.search import search_by_weight
from lightsanim.solve.status import OnProgress, Status, status_of
from lightsanim.system.deadline import Deadline

# Up to this many classes a pass through the sums of all pairs takes less than a second or two.
QUICK_CLASSES = 9000

# The largest model of the paper's program that is worth building: cells times flips of a click.
MAX_PAPER_FLIPS = 200_000

# The largest model that SCIP makes progress on: checks times classes.
MAX_CERTIFIED_SIZE = 500_000


@dataclass(frozen=True, kw_only=True)
class Nearest:
    """An accessible configuration close to a target, and what it is worth.

    Attributes:
        configuration: bool (rows, columns), or with more than two levels uint8; accessible from
            `Board.reference`, all-on or with more levels all-off.
        clicks: a click set that leads there from it, bool or uint8 (rows, columns).
        wrong: how many cells differ from the target.
        distance: by how many levels they differ in all, as they are seen; with two levels
            ``wrong``.
        bound: no accessible configuration is at a smaller distance than this.
        status: OPTIMAL when ``bound`` equals ``distance``.
        chased_wrong: the wrong cells of the paper's heuristic, the best of four edges; None where
            there is no light chasing (wrapped boards, rules but plus and ring, more than two
            levels).
        seconds: how long the search took.
        cut_short: whether the clock ended the search, so that another run may find another one.
    """

    configuration: Lights
    clicks: Lights
    wrong: int
    distance: int
    bound: int
    status: Status
    chased_wrong: int | None
    seconds: float
    cut_short: bool


def nearest_accessible(
    board: Board,
    target: Lights,
    *,
    start: Lights | None = None,
    margin: NDArray[np.floating] | None = None,
    in_levels: NDArray[np.floating] | None = None,
    ip: str = "auto",
    time_limit: float | Deadline = 30.0,
    on_progress: OnProgress = lambda best, bound: None,
) -> Nearest:
    """The accessible configuration with the fewest wrong cells.

    With more than two levels, that with the least sum of |shown - target|: from bright one up is
    dark, and the furthest off.

    Args:
        board: any board.
        target: bool (rows, columns), or with more than two levels uint8.
        start: where clicks lead from, the same; None for `Board.reference`.
        margin: (rows, columns), how much a wrong cell shows; of cells that serve equally well the
            one with the smallest margin is changed.  The paper's program knows nothing of it.
        in_levels: with more than two levels in its place: (rows, columns), the target before it
            was rounded to levels, 0 to levels - 1.
        ip: ``auto`` searches by weight and turns to the integer program on the parity checks for
            what that leaves open; ``parity`` takes that program at once, ``paper`` the one of
            Bosch's paper, which has a variable for every click.  With more than two levels there is
            the search alone.
        time_limit: seconds, or a `Deadline` to share.
        on_progress: told the distance of the best found and the proven bound.

    Returns:
        The nearest configuration found, with its proven bound.

    Raises:
        OptionError: for an unknown ``ip``, a wrong shape, a time limit that is not positive, a
            board too large for the paper's program, or one of more than two levels.
        SolverError: if the elimination is not done in time (see `Board.factor`), or a solver's
            result does not hold when its clicks are carried out.

    >>> target = np.zeros((4, 4), bool)
    >>> target[0, 0] = True
    >>> nearest = nearest_accessible(Board(4, 4), target)
    >>> nearest.wrong, nearest.bound, str(nearest.status)
    (1, 1, 'optimal')
    >>> nearest = nearest_accessible(Board(2, 2, levels=3), np.full((2, 2), 2, np.uint8))
    >>> nearest.wrong, nearest.distance, int(nearest.configuration.sum())
    (1, 2, 6)
    """
    check_choice("ip", ip, PROGRAMS)
    deadline = Deadline.of(time_limit)
    target = board.checked(target, "target")
    start = board.reference if start is None else board.checked(start, "start")
    for name, values in (("margin", margin), ("in_levels", in_levels)):
        if values is not None:
            check_floats(name, values, board.shape)
    if board.levels == 2:
        wrong, bound, chased = _wrong_cells(
            board, target ^ ~start, margin, ip, deadline, on_progress
        )
        configuration: Lights = target ^ wrong
    else:
        if ip == "paper":
            raise OptionError(f"ip paper is for 2 levels alone, not {board.levels}", "ip")
        board.factor(deadline)
        configuration, bound = nearest_levels(
            board, target, start, in_levels, deadline, on_progress
        )
        chased = None
    return nearest_of(board, target, start, configuration, bound, chased, deadline)


def _wrong_cells(
    board: Board,
    target: Bits,
    margin: NDArray[np.floating] | None,
    ip: str,
    deadline: Deadline,
    on_progress: OnProgress,
) -> tuple[Bits, int, Chased | None]:
    # With two levels, from all-on: the wrong cells, the proven bound on their number, and what
    # light chasing reaches.
    shows = np.zeros(board.shape) if margin is None else np.asarray(margin, float)
    chased = chase_to_nearest_edge(board, target) if can_chase(board) else None
    if ip == "paper" and board.cells * board.most_flips > MAX_PAPER_FLIPS:
        raise OptionError(
            f"a {board.columns}x{board.rows} board is too large for the paper's program: "
            f"{board.cells} cells with {board.most_flips} flips each make more than "
            f"{MAX_PAPER_FLIPS}",
            "ip",
        )
    board.factor(deadline)
    if ip == "paper":
        wrong, bound = _nearest_by_clicks(board, target, chased, deadline, on_progress)
    else:
        wrong, bound = _nearest_by_parity(board, target, chased, shows, ip, deadline, on_progress)
    return wrong, bound, chased


def _nearest_by_parity(
    board: Board,
    target: Bits,
    chased: Chased | None,
    margin: NDArray[np.floating],
    ip: str,
    deadline: Deadline,
    on_progress: OnProgress,
) -> tuple[Bits, int]:
    # The wrong cells, bool (rows, columns), and the proven bound on their number.
    if board.is_accessible(target):
        return np.zeros(board.shape, bool), 0
    if not board.can_list_patterns:
        if chased is None:
            raise OptionError(
                f"a {board.columns}x{board.rows} board of rule {abbreviated(board.rule)} has "
                f"{board.nullity} parity checks, too many to find the nearest configuration; "
                "choose another size, or perfect",
                "size",
            )
        return chased.wrong, 1
    board.mirrored.factor(deadline)
    components = components_of(board.packed_parity_checks(), board.cells)
    unlit = ~target
    questions = [_question(component, unlit, chased, margin) for component in components]
    questions = [question for question in questions if question.syndrome.any()]
    wrong, bests = np.zeros(board.shape, bool), [len(question.start) for question in questions]
    bounds = [1] * len(questions)
    for number, (question, until) in enumerate(deadline.shared(questions)):

        def say(best: int, bound: int, number: int = number) -> None:
            bests[number], bounds[number] = best, bound
            on_progress(sum(bests), sum(bounds))

        classes, bounds[number] = _solve(question, ip, until, say)
        bests[number] = len(classes)
        wrong.flat[question.component.cells[question.checks.cells[classes]]] = True
    return wrong, sum(bounds)


@dataclass(frozen=True, kw_only=True)
class _Question:
    """Which classes explain the syndrome of a component?"""

    component: Component  # of the parity checks
    checks: ParityChecks  # its classes
    syndrome: Bits  # bool (checks,)
    cost: NDArray[np.floating]  # (classes,), how much changing a class shows
    start: Indices  # int (weight,), classes that explain it


def _question(
    component: Component, unlit: Bits, chased: Chased | None, margin: NDArray[np.floating]
) -> _Question:
    cells = component.cells
    checks = parity_checks_of(component, margin.ravel()[cells])
    syndrome = parities(component.packed, unlit.ravel()[cells])
    starts = [explain(checks.words, len(component), pack_words(syndrome[None])[0])]
    if chased is not None:
        starts.append(checks.classes_of(chased.wrong.ravel()[cells]))
    return _Question(
        component=component,
        checks=checks,
        syndrome=syndrome,
        cost=margin.ravel()[cells[checks.cells]],
        start=min(starts, key=len),
    )


def _solve(
    question: _Question, ip: str, deadline: Deadline, on_progress: OnProgress
) -> tuple[Indices, int]:
    # The classes found and the proven bound on their number.
    if len(question.checks.words) == len(question.component):
        # Independent columns explain a syndrome in one way only.
        return question.start, len(question.start)
    if ip == "parity":
        return _certify(question, question.start, 1, deadline, on_progress)
    return _search(question, deadline, on_progress)


def _search(
    question: _Question, deadline: Deadline, on_progress: OnProgress
) -> tuple[Indices, int]:
    # A pass through all pairs comes first where it is quick: it nearly always proves the minimum.
    # Elsewhere decoding comes first, so that the pass knows what is left to prove.
    words, nullity = question.checks.words, len(question.component)
    wanted = pack_words(question.syndrome[None])[0]

    def improve(best: Indices, bound: int, until: Deadline) -> Indices:
        return decode(words, nullity, wanted, best, bound, until, lambda w: on_progress(w, bound))

    best = question.start
    if len(words) > QUICK_CLASSES:
        best = improve(best, 1, deadline.part_of_work(0.1))
    found = search_by_weight(words, wanted, question.cost, len(best), deadline.part_of_work(0.6))
    best, bound = best if found.classes is None else found.classes, found.bound
    on_progress(len(best), bound)
    if len(best) > bound and nullity * len(words) <= MAX_CERTIFIED_SIZE:
        best = improve(best, bound, deadline.part_of_work(0.3))
        return _certify(question, best, bound, deadline, on_progress)
    return improve(best, bound, deadline), bound


def _certify(
    question: _Question, start: Indices, bound: int, deadline: Deadline, on_progress: OnProgress
) -> tuple[Indices, int]:
    # SCIP on the parity checks, if there is time left.
    if deadline.expired:
        return start, bound
    from lightsanim.solve import scip

    words = question.checks.words
    started = np.isin(np.arange(len(words)), start)
    matrix = unpack_words(words, len(question.component)).T
    program = scip.nearest_by_parity_program(matrix, question.syndrome, started, bound)
    solution = scip.solve(program, deadline, on_progress)
    return np.flatnonzero(solution.values), max(bound, solution.bound)


def _nearest_by_clicks(
    board: Board,
    target: Bits,
    chased: Chased | None,
    deadline: Deadline,
    on_progress: OnProgress,
) -> tuple[Bits, int]:
    # The wrong cells and the bound, from the paper's program.  No clicks leave all-on as it is.
    clicks, bound = np.zeros(board.shape, bool) if chased is None else chased.clicks, 0
    if not deadline.expired:
        from lightsanim.solve import scip

        program = scip.nearest_by_clicks_program(board, target, clicks)
        solution = scip.solve(program, deadline, on_progress)
        clicks, bound = solution.values.reshape(board.shape), solution.bound
    return ~board.toggles(clicks) ^ target, bound


def nearest_of(
    board: Board,
    target: Lights,
    start: Lights,
    configuration: Lights,
    bound: int,
    chased: Chased | None,
    deadline: Deadline,
) -> Nearest:
    """What a configuration is worth that was found for a target.

    It must have clicks that lead to it, whatever the solver said.
    """
    try:
        clicks = board.clicks_between(start, configuration)
    except InaccessibleError as error:
        raise SolverError(
            f"the solver's nearest configuration is not accessible: {error}"
        ) from error
    apart = np.abs(np.subtract(configuration, target, dtype=np.int8))
    wrong, distance = int(np.count_nonzero(apart)), int(apart.sum(dtype=np.int64))
    reached = board.add(start, board.toggles(clicks))
    if not np.array_equal(reached, configuration) or bound > distance:
        raise SolverError(
            f"the solver's result does not hold: {wrong} wrong cells at a distance of {distance}, "
            f"bound {bound}"
        )
    return Nearest(
        configuration=configuration,
        clicks=clicks,
        wrong=wrong,
        distance=distance,
        bound=bound,
        status=status_of(distance, bound),
        chased_wrong=None if chased is None else int(chased.wrong.sum()),
        seconds=deadline.seconds_used(),
        cut_short=deadline.cut_short,
    )
