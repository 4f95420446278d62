"""Configurations and click sets by their number of levels, and the packing of colour planes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_bool_array, check_float_array

Lights = NDArray[Any]
"""A configuration or a click set: bool with two levels, otherwise uint8 from 0 to levels - 1."""

Shades = NDArray[np.uint8]
"""The levels of all colour planes at each cell as one number; see `pack_levels`."""


def dtype_of(levels: int) -> np.dtype[np.bool | np.uint8]:
    """Return the array type of configurations and click sets: bool, or uint8 if ``levels > 2``."""
    return np.dtype(bool) if levels == 2 else np.dtype(np.uint8)


def check_lights(array: Lights, name: str, shape: tuple[int | None, ...], *, levels: int) -> Lights:
    """Check an array and convert it to `dtype_of`; error messages call the array ``name``."""
    if levels == 2:
        return check_bool_array(name, array, *shape)
    ready = isinstance(array, np.ndarray) and array.dtype == np.uint8
    values = array if ready and array.shape == shape else check_float_array(name, array, shape)
    lights: Lights = np.clip(values, 0, levels - 1).astype(np.uint8)
    for invalid in values[lights != values][:1].tolist():
        raise OptionError(f"{name} must have levels from 0 to {levels - 1}, not {invalid:g}")
    return lights


def pack_levels(configuration: NDArray[Any], levels: int = 2) -> Shades:
    """Pack the levels at each cell into one number, whose lowest digit is the first plane's."""
    *lower, highest = configuration.reshape(-1, *configuration.shape[-2:])
    shades: Shades = highest.astype(np.uint8)
    for plane in reversed(lower):
        shades *= levels
        shades += plane
    return shades


def unpack_levels(shades: Shades, planes: int, levels: int = 2) -> NDArray[Any]:
    """Undo `pack_levels`: return bool (planes, rows, columns), uint8 for more than two levels."""
    digits = np.arange(planes, dtype=np.uint8)[:, None, None]
    if levels == 2:  # shifts are many times faster than divisions
        return np.asarray(shades >> digits & 1 == 1)
    return np.asarray(shades // np.uint8(levels) ** digits % np.uint8(levels))


def stack_planes(planes: Sequence[Lights]) -> Lights:
    """Return a single colour plane unchanged, or three planes stacked as (3, rows, columns)."""
    return planes[0] if len(planes) == 1 else np.stack(planes)


def count_planes(configuration: NDArray[Any]) -> int:
    """Return the number of colour planes of a configuration: 1, or 3 in colour."""
    return 3 if configuration.ndim == 3 else 1
