"""The worst case of a board: the most clicks that turning one configuration into another can need.

The click sets that toggle the same cells differ by the combinations of the quiet patterns, a linear
code; what they need is the size of the lightest, and the most over all of them is the covering
radius of that code (Cohen, Honkala, Litsyn and Lobstein, Covering Codes, 1997).  Parts that share
no cell add up.
"""

import math
import sys
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.errors import SolverError
from lightsanim.solve.checks import MAX_PATTERN_BITS
from lightsanim.solve.classes import MAX_PATTERNS, Classes, Counts, balanced, classes_of, climb
from lightsanim.solve.outcome import Deadline, Status, status_of
from lightsanim.solve.parts import Part, parts_of

# So many cells are sorted into classes in a second or two.
MAX_SORTED_CELLS = 5_000_000

# What SCIP can do something with in half a minute: combinations times classes.
MAX_PROGRAM_SIZE = 150_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Most:
    """The most clicks that any two configurations, one within reach of the other, can need.

    Attributes:
        count: some do need so many.
        bound: none need more than this.
        status: OPTIMAL when ``bound`` equals ``count``.
        clicks: bool (rows, columns), the largest click set found that no smaller one can replace.
            Where there are too many quiet patterns to look for one, ``count`` is found by counting
            and is larger.
        seconds: that the search took.
    """

    count: int
    bound: int
    status: Status
    clicks: Bits
    seconds: float


def most_clicks(
    board: Board,
    *,
    wanted: int | None = None,
    rng: np.random.Generator | None = None,
    time_limit: float | Deadline = 30.0,
) -> Most:
    """The most clicks that turning one configuration of the board into another can need.

    A climb finds click sets that need many, and an integer program proves that none needs more,
    where there are up to ten quiet patterns or so.  Where there are more, the bound is half of the
    cells that lie on one, as the sums with all combinations have on the average, and all others.

    Args:
        board: any board.
        wanted: go on until a click set is found that needs so many, and stop there.
        rng: decides between click sets that are equally bad; None for always the same.
        time_limit: seconds, or a `Deadline` to share.

    Raises:
        OptionError: for a time limit that is not positive.
        SolverError: if a solver's answer does not hold.

    >>> most_clicks(Board(5, 5)).count  # https://www.jaapsch.net/puzzles/lights.htm
    15
    """
    deadline = time_limit if isinstance(time_limit, Deadline) else Deadline(time_limit)
    rng = np.random.default_rng(0) if rng is None else rng
    if board.nullity * board.cells > MAX_PATTERN_BITS:
        least, nothing = _least_by_counting(board.cells, board.nullity), np.zeros(board.shape, bool)
        return _most(least, board.rank, nothing, deadline)
    clicks, parts = np.ones(board.cells, bool), []
    if board.nullity:
        packed = board.packed_quiet_patterns()
        parts = [_Heaviest(part) for part in parts_of(packed, board.cells)]
    for heaviest in parts:
        clicks[heaviest.part.cells] = False
    # Clicks on cells of no quiet pattern can never be saved.
    alone = int(np.count_nonzero(clicks))
    _search(parts, None if wanted is None else wanted - alone, rng, deadline)
    for heaviest in parts:
        clicks[heaviest.part.cells] = heaviest.clicks(rng)
    count = alone + sum(part.count for part in parts)
    bound = alone + sum(part.bound for part in parts)
    # Combinations of the quiet patterns can clear as many cells as there are patterns.
    return _most(count, min(bound, board.rank), clicks.reshape(board.shape), deadline)


class _Heaviest:
    """The click sets on the cells of a part that need the most clicks.

    Attributes:
        part: of the quiet patterns.
        classes: of its cells; None where there are too many quiet patterns for a search.
        counts: the clicks in each class of the best click set found.
        found: how many clicks it needs.
        count: so many clicks are needed by some click set.
        bound: no click set needs more.
    """

    def __init__(self, part: Part) -> None:
        self.part = part
        covered = int(np.bitwise_count(np.bitwise_or.reduce(part.packed)).sum())
        alone = len(part.cells) - covered
        self.bound = alone + covered // 2
        self.count = alone + _least_by_counting(covered, len(part))
        small = len(part) <= MAX_PATTERNS and len(part.cells) <= MAX_SORTED_CELLS
        self.classes = classes_of(part.patterns()) if small else None
        self.counts, self.found = np.zeros(0, np.int64), 0

    @property
    def is_open(self) -> bool:
        """Could a search find a click set that needs more?"""
        return self.classes is not None and self.found < self.bound

    def clicks(self, rng: np.random.Generator) -> Bits:
        """The best click set found, on cells that are drawn: bool (cells,)."""
        if self.classes is None or not self.found:
            return np.zeros(len(self.part.cells), bool)
        return self.classes.drawn(self.counts, rng)

    def climb(self, rng: np.random.Generator, deadline: Deadline) -> None:
        """Look for a click set that needs many."""
        assert self.classes is not None
        start = balanced(self.classes, rng)
        self._take(self.classes, climb(self.classes, start, self.bound, rng, deadline))

    def certify(self, rng: np.random.Generator, deadline: Deadline) -> None:
        """Prove that there is none that needs more, or find it."""
        classes = self.classes
        assert classes is not None
        if len(classes.sizes) << classes.patterns > MAX_PROGRAM_SIZE or deadline.expired:
            return
        from lightsanim.solve import scip

        start, most = _folded(classes, self.counts)
        program = scip.worst_case_program(classes, start, most, self.bound)
        answer = scip.solve(program, deadline)
        self._take(classes, scip.whole_values(program)[1:])
        bound = self.bound - answer.bound
        if bound < self.found:
            raise SolverError(f"the solver's answer does not hold: {self.found} are over {bound}")
        self.bound = bound

    def _take(self, classes: Classes, counts: Counts) -> None:
        lightest = classes.lightest(counts)
        if lightest.sum() >= self.found:
            self.counts, self.found = lightest, int(lightest.sum())
        self.count = max(self.count, self.found)


def _search(
    parts: list[_Heaviest], wanted: int | None, rng: np.random.Generator, deadline: Deadline
) -> None:
    # A climb, then the proof, and then, if a number is wanted that may exist, climbs until the end.
    def is_over() -> bool:
        found, bound = sum(part.found for part in parts), sum(part.bound for part in parts)
        return deadline.expired or (wanted is not None and not found < wanted <= bound)

    more = repeat(_Heaviest.climb, 0 if wanted is None else sys.maxsize)
    for effort in chain([_Heaviest.climb, _Heaviest.certify], more):
        open_parts = [part for part in parts if part.is_open]
        for left, part in zip(range(len(open_parts), 0, -1), open_parts, strict=True):
            if not is_over():
                effort(part, rng, deadline.part(1 / left))
        if is_over() or not open_parts:
            return


def _least_by_counting(cells: int, patterns: int) -> int:
    """So many clicks are needed by some click set on the cells of so many independent patterns.

    Each of the 2**(cells - patterns) sets of cells that can be toggled is toggled by a set of at
    most R clicks.  Of these there are at most 2**cells exp(-2 cells (1/2 - R/cells)**2), where R is
    less than half of the cells (Hoeffding, 1963).

    >>> _least_by_counting(20, 2)
    7
    """
    return max(0, math.ceil(cells / 2 - math.sqrt(cells * patterns * math.log(2) / 2) - 1e-6))


def _folded(classes: Classes, counts: Counts) -> tuple[Counts, Counts]:
    """Which of all the sums of a click set is to stand for them.

    In classes with independent columns, the sum with one combination or another has at most half of
    the cells; to ask for it there saves the program from proving the same 2**patterns times.  It
    saves most in classes of odd size, of which no exact half can be clicked.

    Returns:
        The counts of that sum, and the most that it may have in each class.
    """
    most, independent = classes.sizes.copy(), list[int]()
    for place in np.argsort(-(classes.sizes % 2), kind="stable"):
        column = int(classes.columns[place])
        for pivot in independent:
            column = min(column, column ^ pivot)
        if column:
            independent = sorted([*independent, column], reverse=True)
            most[place] //= 2
    signs = classes.signs(np.arange(1 << classes.patterns))
    sums = np.where(signs < 0, (classes.sizes - counts)[:, None], counts[:, None])
    within = (sums <= most[:, None]).all(axis=0)
    return sums[:, within.argmax()], most


def _most(count: int, bound: int, clicks: Bits, deadline: Deadline) -> Most:
    return Most(
        count=count,
        bound=bound,
        status=status_of(bound, count),  # of a maximisation
        clicks=clicks,
        seconds=deadline.seconds_used(),
    )
