"""The time of each cell in a click order: circles, spirals, curves, blobs, or contours of pictures.

Contours: a flood starts where viewers look first in the second picture, and is slow across edges of
both pictures.  So the shapes of the second appear one by one, inside the shapes of the first.
"""

import hashlib
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError
from lightsanim.options.checks import check_float_array, require_keys
from lightsanim.options.choices import TIMED_ORDERS
from lightsanim.options.values import CustomOrder
from lightsanim.pictures.blur import blur_by_gaussian, blur_on_torus
from lightsanim.pictures.interest import find_centre_of_interest

Times: TypeAlias = NDArray[np.float64]
Greys: TypeAlias = NDArray[np.floating]
Shape: TypeAlias = tuple[int, int]
Tones: TypeAlias = tuple[Greys | None, Greys | None]
"""The grey values of the pictures before and after the clicks; None if they are not known."""
Side = tuple[int, int]
"""A side of a block: the difference of neighbouring cells' numbers, and the number of cells."""

# The constants below were chosen by eye, from stills of boards 60, 120 and 300 columns wide.

# Number of turns of the spiral; with more, its arm is too narrow to be seen turning.
SPIRAL_TURNS = 3
# Approximate number of noise blobs along the shorter side.
BLOBS_PER_SIDE = 3
# Minimum size of a noise blob, in cells.
MIN_BLOB_SIZE = 10
# Ratio of the board's shorter side to the standard deviation of the blur of tones.
TONE_BLUR_DIVISOR = 60
# Minimum standard deviation of the blur of tones, in cells.
MIN_TONE_BLUR = 2
# How much the strongest edge of the first and of the second picture slows the flood.
FIRST_EDGE, SECOND_EDGE = 7.5, 30.0
# Standard deviations of the blur of the pictures and of the times, in cells.
PICTURE_BLUR, TIME_BLUR = 1.0, 0.8
# Distance in cells at which these blurs are cut off, on boards with longer sides.
MAX_BLUR_REACH = 4
# Maximum number of times that the flood sweeps the board down and up; a few are enough.
MAX_SWEEPS = 50


def radial_times(shape: Shape) -> Times:
    """Return times that grow from the middle of the board outwards, in circles."""
    return np.asarray(np.hypot(*_offsets_from_middle(shape)))


def spiral_times(shape: Shape) -> Times:
    """Return the turns of a square Archimedean spiral from the middle, stretched to the board."""
    down, right = _offsets_from_middle(shape)
    down, right = down / shape[0], right / shape[1]
    distance = 2 * SPIRAL_TURNS * np.maximum(abs(down), abs(right))
    angle = np.arctan2(down, right) / (2 * np.pi) % 1
    return np.asarray(np.floor(distance - angle) + angle)


def noise_times(shape: Shape, rng: np.random.Generator) -> Times:
    """Return times that are blurred white noise, so that the picture changes in blobs."""
    blob = max(min(shape) / BLOBS_PER_SIDE, MIN_BLOB_SIZE)
    return blur_on_torus(rng.standard_normal(shape), blob / 4)


def tone_times(tone: Greys | None, shape: Shape) -> Times:
    """Return times that grow from the dark to the light parts of the first picture, blurred."""
    if tone is None:
        raise OptionError("order 'tone' needs the argument tone, the first picture's grey values")
    tone, (rows, columns) = check_float_array("tone", tone, shape), shape
    mirrored = np.pad(tone, ((0, rows), (0, columns)), mode="symmetric")
    blur = max(min(shape) / TONE_BLUR_DIVISOR, MIN_TONE_BLUR)
    return blur_on_torus(mirrored, blur)[:rows, :columns]


def _check_tones(tones: Tones, shape: Shape) -> list[Greys]:
    if tones[0] is None or tones[1] is None:
        raise OptionError(
            "order 'contour' needs the arguments tone and next_tone, the pictures' grey values"
        )
    return [check_float_array("tone", tone, shape) for tone in tones if tone is not None]


def _offsets_from_middle(shape: Shape) -> tuple[Times, Times]:
    """Return the cells' distances below and right of the middle: (rows, 1) and (1, columns)."""
    down, right = np.ogrid[: shape[0], : shape[1]]
    return down - (shape[0] - 1) / 2, right - (shape[1] - 1) / 2


def hilbert_positions(shape: tuple[int, int]) -> NDArray[np.int64]:
    """Return the position of each cell on a generalised Hilbert curve: int64 (rows, columns).

    The construction is Jakub Červený's "gilbert" (https://github.com/jakubcerveny/gilbert).  It
    splits a block in three (up, along, down), or a long block in two.  Halves are even if possible,
    because no path leads from corner to corner along an odd side of a block whose other side is
    even.
    """
    rows, columns = shape
    along, across = (1, columns), (columns, rows)
    # If only one side is even, the curve runs along it; otherwise along the longer side.
    if (columns % 2, rows) > (rows % 2, columns):
        along, across = across, along
    return np.argsort(_list_cells(0, along, across)).reshape(shape)


def _list_cells(start: int, along: Side, across: Side) -> list[int]:
    """Return the cells of a block in the order from its corner to the end of ``along``."""
    (step, long), (aside, wide) = along, across
    if wide == 1:
        return [start + n * step for n in range(long)]
    if long == 1:
        return [start + n * aside for n in range(wide)]
    if 2 * long > 3 * wide:
        half = _halve_to_even(long)
        rest = _list_cells(start + half * step, (step, long - half), across)
        return _list_cells(start, (step, half), across) + rest
    half, up = long // 2, _halve_to_even(wide)
    corner = start + (long - 1) * step + (up - 1) * aside
    return [
        *_list_cells(start, (aside, up), (step, half)),
        *_list_cells(start + up * aside, along, (aside, wide - up)),
        *_list_cells(corner, (-aside, up), (-step, long - half)),
    ]


def _halve_to_even(length: int) -> int:
    half = length // 2
    return half + (half % 2) * (length > 2)


def contour_times(first: Greys, second: Greys) -> Times:
    """Return each cell's distance from where viewers look first; edges count as many cells.

    >>> plain, edge = np.zeros((1, 12)), np.repeat([[0.0, 1.0]], 6, axis=1)
    >>> abs(np.diff(contour_times(plain, edge)[0])).astype(int).tolist()
    [0, 1, 2, 8, 5, 16, 20, 8, 2, 1, 0]
    """
    cost = 1 + FIRST_EDGE * _edge_strength(first) + SECOND_EDGE * _edge_strength(second)
    row, column = find_centre_of_interest(second)
    distances = geodesic_distances(cost, (round(row), round(column)))
    return _blur(distances, TIME_BLUR).astype(np.float64)


def geodesic_distances(cost: Greys, start: tuple[int, int]) -> Times:
    """Return the length of the shortest path from ``start`` to each cell, in eight directions.

    A step is as long as the mean ``cost`` of its two cells, times the distance of their centres.
    """
    half = np.asarray(cost, np.float64) / 2
    distances = np.full(half.shape, np.inf)
    distances[start] = 0
    along = np.cumsum(half + np.pad(half, ((0, 0), (1, 0)))[:, :-1], axis=1)
    rows = range(len(half))
    for _ in range(MAX_SWEEPS):
        before = distances.copy()
        for order in (rows, rows[::-1]):
            _sweep_rows(distances, half, along, order)
        if np.array_equal(before, distances):
            break
    return distances


def _sweep_rows(distances: Times, half: Times, along: Times, order: range) -> None:
    # Shorten the paths to the cells of each row by paths from the row before it, and along it.
    previous = order[0]
    for row in order:
        line, above = distances[row], distances[previous]
        np.minimum(line, above + half[row] + half[previous], out=line)
        for here, there in ((np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:])):
            slant = above[there] + np.sqrt(2) * (half[row][here] + half[previous][there])
            np.minimum(line[here], slant, out=line[here])
        rising = np.minimum.accumulate(line - along[row]) + along[row]
        falling = np.minimum.accumulate((line + along[row])[::-1])[::-1] - along[row]
        np.minimum(rising, falling, out=line)
        previous = row


def _edge_strength(grey: Greys) -> Greys:
    # Return the slopes of the blurred grey values as shares of the largest: (rows, columns).
    around = np.pad(_blur(grey, PICTURE_BLUR), 1, mode="edge")
    slopes: Greys = np.hypot(*np.gradient(around))[1:-1, 1:-1]
    return slopes / max(float(slopes.max()), 1e-9)


def _blur(values: Greys, deviation: float) -> Greys:
    return blur_by_gaussian(values, deviation, min(MAX_BLUR_REACH, *values.shape))


MakeTimes: TypeAlias = Callable[[Shape, np.random.Generator, Tones], Times]

ORDERS: dict[str, MakeTimes] = require_keys(
    TIMED_ORDERS,
    {
        "radial": lambda shape, rng, tones: radial_times(shape),
        # All times are equal, so random tie-breaking decides.
        "random": lambda shape, rng, tones: np.zeros(shape),
        "sweep": lambda shape, rng, tones: np.indices(shape, float)[1],
        "diagonal": lambda shape, rng, tones: np.indices(shape, float).sum(axis=0),
        "spiral": lambda shape, rng, tones: spiral_times(shape),
        "hilbert": lambda shape, rng, tones: hilbert_positions(shape).astype(float),
        "noise": lambda shape, rng, tones: noise_times(shape, rng),
        "tone": lambda shape, rng, tones: tone_times(tones[0], shape),
        "contour": lambda shape, rng, tones: contour_times(*_check_tones(tones, shape)),
    },
)


def cell_times(
    order: str | CustomOrder, shape: Shape, rng: np.random.Generator, tones: Tones = (None, None)
) -> Times:
    """Return the time of each cell in an order: float (rows, columns)."""
    if not isinstance(order, CustomOrder):
        return ORDERS[order](shape, rng, tones)
    custom = order.source
    try:
        times = custom(*np.indices(shape, float)) if callable(custom) else custom
    except (TypeError, ValueError) as error:  # such as "only length-1 arrays can be converted"
        expected = "order must be a function that takes arrays of rows and columns, not numbers"
        raise OptionError(f"{expected}: {error}", "order") from error
    return check_float_array("order", times, shape)


def digest_order(order: CustomOrder, shape: Shape) -> str:
    """Return the SHA-256 of the times of a custom order, by which films record it."""
    times = cell_times(order, shape, np.random.default_rng(0))
    return hashlib.sha256(np.ascontiguousarray(times, "<f8").tobytes()).hexdigest()
