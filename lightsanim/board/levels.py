"""What differs between two levels and more: how cells are kept and raised, and what solves them.

With two levels a cell is a bool, and raising it is an exclusive-or.  With q levels it is a number
from 0 to q - 1, and raising it adds one, modulo q.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lightsanim.algebra.dense import Check
from lightsanim.algebra.linear import Bits
from lightsanim.algebra.modular import Residues, reduce
from lightsanim.board.factors import Algebra, Factors, algebra_of
from lightsanim.board.modular_factors import ModularFactors, modular_algebra_of
from lightsanim.board.rule import Rule
from lightsanim.errors import OptionError
from lightsanim.options.checks import check_bits, check_floats

Lights = NDArray[Any]
"""A configuration or a click set: bool with two levels, otherwise uint8 from 0 to levels - 1."""


class Arithmetic(Protocol):
    """How a board with some number of levels counts."""

    @property
    def dtype(self) -> DTypeLike:
        """Of configurations and click sets."""

    @property
    def reference(self) -> np.generic:
        """The level that all cells have where accessible configurations are reached from."""

    def checked(self, array: Lights, name: str, shape: tuple[int | None, ...]) -> Lights:
        """``array`` in ``dtype``."""

    def add(self, one: Lights, other: Any) -> Lights:
        """The sum, cell by cell."""

    def subtract(self, one: Lights, other: Any) -> Lights:
        """By how much ``other`` must be raised to become ``one``, cell by cell."""

    def raises(self, rule: Rule, clicks: Lights, *, wrap: bool) -> Lights:
        """By how much a click set raises each cell."""

    def count(self, lights: Lights) -> int:
        """The sum of all levels; of a click set, how many presses it has."""

    def algebra_of(
        self, rule: Rule, *, wrap: bool, check: Check = lambda: None
    ) -> Algebra[Factors] | Algebra[ModularFactors]:
        """What factors the boards of a rule, with a `Check` on the way."""


class _TwoLevels:
    # Sums and differences are both exclusive-or.
    dtype = np.dtype(bool)
    reference = np.True_

    def checked(self, array: Lights, name: str, shape: tuple[int | None, ...]) -> Bits:
        return check_bits(name, array, *shape)

    def add(self, one: Bits, other: Any) -> Bits:
        total: Bits = one ^ other
        return total

    subtract = add

    def raises(self, rule: Rule, clicks: Bits, *, wrap: bool) -> Bits:
        return rule.toggles(clicks, wrap=wrap)

    def count(self, lights: Bits) -> int:
        return int(np.count_nonzero(lights))

    def algebra_of(
        self, rule: Rule, *, wrap: bool, check: Check = lambda: None
    ) -> Algebra[Factors]:
        return algebra_of(rule, wrap=wrap, check=check)


class _MoreLevels:
    dtype = np.dtype(np.uint8)
    reference = np.uint8(0)

    def __init__(self, levels: int) -> None:
        self._q = levels

    def checked(self, array: Lights, name: str, shape: tuple[int | None, ...]) -> Residues:
        ready = isinstance(array, np.ndarray) and array.dtype == self.dtype
        given = array if ready and array.shape == shape else check_floats(name, array, shape)
        levels: Residues = np.clip(given, 0, self._q - 1).astype(np.uint8)
        for wrong in given[levels != given][:1].tolist():
            raise OptionError(f"{name} must have levels from 0 to {self._q - 1}, not {wrong:g}")
        return levels

    def add(self, one: Residues, other: Any) -> Residues:
        total: Residues = one + other
        reduce(total, self._q)
        return total

    def subtract(self, one: Residues, other: Any) -> Residues:
        total: Residues = np.uint8(self._q) - other + one
        reduce(total, self._q)
        return total

    def raises(self, rule: Rule, clicks: Residues, *, wrap: bool) -> Residues:
        return rule.raises(clicks, self._q, wrap=wrap)

    def count(self, lights: Residues) -> int:
        return int(lights.sum(dtype=np.int64))

    def algebra_of(
        self, rule: Rule, *, wrap: bool, check: Check = lambda: None
    ) -> Algebra[ModularFactors]:
        return modular_algebra_of(rule, self._q, wrap=wrap, check=check)


def arithmetic_of(levels: int) -> Arithmetic:
    """How boards of so many levels count.

    >>> one, other = np.array([0, 1, 2], np.uint8), np.array([2, 2, 2], np.uint8)
    >>> arithmetic_of(3).subtract(one, other).tolist(), arithmetic_of(3).add(one, other).tolist()
    ([1, 2, 0], [2, 0, 1])
    """
    return _TwoLevels() if levels == 2 else _MoreLevels(levels)
