"""Checks of configurations and click sets, by the number of levels of a cell."""

import numpy as np

from lightsanim.errors import OptionError
from lightsanim.look.levels import Lights
from lightsanim.options.checks import check_bool_array, check_float_array


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
