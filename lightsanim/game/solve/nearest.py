"""Find the accessible configuration nearest to a target.

The distance of a cell from its target level is the absolute difference of the levels, not modulo q:
raising a bright cell by one makes it dark, the largest difference.  Other costs may replace it, as
levels that are colours have no order.  Changing cells makes a
configuration accessible exactly when their columns of the parity checks, times the changes, add up
to minus the syndrome.  Cells whose columns are multiples of each other form a class.  Each
component of checks that shares no cell with others is a problem of its own: which multiples of the
classes' columns add up to minus the syndrome at the lowest cost?
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import InaccessibleError, OptionError, SolverError
from lightsanim.game.algebra.digits import DigitPacking, Words
from lightsanim.game.algebra.modular import Residues, mod_negative
from lightsanim.game.board.board import Board
from lightsanim.game.board.plus import ROW_MAPS
from lightsanim.game.board_view import BoardView
from lightsanim.game.levels import Lights
from lightsanim.options.checks import check_choice, check_float_array
from lightsanim.options.choices import PROGRAMS
from lightsanim.options.stencils import abbreviate_name
from lightsanim.system.deadline import Deadline, TimeUpError
from .cell_classes import ColumnClasses, find_board_classes, find_column_classes
from .chase import Chase, can_chase, chase_to_best_edge
from .class_costs import ClassCosts, find_class_costs, total_cost
from .decode import decode_syndrome, particular_solution
from .parity_split import ParityColour, split_by_parity
from .search import MAX_TABLE, PAIR_SECONDS, cheapest_by_table, find_sums_of_two, search_by_cost
from .status import OnProgress, SearchResult, count_with_bound

# Maximum cells of a board with more than two levels: to group so many into classes takes seconds.
MAX_SORTED_CELLS = 5_000_000
# Maximum bytes of all multiples of the columns; above this, `search_by_cost` does not run.
MAX_SEARCHED_BYTES = 1_000_000_000
# Above this many multiples of columns, decoding runs before `search_by_cost`, which takes seconds.
MAX_QUICK_CLASSES = 9000
# Maximum cells * flips per click for the paper's integer program.
MAX_PAPER_FLIPS = 200_000
# Maximum parity checks * classes for SCIP, which makes no progress on larger programs.
MAX_CERTIFIED_SIZE = 500_000
# Checks; halves of boards with at most this many are searched by cost, larger ones are decoded.
MAX_EXACT_CHECKS = 44
# Solutions with more cells than this are compared with those of two cells of each of two colours
# and one of a third, for at most so many cells of the third colour.
MAX_TWO_PAIRS, MAX_THIRD_CELLS = 5, 20
# Estimated seconds to split a board by parity and group its cells, for each check and cell.
SPLIT_SECONDS = 1.5e-8


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
    """

    configuration: Lights
    clicks: Lights
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
            check_float_array(name, values, board.shape)
    if ip == "paper" and board.levels > 2:
        raise OptionError(f"ip paper needs 2 levels, not {board.levels}; choose ip auto", "ip")
    if ip == "paper" and board.cells * board.most_flips > MAX_PAPER_FLIPS:
        raise OptionError(
            f"{board.columns}x{board.rows} cells are too many for the paper's program; its limit "
            f"with this rule is {MAX_PAPER_FLIPS // board.most_flips} cells; choose ip auto",
            "ip",
        )
    # Light chasing starts from the reference: shift the target by reference - start.
    difference = board.subtract(target, start)
    shifted_target = board.add(difference, board.reference)
    chased = chase_to_best_edge(board, shifted_target) if can_chase(board) else None
    board.factor(deadline)
    if ip == "paper":
        changes, bound = _nearest_by_clicks(board, shifted_target, chased, deadline, on_progress)
    elif board.is_accessible(shifted_target):
        changes, bound = np.zeros_like(target), 0
    elif board.can_list_patterns and (board.levels == 2 or board.cells <= MAX_SORTED_CELLS):
        board.mirrored.factor(deadline)
        tie_break = _tie_break_costs(board, target, margin, in_levels)
        level, numbers = target.ravel().astype(np.intp)[:, None], np.arange(board.levels)
        by_level = np.abs(numbers[:, None] - numbers) if level_costs is None else level_costs
        costs = by_level[level, (level + numbers) % board.levels].astype(np.float64)
        problems = []
        for classes in find_board_classes(board.mirrored):
            part = classes.component
            local = difference.ravel()[part.cells]
            sums = [np.sum(row * local, dtype=np.int64) for row in part.iter_patterns()]
            problem = _ComponentProblem(
                classes=classes,
                syndrome=mod_negative((np.array(sums) % part.q).astype(np.uint8), part.q),
                changes=costs[part.cells],
                tie_break=tie_break[part.cells],
                width=board.columns,
                chased=None if chased is None else chased.wrong.ravel()[part.cells].view(np.uint8),
            )
            problems.append(problem)
        changes = np.zeros_like(target)
        solve = partial(_ComponentProblem.solve, ip=ip)
        bound = _solve_components(changes, problems, solve, deadline, on_progress)
    else:
        changes, bound = _changes_along_edge(board, difference, chased), 1
    configuration = board.add(target, changes)
    return build_nearest(
        board,
        target,
        configuration,
        bound,
        start=start,
        chased=chased,
        level_costs=level_costs,
        deadline=deadline,
    )


def _tie_break_costs(
    board: Board,
    target: Lights,
    tie_break: NDArray[np.floating] | None,
    in_levels: NDArray[np.floating] | None,
) -> NDArray[np.float64]:
    # Return how visible it is to change each cell by 0 to q - 1, (cells, q), to break ties.
    costs, level = np.zeros((board.cells, board.levels)), target.astype(np.int64).ravel()
    if board.levels == 2 and tie_break is not None:
        costs[:, 1] = tie_break.ravel() / max(1.0, float(np.abs(tie_break).max(initial=0)))
    if board.levels > 2 and in_levels is not None:
        tone = in_levels.ravel()
        for change in range(1, board.levels):
            new_level = (level + change) % board.levels
            costs[:, change] = np.abs(new_level - tone) - np.abs(level - tone)
    return costs


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


@dataclass(frozen=True, kw_only=True, eq=False)
class _ComponentProblem:
    """The search for the cheapest multiples of columns that add up to a syndrome."""

    classes: ColumnClasses
    syndrome: Residues  # The sum that the multiples must have, uint8 (checks,).
    changes: NDArray[np.float64]  # The cost of changing each cell by 0 to q - 1, (cells, q).
    tie_break: NDArray[np.float64]  # How visible changes of each cell are, (cells, q).
    width: int  # The number of columns of the board.
    chased: Residues | None = None  # The changes of cells that light chasing makes.

    @cached_property
    def costs(self) -> ClassCosts:
        """The cheapest changes for each multiple of each class's column."""
        return find_class_costs(self.classes, self.changes, self.tie_break)

    @cached_property
    def start(self) -> Residues:
        """The cheaper of any solution and that of chasing, uint8 (classes,)."""
        starts = [particular_solution(self.classes, self.syndrome)]
        if self.chased is not None:
            starts.append(self.classes.sum_class_multiples(self.chased))
        return min(starts, key=partial(total_cost, self.costs.costs))

    def cost_of_changes(self, multiples: Residues) -> int:
        """Return what the changes of cells cost that produce ``multiples``, (classes,)."""
        return round(total_cost(self.costs.costs, multiples))

    def solve(
        self, deadline: Deadline, on_progress: OnProgress, *, ip: str
    ) -> tuple[Residues, int]:
        """Search for the cheapest multiples; return the best found and a proven lower bound."""
        classes, q = self.classes, self.classes.levels
        if len(classes) == classes.pattern_count:
            # The columns are independent, so ``start`` is the only solution.
            return self.start, self.cost_of_changes(self.start)
        if q == 2 and ip == "parity":
            return self._certify_by_program(self.start, 1, deadline, on_progress)
        if q > 2 and q**classes.pattern_count * len(classes) * q <= MAX_TABLE:
            best = cheapest_by_table(classes, self.costs.costs, self.syndrome)
            return best, self.cost_of_changes(best)
        # The search by cost comes first if it is quick, as it nearly always proves the minimum.
        # Otherwise decoding comes first, so that the search can stop at the cost found.
        best, bound, share_of_search = self.start, 1, 0.6
        if len(classes) * (q - 1) > MAX_QUICK_CLASSES:
            solutions = list(self._solve_by_halves(deadline.part_of_work(0.9), on_progress))
            best = min((best, *solutions), key=partial(total_cost, self.costs.costs))
            if solutions:
                share_of_search = 1.0  # Decoding would hardly find a better solution.
            else:
                best = self._decode(best, bound, deadline.part_of_work(0.1), on_progress)
        if classes.columns.nbytes * (q - 1) <= MAX_SEARCHED_BYTES:
            until = deadline.part(share_of_search)
            best, bound = self._search_by_cost(best, until, on_progress)
        if bound == self.cost_of_changes(best):
            return best, bound
        if q == 2 and classes.pattern_count * len(classes) <= MAX_CERTIFIED_SIZE:
            best = self._decode(best, bound, deadline.part_of_work(0.3), on_progress)
            return self._certify_by_program(best, bound, deadline, on_progress)
        return self._decode(best, bound, deadline, on_progress), bound

    def _decode(
        self, best: Residues, bound: int, deadline: Deadline, on_progress: OnProgress
    ) -> Residues:
        costs, aim = self.costs.costs, self.syndrome
        return decode_syndrome(self.classes, costs, aim, best, bound, deadline, on_progress)

    def _search_by_cost(
        self, best: Residues, deadline: Deadline, on_progress: OnProgress
    ) -> tuple[Residues, int]:
        # Search until the time is up, or a bound proves the best solution; also return the bound.
        bound, cost = 1, self.cost_of_changes(best)
        with suppress(TimeUpError):
            for bound, solution in search_by_cost(
                self.classes, self.costs.costs, self.syndrome, deadline
            ):
                best = best if solution is None else solution
                cost = self.cost_of_changes(best)
                on_progress(cost, bound)
                if cost <= bound:
                    break
        return best, min(bound, cost)

    def _solve_by_halves(self, deadline: Deadline, on_progress: OnProgress) -> Iterator[Residues]:
        # Yield solutions on a board of two levels that splits by parity: one that changes cells of
        # two colours, and small ones that also change a cell of another colour.
        part, digits = self.classes.component, DigitPacking(2)
        if part.q > 2 or not deadline.allows(SPLIT_SECONDS * len(part) * len(part.cells)):
            return
        colours, pairs = split_by_parity(part, self.width)
        pair = next((pair for pair in pairs if not pair.defect), None)
        if pair is None:
            return
        both, syndrome = (colours[pair.first], colours[pair.second]), digits.pack(self.syndrome)
        aims = pair.split(syndrome)
        changes = self._solve_halves(both, aims, deadline, on_progress)
        yield self.classes.sum_class_multiples(changes)
        work = PAIR_SECONDS * sum(len(colour.cells) ** 2 for colour in both)
        small = len(part) <= 2 * MAX_EXACT_CHECKS
        if not small or changes.sum() <= MAX_TWO_PAIRS or not deadline.allows(work):
            return
        columns = part.pattern_columns()
        near = np.delete(np.arange(len(columns)), np.concatenate([colour.cells for colour in both]))
        for colour, sums, aim in zip(both, pair.split(columns), aims, strict=True):
            is_sum = find_sums_of_two(sums[colour.cells, 0], sums[near, 0] ^ aim)
            near = near[is_sum]
        for cell in near[:MAX_THIRD_CELLS]:
            rest = pair.split(syndrome ^ columns[cell])
            changes = self._solve_halves(both, rest, deadline.part(0.1))
            changes[cell] ^= 1
            yield self.classes.sum_class_multiples(changes)

    def _solve_halves(
        self,
        both: tuple[ParityColour, ParityColour],
        syndromes: list[Words],
        deadline: Deadline,
        on_progress: OnProgress = lambda best, bound: None,
    ) -> Residues:
        # Return changes of cells of two colours, uint8 (cells,), for a syndrome in two parts.
        halves = [
            _ComponentProblem(
                classes=find_column_classes(replace(colour.patterns, cells=colour.cells)),
                syndrome=DigitPacking(2).unpack(syndrome, len(colour.basis)),
                changes=self.changes[colour.cells],
                tie_break=self.tie_break[colour.cells],
                width=self.width,
            )
            for colour, syndrome in zip(both, syndromes, strict=True)
        ]
        changes, solve = np.zeros(len(self.changes), np.uint8), _ComponentProblem._solve_half
        # What is proven for the halves holds for solutions in these two colours only.
        _solve_components(changes, halves, solve, deadline, lambda best, _: on_progress(best, 1))
        return changes

    def _solve_half(self, deadline: Deadline, on_progress: OnProgress) -> tuple[Residues, int]:
        if self.classes.pattern_count > MAX_EXACT_CHECKS:
            return self._decode(self.start, 1, deadline, on_progress), 1
        best = self._decode(self.start, 1, deadline.part_of_work(0.1), on_progress)
        return self._search_by_cost(best, deadline, on_progress)

    def _certify_by_program(
        self, start: Residues, bound: int, deadline: Deadline, on_progress: OnProgress
    ) -> tuple[Residues, int]:
        if deadline.expired:
            return start, bound
        from . import scip

        checks = DigitPacking(2).unpack(self.classes.columns, self.classes.pattern_count).T
        program = scip.nearest_by_parity_program(
            checks.astype(bool), self.syndrome.astype(bool), start.astype(bool), bound
        )
        solution = scip.solve_program(program, deadline, on_progress)
        return solution.values.astype(np.uint8), max(bound, solution.bound)


def _solve_components(
    changes: Lights,
    problems: list[_ComponentProblem],
    solve: Callable[[_ComponentProblem, Deadline, OnProgress], tuple[Residues, int]],
    deadline: Deadline,
    on_progress: OnProgress,
) -> int:
    # Write the best changes into ``changes``; return a proven lower bound on their sum.
    problems = [problem for problem in problems if problem.syndrome.any()]
    bests = [problem.cost_of_changes(problem.start) for problem in problems]
    bounds = [1] * len(problems)
    for number, (problem, until) in enumerate(deadline.shared(problems)):

        def report_distance(best: int, bound: int, number: int = number) -> None:
            bests[number], bounds[number] = best, bound
            on_progress(sum(bests), sum(bounds))

        multiples, bounds[number] = solve(problem, until, report_distance)
        bests[number] = problem.cost_of_changes(multiples)
        changes.flat[problem.classes.component.cells] = problem.costs.cell_changes(multiples)
    return sum(bounds)


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
