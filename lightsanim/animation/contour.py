"""Click times that follow the contours of two pictures.

A flood starts where viewers look first in the second picture, and is slow across edges of both
pictures.  So the shapes of the second picture appear one by one, inside the shapes of the first.
"""

import numpy as np
from numpy.typing import NDArray

from lightsanim.look.blur import blur_by_gaussian
from lightsanim.pictures.interest import find_centre_of_interest

Times = NDArray[np.float64]
Greys = NDArray[np.floating]

# How much the strongest edge of the first and of the second picture slows the flood.
FIRST_EDGE, SECOND_EDGE = 7.5, 30.0
# Standard deviations of the blur of the pictures and of the times, in cells.
PICTURE_BLUR, TIME_BLUR = 1.0, 0.8
# Distance in cells at which these blurs are cut off, on boards with longer sides.
MAX_BLUR_REACH = 4
# Maximum number of times that the flood sweeps the board down and up; a few are enough.
MAX_SWEEPS = 50


def contour_times(first: Greys, second: Greys) -> Times:
    """Return each cell's distance from where viewers look first; edges count as many cells.

    >>> plain, edge = np.zeros((1, 12)), np.repeat([[0.0, 1.0]], 6, axis=1)
    >>> abs(np.diff(contour_times(plain, edge)[0])).astype(int).tolist()
    [0, 1, 2, 8, 5, 16, 20, 8, 2, 1, 0]
    """
    cost = 1 + FIRST_EDGE * _edge_strength(first) + SECOND_EDGE * _edge_strength(second)
    row, column = find_centre_of_interest(second)
    distances = geodesic_distances(cost, (round(row), round(column)))
    return blur_by_gaussian(distances, TIME_BLUR, _blur_reach(cost)).astype(np.float64)


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
    around = np.pad(blur_by_gaussian(grey, PICTURE_BLUR, _blur_reach(grey)), 1, mode="edge")
    slopes: Greys = np.hypot(*np.gradient(around))[1:-1, 1:-1]
    return slopes / max(float(slopes.max()), 1e-9)


def _blur_reach(values: Greys) -> int:
    return int(min(MAX_BLUR_REACH, *values.shape))
