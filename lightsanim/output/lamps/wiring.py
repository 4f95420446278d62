"""The order of lamps along the wire of LED panels, as in Adafruit's NeoMatrix library."""

import numpy as np
from numpy.typing import NDArray

from lightsanim.options.values import Panels, neomatrix_flags

# File suffixes of films for LED panels.
LAMP_SUFFIXES = (".h", ".ino", ".wled")
# Values of the option ``library`` for each file suffix, the default first.
LIBRARIES = {".h": (None, "c"), ".ino": ("neopixel", "fastled")}

Lamps = NDArray[np.int64]


def lamp_numbers(shape: tuple[int, int], wiring: str, panels: Panels) -> Lamps:
    """Return each cell's lamp number, int64 (rows, columns), as in NeoMatrix's ``drawPixel``.

    >>> lamp_numbers((2, 4), "zigzag", Panels(2, 1)).tolist()
    [[0, 1, 4, 5], [3, 2, 7, 6]]
    """
    across, down, order = panels
    rows, columns, bits = shape[0] // down, shape[1] // across, neomatrix_flags(order)
    inner, lamps = _wire_positions(wiring, rows, columns), np.empty(shape, np.int64)
    for (row, column), panel in np.ndenumerate(_wire_positions(order, down, across)):
        # In zigzag order every other line of panels is rotated by 180 degrees.
        flipped = bits & 8 and panel // (down if bits & 4 else across) % 2
        slices = np.s_[row * rows : (row + 1) * rows, column * columns : (column + 1) * columns]
        lamps[slices] = panel * inner.size + (inner[::-1, ::-1] if flipped else inner)
    return lamps


def _wire_positions(wiring: str, rows: int, columns: int) -> Lamps:
    # Returns the position along the wire of each lamp of a panel, or of each panel.
    bits = neomatrix_flags(wiring)
    numbers = np.arange(rows * columns).reshape((columns, rows) if bits & 4 else (rows, columns))
    if bits & 8:
        numbers[1::2] = numbers[1::2, ::-1].copy()
    return (numbers.T if bits & 4 else numbers)[:: -1 if bits & 1 else 1, :: -1 if bits & 2 else 1]
