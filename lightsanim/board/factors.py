"""Which algebra solves which board: chosen here and nowhere else."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, NamedTuple, Protocol, TypeVar

from lightsanim.algebra.dense import Check
from lightsanim.algebra.linear import Bits
from lightsanim.board.cross import CrossFactors
from lightsanim.board.elimination import EliminationFactors
from lightsanim.board.plus import ROW_MAPS, PlusFactors
from lightsanim.board.product import ProductFactors
from lightsanim.board.rule import Rule

# Elimination keeps for each cell a row of L and one of U: cells**2 / 4 bytes.
MAX_ELIMINATION_CELLS = 20_000


class Factors(Protocol):
    """A board's matrix A, factored once and reused for every configuration of that board."""

    @property
    def nullity(self) -> int:
        """The dimension of the null space of A."""

    def solve(self, difference: Bits) -> Bits | None:
        """One click set that toggles ``difference``, checked; None if there is none."""

    def quiet_bits(self) -> Iterator[int]:
        """A basis of the null space, each pattern packed into one int."""


AnyFactors = TypeVar("AnyFactors")


class Algebra(NamedTuple, Generic[AnyFactors]):
    """A way to factor boards of a rule."""

    factor: Callable[[int, int], AnyFactors]  # given rows and columns, the factors
    max_cells: float = math.inf  # larger boards take too long


def algebra_of(rule: Rule, *, wrap: bool, check: Check = lambda: None) -> Algebra[Factors]:
    """The fastest algebra for a rule, plain or wrapped.

    | boards                                | algebra                            | time     |
    | ------------------------------------- | ---------------------------------- | -------- |
    | cross                                 | the parities of rows and columns   | linear   |
    | plus and ring, plain                  | polynomials in what a row does     | linear   |
    | king and other products               | columns and rows one after another | linear   |
    | all others; plus and ring wrapped     | elimination, a row for each cell   | cells**2 |
    | of these, large stencils              | the same                           | cells**3 |

    >>> from lightsanim.board.rule import RULES
    >>> [name for name, rule in RULES.items() if algebra_of(rule, wrap=True).max_cells < math.inf]
    ['plus', 'ring', 'x']
    """
    if rule.offsets is None:
        return Algebra(CrossFactors)
    if rule.name in ROW_MAPS and not wrap:
        return Algebra(partial(PlusFactors, rule.name))
    if rule.factors:
        return Algebra(partial(ProductFactors, *rule.factors, wrap=wrap))
    return Algebra(partial(EliminationFactors, rule, wrap=wrap, check=check), MAX_ELIMINATION_CELLS)
