"""What is made once for each board and kept: its factors.  What they find is pressed again here."""

import math
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from lightsanim.board.arithmetic import arithmetic_of
from lightsanim.board.factors import Factors, algebra_of
from lightsanim.board.plus import PlusFactors
from lightsanim.board.rule import rule_of
from lightsanim.errors import SolverError
from lightsanim.look.levels import Lights
from lightsanim.options.stencils import abbreviated
from lightsanim.system.deadline import Deadline

# Elimination has as many seconds whatever the time limit: without it there is no result at all.
ELIMINATION_SECONDS = 5.0

# Bits of quiet patterns that are held in memory: 500 MB, one bit or with more levels one byte for
# each cell.
MAX_PATTERN_BITS = 4_000_000_000


class Factoring:
    """The factors of a board, made by the first thread that needs them; others wait for it."""

    def __init__(self, shape: tuple[int, int], rule: str, levels: int, *, wrap: bool) -> None:
        self._shape, self._rule, self._wrap = shape, rule_of(rule), wrap
        self._levels, self._arithmetic = levels, arithmetic_of(levels)
        self._lock, self.listing = Lock(), Lock()  # of the factors, and of their quiet patterns
        self._factors: Factors | None = None

    def result(self, deadline: Deadline | None = None) -> Factors:
        """The factors; if they are not there yet, with a deadline on the way to them."""

        def check() -> None:
            seconds = 0.0 if deadline is None else deadline.seconds_used()
            if deadline is not None and (
                deadline.cancelled or (deadline.expired and seconds >= ELIMINATION_SECONDS)
            ):
                rows, columns = self._shape
                raise SolverError(
                    f"{seconds:.1f} s were not enough for the elimination of a "
                    f"{columns}x{rows} board of rule {abbreviated(self._rule.name)}"
                    f"{' wrapped' if self._wrap else ''}; allow more, or take a smaller board"
                )

        with self._lock:
            if self._factors is None:
                algebra = algebra_of(self._rule, self._levels, wrap=self._wrap, check=check)
                self._factors = algebra.factor(*self._shape)
            return self._factors

    def solve(self, difference: Lights) -> Lights | None:
        """One click set that makes ``difference``, pressed again; None if there is none."""
        factors = self.result()
        found = factors.solve(difference)
        if found is None:
            return None
        clicks = self._as_lights(found)
        # The plus presses rows of bits, which takes less time.
        if not isinstance(factors, PlusFactors):
            self._press(clicks, difference, "the clicks found do not make the difference")
        return clicks

    def quiet_patterns(self) -> NDArray[np.uint8]:
        """A basis of the quiet patterns; a sum of them is pressed, as bounds rest on them.

        With two levels a bit for each cell, uint8 (nullity, bytes); with more uint8 (nullity, rows,
        columns).
        """
        factors, packed = self.result(), self._levels == 2
        size = (-(-math.prod(self._shape) // 8),) if packed else self._shape
        patterns = np.empty((factors.nullity, *size), np.uint8)
        total = nothing = np.zeros(self._shape, self._arithmetic.dtype)
        for kept, found in zip(patterns, factors.quiet_patterns(), strict=True):
            pattern = self._as_lights(found)
            kept[:] = np.packbits(pattern, bitorder="little") if packed else pattern
            total = self._arithmetic.add(total, pattern)
        self._press(total, nothing, "the quiet patterns found flip cells")
        return patterns

    def _as_lights(self, found: Lights) -> Lights:
        return np.ascontiguousarray(found).view(self._arithmetic.dtype)

    def _press(self, clicks: Lights, difference: Lights, otherwise: str) -> None:
        raised = self._arithmetic.raises(self._rule, clicks, wrap=self._wrap)
        if not np.array_equal(raised, difference):
            raise SolverError(f"{otherwise}; please report this")


_factoring = lru_cache(maxsize=8)(Factoring)

# Quiet patterns by their boards, those used last at the end; the lock of both caches.
_patterns: dict[Factoring, NDArray[np.uint8]] = {}
_lock = Lock()


def factoring(shape: tuple[int, int], rule: str, levels: int, *, wrap: bool) -> Factoring:
    """The one `Factoring` of all boards that are equal."""
    with _lock:  # else threads that come at once make one each
        return _factoring(shape, rule, levels, wrap=wrap)


def quiet_patterns_of(
    shape: tuple[int, int], rule: str, levels: int, *, wrap: bool
) -> NDArray[np.uint8]:
    """The quiet patterns of all boards that are equal, read-only.

    Those used last are kept, together at most as much as of the largest board.
    """
    board = factoring(shape, rule, levels, wrap=wrap)
    with board.listing:
        patterns = _patterns.get(board)
        if patterns is None:
            patterns = board.quiet_patterns()
            patterns.flags.writeable = False  # it is shared
        with _lock:
            _patterns.pop(board, None)
            _patterns[board] = patterns
            while 8 * sum(kept.nbytes for kept in _patterns.values()) > MAX_PATTERN_BITS:
                del _patterns[next(iter(_patterns))]
    return patterns
