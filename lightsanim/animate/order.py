"""Click set -> click order.

An order gives every cell a time; the cells of the click set are clicked in the order of their
times.  Each is a short function from the board's shape and a generator to times (rows, columns),
registered in `ORDERS`.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.errors import OptionError

Times = NDArray[np.float64]

# How far a click may stray from its place, in cells: enough to keep the edge between the two
# pictures from looking like a machine's, little enough to keep it narrow.
JITTER = 0.7


def radial_times(shape: tuple[int, int], rng: np.random.Generator) -> Times:
    """From the middle of the board outwards."""
    rows, columns = shape
    down = np.arange(rows)[:, None] - (rows - 1) / 2
    right = np.arange(columns)[None, :] - (columns - 1) / 2
    distance: Times = np.hypot(down, right)
    return distance + rng.uniform(-JITTER, JITTER, shape)


def sweep_times(shape: tuple[int, int], rng: np.random.Generator) -> Times:
    """From the left edge to the right."""
    return np.arange(shape[1])[None, :] + rng.uniform(-JITTER, JITTER, shape)


def random_times(shape: tuple[int, int], rng: np.random.Generator) -> Times:
    """Anywhere, any time."""
    return rng.random(shape)


ORDERS: dict[str, Callable[[tuple[int, int], np.random.Generator], Times]] = {
    "radial": radial_times,
    "random": random_times,
    "sweep": sweep_times,
}


def order_clicks(clicks: Bits, order: str, rng: np.random.Generator) -> NDArray[np.int32]:
    """The cells of a click set, one after the other.

    Args:
        clicks: bool (rows, columns).
        order: one of `ORDERS`.
        rng: decides what the order leaves open.

    Returns:
        int32 (number of clicks,): cell numbers, ``row * columns + column``.

    Raises:
        OptionError: for an unknown order.

    >>> order_clicks(np.ones((1, 3), bool), "sweep", np.random.default_rng(0)).tolist()
    [0, 1, 2]
    """
    if order not in ORDERS:
        raise OptionError(f"unknown order {order!r}; known: {', '.join(ORDERS)}")
    cells = np.flatnonzero(clicks)
    times = ORDERS[order](clicks.shape, rng).ravel()[cells]
    return cells[np.argsort(times, kind="stable")].astype(np.int32)
