"""Cell-by-cell arithmetic on configurations, modulo the number of levels of a cell."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from lightsanim.algebra.modular import mod_inplace
from lightsanim.board.rule import Rule
from lightsanim.errors import OptionError
from lightsanim.look.levels import Lights
from lightsanim.options.checks import check_bool_array, check_float_array


class LevelArithmetic:
    """Arithmetic on arrays of levels, modulo the number of levels."""

    dtype: DTypeLike = np.dtype(np.uint8)
    """Array type of configurations and click sets."""
    reference: np.generic = np.uint8(0)
    """Level of all cells of the configuration from which clicks reach the accessible ones."""

    def __init__(self, levels: int) -> None:
        self._q = levels

    def validate_levels(self, array: Lights, name: str, shape: tuple[int | None, ...]) -> Lights:
        """Check an array and convert it to ``dtype``; error messages call the array ``name``."""
        ready = isinstance(array, np.ndarray) and array.dtype == self.dtype
        values = array if ready and array.shape == shape else check_float_array(name, array, shape)
        levels: Lights = np.clip(values, 0, self._q - 1).astype(np.uint8)
        for invalid in values[levels != values][:1].tolist():
            raise OptionError(f"{name} must have levels from 0 to {self._q - 1}, not {invalid:g}")
        return levels

    def add(self, left: Lights, right: Any) -> Lights:
        """Return ``left + right`` modulo the number of levels, cell by cell."""
        return mod_inplace(left + right, self._q)

    def subtract(self, left: Lights, right: Any) -> Lights:
        """Return ``left - right`` modulo the number of levels, cell by cell."""
        return mod_inplace(np.uint8(self._q) - right + left, self._q)

    def toggled_levels(self, rule: Rule, clicks: Lights, *, wrap: bool) -> Lights:
        """Return how many levels a click set adds to each cell."""
        return rule.toggled_levels(clicks, self._q, wrap=wrap)

    def sum_levels(self, lights: Lights) -> int:
        """Return the sum over all cells: levels of a configuration, or presses of a click set."""
        return int(lights.sum(dtype=np.int64))


class _TwoLevelArithmetic(LevelArithmetic):
    dtype = np.dtype(bool)
    reference = np.True_

    def validate_levels(self, array: Lights, name: str, shape: tuple[int | None, ...]) -> Lights:
        return check_bool_array(name, array, *shape)

    def add(self, left: Lights, right: Any) -> Lights:
        return np.asarray(left ^ right)

    subtract = add  # modulo 2, subtraction is addition

    def toggled_levels(self, rule: Rule, clicks: Lights, *, wrap: bool) -> Lights:
        return rule.toggled_cells(clicks, wrap=wrap)

    def sum_levels(self, lights: Lights) -> int:
        return int(np.count_nonzero(lights))


def arithmetic_of(levels: int) -> LevelArithmetic:
    """Return the arithmetic for boards with ``levels`` states per cell.

    >>> left, right = np.array([0, 1, 2], np.uint8), np.array([2, 2, 2], np.uint8)
    >>> arithmetic_of(3).subtract(left, right).tolist(), arithmetic_of(3).add(left, right).tolist()
    ([1, 2, 0], [2, 0, 1])
    """
    return _TwoLevelArithmetic(levels) if levels == 2 else LevelArithmetic(levels)
