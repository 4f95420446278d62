"""Click set -> click order.

An order gives every cell a time; the cells of the click set are clicked in the order of their
times.  Each is a short function from the board's shape to times (rows, columns), registered in
`ORDERS`, or given by a Python user.  What is the same for all of them is done in `order_clicks`:
who goes first of two cells with one time, and how far a click may stray from its place.

Where times are distances, what is done ends in a line that moves over the board: the front.
`order_clicks_with_front` tells when it comes to each click, so that
`lightsanim.animation.timing` can give it an even speed.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.animation.hilbert import hilbert_positions
from lightsanim.errors import OptionError
from lightsanim.look.blur import blur_on_torus
from lightsanim.options.checks import (
    check_bool_array,
    check_float_array,
    check_number,
    require_keys,
)
from lightsanim.options.choices import TIMED_ORDERS, TimedOrder
from lightsanim.options.stages import DEFAULT_SPREAD, to_click_order
from lightsanim.options.values import CustomOrder

Shape: TypeAlias = tuple[int, int]
Times: TypeAlias = NDArray[np.float64]

# Orders whose times are distances.  A spiral and a Hilbert curve have even speed along themselves
# with as many clicks at any time; blobs of noise and of tones have no front to follow.
FRONT_ORDERS = ("radial", "sweep", "diagonal")

# The share of cells that are pure, and alike in both pictures, from which on a front is better: in
# a ground that stays blobs would draw worms.
MIN_SHARED_GROUND = 0.3

# Cells from which on a front is better, too: films of blobs take a tenth longer to write, and a
# board as fine as a picture looks well under any order.
FINE_CELLS = 500_000

# How far from black or white a cell may be that is pure.
NEAR_PURE = 0.02

# In how many equal stretches its speed is even.
FRONT_STRETCHES = 32

# The constants below were chosen by eye, from stills of boards 60, 120 and 300 columns wide.

# Of the spiral, from the middle to the edge: with more, its arm is too narrow to be seen turning.
SPIRAL_TURNS = 3

# How many blobs of noise, about, lie along the shorter side, and the least size of one in cells.
BLOBS_PER_SIDE = 3
MIN_BLOB_SIZE = 10

# The standard deviation of the blur of the tones: this part of the shorter side, at least 2 cells.
TONE_BLUR_DIVISOR = 60
MIN_TONE_BLUR = 2


def radial_times(shape: Shape) -> Times:
    """From the middle of the board outwards, in circles."""
    return np.asarray(np.hypot(*_offsets_from_middle(shape)))


def spiral_times(shape: Shape) -> Times:
    """From the middle outwards on a square spiral, stretched to the board: the turns made.

    The arm of an Archimedean spiral with one turn in each unit of distance, drawn as wide as the
    gap between its turns, covers the plane; distance is the larger of the two coordinates instead
    of the length, so that the spiral is as square as the board and no turn is cut off by an edge.
    """
    down, right = _offsets_from_middle(shape)
    down, right = down / shape[0], right / shape[1]
    distance = 2 * SPIRAL_TURNS * np.maximum(abs(down), abs(right))
    angle = np.arctan2(down, right) / (2 * np.pi) % 1
    return np.asarray(np.floor(distance - angle) + angle)


def noise_times(shape: Shape, rng: np.random.Generator) -> Times:
    """A smooth random field, blurred white noise: one picture dissolves into the other in blobs."""
    blob = max(min(shape) / BLOBS_PER_SIDE, MIN_BLOB_SIZE)
    return blur_on_torus(rng.standard_normal(shape), blob / 4)


def tone_times(tone: NDArray[np.floating] | None, shape: Shape) -> Times:
    """From the dark parts of the first picture to its light parts.

    The tones are blurred a little, with the picture mirrored at its edges: single cells would make
    noise of a photograph, and equal ones give no order; now flat parts go from their inside out.
    """
    if tone is None:
        raise OptionError("order 'tone' needs tone, the grey values of the first picture")
    tone, (rows, columns) = check_float_array("tone", tone, shape), shape
    mirrored = np.pad(tone, ((0, rows), (0, columns)), mode="symmetric")
    return blur_on_torus(mirrored, max(min(shape) / TONE_BLUR_DIVISOR, MIN_TONE_BLUR))[
        :rows, :columns
    ]


def _offsets_from_middle(shape: Shape) -> tuple[Times, Times]:
    """How far below and to the right of the middle: (rows, 1) and (1, columns), in cells."""
    down, right = np.ogrid[: shape[0], : shape[1]]
    return down - (shape[0] - 1) / 2, right - (shape[1] - 1) / 2


MakeTimes: TypeAlias = Callable[[Shape, np.random.Generator, NDArray[np.floating] | None], Times]

ORDERS: dict[str, MakeTimes] = require_keys(
    TIMED_ORDERS,
    {
        "radial": lambda shape, rng, tone: radial_times(shape),
        # All at one time: the draw alone decides.
        "random": lambda shape, rng, tone: np.zeros(shape),
        # From the left edge to the right, and from the top left corner to the bottom right one.
        "sweep": lambda shape, rng, tone: np.indices(shape, float)[1],
        "diagonal": lambda shape, rng, tone: np.indices(shape, float).sum(axis=0),
        "spiral": lambda shape, rng, tone: spiral_times(shape),
        "hilbert": lambda shape, rng, tone: hilbert_positions(shape).astype(float),
        "noise": lambda shape, rng, tone: noise_times(shape, rng),
        "tone": lambda shape, rng, tone: tone_times(tone, shape),
    },
)


def choose_order(greys: Sequence[NDArray[np.floating]]) -> str:
    """The order that suits some pictures: noise, which is a picture at any time, or radial.

    ``greys``: (boards, rows, columns) of each picture.

    >>> photograph, drawing = np.full((1, 2, 2), 0.4), np.ones((1, 2, 2))
    >>> choose_order([photograph, drawing]), choose_order([drawing, drawing])
    ('noise', 'radial')
    """
    shares = [
        np.all((abs(a - b) <= NEAR_PURE) & (abs(a - 0.5) >= 0.5 - NEAR_PURE), axis=0).mean()
        for a, b in pairwise(greys)
    ]
    has_ground = sum(shares) >= MIN_SHARED_GROUND * (len(greys) - 1) > 0
    return "radial" if has_ground or any(grey[0].size >= FINE_CELLS for grey in greys) else "noise"


def cell_times(
    order: str | CustomOrder,
    shape: Shape,
    rng: np.random.Generator,
    tone: NDArray[np.floating] | None = None,
) -> Times:
    """The time of each cell: float (rows, columns)."""
    if not isinstance(order, CustomOrder):
        return ORDERS[order](shape, rng, tone)
    custom = order.source
    return check_float_array(
        "order", custom(*np.indices(shape, float)) if callable(custom) else custom, shape
    )


def order_clicks(
    clicks: Bits,
    order: TimedOrder | NDArray[Any] | Callable[[Times, Times], NDArray[Any]],
    rng: np.random.Generator,
    *,
    reverse: bool = False,
    spread: float = DEFAULT_SPREAD,
    tone: NDArray[np.floating] | None = None,
) -> NDArray[np.int32]:
    """The cells of a click set, one after the other.

    A click's place is its rank in the order, from 0 to 1; it is clicked at
    ``(1 - spread) * place + spread * draw`` with a draw from 0..1.  So ``spread`` means the same in
    every order and at every size: about that share of the clicks is being made at a time.

    Args:
        clicks: bool (rows, columns).
        order: one of `ORDERS`; or a time for each cell, (rows, columns), smaller first; or a
            function that makes these of the row and the column of each cell, as float arrays.
        rng: decides what the order leaves open, such as who goes first of two with one time.
        reverse: the same order, backwards.
        spread: how far clicks stray from their places: 0 for not at all, 1 for a random order.
        tone: float (rows, columns), the grey values of the first picture, for the order "tone".

    Returns:
        int32 (number of clicks,): cell numbers, ``row * columns + column``.

    Raises:
        OptionError: for an unknown order, a spread outside 0..1, a tone that is missing, or arrays
            of other shapes or values.

    >>> order_clicks(np.ones((1, 3), bool), "sweep", np.random.default_rng(0), spread=0).tolist()
    [0, 1, 2]
    """
    clicks = check_bool_array("clicks", clicks, None, None)
    parsed = to_click_order(order, TIMED_ORDERS)
    spread = check_number("spread", spread, 0, 1)
    return order_clicks_with_front(clicks, parsed, rng, reverse=reverse, spread=spread, tone=tone)[
        0
    ]


def order_clicks_with_front(
    clicks: Bits,
    order: str | CustomOrder,
    rng: np.random.Generator,
    *,
    reverse: bool,
    spread: float,
    tone: NDArray[np.floating] | None,
) -> tuple[NDArray[np.int32], Times | None]:
    """As `order_clicks`, with when the front comes to each click, see `front_progress`.

    None for an order without a front.
    """
    times = cell_times(order, clicks.shape, rng, tone).ravel()
    cells = rng.permutation(np.flatnonzero(clicks).astype(np.int32))  # so that ties are drawn
    times = times[cells]
    ranked = np.argsort(times, kind="stable")
    cells, front = cells[ranked], None
    if isinstance(order, CustomOrder) or order in FRONT_ORDERS:
        front = front_progress(times[ranked])
    if spread > 0:
        ranks = np.linspace(0, 1, len(cells))
        ranks *= 1 - spread
        ranks += spread * rng.random(len(cells))
        cells = cells[np.argsort(ranks, kind="stable")]
    if reverse:
        return cells[::-1], None if front is None else 1 - front[::-1]
    return cells, front


def front_progress(times: Times) -> Times:
    """When a front of even speed makes each of some clicks: 0..1 of its way, rising.

    It comes on time to one distance in each of `FRONT_STRETCHES` equal stretches, and makes the
    clicks between two of them evenly: distances from a middle lie in knots and gaps, those from an
    edge a column apart, and a film of them as they are would jerk.

    ``times``: float (clicks,).

    >>> front_progress(np.array([1.0, 1, 2, 3])).round(3)
    array([0.083, 0.25 , 0.5  , 0.833])
    """
    values, counts = np.unique(times, return_counts=True)
    if len(values) < 2:
        return (np.arange(len(times)) + 0.5) / max(len(times), 1)
    values /= abs(values).max()  # no number is too large to be doubled
    stretch = np.floor(FRONT_STRETCHES * (values - values[0]) / (values[-1] - values[0]))
    last = np.flatnonzero(np.diff(stretch, append=np.inf))
    stops = np.concatenate([[2 * values[0] - values[1]], values[last]])
    done = np.concatenate([[0], np.cumsum(counts)[last]])
    positions = np.interp(np.arange(len(times)) + 0.5, done, stops)
    return np.asarray((positions - stops[0]) / (stops[-1] - stops[0]))
