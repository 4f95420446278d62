"""Click orders: a click set becomes a sequence of clicks.

An order gives each cell of a board a time, and clicks are made in the order of their times.
`order_clicks` breaks ties, and applies the spread: random deviations from the order.

If times are distances, the edge of the clicked area is a line that moves over the board: the front.
`order_clicks_with_front` returns when the front reaches each click, so that the timing can move it
at constant speed.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightsanim.game.algebra.linear import Bits
from lightsanim.options.checks import check_bool_array, check_number
from lightsanim.options.choices import TIMED_ORDERS, TimedOrder
from lightsanim.options.stages import DEFAULT_SPREAD, to_click_order
from lightsanim.options.values import CustomOrder
from .cell_times import Times, Tones, cell_times

# Orders with a front, because their times are distances.  Spirals and Hilbert curves already move
# at constant speed along the curve; the blobs of noise and tone have no front.
FRONT_ORDERS = ("radial", "sweep", "diagonal", "contour")
# Minimum share of cells that are black in both pictures, or white in both, to choose radial: on
# such a common background, there are no edges for contours to follow.
MIN_SHARED_GROUND = 0.3
# Minimum number of cells to choose radial, because files are written 10 % faster.
FINE_CELLS = 500_000
# A grey at most this far from black or white, on a scale of 0 to 1, counts as black or white.
NEAR_PURE = 0.02
# Number of equal parts of a front's path; within each part, clicks are evenly spaced in time.
FRONT_STRETCHES = 32
# Share of the time of a move that is divided evenly among all cells; the rest is divided among the
# cells that visibly change.  Contours need more, so that the flood does not leap over flat parts.
EVEN_FLOOR, CONTOUR_FLOOR = 0.08, 0.5


def choose_order(greys: Sequence[NDArray[np.floating]]) -> str:
    """Return "radial" if the pictures are large or share a background, otherwise "contour".

    >>> photograph, drawing = np.full((1, 2, 2), 0.4), np.ones((1, 2, 2))
    >>> choose_order([photograph, drawing]), choose_order([drawing, drawing])
    ('contour', 'radial')
    """
    shares = [
        np.all((abs(a - b) <= NEAR_PURE) & (abs(a - 0.5) >= 0.5 - NEAR_PURE), axis=0).mean()
        for a, b in pairwise(greys)
    ]
    has_ground = sum(shares) >= MIN_SHARED_GROUND * (len(greys) - 1) > 0
    is_fine = any(grey[0].size >= FINE_CELLS for grey in greys)
    return "radial" if has_ground or is_fine else "contour"


def order_clicks(
    clicks: Bits,
    order: TimedOrder | NDArray[Any] | Callable[[Times, Times], NDArray[Any]],
    rng: np.random.Generator,
    *,
    reverse: bool = False,
    spread: float = DEFAULT_SPREAD,
    tone: NDArray[np.floating] | None = None,
    next_tone: NDArray[np.floating] | None = None,
) -> NDArray[np.int32]:
    """Return the cells of a click set in the order in which they are clicked.

    Clicks are sorted by ``(1 - spread) * rank + spread * random``.  The rank of a click in the
    order and the random number are between 0 and 1, so ``spread`` has the same effect in all
    orders and sizes: about that share of the clicks is mixed at any time.

    Args:
        clicks: bool array of shape (rows, columns).
        order: name of an order; or an array of shape (rows, columns) with a time for each cell,
            smallest first; or a function that returns such an array from the float arrays of rows
            and columns of all cells.
        rng: random generator for ties, noise and spread.
        reverse: whether to reverse the order.
        spread: random deviation from the order: 0 = none, 1 = a random order.
        tone: float array of shape (rows, columns): grey values of the picture before the clicks,
            which the orders "tone" and "contour" need.
        next_tone: grey values of the picture after the clicks, which "contour" needs.

    Returns:
        int32 array of shape (number of clicks,) of cell numbers, ``row * columns + column``.

    Raises:
        OptionError: if the order is unknown, the spread is not between 0 and 1, the tone is
            missing, or an array has another shape or invalid values.

    >>> order_clicks(np.ones((1, 3), bool), "sweep", np.random.default_rng(0), spread=0).tolist()
    [0, 1, 2]
    """
    clicks = check_bool_array("clicks", clicks, None, None)
    parsed = to_click_order(order, TIMED_ORDERS)
    spread = check_number("spread", spread, 0, 1)
    cells, _ = order_clicks_with_front(
        clicks, parsed, rng, reverse=reverse, spread=spread, tones=(tone, next_tone)
    )
    return cells


def order_clicks_with_front(
    clicks: Bits,
    order: str | CustomOrder,
    rng: np.random.Generator,
    *,
    reverse: bool,
    spread: float,
    tones: Tones,
    visible_change: Callable[[], Times] | None = None,
) -> tuple[NDArray[np.int32], Times | None]:
    """Order clicks as `order_clicks` does; also return the progress of a front at each click.

    The front, if there is one, moves evenly, or so that the ``visible_change`` of cells is even.
    """
    times = cell_times(order, clicks.shape, rng, tones).ravel()
    cells = rng.permutation(np.flatnonzero(clicks).astype(np.int32))  # breaks ties at random
    cells = cells[np.argsort(times[cells], kind="stable")]
    front = None
    if isinstance(order, CustomOrder) or order in FRONT_ORDERS:
        if visible_change is None:
            front = front_progress(times[cells])
        else:
            floor = CONTOUR_FLOOR if order == "contour" else EVEN_FLOOR
            front = np.sort(change_progress(times, visible_change().ravel(), floor)[cells])
    if spread > 0:
        ranks = (1 - spread) * np.linspace(0, 1, len(cells)) + spread * rng.random(len(cells))
        cells = cells[np.argsort(ranks, kind="stable")]
    if reverse:
        return cells[::-1], None if front is None else 1 - front[::-1]
    return cells, front


def front_progress(times: Times) -> Times:
    """Return when a front that moves at constant speed reaches each click, from 0 to 1.

    The clicks in each of `FRONT_STRETCHES` are made evenly.  Exact times would make the film jerk:
    distances from the middle come in clusters, those from an edge column by column.
    """
    values, counts = np.unique(times, return_counts=True)
    if len(values) < 2:
        return (np.arange(len(times)) + 0.5) / max(len(times), 1)
    values /= abs(values).max()  # avoids overflow when values are doubled below
    stretch = np.floor(FRONT_STRETCHES * (values - values[0]) / (values[-1] - values[0]))
    last = np.flatnonzero(np.diff(stretch, append=np.inf))
    stops = np.concatenate([[2 * values[0] - values[1]], values[last]])
    done = np.concatenate([[0], np.cumsum(counts)[last]])
    positions = np.interp(np.arange(len(times)) + 0.5, done, stops)
    return np.asarray((positions - stops[0]) / (stops[-1] - stops[0]))


def change_progress(times: Times, change: Times, floor: float) -> Times:
    """Return the share of the visible change, ``floor`` of it even, made by each cell's time."""
    weights = floor + (1 - floor) * change / max(float(change.mean()), 1e-9)
    del change  # it takes as much memory as each other array here
    total, order = weights.sum(), np.argsort(times, kind="stable")
    progress = weights[order]
    np.cumsum(progress, out=progress)  # in place, to save memory on large boards
    weights[order] = np.divide(progress, total, out=progress)
    return weights
