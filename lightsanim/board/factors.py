"""Which algebra solves which board, chosen here alone; its factors, made once for each board.

What they find is pressed again here.
"""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from threading import Lock
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.packed_elimination import Check
from lightsanim.board.arithmetic import arithmetic_of
from lightsanim.board.cross import CrossFactors
from lightsanim.board.elimination import BandedFactors, EliminationFactors
from lightsanim.board.plus import ROW_MAPS, PlusFactors
from lightsanim.board.product import ProductFactors
from lightsanim.board.rule import Rule, parse_rule
from lightsanim.errors import SolverError
from lightsanim.look.levels import Lights
from lightsanim.options.stencils import abbreviate_name
from lightsanim.system.deadline import Deadline

# With two levels elimination keeps for each cell a row of L and one of U: cells**2 / 4 bytes.  With
# more, so many cells take a few seconds under x and on wrapped boards, half a minute with 9 x 9
# stencils, and minutes with the largest.
MAX_ELIMINATION_CELLS = 20_000

# Elimination has as many seconds whatever the time limit: without it there is no result at all.
ELIMINATION_SECONDS = 5.0

# Bits of quiet patterns that are held in memory: 500 MB, one bit or with more levels one byte for
# each cell.
MAX_PATTERN_BITS = 4_000_000_000


class Factors(Protocol):
    """A board's matrix A, factored once and reused for every configuration of that board.

    What they return is bool, or uint8 with all levels below their number.
    """

    @property
    def nullity(self) -> int:
        """The dimension of the null space of A."""

    def solve(self, difference: Lights) -> Lights | None:
        """One click set that makes ``difference``; None if there is none."""

    def quiet_patterns(self) -> Iterator[Lights]:
        """A basis of the null space: (rows, columns) each, made one after another."""


class FactorMethod(NamedTuple):
    """A way to factor boards of a rule."""

    factor: Callable[[int, int], Factors]  # given rows and columns, the factors
    max_cells: float = math.inf  # larger boards take too long


def choose_factor_method(
    rule: Rule, levels: int, *, wrap: bool, check: Check = lambda: None
) -> FactorMethod:
    """The fastest way to factor boards of a rule, plain or wrapped.

    | boards                                | algebra                            | time     |
    | ------------------------------------- | ---------------------------------- | -------- |
    | cross                                 | the sums of rows and columns       | linear   |
    | plus and ring, plain                  | polynomials in what a row does     | linear   |
    | king and other products               | columns and rows one after another | linear   |
    | all others; plus and ring wrapped     | elimination, a row for each cell   | cells**2 |
    | of these, large stencils              | the same                           | cells**3 |

    >>> from lightsanim.board.rule import RULES
    >>> methods = {name: choose_factor_method(RULES[name], 2, wrap=True) for name in RULES}
    >>> [name for name, method in methods.items() if method.max_cells < math.inf]
    ['plus', 'ring', 'x']
    """
    if rule.offsets is None:
        return FactorMethod(partial(CrossFactors, levels))
    if rule.name in ROW_MAPS and not wrap:
        return FactorMethod(partial(_make_plus_factors, rule.name, levels))
    if rule.product_factors:
        return FactorMethod(partial(ProductFactors, *rule.product_factors, levels, wrap=wrap))
    return FactorMethod(
        partial(EliminationFactors, rule, wrap=wrap, check=check)
        if levels == 2
        else partial(BandedFactors, rule, levels, wrap=wrap, check=check),
        MAX_ELIMINATION_CELLS,
    )


def _make_plus_factors(rule: str, levels: int, rows: int, columns: int) -> Factors:
    if levels == 2:
        return PlusFactors(rule, rows, columns)
    from lightsanim.board.modular_plus import ModularPlusFactors  # and with it, flint

    return ModularPlusFactors(rule, levels, rows, columns)


class LazyFactors:
    """The factors of a board, made by the first thread that needs them; others wait for it."""

    def __init__(self, shape: tuple[int, int], rule: str, levels: int, *, wrap: bool) -> None:
        self._shape, self._rule, self._wrap = shape, parse_rule(rule), wrap
        self._levels, self._arithmetic = levels, arithmetic_of(levels)
        self._lock, self.listing = Lock(), Lock()  # of the factors, and of their quiet patterns
        self._factors: Factors | None = None

    def load_factors(self, deadline: Deadline | None = None) -> Factors:
        """The factors; if they are not there yet, with a deadline on the way to them."""

        def check_deadline() -> None:
            seconds = 0.0 if deadline is None else deadline.seconds_used()
            if deadline is not None and (
                deadline.cancelled or (deadline.expired and seconds >= ELIMINATION_SECONDS)
            ):
                rows, columns = self._shape
                raise SolverError(
                    f"{seconds:.1f} s were not enough for the elimination of a "
                    f"{columns}x{rows} board of rule {abbreviate_name(self._rule.name)}"
                    f"{' wrapped' if self._wrap else ''}; allow more, or take a smaller board"
                )

        with self._lock:
            if self._factors is None:
                factor_method = choose_factor_method(
                    self._rule, self._levels, wrap=self._wrap, check=check_deadline
                )
                self._factors = factor_method.factor(*self._shape)
            return self._factors

    def solve(self, difference: Lights) -> Lights | None:
        """One click set that makes ``difference``, pressed again; None if there is none."""
        factors = self.load_factors()
        solution = factors.solve(difference)
        if solution is None:
            return None
        clicks = self._cast_to_level_dtype(solution)
        # The plus presses rows of bits, which takes less time.
        if not isinstance(factors, PlusFactors):
            self._check_clicks(clicks, difference, "the clicks found do not make the difference")
        return clicks

    def quiet_patterns(self) -> NDArray[np.uint8]:
        """A basis of the quiet patterns; a sum of them is pressed, as bounds rest on them.

        With two levels a bit for each cell, uint8 (nullity, bytes); with more uint8 (nullity, rows,
        columns).
        """
        factors, packed = self.load_factors(), self._levels == 2
        size = (-(-math.prod(self._shape) // 8),) if packed else self._shape
        patterns = np.empty((factors.nullity, *size), np.uint8)
        total = dark = np.zeros(self._shape, self._arithmetic.dtype)
        for stored, vector in zip(patterns, factors.quiet_patterns(), strict=True):
            pattern = self._cast_to_level_dtype(vector)
            stored[:] = np.packbits(pattern, bitorder="little") if packed else pattern
            total = self._arithmetic.add(total, pattern)
        self._check_clicks(total, dark, "the quiet patterns found flip cells")
        return patterns

    def _cast_to_level_dtype(self, array: Lights) -> Lights:
        return np.ascontiguousarray(array).view(self._arithmetic.dtype)

    def _check_clicks(self, clicks: Lights, difference: Lights, message: str) -> None:
        raised = self._arithmetic.toggled_levels(self._rule, clicks, wrap=self._wrap)
        if not np.array_equal(raised, difference):
            raise SolverError(f"{message}; please report this")


_factoring = lru_cache(maxsize=8)(LazyFactors)

# Quiet patterns by their boards, those used last at the end; the lock of both caches.
_patterns: dict[LazyFactors, NDArray[np.uint8]] = {}
_lock = Lock()


def shared_lazy_factors(
    shape: tuple[int, int], rule: str, levels: int, *, wrap: bool
) -> LazyFactors:
    """The one `LazyFactors` of all boards that are equal."""
    with _lock:  # else threads that come at once make one each
        return _factoring(shape, rule, levels, wrap=wrap)


def quiet_pattern_basis(
    shape: tuple[int, int], rule: str, levels: int, *, wrap: bool
) -> NDArray[np.uint8]:
    """The quiet patterns of all boards that are equal, read-only.

    Those used last are kept, together at most as much as of the largest board.
    """
    board = shared_lazy_factors(shape, rule, levels, wrap=wrap)
    with board.listing:
        patterns = _patterns.get(board)
        if patterns is None:
            patterns = board.quiet_patterns()
            patterns.flags.writeable = False  # it is shared
        with _lock:
            _patterns.pop(board, None)
            _patterns[board] = patterns
            while 8 * sum(stored.nbytes for stored in _patterns.values()) > MAX_PATTERN_BITS:
                del _patterns[next(iter(_patterns))]
    return patterns
