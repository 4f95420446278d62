"""The covering radius of a board: the number of clicks that its hardest start needs.

The click sets that toggle the same cells differ by combinations of the quiet patterns, which form a
linear code.  To toggle these cells takes as many clicks as the smallest of these sets has.  The
maximum over all goals is the covering radius of the code (Cohen, Honkala, Litsyn and Lobstein,
Covering Codes, 1997).  The radii of components that share no cell add up.

The sum of a click set and a combination has (cells - gain) / 2 clicks.  The gain is the sum of
cells - 2 clicks over the classes of cells on the same patterns, with the combination's signs.  The
gains of all combinations have mean 0 and are all odd or all even.  So the largest is at least 1 or
2, unless half of the cells in every class are clicked (docs/how-it-works/hardest.md).
"""

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count, repeat

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError, SolverError
from lightsanim.game.algebra.digits import DigitPacking
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.board.board import Board
from lightsanim.game.board_view import BoardView
from lightsanim.system.deadline import Deadline
from .cell_classes import MAX_SORTED_CELLS, CellClasses, Counts, find_cell_classes
from .components import Component, find_components
from .status import SearchResult, count_with_bound

# Maximum quiet patterns of a component to be searched; the sizes of all 2**22 sums take 16 MB.
MAX_PATTERNS = 22
# Maximum combinations * classes of an integer program; SCIP solves one of this size in 30 s.
MAX_PROGRAM_SIZE = 150_000
# Consecutive steps without improvement after which a tabu search ends.
MAX_VAIN_TABU_STEPS = 200
# After a class has changed, the tabu search leaves it unchanged for fewer steps than this.
MAX_TABU_STEPS = 8
# To choose a step of the tabu search, at most this many of the smallest sums are evaluated.
MAX_LIGHTEST = 4000


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class HardestStart(SearchResult):
    """The result of `most_clicks`: how many clicks the hardest start needs.

    Attributes:
        clicks: bool (rows, columns), the largest click set found that no smaller one can replace.
            It has fewer than ``count`` clicks if the board has too many quiet patterns to be
            searched.
        count: proven: some start needs at least this many clicks.
        bound: proven: no start needs more clicks than this.
        status: OPTIMAL when ``bound`` equals ``count``.
        seconds: duration of the search.
        cut_short: whether the clock ended the search, so that another run may find another start.
    """

    @property
    def count(self) -> int:
        """Number of clicks that some start needs at least."""
        return self.value

    def _board_view(self) -> BoardView:
        words = count_with_bound(self.count, "clicks", self.bound, "most")
        return BoardView(words, np.zeros_like(self.clicks), self.clicks)


def most_clicks(
    board: Board,
    *,
    wanted: int | None = None,
    rng: np.random.Generator | None = None,
    time_limit: float | Deadline = 30.0,
) -> HardestStart:
    """Find how many clicks the hardest start of a board needs, and a proven upper bound.

    A tabu search finds hard starts.  With up to about ten quiet patterns, an integer program proves
    that none is harder.  With more, the bound is half of the cells on quiet patterns (the mean size
    of the sums with all combinations) plus all other cells.

    Args:
        board: any board with two levels.
        wanted: if given, the search continues until a start needs this many clicks, then stops.
        rng: decides between equally hard starts; None gives the same start every time.
        time_limit: seconds, or a `Deadline` to share.

    Raises:
        OptionError: if the time limit is not positive, or the board has more than two levels.
        SolverError: if the elimination exceeds the time limit (see `Board.factor`), or a solver's
            result fails verification.

    >>> most_clicks(Board(5, 5)).count  # https://www.jaapsch.net/puzzles/lights.htm
    15
    """
    if board.levels > 2:
        raise OptionError(f"the hardest start can be found for 2 levels only, not {board.levels}")
    deadline = Deadline.of(time_limit)
    rng = np.random.default_rng(0) if rng is None else rng
    board.factor(deadline)
    if board.can_list_patterns:
        clicks, count, bound = _search_board(board, wanted, rng, deadline)
    else:
        clicks, count = np.zeros(board.cells, bool), _counting_bound(board.cells, board.nullity)
        bound = board.rank
    return HardestStart(
        value=count,
        # Adding quiet patterns can remove the clicks on at least ``nullity`` cells.
        bound=min(bound, board.rank),
        clicks=clicks.reshape(board.shape),
        seconds=deadline.seconds_used(),
        cut_short=deadline.cut_short,
    )


def _search_board(
    board: Board, wanted: int | None, rng: np.random.Generator, deadline: Deadline
) -> tuple[Bits, int, int]:
    # Search the components; return a click set, and lower and upper bounds for the hardest start.
    clicks, parts = np.ones(board.cells, bool), [*map(_ComponentSearch, find_components(board))]
    for part in parts:
        clicks[part.component.cells] = False
    # The hardest start needs a click on every cell that lies on no quiet pattern.
    uncovered = int(np.count_nonzero(clicks))
    _search_components(parts, None if wanted is None else wanted - uncovered, rng, deadline)
    for part in parts:
        clicks[part.component.cells] = part.best_click_set(rng)
    count = uncovered + sum(part.count for part in parts)
    return clicks, count, uncovered + sum(part.bound for part in parts)


class _ComponentSearch:
    """The search for the largest click set on one component that no smaller one can replace."""

    def __init__(self, component: Component) -> None:
        self.component = component
        patterns, cells = len(component), len(component.cells)
        covered = int(np.bitwise_count(np.bitwise_or.reduce(component.patterns)).sum())
        self.bound = cells - covered + covered // 2
        self.count = cells - covered + _counting_bound(covered, patterns)
        self.is_small = patterns <= MAX_PATTERNS and cells <= MAX_SORTED_CELLS
        if self.is_small:
            odd = int(np.count_nonzero(self.cell_classes.sizes[self.cell_classes.columns != 0] % 2))
            self.bound = cells - covered + (covered - (2 - odd % 2 if odd else 0)) // 2
        self.counts, self.best = np.zeros(0, np.int64), 0

    @cached_property
    def cell_classes(self) -> CellClasses:
        """The component's cells, grouped by the quiet patterns on which they lie."""
        return find_cell_classes(self.component)

    def best_click_set(self, rng: np.random.Generator) -> Bits:
        """Draw a click set, bool (cells,), with as many clicks in each class as the best found."""
        if not self.best:
            return np.zeros(len(self.component.cells), bool)
        return self.cell_classes.sample_click_set(self.counts, rng)

    def climb_for_start(self, rng: np.random.Generator, deadline: Deadline) -> None:
        """Run a tabu search from a random start; keep its result if it is the best so far."""
        # Click all cells on no pattern and half of every other class, rounded randomly.  Then all
        # sums with combinations of patterns have nearly equal sizes.
        sizes = self.cell_classes.sizes
        halves = sizes // 2 + sizes % 2 * rng.integers(0, 2, len(sizes))
        start = np.where(self.cell_classes.columns == 0, sizes, halves)
        self._update_best(
            _find_counts_for_target(self.cell_classes, start, self.bound, rng, deadline)
        )

    def certify_bound(self, rng: np.random.Generator, deadline: Deadline) -> None:
        """Prove or improve the best result by an integer program, if that is small enough."""
        classes = self.cell_classes
        if len(classes.sizes) << classes.patterns > MAX_PROGRAM_SIZE or deadline.expired:
            return
        from . import scip

        start, limits = _canonical_counts(classes, self.counts)
        program = scip.worst_case_program(classes, start, limits, self.bound)
        solution = scip.solve_program(program, deadline)
        self._update_best(solution.values)
        bound = self.bound - solution.bound
        if bound < self.best:
            raise SolverError(f"wrong solver result: {self.best} clicks exceed the bound {bound}")
        self.bound = bound

    def _update_best(self, counts: Counts) -> None:
        lightest = self.cell_classes.find_lightest_counts(counts)
        if lightest.sum() >= self.best:
            self.counts, self.best = lightest, int(lightest.sum())
        self.count = max(self.count, self.best)


def _search_components(
    parts: list[_ComponentSearch], target: int | None, rng: np.random.Generator, deadline: Deadline
) -> None:
    # Run the tabu search, then the integer program.  If there is a target, repeat the tabu search
    # until the target is reached or proven impossible, or the time is up.
    def search_is_over() -> bool:
        best, bound = sum(part.best for part in parts), sum(part.bound for part in parts)
        return (target is not None and not best < target <= bound) or deadline.expired

    more_climbs = [] if target is None else repeat(_ComponentSearch.climb_for_start)
    for effort in chain(
        [_ComponentSearch.climb_for_start, _ComponentSearch.certify_bound], more_climbs
    ):
        open_parts = [part for part in parts if part.is_small and part.best < part.bound]
        for part, until in deadline.shared(open_parts):
            if not search_is_over():
                effort(part, rng, until)
        if search_is_over() or not open_parts:
            return


def _find_counts_for_target(
    classes: CellClasses, start: Counts, target: int, rng: np.random.Generator, deadline: Deadline
) -> Counts:
    """Search for numbers of clicks per class that no patterns can reduce below ``target``.

    This is a tabu search (Glover, 1986).  Each step adds or removes the click that makes the
    smallest sum largest and, among equals, leaves the fewest sums of that size.  Steps that make it
    worse are taken, too; a class that has just changed is left unchanged for some steps.
    """
    counts, sums = start.copy(), classes.compute_sum_sizes(start)
    best, highest, vain = start, int(sums.min()), 0
    tabu_until = np.zeros(len(start), np.int64)
    combinations = np.arange(len(sums))
    for step in count():
        if highest >= target or vain == MAX_VAIN_TABU_STEPS or deadline.expired:
            break
        gains = _press_gains(classes, counts, sums) + rng.random((2, len(start))) / 2
        gains[:, tabu_until > step] -= np.iinfo(np.int64).max
        direction, chosen = divmod(int(gains.argmax()), len(start))
        change = 1 - 2 * direction
        counts[chosen] += change
        odd = np.bitwise_count(combinations & classes.columns[chosen]) & 1
        sums += np.where(odd, -change, change).astype(np.int32)
        tabu_until[chosen] = step + rng.integers(2, MAX_TABU_STEPS)
        vain += 1
        if sums.min() > highest:
            best, highest, vain = counts.copy(), int(sums.min()), 0
    return best


def _press_gains(
    classes: CellClasses, counts: Counts, sums: NDArray[np.int32]
) -> NDArray[np.float64]:
    # Rate a step that adds a click to a class, or removes one: (2, classes).  A step changes the
    # size of every sum by 1, so the next smallest size occurs within 1 of the smallest one.
    near = np.flatnonzero(sums <= sums.min() + 1)
    near = near[np.argsort(sums[near], kind="stable")][:MAX_LIGHTEST]
    signs = classes.size_changes_per_click(near)
    gains = np.full((2, len(counts)), -np.inf)
    for direction, (change, possible) in enumerate([(1, counts < classes.sizes), (-1, counts > 0)]):
        after = sums[near] + change * signs[possible]
        lowest = after.min(axis=1)
        as_light = np.count_nonzero(after == lowest[:, None], axis=1)
        gains[direction, possible] = lowest * float(len(sums)) - as_light
    return gains


def _counting_bound(cells: int, patterns: int) -> int:
    """Return a lower bound on the covering radius, given the numbers of cells and patterns.

    Each of the 2**(cells - patterns) sets of cells that clicks can toggle is toggled by at most R
    clicks, where R is the radius.  At most 2**cells exp(-2 cells (1/2 - R/cells)**2) click sets are
    that small if R is less than half of the cells (Hoeffding, 1963).

    >>> _counting_bound(20, 2)
    7
    """
    return max(0, math.ceil(cells / 2 - math.sqrt(cells * patterns * math.log(2) / 2) - 1e-6))


def _canonical_counts(classes: CellClasses, counts: Counts) -> tuple[Counts, Counts]:
    """Return the canonical equivalent of click counts, and the upper limits that define it.

    In classes with independent columns, some combination leaves at most half of the cells clicked.
    With this limit the program need not prove the same result 2**patterns times.
    Classes of odd size come first: they have no exact half, so the limit excludes more.
    """
    columns, limits = classes.columns.view(np.uint64)[:, None], classes.sizes.copy()
    order = np.argsort(-(classes.sizes % 2), kind="stable")
    independent, _ = DigitPacking(2).find_basis(columns, order, classes.patterns)
    limits[independent] //= 2
    signs = classes.size_changes_per_click(np.arange(1 << classes.patterns))
    sums = np.where(signs < 0, (classes.sizes - counts)[:, None], counts[:, None])
    within = (sums <= limits[:, None]).all(axis=0)
    return sums[:, within.argmax()], limits
