"""The order of lamps along the wire of one or more panels, as Adafruit's NeoMatrix has it."""

import numpy as np
from numpy.typing import NDArray

from lightsanim.options.values import Panels, neomatrix_flags

# Suffixes of films for lamps.
LAMP_SUFFIXES = (".h", ".ino", ".wled")

# For each suffix the readers that can stand in the file, the default first.
READERS = {".h": (None, "c"), ".ino": ("neopixel", "fastled")}

Lamps = NDArray[np.int64]


def lamp_numbers(shape: tuple[int, int], wiring: str, panels: Panels) -> Lamps:
    """The lamp of each cell, int64 (rows, columns), as Adafruit_NeoMatrix's ``drawPixel`` has it.

    >>> lamp_numbers((2, 4), "zigzag", Panels(2, 1)).tolist()
    [[0, 1, 4, 5], [3, 2, 7, 6]]
    """
    across, down, order = panels
    rows, columns, bits = shape[0] // down, shape[1] // across, neomatrix_flags(order)
    inner, lamps = _wire_positions(wiring, rows, columns), np.empty(shape, np.int64)
    for (row, column), panel in np.ndenumerate(_wire_positions(order, down, across)):
        # Every other line of zigzag panels is upside down.
        flipped = bits & 8 and panel // (down if bits & 4 else across) % 2
        slices = np.s_[row * rows : (row + 1) * rows, column * columns : (column + 1) * columns]
        lamps[slices] = panel * inner.size + (inner[::-1, ::-1] if flipped else inner)
    return lamps


def _wire_positions(wiring: str, rows: int, columns: int) -> Lamps:
    # The number of each place on a wire.
    bits = neomatrix_flags(wiring)
    numbers = np.arange(rows * columns).reshape((columns, rows) if bits & 4 else (rows, columns))
    if bits & 8:
        numbers[1::2] = numbers[1::2, ::-1].copy()
    return (numbers.T if bits & 4 else numbers)[:: -1 if bits & 1 else 1, :: -1 if bits & 2 else 1]
