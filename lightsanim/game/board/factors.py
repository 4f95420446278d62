"""Choice of the fastest solver for a board, and caches of its factors and quiet patterns."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock
from typing import NamedTuple, Protocol
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import SolverError
from lightsanim.game.algebra.packed_elimination import Check
from lightsanim.game.levels import Lights, dtype_of
from lightsanim.options.stencils import abbreviate_name
from lightsanim.system.deadline import Deadline
from lightsanim.system.threads import cache_for_threads
from .cross import CrossFactors
from .elimination import BandedFactors, EliminationFactors
from .plus import ROW_MAPS
from .product import ProductFactors
from .rule import Rule, parse_rule

# Maximum number of cells for elimination.  With two levels the factors L and U take cells**2 / 4
# bytes, here 100 MB.  With more levels a board of this size takes a few seconds if its rule is x or
# it is wrapped, half a minute for 9x9 stencils, and minutes for the largest stencils.
MAX_ELIMINATION_CELLS = 20_000
# Minimum time limit for elimination, in seconds: without its result, nothing can be solved.
ELIMINATION_SECONDS = 5.0
# Maximum memory for quiet patterns, in bits (500 MB).  A cell takes 1 bit, or 8 if levels > 2.
MAX_PATTERN_BITS = 4_000_000_000
# Maximum memory for quiet patterns that nobody uses, in bytes; to list so many takes a second.
MAX_IDLE_BYTES = 64_000_000


class Factors(Protocol):
    """Interface of solvers: a board's matrix, factored once and reused for any configuration."""

    @property
    def nullity(self) -> int:
        """Dimension of the null space of the matrix."""

    def solve(self, difference: Lights) -> Lights | None:
        """Return a click set that changes the cells by ``difference``, or None if none does."""

    def quiet_patterns(self) -> Iterator[Lights]:
        """Yield a basis of the null space as arrays of shape (rows, columns)."""


class FactorMethod(NamedTuple):
    """Function that factors boards of a rule, and the maximum number of cells for it."""

    factor: Callable[[int, int], Factors]  # arguments: numbers of rows and columns
    max_cells: float = math.inf


def choose_factor_method(
    rule: Rule, levels: int, *, wrap: bool, check: Check = lambda: None
) -> FactorMethod:
    """Return the fastest method for boards of a rule.

    | boards                                | method                             | time     |
    | ------------------------------------- | ---------------------------------- | -------- |
    | cross                                 | sums of rows and columns           | linear   |
    | plus and ring, not wrapped            | arithmetic on polynomials          | linear   |
    | king and other product rules          | elimination by columns, then rows  | linear   |
    | all others; plus and ring wrapped     | elimination of the whole matrix    | cells**2 |
    | all others, with large stencils       | elimination of the whole matrix    | cells**3 |
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
    from . import plus_factors

    solver = plus_factors.BinaryPlusFactors if levels == 2 else plus_factors.PlusFactors
    return solver(rule, levels, rows, columns)


class LazyFactors:
    """Factors of a board, computed at first use by one thread while other threads wait."""

    def __init__(self, shape: tuple[int, int], rule: str, levels: int, *, wrap: bool) -> None:
        self._shape, self._rule, self._wrap = shape, parse_rule(rule), wrap
        self._levels = levels
        self._lock, self._listing = Lock(), Lock()  # locks for factors and quiet patterns
        self._factors: Factors | None = None
        self._patterns: Callable[[], NDArray[np.uint8] | None] = lambda: None  # weak reference

    def load_factors(self, deadline: Deadline | None = None) -> Factors:
        """Return the factors; the first call computes them, and fails if ``deadline`` passes."""

        def check_deadline() -> None:
            if deadline is None:
                return
            seconds = deadline.seconds_used()
            if deadline.cancelled or (deadline.expired and seconds >= ELIMINATION_SECONDS):
                rows, columns = self._shape
                raise SolverError(
                    f"{seconds:.1f} s were not enough for Gaussian elimination on a "
                    f"{columns}x{rows} board of rule {abbreviate_name(self._rule.name)}"
                    f"{' wrapped' if self._wrap else ''}; allow more time, or use a smaller board"
                )

        with self._lock:
            if self._factors is None:
                factor_method = choose_factor_method(
                    self._rule, self._levels, wrap=self._wrap, check=check_deadline
                )
                self._factors = factor_method.factor(*self._shape)
            return self._factors

    def solve(self, difference: Lights) -> Lights | None:
        """Return a verified click set that changes the cells by ``difference``, or None."""
        solution = self.load_factors().solve(difference)
        if solution is None:
            return None
        clicks = self._cast_to_level_dtype(solution)
        self._check_clicks(clicks, difference, "the clicks found do not solve the board")
        return clicks

    def quiet_patterns(self) -> NDArray[np.uint8]:
        """Return a read-only basis of quiet patterns; with two levels, eight cells to a byte."""
        with self._listing:
            patterns = self._patterns()
            if patterns is None:
                patterns = self._find_quiet_patterns()
                patterns.flags.writeable = False
                self._patterns = ref(patterns)
            with _lock:
                _recent_patterns.pop(self, None)
                _recent_patterns[self] = patterns
                while sum(kept.nbytes for kept in _recent_patterns.values()) > MAX_IDLE_BYTES:
                    del _recent_patterns[next(iter(_recent_patterns))]
        return patterns

    def _find_quiet_patterns(self) -> NDArray[np.uint8]:
        factors, packed = self.load_factors(), self._levels == 2
        size = (-(-math.prod(self._shape) // 8),) if packed else self._shape
        patterns = np.empty((factors.nullity, *size), np.uint8)
        total = dark = np.zeros(self._shape, dtype_of(self._levels))
        for stored, vector in zip(patterns, factors.quiet_patterns(), strict=True):
            pattern = self._cast_to_level_dtype(vector)
            stored[:] = np.packbits(pattern, bitorder="little") if packed else pattern
            total = (total + pattern) % self._levels if self._levels > 2 else total ^ pattern
        self._check_clicks(total, dark, "the quiet patterns found should flip no cells, but do")
        return patterns

    def _check_clicks(self, clicks: Lights, difference: Lights, message: str) -> None:
        if not np.array_equal(
            self._rule.toggles(clicks, self._levels, wrap=self._wrap), difference
        ):
            raise SolverError(f"{message}; please report this")

    def _cast_to_level_dtype(self, array: Lights) -> Lights:
        return np.ascontiguousarray(array).view(dtype_of(self._levels))


# Function that returns the factors of a board; equal boards share those of the last eight.
factorise = cache_for_threads(LazyFactors, 8)

# Quiet patterns by board, the most recently used last; they stay when nobody uses them.
_recent_patterns: dict[LazyFactors, NDArray[np.uint8]] = {}
_lock = Lock()  # guards `_recent_patterns`
