"""What differs between two levels and more: how cells are kept and raised.

With two levels a cell is a bool, and raising it is an exclusive-or.  With q levels it is a number
from 0 to q - 1, and raising it adds one, modulo q.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from lightsanim.algebra.modular import reduce
from lightsanim.board.rule import Rule
from lightsanim.errors import OptionError
from lightsanim.look.levels import Lights
from lightsanim.options.checks import check_bits, check_floats


class Arithmetic:
    """How a board with some number of levels counts."""

    dtype: DTypeLike = np.dtype(np.uint8)
    """Of configurations and click sets."""
    reference: np.generic = np.uint8(0)
    """The level that all cells have where accessible configurations are reached from."""

    def __init__(self, levels: int) -> None:
        self._q = levels

    def checked(self, array: Lights, name: str, shape: tuple[int | None, ...]) -> Lights:
        """``array`` in ``dtype``."""
        ready = isinstance(array, np.ndarray) and array.dtype == self.dtype
        given = array if ready and array.shape == shape else check_floats(name, array, shape)
        levels: Lights = np.clip(given, 0, self._q - 1).astype(np.uint8)
        for wrong in given[levels != given][:1].tolist():
            raise OptionError(f"{name} must have levels from 0 to {self._q - 1}, not {wrong:g}")
        return levels

    def add(self, one: Lights, other: Any) -> Lights:
        """The sum, cell by cell."""
        return reduce(one + other, self._q)

    def subtract(self, one: Lights, other: Any) -> Lights:
        """By how much ``other`` must be raised to become ``one``, cell by cell."""
        return reduce(np.uint8(self._q) - other + one, self._q)

    def raises(self, rule: Rule, clicks: Lights, *, wrap: bool) -> Lights:
        """By how much a click set raises each cell."""
        return rule.raises(clicks, self._q, wrap=wrap)

    def count(self, lights: Lights) -> int:
        """The sum of all levels; of a click set, how many presses it has."""
        return int(lights.sum(dtype=np.int64))


class _TwoLevels(Arithmetic):
    # Sums and differences are both exclusive-or.
    dtype = np.dtype(bool)
    reference = np.True_

    def checked(self, array: Lights, name: str, shape: tuple[int | None, ...]) -> Lights:
        return check_bits(name, array, *shape)

    def add(self, one: Lights, other: Any) -> Lights:
        total: Lights = one ^ other
        return total

    subtract = add

    def raises(self, rule: Rule, clicks: Lights, *, wrap: bool) -> Lights:
        return rule.toggles(clicks, wrap=wrap)

    def count(self, lights: Lights) -> int:
        return int(np.count_nonzero(lights))


def arithmetic_of(levels: int) -> Arithmetic:
    """How boards of so many levels count.

    >>> one, other = np.array([0, 1, 2], np.uint8), np.array([2, 2, 2], np.uint8)
    >>> arithmetic_of(3).subtract(one, other).tolist(), arithmetic_of(3).add(one, other).tolist()
    ([1, 2, 0], [2, 0, 1])
    """
    return _TwoLevels(levels) if levels == 2 else Arithmetic(levels)
