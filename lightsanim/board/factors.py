"""Choice of the method that solves a board, and the cache of factors and quiet patterns."""

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

# Cells; elimination refuses larger boards.  With two levels it keeps a row of L and a row of U for
# each cell, cells**2 / 4 bytes in all.  With more levels, a board of this size takes a few seconds
# for the x rule or wrapped, half a minute for 9x9 stencils, and minutes for the largest stencils.
MAX_ELIMINATION_CELLS = 20_000
# Elimination may take this long under any time limit, because it is needed for any result.
ELIMINATION_SECONDS = 5.0
# Memory limit for quiet patterns, 500 MB; a cell takes 1 bit, with more than two levels 8 bits.
MAX_PATTERN_BITS = 4_000_000_000


class Factors(Protocol):
    """Factors of a board's matrix A, reused for all configurations of the board."""

    @property
    def nullity(self) -> int:
        """Dimension of the null space of A."""

    def solve(self, difference: Lights) -> Lights | None:
        """Return a click set that makes ``difference``, or None if there is none."""

    def quiet_patterns(self) -> Iterator[Lights]:
        """Yield a basis of the null space as arrays of shape (rows, columns)."""


class FactorMethod(NamedTuple):
    """Function that factors boards of a rule, and the largest board that it can factor."""

    factor: Callable[[int, int], Factors]  # called with the numbers of rows and columns
    max_cells: float = math.inf


def choose_factor_method(
    rule: Rule, levels: int, *, wrap: bool, check: Check = lambda: None
) -> FactorMethod:
    """Return the fastest method for boards of a rule.

    | boards                                | method                             | time     |
    | ------------------------------------- | ---------------------------------- | -------- |
    | cross                                 | sums of rows and columns           | linear   |
    | plus and ring, plain                  | arithmetic on polynomials          | linear   |
    | king and other product rules          | elimination by columns, then rows  | linear   |
    | all others; plus and ring wrapped     | elimination of the whole matrix    | cells**2 |
    | all others, with large stencils       | elimination of the whole matrix    | cells**3 |

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
    from lightsanim.board.modular_plus import ModularPlusFactors  # here, as flint loads slowly

    return ModularPlusFactors(rule, levels, rows, columns)


class LazyFactors:
    """Factors of a board, computed by the first thread that needs them while others wait."""

    def __init__(self, shape: tuple[int, int], rule: str, levels: int, *, wrap: bool) -> None:
        self._shape, self._rule, self._wrap = shape, parse_rule(rule), wrap
        self._levels, self._arithmetic = levels, arithmetic_of(levels)
        self._lock, self.listing = Lock(), Lock()  # one for the factors, one for patterns
        self._factors: Factors | None = None

    def load_factors(self, deadline: Deadline | None = None) -> Factors:
        """Return the factors; compute them before ``deadline`` if they are missing."""

        def check_deadline() -> None:
            seconds = 0.0 if deadline is None else deadline.seconds_used()
            if deadline is not None and (
                deadline.cancelled or (deadline.expired and seconds >= ELIMINATION_SECONDS)
            ):
                rows, columns = self._shape
                raise SolverError(
                    f"{seconds:.1f} s were not enough for the elimination of a "
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
        """Return a checked click set that makes ``difference``, or None if there is none."""
        factors = self.load_factors()
        solution = factors.solve(difference)
        if solution is None:
            return None
        clicks = self._cast_to_level_dtype(solution)
        # PlusFactors has already checked its clicks, and faster, on rows of packed bits.
        if not isinstance(factors, PlusFactors):
            self._check_clicks(clicks, difference, "the clicks found do not make the difference")
        return clicks

    def quiet_patterns(self) -> NDArray[np.uint8]:
        """Return a basis of the quiet patterns, packed in bits if there are two levels."""
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

# Quiet patterns of boards, the most recently used last.
_patterns: dict[LazyFactors, NDArray[np.uint8]] = {}
_lock = Lock()  # guards both caches


def shared_lazy_factors(
    shape: tuple[int, int], rule: str, levels: int, *, wrap: bool
) -> LazyFactors:
    """Return the `LazyFactors` that all equal boards share."""
    with _lock:  # without the lock, lru_cache could create an object for each thread
        return _factoring(shape, rule, levels, wrap=wrap)


def quiet_pattern_basis(
    shape: tuple[int, int], rule: str, levels: int, *, wrap: bool
) -> NDArray[np.uint8]:
    """Return a board's quiet patterns, read-only, from a cache of at most `MAX_PATTERN_BITS`."""
    board = shared_lazy_factors(shape, rule, levels, wrap=wrap)
    with board.listing:
        patterns = _patterns.get(board)
        if patterns is None:
            patterns = board.quiet_patterns()
            patterns.flags.writeable = False
        with _lock:
            _patterns.pop(board, None)
            _patterns[board] = patterns
            while 8 * sum(stored.nbytes for stored in _patterns.values()) > MAX_PATTERN_BITS:
                del _patterns[next(iter(_patterns))]
    return patterns
