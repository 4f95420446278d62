"""What is made once for each board and kept: its factors; and the quiet patterns that they give."""

import math
from functools import lru_cache
from threading import Lock
from typing import cast

import numpy as np
from numpy.typing import NDArray

from lightsanim.board.factors import Factors
from lightsanim.board.levels import Lights, arithmetic_of
from lightsanim.board.modular_factors import ModularFactors
from lightsanim.board.rule import rule_of
from lightsanim.errors import SolverError
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
        self._shape, self._rule, self._levels, self._wrap = shape, rule, levels, wrap
        self._lock = Lock()
        self._factors: Factors | ModularFactors | None = None

    def result(self, deadline: Deadline | None = None) -> Factors | ModularFactors:
        """The factors; if they are not there yet, with a deadline on the way to them."""

        def check() -> None:
            seconds = 0.0 if deadline is None else deadline.seconds_used()
            if deadline is not None and (
                deadline.cancelled or (deadline.expired and seconds >= ELIMINATION_SECONDS)
            ):
                rows, columns = self._shape
                raise SolverError(
                    f"{seconds:.1f} s were not enough for the elimination of a "
                    f"{columns}x{rows} board of rule {abbreviated(self._rule)}"
                    f"{' wrapped' if self._wrap else ''}; allow more, or take a smaller board"
                )

        with self._lock:
            if self._factors is None:
                algebra_of = arithmetic_of(self._levels).algebra_of
                algebra = algebra_of(rule_of(self._rule), wrap=self._wrap, check=check)
                self._factors = algebra.factor(*self._shape)
            return self._factors


@lru_cache(maxsize=8)
def factoring(shape: tuple[int, int], rule: str, levels: int, *, wrap: bool) -> Factoring:
    """The one `Factoring` of all boards that are equal."""
    return Factoring(shape, rule, levels, wrap=wrap)


def found_patterns(
    factors: Factors | ModularFactors, shape: tuple[int, int], levels: int
) -> tuple[NDArray[np.uint8], Lights]:
    """The quiet patterns, with two levels packed, and a sum of them, which flips nothing, too."""
    if levels == 2:
        return _packed(cast(Factors, factors), shape)
    return _stacked(cast(ModularFactors, factors), shape, levels)


def _packed(factors: Factors, shape: tuple[int, int]) -> tuple[NDArray[np.uint8], Lights]:
    # A bit for each cell: uint8 (nullity, bytes).
    cells = math.prod(shape)
    packed = np.zeros((factors.nullity, -(-cells // 8)), np.uint8)
    for pattern, bits in zip(packed, factors.quiet_bits(), strict=True):
        pattern[:] = np.frombuffer(bits.to_bytes(packed.shape[1], "little"), np.uint8)
    every = np.unpackbits(np.bitwise_xor.reduce(packed, axis=0), count=cells, bitorder="little")
    return packed, every.reshape(shape).astype(bool)


def _stacked(
    factors: ModularFactors, shape: tuple[int, int], levels: int
) -> tuple[NDArray[np.uint8], Lights]:
    # uint8 (nullity, rows, columns); each pattern counts with a weight of its own.
    patterns, every = np.zeros((factors.nullity, *shape), np.uint8), np.zeros(shape, np.uint8)
    for number, found in enumerate(factors.quiet_patterns()):
        patterns[number] = found
        weighted = patterns[number] * np.uint8(1 + number % (levels - 1)) % levels
        every = (every + weighted) % np.uint8(levels)
    return patterns, every
