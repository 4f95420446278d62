"""The cheapest multiples of columns that add up to a syndrome, in one component of checks.

Several searches find and prove them.  A table of strategies says which of them run, in what order
and for how long.  Each continues from the best solution so far, until that is proven the cheapest.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.digits import DigitPacking, Words
from lightsanim.game.algebra.modular import Residues
from lightsanim.game.levels import Lights
from lightsanim.system.deadline import Deadline, TimeUpError
from .cell_classes import ColumnClasses, find_column_classes
from .class_costs import ClassCosts, find_class_costs, total_cost
from .decode import decode_syndrome, particular_solution
from .parity_split import ParityColour, split_by_parity
from .search import MAX_TABLE, PAIR_SECONDS, cheapest_by_table, find_sums_of_two, search_by_cost
from .status import OnProgress

# Maximum bytes of all multiples of the columns; above this, `search_by_cost` does not run.
MAX_SEARCHED_BYTES = 1_000_000_000
# Above this many multiples of columns, decoding runs before `search_by_cost`, which takes seconds.
MAX_QUICK_CLASSES = 9000
# Maximum parity checks * classes for SCIP, which makes no progress on larger programs.
MAX_CERTIFIED_SIZE = 500_000
# Checks; halves of boards with at most this many are searched by cost, larger ones are decoded.
MAX_EXACT_CHECKS = 44
# Solutions with more cells than this are compared with those of two cells of each of two colours
# and one of a third, for at most so many cells of the third colour.
MAX_TWO_PAIRS, MAX_THIRD_CELLS = 5, 20
# Estimated seconds to split a board by parity and group its cells, for each check and cell.
SPLIT_SECONDS = 1.5e-8


class Best(NamedTuple):
    """The best solution so far."""

    multiples: Residues  # A multiple of each class's column, uint8 (classes,).
    bound: int = 1  # Proven: no solution costs less.
    is_from_halves: bool = False  # Whether two halves of the board were solved separately.


@dataclass(frozen=True, kw_only=True, eq=False)
class ComponentProblem:
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
        self, strategies: "Sequence[Strategy]", deadline: Deadline, on_progress: OnProgress
    ) -> Best:
        """Run the strategies that suit the problem, in turn, until one proves the best solution."""
        best = Best(self.start)
        for strategy in strategies:
            follows = strategy.after_halves in (None, best.is_from_halves)
            if follows and strategy.suits(self.classes):
                until = (
                    deadline.part(strategy.share)
                    if strategy.divides_time
                    else deadline.part(work=deadline.work_left * strategy.share)
                )
                best = strategy.run(self, best, until, on_progress)
                if best.bound == self.cost_of_changes(best.multiples):
                    break
        return best

    def take_start(self, best: Best, deadline: Deadline, on_progress: OnProgress) -> Best:
        """Return the start with its cost as the bound, where no other solution exists."""
        return Best(best.multiples, self.cost_of_changes(best.multiples))

    def tabulate_sums(self, best: Best, deadline: Deadline, on_progress: OnProgress) -> Best:
        """Find the cheapest solution in a table of all sums of columns."""
        cheapest = cheapest_by_table(self.classes, self.costs.costs, self.syndrome)
        return Best(cheapest, self.cost_of_changes(cheapest))

    def decode(self, best: Best, deadline: Deadline, on_progress: OnProgress) -> Best:
        """Look for cheaper solutions, without proof, until the time is up."""
        costs, aim = self.costs.costs, self.syndrome
        found = decode_syndrome(self.classes, costs, aim, *best[:2], deadline, on_progress)
        return best._replace(multiples=found)

    def search_by_cost(self, best: Best, deadline: Deadline, on_progress: OnProgress) -> Best:
        """Try one cost after another until the time is up, or a bound proves the best solution."""
        multiples, bound, _ = best
        cost = self.cost_of_changes(multiples)
        with suppress(TimeUpError):
            for bound, cheaper in search_by_cost(
                self.classes, self.costs.costs, self.syndrome, deadline
            ):
                multiples = multiples if cheaper is None else cheaper
                cost = self.cost_of_changes(multiples)
                on_progress(cost, bound)
                if cost <= bound:
                    break
        return best._replace(multiples=multiples, bound=min(bound, cost))

    def solve_program(self, best: Best, deadline: Deadline, on_progress: OnProgress) -> Best:
        """Solve the integer program on the parity checks."""
        if deadline.expired:
            return best
        from . import scip

        checks = DigitPacking(2).unpack(self.classes.columns, self.classes.pattern_count).T
        start, syndrome = (values.astype(bool) for values in (best.multiples, self.syndrome))
        program = scip.nearest_by_parity_program(checks.astype(bool), syndrome, start, best.bound)
        solution = scip.solve_program(program, deadline, on_progress)
        return Best(solution.values.astype(np.uint8), max(best.bound, solution.bound))

    def solve_halves(self, best: Best, deadline: Deadline, on_progress: OnProgress) -> Best:
        """Solve two halves of a board that splits by parity; return ``best`` for other boards."""
        solutions = list(self._solutions_by_halves(deadline, on_progress))
        cheapest = min((best.multiples, *solutions), key=partial(total_cost, self.costs.costs))
        return Best(cheapest, best.bound, is_from_halves=bool(solutions))

    def _solutions_by_halves(
        self, deadline: Deadline, on_progress: OnProgress
    ) -> Iterator[Residues]:
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
        changes = self._solve_both_halves(both, aims, deadline, on_progress)
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
            changes = self._solve_both_halves(both, rest, deadline.part(0.1))
            changes[cell] ^= 1
            yield self.classes.sum_class_multiples(changes)

    def _solve_both_halves(
        self,
        both: tuple[ParityColour, ParityColour],
        syndromes: list[Words],
        deadline: Deadline,
        on_progress: OnProgress = lambda best, bound: None,
    ) -> Residues:
        # Return changes of cells of two colours, uint8 (cells,), for a syndrome in two parts.
        halves = [
            ComponentProblem(
                classes=find_column_classes(replace(colour.patterns, cells=colour.cells)),
                syndrome=DigitPacking(2).unpack(syndrome, len(colour.basis)),
                changes=self.changes[colour.cells],
                tie_break=self.tie_break[colour.cells],
                width=self.width,
            )
            for colour, syndrome in zip(both, syndromes, strict=True)
        ]
        changes = np.zeros(len(self.changes), np.uint8)
        # What is proven for the halves holds for solutions in these two colours only.
        solve_components(
            changes, halves, HALF_STRATEGIES, deadline, lambda best, _: on_progress(best, 1)
        )
        return changes


class Strategy(NamedTuple):
    """One way to search, when it is used, and for how long."""

    run: Callable[[ComponentProblem, Best, Deadline, OnProgress], Best]
    suits: Callable[[ColumnClasses], bool] = lambda classes: True
    share: float = 1.0  # Share of the budget of work that is left.
    divides_time: bool = False  # Whether the search has only that share of the time, too.
    after_halves: bool | None = None  # Whether halves must, or must not, have been solved.


def _are_independent(classes: ColumnClasses) -> bool:
    return len(classes) == classes.pattern_count


def _fit_table(classes: ColumnClasses) -> bool:
    q = classes.levels
    return q > 2 and q**classes.pattern_count * len(classes) * q <= MAX_TABLE


def _are_slow_to_search(classes: ColumnClasses) -> bool:
    return len(classes) * (classes.levels - 1) > MAX_QUICK_CLASSES


def _are_searchable(classes: ColumnClasses) -> bool:
    return classes.columns.nbytes * (classes.levels - 1) <= MAX_SEARCHED_BYTES


def _fit_program(classes: ColumnClasses) -> bool:
    return classes.levels == 2 and classes.pattern_count * len(classes) <= MAX_CERTIFIED_SIZE


def _have_few_checks(classes: ColumnClasses) -> bool:
    return classes.pattern_count <= MAX_EXACT_CHECKS


# The search by cost comes first if it is quick, as it nearly always proves the minimum.  Otherwise
# halves or decoding come first, so that the search can stop at the cost found.  Decoding would
# hardly find better solutions than halves, so the search after halves leaves no time for it.
STRATEGIES = (
    Strategy(ComponentProblem.take_start, _are_independent),
    Strategy(ComponentProblem.tabulate_sums, _fit_table),
    Strategy(ComponentProblem.solve_halves, _are_slow_to_search, 0.9),
    Strategy(ComponentProblem.decode, _are_slow_to_search, 0.1, after_halves=False),
    Strategy(ComponentProblem.search_by_cost, _are_searchable, after_halves=True),
    Strategy(
        ComponentProblem.search_by_cost,
        _are_searchable,
        0.6,
        divides_time=True,
        after_halves=False,
    ),
    Strategy(ComponentProblem.decode, _fit_program, 0.3),
    Strategy(ComponentProblem.solve_program, _fit_program),
    Strategy(ComponentProblem.decode, lambda classes: not _fit_program(classes)),
)
# With the option ``ip parity``, for boards of two levels.
PROGRAM_STRATEGIES = (
    Strategy(ComponentProblem.take_start, _are_independent),
    Strategy(ComponentProblem.solve_program),
)
HALF_STRATEGIES = (
    Strategy(ComponentProblem.decode, _have_few_checks, 0.1),
    Strategy(ComponentProblem.search_by_cost, _have_few_checks),
    Strategy(ComponentProblem.decode, lambda classes: not _have_few_checks(classes)),
)


def solve_components(
    changes: Lights,
    problems: list[ComponentProblem],
    strategies: Sequence[Strategy],
    deadline: Deadline,
    on_progress: OnProgress,
) -> int:
    """Write the best changes into ``changes``; return a proven lower bound on their sum."""
    problems = [problem for problem in problems if problem.syndrome.any()]
    costs = [problem.cost_of_changes(problem.start) for problem in problems]
    bounds = [1] * len(problems)
    for number, (problem, until) in enumerate(deadline.shared(problems)):

        def report_cost(cost: int, bound: int, number: int = number) -> None:
            costs[number], bounds[number] = cost, bound
            on_progress(sum(costs), sum(bounds))

        multiples, bounds[number], _ = problem.solve(strategies, until, report_cost)
        costs[number] = problem.cost_of_changes(multiples)
        changes.flat[problem.classes.component.cells] = problem.costs.cell_changes(multiples)
    return sum(bounds)
