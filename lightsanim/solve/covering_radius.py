"""The covering radius of a board: the most clicks that one configuration takes from another.

The click sets that toggle the same cells differ by the combinations of the quiet patterns, a linear
code; what they need is the size of the lightest, and the most over all of them is the covering
radius of that code (Cohen, Honkala, Litsyn and Lobstein, Covering Codes, 1997).  Components that
share no cell add up.

A sum with a combination has half of the cells, less half of its gain: cells - 2 clicks of each
class of cells that lie on the same patterns, added up with the combination's signs.  The gains
have a mean of 0, and are all odd or all even.  So the largest is at least 1 or 2, unless each class
has an even number of cells, half of which can be clicked (docs/how-it-works/hardest.md).
"""

import math
import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count, repeat

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.errors import OptionError, SolverError
from lightsanim.look.board_image import BoardView, BoardViewMixin
from lightsanim.solve.cell_classes import CellClasses, Counts, find_cell_classes
from lightsanim.solve.components import Component, find_components
from lightsanim.solve.status import Status, count_with_bound, status_from_bound
from lightsanim.system.deadline import Deadline

# The sizes of 2**22 sums take 16 MB, and one click more changes them in 20 ms.
MAX_PATTERNS = 22

# Cells that are sorted into classes in a second or two.
MAX_SORTED_CELLS = 5_000_000

# The largest model that SCIP solves in half a minute: combinations times classes.
MAX_PROGRAM_SIZE = 150_000

# The climb ends after this many steps that led no higher.
MAX_VAIN_STEPS = 200

# A class whose clicks have just changed is left alone for fewer steps than this.
MAX_TABU_STEPS = 8

# Lightest sums that are compared to choose a step.
MAX_LIGHTEST = 4000


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class HardestStart(BoardViewMixin):
    """The most clicks that any two configurations, one within reach of the other, can need."""

    count: int  # some pair needs this many
    bound: int  # no pair needs more
    status: Status  # OPTIMAL when ``bound`` equals ``count``
    # bool (rows, columns), the largest click set found that no smaller one can replace. Where there
    # are too many quiet patterns to look for one, ``count`` is found by counting and is larger.
    clicks: Bits
    seconds: float  # how long the search took

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
    """The most clicks that turning one configuration of the board into another can need.

    A climb finds click sets that need many, and an integer program proves that none needs more,
    where there are up to about ten quiet patterns.  Where there are more, the bound is half of the
    cells that lie on a pattern, the mean size of the sums with all combinations, and all others.

    Args:
        board: any board.
        wanted: go on until a click set is found that needs as many clicks, and stop there.
        rng: decides between click sets that are equally bad; None for always the same.
        time_limit: seconds, or a `Deadline` to share.

    Returns:
        The most clicks found, and the proven bound.

    Raises:
        OptionError: for a time limit that is not positive, or a board of more than two levels.
        SolverError: if the elimination is not done in time (see `Board.factor`), or a solver's
            result does not hold.

    >>> most_clicks(Board(5, 5)).count  # https://www.jaapsch.net/puzzles/lights.htm
    15
    """
    if board.levels > 2:
        raise OptionError(
            f"the hardest start is known of boards of 2 levels alone, not of {board.levels}"
        )
    deadline = Deadline.of(time_limit)
    rng = np.random.default_rng(0) if rng is None else rng
    board.factor(deadline)
    if not board.can_list_patterns:
        clicks, bound = np.zeros(board.cells, bool), board.rank
        count = _counting_bound(board.cells, board.nullity)
    else:
        clicks, parts = np.ones(board.cells, bool), [*map(_ComponentSearch, find_components(board))]
        for part in parts:
            clicks[part.component.cells] = False
        # Clicks on cells of no quiet pattern can never be saved.
        uncovered = int(np.count_nonzero(clicks))
        _search_components(parts, None if wanted is None else wanted - uncovered, rng, deadline)
        for part in parts:
            clicks[part.component.cells] = part.best_click_set(rng)
        count = uncovered + sum(part.count for part in parts)
        # Combinations of the quiet patterns can clear as many cells as there are patterns.
        bound = min(uncovered + sum(part.bound for part in parts), board.rank)
    return HardestStart(
        count=count,
        bound=bound,
        status=status_from_bound(bound, count),  # of a maximisation
        clicks=clicks.reshape(board.shape),
        seconds=deadline.seconds_used(),
    )


class _ComponentSearch:
    """The click sets on the cells of a component that need the most clicks."""

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

    @property
    def can_improve(self) -> bool:
        """Whether a search could find a click set that needs more."""
        return self.is_small and self.best < self.bound

    @cached_property
    def cell_classes(self) -> CellClasses:
        """The classes of its cells."""
        return find_cell_classes(self.component)

    def best_click_set(self, rng: np.random.Generator) -> Bits:
        """The best click set found, on cells that are drawn: bool (cells,)."""
        if not self.best:
            return np.zeros(len(self.component.cells), bool)
        return self.cell_classes.sample_click_set(self.counts, rng)

    def climb_for_start(self, rng: np.random.Generator, deadline: Deadline) -> None:
        """Look for a click set that needs many."""
        # Half of each class, so that no combination gains by much; of odd ones one more if drawn.
        # Clicks on cells that lie on no pattern can never be saved: these are clicked all.
        sizes = self.cell_classes.sizes
        halves = sizes // 2 + sizes % 2 * rng.integers(0, 2, len(sizes))
        start = np.where(self.cell_classes.columns == 0, sizes, halves)
        self._update_best(
            _find_counts_for_target(self.cell_classes, start, self.bound, rng, deadline)
        )

    def certify_bound(self, rng: np.random.Generator, deadline: Deadline) -> None:
        """Prove that no click set needs more, or find one that does."""
        classes = self.cell_classes
        if len(classes.sizes) << classes.patterns > MAX_PROGRAM_SIZE or deadline.expired:
            return
        from lightsanim.solve import scip

        start, limits = _canonical_form(classes, self.counts)
        program = scip.worst_case_program(classes, start, limits, self.bound)
        solution = scip.solve_program(program, deadline)
        self._update_best(solution.values)
        bound = self.bound - solution.bound
        if bound < self.best:
            raise SolverError(f"the solver's result does not hold: {self.best} are over {bound}")
        self.bound = bound

    def _update_best(self, counts: Counts) -> None:
        lightest = self.cell_classes.find_lightest_counts(counts)
        if lightest.sum() >= self.best:
            self.counts, self.best = lightest, int(lightest.sum())
        self.count = max(self.count, self.best)


def _search_components(
    parts: list[_ComponentSearch], target: int | None, rng: np.random.Generator, deadline: Deadline
) -> None:
    # A climb, then the proof; then, while a wanted number is still possible, more climbs.
    def search_is_over() -> bool:
        best, bound = sum(part.best for part in parts), sum(part.bound for part in parts)
        return (target is not None and not best < target <= bound) or deadline.expired

    more_climbs = repeat(_ComponentSearch.climb_for_start, 0 if target is None else sys.maxsize)
    for effort in chain(
        [_ComponentSearch.climb_for_start, _ComponentSearch.certify_bound], more_climbs
    ):
        open_parts = [part for part in parts if part.can_improve]
        for part, until in deadline.shared(open_parts):
            if not search_is_over():
                effort(part, rng, until)
        if search_is_over() or not open_parts:
            return


def _find_counts_for_target(
    classes: CellClasses, start: Counts, target: int, rng: np.random.Generator, deadline: Deadline
) -> Counts:
    """Counts whose lightest sum has ``target`` clicks, or the most that were met.

    A click is added or taken away, so that the lightest sum becomes as heavy as it can, and as few
    others as can be are as light.  A tabu search (Glover, 1986): steps down are taken too, and what
    was just changed rests.
    """
    counts, sums = start.copy(), classes.compute_sum_sizes(start)
    best, highest, vain = start, int(sums.min()), 0
    tabu_until = np.zeros(len(start), np.int64)
    combinations = np.arange(len(sums))
    for step in count():
        if highest >= target or vain == MAX_VAIN_STEPS or deadline.expired:
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
    # The gain of one click more, and of one less, in each class: float64 (2, classes).
    lightest = sums.min()
    # Only sums within 1 of the lightest can be the lightest after one step.
    near = np.flatnonzero(sums <= lightest + 1)
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
    """A number of clicks that some click set needs, on the cells of independent quiet patterns.

    Each of the 2**(cells - patterns) sets of cells that can be toggled is toggled by a set of at
    most R clicks.  Of these there are at most 2**cells exp(-2 cells (1/2 - R/cells)**2), where R is
    less than half of the cells (Hoeffding, 1963).

    >>> _counting_bound(20, 2)
    7
    """
    return max(0, math.ceil(cells / 2 - math.sqrt(cells * patterns * math.log(2) / 2) - 1e-6))


def _canonical_form(classes: CellClasses, counts: Counts) -> tuple[Counts, Counts]:
    """The one of all the sums of a click set that stands for them in the program.

    In classes with independent columns, the sum with one combination or another has at most half of
    the cells; to ask for it there saves the program from proving the same 2**patterns times.  It
    saves most in classes of odd size, of which no exact half can be clicked.
    """
    limits, independent = classes.sizes.copy(), list[int]()
    for number in np.argsort(-(classes.sizes % 2), kind="stable"):
        column = int(classes.columns[number])
        for pivot in independent:
            column = min(column, column ^ pivot)
        if column:
            independent = sorted([*independent, column], reverse=True)
            limits[number] //= 2
    signs = classes.size_changes_per_click(np.arange(1 << classes.patterns))
    sums = np.where(signs < 0, (classes.sizes - counts)[:, None], counts[:, None])
    within = (sums <= limits[:, None]).all(axis=0)
    return sums[:, within.argmax()], limits
