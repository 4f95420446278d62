"""Find the accessible configuration nearest to a target.

The distance of a cell from its target level is the absolute difference of the levels, not modulo q:
raising a bright cell by one makes it dark, the largest difference.  Other costs may replace it, as
levels that are colours have no order.  Changing cells makes a
configuration accessible exactly when their columns of the parity checks, times the changes, add up
to minus the syndrome.  Cells whose columns are multiples of each other form a class.  Each
component of checks that shares no cell with others is a problem of its own: which multiples of the
classes' columns add up to minus the syndrome at the lowest cost?
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import InaccessibleError, OptionError, SolverError
from lightsanim.game.algebra.modular import mod_negative
from lightsanim.game.board.board import Board
from lightsanim.game.board.plus import ROW_MAPS
from lightsanim.game.board_view import BoardView
from lightsanim.game.levels import Lights
from lightsanim.options.checks import check_choice, check_float_array
from lightsanim.options.choices import PROGRAMS
from lightsanim.options.stencils import abbreviate_name
from lightsanim.system.deadline import Deadline
from .cell_classes import MAX_SORTED_CELLS, find_board_classes
from .chase import Chase, can_chase, chase_to_best_edge
from .component_problem import PROGRAM_STRATEGIES, STRATEGIES, ComponentProblem, solve_components
from .status import OnProgress, SearchResult, count_with_bound

# Maximum cells * flips per click for the paper's integer program.
MAX_PAPER_FLIPS = 200_000


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Nearest(SearchResult):
    """An accessible configuration close to a target, with the proven bound.

    Attributes:
        configuration: bool (rows, columns), or with more than two levels uint8; accessible from
            the start.
        clicks: bool or uint8 (rows, columns), a click set from the start to the configuration.
        target: bool or uint8 (rows, columns).
        wrong: number of cells that differ from the target.
        distance: sum of the differences in levels, or of ``level_costs``; with two levels it equals
            ``wrong``.
        bound: no accessible configuration has a smaller distance than this.
        status: OPTIMAL when ``bound`` equals ``distance``.
        chased_wrong: number of wrong cells that light chasing towards the best edge leaves; None
            for boards without light chasing (see `can_chase`).
        seconds: duration of the search.
        cut_short: whether the clock ended the search, so that another run may find another result.

    >>> nearest = nearest_accessible(Board(2, 2, levels=3), np.full((2, 2), 2, np.uint8))
    >>> nearest.wrong, nearest.distance, int(nearest.configuration.sum())
    (1, 2, 6)
    """

    configuration: Lights
    target: Lights
    wrong: int
    chased_wrong: int | None

    @property
    def distance(self) -> int:
        """Sum of the differences in levels, or of ``level_costs``."""
        return self.value

    def _board_view(self) -> BoardView:
        unit = "wrong cells" if self.configuration.dtype == bool else "levels off"
        words = count_with_bound(self.distance, unit, self.bound)
        return BoardView(words, self.configuration, wrong=self.configuration != self.target)


def nearest_accessible(
    board: Board,
    target: Lights,
    *,
    start: Lights | None = None,
    margin: NDArray[np.floating] | None = None,
    in_levels: NDArray[np.floating] | None = None,
    level_costs: NDArray[np.integer] | None = None,
    ip: str = "auto",
    time_limit: float | Deadline = 30.0,
    on_progress: OnProgress = lambda best, bound: None,
) -> Nearest:
    """Find the accessible configuration with the fewest wrong cells, and a proven bound.

    With more than two levels, it minimises the sum over the cells of |level - target level|.

    Args:
        board: any board.
        target: bool (rows, columns), or with more than two levels uint8.
        start: like ``target``, the configuration from which it must be accessible; None for
            `Board.reference`.
        margin: (rows, columns), how visible a wrong cell is; among equally good cells, those with
            the smallest margin become wrong.  The paper's program ignores it.
        in_levels: (rows, columns), the target before it was rounded to levels, 0 to levels - 1;
            replaces ``margin`` on boards with more than two levels.
        level_costs: (levels, levels), the cost of a cell with a level (column) instead of its
            target's (row): whole numbers from 1 on, and 0 on the diagonal; None for the difference
            of the levels.
        ip: ``auto`` searches by cost and uses the integer program on the parity checks if that
            leaves the minimum open; ``parity`` uses this program at once; ``paper`` uses the
            program of Bosch's paper, which has a variable for every click.  Boards with more than
            two levels have the search only.
        time_limit: seconds, or a `Deadline` to share.
        on_progress: called with the distance of the best configuration and the proven bound.

    Raises:
        OptionError: if ``ip`` is unknown, the shape is wrong, the time limit is not positive, or
            the board is too large or, for ``paper``, has more than two levels.
        SolverError: if the elimination exceeds the time limit (see `Board.factor`), or a solver's
            result fails verification.

    >>> target = np.zeros((4, 4), bool)
    >>> target[0, 0] = True
    >>> nearest = nearest_accessible(Board(4, 4), target)
    >>> nearest.wrong, nearest.bound, str(nearest.status)
    (1, 1, 'optimal')
    """
    check_choice("ip", ip, PROGRAMS)
    costs = _CellCosts(margin=margin, in_levels=in_levels, level_costs=level_costs)
    return _search_nearest(board, target, start, costs, ip, Deadline.of(time_limit), on_progress)


@dataclass(frozen=True, kw_only=True, eq=False)
class _CellCosts:
    # What changes of cells cost: arguments of `nearest_accessible`.
    margin: NDArray[np.floating] | None
    in_levels: NDArray[np.floating] | None
    level_costs: NDArray[np.integer] | None

    def costs_of_changes(self, target: Lights, levels: int) -> NDArray[np.float64]:
        # Return the cost of changing each cell by 0 to q - 1, (cells, q).
        level, numbers = target.ravel().astype(np.intp)[:, None], np.arange(levels)
        distances = np.abs(numbers[:, None] - numbers)
        by_level = distances if self.level_costs is None else self.level_costs
        return np.asarray(by_level[level, (level + numbers) % levels], np.float64)

    def tie_breaks(self, target: Lights, levels: int) -> NDArray[np.float64]:
        # Return how visible it is to change each cell by 0 to q - 1, (cells, q).
        costs = np.zeros((target.size, levels))
        if levels == 2 and self.margin is not None:
            costs[:, 1] = self.margin.ravel() / max(1.0, float(np.abs(self.margin).max(initial=0)))
        if levels > 2 and self.in_levels is not None:
            level, tone = target.reshape(-1, 1).astype(np.int64), self.in_levels.reshape(-1, 1)
            new_level = (level + np.arange(levels)) % levels
            costs = np.abs(new_level - tone) - np.abs(level - tone)
        return costs


def _search_nearest(
    board: Board,
    target: Lights,
    start: Lights | None,
    costs: _CellCosts,
    ip: str,
    deadline: Deadline,
    on_progress: OnProgress,
) -> Nearest:
    target = board.checked(target, "target")
    start = board.reference if start is None else board.checked(start, "start")
    for name, values in (("margin", costs.margin), ("in_levels", costs.in_levels)):
        if values is not None:
            check_float_array(name, values, board.shape)
    if ip == "paper":
        _check_paper_program(board)
    # Light chasing starts from the reference: shift the target by reference - start.
    difference = board.subtract(target, start)
    shifted_target = board.add(difference, board.reference)
    chased = chase_to_best_edge(board, shifted_target) if can_chase(board) else None
    board.factor(deadline)
    changes, bound = np.zeros_like(target), 0
    if ip == "paper":
        changes, bound = _nearest_by_clicks(board, shifted_target, chased, deadline, on_progress)
    elif board.is_accessible(shifted_target):
        pass
    elif board.can_list_patterns and (board.levels == 2 or board.cells <= MAX_SORTED_CELLS):
        board.mirrored.factor(deadline)
        problems = _build_problems(board, target, difference, chased, costs)
        strategies = PROGRAM_STRATEGIES if ip == "parity" and board.levels == 2 else STRATEGIES
        bound = solve_components(changes, problems, strategies, deadline, on_progress)
    else:
        changes, bound = _changes_along_edge(board, difference, chased), 1
    return build_nearest(
        board,
        target,
        board.add(target, changes),
        bound,
        start=start,
        chased=chased,
        level_costs=costs.level_costs,
        deadline=deadline,
    )


def _check_paper_program(board: Board) -> None:
    if board.levels > 2:
        raise OptionError(f"ip paper needs 2 levels, not {board.levels}; choose ip auto", "ip")
    if board.cells * board.most_flips > MAX_PAPER_FLIPS:
        raise OptionError(
            f"{board.columns}x{board.rows} cells are too many for the paper's program; its limit "
            f"with this rule is {MAX_PAPER_FLIPS // board.most_flips} cells; choose ip auto",
            "ip",
        )


def _build_problems(
    board: Board, target: Lights, difference: Lights, chased: Chase | None, costs: _CellCosts
) -> list[ComponentProblem]:
    # Build a problem for each component of the parity checks.
    changes, tie_break = (
        find(target, board.levels) for find in (costs.costs_of_changes, costs.tie_breaks)
    )
    problems = []
    for classes in find_board_classes(board.mirrored):
        part = classes.component
        local = difference.ravel()[part.cells]
        sums = [np.sum(row * local, dtype=np.int64) for row in part.iter_patterns()]
        problem = ComponentProblem(
            classes=classes,
            syndrome=mod_negative((np.array(sums) % part.q).astype(np.uint8), part.q),
            changes=changes[part.cells],
            tie_break=tie_break[part.cells],
            width=board.columns,
            chased=None if chased is None else chased.wrong.ravel()[part.cells].view(np.uint8),
        )
        problems.append(problem)
    return problems


def _changes_along_edge(board: Board, difference: Lights, chased: Chase | None) -> Lights:
    # Find changes along one edge that make the target accessible; their cost is not minimal.
    if board.rule not in ROW_MAPS or board.wrap:
        raise OptionError(
            f"a {board.columns}x{board.rows} board of rule {abbreviate_name(board.rule)} has "
            f"{board.nullity} parity checks, too many to find the nearest configuration; "
            "choose another size, or the option perfect",
            "size",
        )
    if chased is not None:
        return chased.wrong
    from lightsanim.game.board.plus_factors import PlusFactors

    factors = PlusFactors(board.rule, board.levels, *board.shape)
    unreachable = factors.unreachable_difference(difference)
    return board.subtract(np.zeros_like(unreachable), unreachable)


def _nearest_by_clicks(
    board: Board, target: Lights, chased: Chase | None, deadline: Deadline, on_progress: OnProgress
) -> tuple[Lights, int]:
    # Run the paper's program; return its result's wrong cells and its proven bound.
    clicks, bound = np.zeros(board.shape, bool) if chased is None else chased.clicks, 0
    if not deadline.expired:
        from . import scip

        program = scip.clicks_program(board, ~target, clicks, nearest=True)
        solution = scip.solve_program(program, deadline, on_progress)
        clicks, bound = solution.values.astype(bool).reshape(board.shape), solution.bound
    return ~board.toggles(clicks) ^ target, bound


def build_nearest(
    board: Board,
    target: Lights,
    configuration: Lights,
    bound: int = 0,
    *,
    start: Lights | None = None,
    chased: Chase | None = None,
    level_costs: NDArray[np.integer] | None = None,
    deadline: Deadline | None = None,
) -> Nearest:
    """Build the result for a configuration, and verify that clicks lead to it from ``start``."""
    start = board.reference if start is None else start
    deadline = Deadline(1) if deadline is None else deadline
    try:
        clicks = board.clicks_between(start, configuration)
    except InaccessibleError as error:
        raise SolverError(f"wrong solver result: inaccessible configuration: {error}") from error
    wrong = int(np.count_nonzero(configuration != target))
    deviation = np.abs(np.subtract(configuration, target, dtype=np.int8))
    if level_costs is not None:
        deviation = level_costs[target, configuration]
    distance = int(deviation.sum(dtype=np.int64))
    pressed = board.add(start, board.toggles(clicks))
    if not np.array_equal(pressed, configuration) or bound > distance:
        raise SolverError(
            f"wrong solver result: {wrong} wrong cells, {distance} levels off, bound {bound}"
        )
    return Nearest(
        configuration=configuration,
        clicks=clicks,
        target=target,
        wrong=wrong,
        value=distance,
        bound=bound,
        chased_wrong=None if chased is None else int(chased.wrong.sum()),
        seconds=deadline.seconds_used(),
        cut_short=deadline.cut_short,
    )
