"""Which algebra solves which board: chosen here and nowhere else."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, Protocol

from lightsanim.algebra.dense import Check
from lightsanim.board.cross import CrossFactors
from lightsanim.board.elimination import BandedFactors, EliminationFactors
from lightsanim.board.plus import ROW_MAPS, PlusFactors
from lightsanim.board.product import ProductFactors
from lightsanim.board.rule import Rule
from lightsanim.look.levels import Lights

# With two levels elimination keeps for each cell a row of L and one of U: cells**2 / 4 bytes.  With
# more, so many cells take a few seconds under x and on wrapped boards, half a minute with 9 x 9
# stencils, and minutes with the largest.
MAX_ELIMINATION_CELLS = 20_000


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


class Algebra(NamedTuple):
    """A way to factor boards of a rule."""

    factor: Callable[[int, int], Factors]  # given rows and columns, the factors
    max_cells: float = math.inf  # larger boards take too long


def algebra_of(rule: Rule, levels: int, *, wrap: bool, check: Check = lambda: None) -> Algebra:
    """The fastest algebra for a rule, plain or wrapped.

    | boards                                | algebra                            | time     |
    | ------------------------------------- | ---------------------------------- | -------- |
    | cross                                 | the sums of rows and columns       | linear   |
    | plus and ring, plain                  | polynomials in what a row does     | linear   |
    | king and other products               | columns and rows one after another | linear   |
    | all others; plus and ring wrapped     | elimination, a row for each cell   | cells**2 |
    | of these, large stencils              | the same                           | cells**3 |

    >>> from lightsanim.board.rule import RULES
    >>> [name for name in RULES if algebra_of(RULES[name], 2, wrap=True).max_cells < math.inf]
    ['plus', 'ring', 'x']
    """
    if rule.offsets is None:
        return Algebra(partial(CrossFactors, levels))
    if rule.name in ROW_MAPS and not wrap:
        return Algebra(partial(_plus_factors, rule.name, levels))
    if rule.factors:
        return Algebra(partial(ProductFactors, *rule.factors, levels, wrap=wrap))
    return Algebra(
        partial(EliminationFactors, rule, wrap=wrap, check=check)
        if levels == 2
        else partial(BandedFactors, rule, levels, wrap=wrap, check=check),
        MAX_ELIMINATION_CELLS,
    )


def _plus_factors(rule: str, levels: int, rows: int, columns: int) -> Factors:
    if levels == 2:
        return PlusFactors(rule, rows, columns)
    from lightsanim.board.modular_plus import ModularPlusFactors  # and with it, flint

    return ModularPlusFactors(rule, levels, rows, columns)
