"""Hatching for plotters: areas filled with the strokes of a pen.

Parallel lines are clipped so that the whole width of the pen stays inside the area.  From the end
of a stroke, the pen draws a straight join to a nearby end of a stroke on the next line, if the join
stays inside the area.  So the pen is lifted only where an area splits, and draws nothing twice.

Lengths are in cells; the origin is the centre of the first cell.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from math import cos, radians, sin
from typing import NamedTuple

import numpy as np

from lightsanim.game.algebra.linear import Bits
from lightsanim.game.algebra.modular import Indices
from lightsanim.output.look.theme import FrameGeometry
from .drawing import Corner, Numbers, cell_boxes, cell_run_boxes

# Maximum length of a join: in distances between lines, and in cells; both limits apply.
MAX_JOIN_STROKES, MAX_JOIN_CELLS = 4.0, 2.0
# Sides of the polygon that approximates a round cell.
SIDES = 64
# Tolerance for rounding errors, in cells: shorter overlaps count as mere touching.
TOUCHING = 1e-4


class Hatch(NamedTuple):
    """The pattern of strokes that fill an area."""

    strokes: int  # Number of strokes per cell.
    angle: float  # Angle in degrees, counterclockwise from horizontal.
    pen: float  # Pen width, in cells.


def build_hatch_lines(
    cells: Bits, geometry: FrameGeometry, corner: Corner, radius: float | None, hatch: Hatch
) -> Numbers:
    """Return the lines that fill cells, in the order of drawing: float (lines, 4), in pixels.

    ``radius`` is the cells' corner radius; None for cells that touch, filled as one area.

    >>> geometry = FrameGeometry(rows=1, columns=2, cell=10, gap=0)
    >>> cells, hatch = np.array([[True, False]]), Hatch(2, angle=0, pen=0.1)
    >>> build_hatch_lines(cells, geometry, (0, 0), None, hatch).round(2).tolist()
    [[0.5, 2.5, 9.5, 2.5], [9.5, 2.5, 9.5, 7.5], [9.5, 7.5, 0.5, 7.5]]
    """
    turn, blank, first = radians(hatch.angle), None, cells
    axes = along, across = np.array([[cos(turn), -sin(turn)], [sin(turn), cos(turn)]])
    # Number the lines that cross the area; they are symmetric about the centre of the first cell.
    sides, even = (1, 1) if radius is not None else cells.shape[::-1], (hatch.strokes + 1) % 2 / 2
    low, high = np.sort([-0.5 * across, across * sides - 0.5 * across], axis=0).sum(axis=1)
    numbers = np.arange(np.ceil(low * hatch.strokes - even), high * hatch.strokes - even)
    origins = (numbers[:, None] + even) / hatch.strokes * across
    if radius is None:
        blank, first = np.pad(~cells, 1, constant_values=True), np.ones((1, 1), bool)
        parts = _clip_lines_at_blank_cells(origins, axes, blank, hatch.pen / 2 - TOUCHING)
    else:
        parts = _clip_lines_to_cell(origins, axes, radius / geometry.cell, hatch.pen / 2)
    strokes = [at + part[..., None] * along for at, part in zip(origins, parts, strict=True)]
    lines = _join_strokes(strokes, along, blank, hatch)
    middles = cell_boxes(first, geometry, corner)[:, None, :2] + geometry.cell / 2
    return (lines * geometry.cell + np.tile(middles, 2)).reshape(-1, 4)


def _clip_lines_to_cell(
    origins: Numbers, axes: Numbers, radius: float, margin: float
) -> Iterator[Numbers]:
    # Clip each line to a cell with round corners, an intersection of half-planes.
    turns, radius = np.arange(SIDES) * 2 * np.pi / SIDES, max(radius - margin, 0)
    normals = np.stack([np.cos(turns), np.sin(turns)])
    reach = (0.5 - margin - radius) * np.abs(normals).sum(axis=0)
    reach += radius * cos(np.pi / SIDES)  # so the polygon's vertices are on the outline
    speed = axes[0] @ normals
    with np.errstate(divide="ignore"):
        crossings = (reach - origins @ normals) / speed
    for end in crossings:
        part = np.array([[end[speed < 0].max(), end[speed > 0].min()]])
        yield part[part[:, 0] < part[:, 1]]


def _clip_lines_at_blank_cells(
    origins: Numbers, axes: Numbers, blank: Bits, margin: float
) -> Iterator[Numbers]:
    # Keep the parts of lines that are at least ``margin`` from the blank cells around the area.
    board = FrameGeometry(rows=blank.shape[0], columns=blank.shape[1], cell=1, gap=0)
    boxes = cell_run_boxes(blank, board, (-1, -1))
    low, high = boxes[:, :2] - 0.5 - margin, boxes[:, :2] + boxes[:, 2:] - 0.5 + margin
    along, across = axes
    spans = np.sort([low * across, high * across], axis=0).sum(axis=2)
    numbers, lines = _find_values_in_spans(spans, origins @ across)
    order = np.argsort(lines, kind="stable")
    splits = np.searchsorted(lines[order], np.arange(1, len(origins)))
    for origin, touching_boxes in zip(origins, np.split(numbers[order], splits), strict=True):
        start, end = _clip_rays_to_boxes(origin, along, low[touching_boxes], high[touching_boxes])
        order = np.argsort(start)
        order = order[(start < end)[order]]
        part = np.column_stack([np.maximum.accumulate(end[order])[:-1], start[order][1:]])
        yield part[part[:, 1] - part[:, 0] > TOUCHING]


def _find_values_in_spans(spans: Numbers, ascending: Numbers) -> tuple[Indices, Indices]:
    # For each value inside a span, float (2, spans), return the indices of the span and the value.
    first, end = np.searchsorted(ascending, [spans[0] - TOUCHING, spans[1] + TOUCHING])
    counts = end - first
    before = np.repeat(np.cumsum(counts) - counts - first, counts)
    return np.repeat(np.arange(len(counts)), counts), np.arange(counts.sum()) - before


def _clip_rays_to_boxes(
    origin: Numbers, direction: Numbers, low: Numbers, high: Numbers
) -> tuple[Numbers, Numbers]:
    # Return where rays enter and leave boxes; a ray whose exit precedes its entry misses the box.
    with np.errstate(divide="ignore", invalid="ignore"):
        entry, leave = (low - origin) / direction, (high - origin) / direction
    return np.fmax(*np.minimum(entry, leave).T), np.fmin(*np.maximum(entry, leave).T)


def _join_strokes(
    strokes: Sequence[Numbers], along: Numbers, blank: Bits | None, hatch: Hatch
) -> Numbers:
    # Join strokes, float (strokes, 2, 2) per hatching line; return the lines drawn, (lines, 4).
    longest, offset = min(MAX_JOIN_STROKES / hatch.strokes, MAX_JOIN_CELLS), 0
    pairs = [np.empty((0, 2), int)]
    for above, below in pairwise(strokes):
        for side in range(2):  # join starts to starts, then ends to ends
            spans = above[:, side] @ along + [[-longest], [longest]]
            first, second = _find_values_in_spans(spans, below[:, side] @ along)
            apart = np.hypot(*(above[first, side] - below[second, side]).T)
            numbers = np.column_stack([first, len(above) + second])[apart <= longest]
            pairs.append(2 * (offset + numbers) + side)
        offset += len(above)
    stroke_ends, joins = np.concatenate([np.empty((0, 2, 2)), *strokes]), np.concatenate(pairs)
    stroke_ends = stroke_ends.reshape(-1, 2)
    if blank is not None:
        margin = hatch.pen / 2 - 2 * TOUCHING
        joins = joins[_are_joins_off_blank_cells(stroke_ends[joins], blank, margin)]
    paths = [stroke_ends[path] for path in _chain_strokes(len(stroke_ends) // 2, joins.tolist())]
    return np.concatenate([np.empty((0, 4)), *(np.hstack([p[:-1], p[1:]]) for p in paths)])


def _are_joins_off_blank_cells(joins: Numbers, blank: Bits, margin: float) -> Bits:
    # Return for each join, float (joins, 2, 2), whether it keeps the margin to blank cells.
    window = np.stack(np.meshgrid(*[np.arange(-2, 3)] * 2), axis=-1).reshape(-1, 2)
    around = np.rint(joins.mean(axis=1)).astype(int)[:, None] + window
    columns, rows = np.clip(around + 1, 0, np.array(blank.shape)[::-1] - 1).transpose(2, 0, 1)
    join_numbers, near = np.nonzero(blank[rows, columns])
    cells, (origin, to) = around[join_numbers, near], joins[join_numbers].transpose(1, 0, 2)
    low, high = cells - 0.5 - margin, cells + 0.5 + margin
    start, end = _clip_rays_to_boxes(origin, to - origin, low, high)
    hit = join_numbers[np.maximum(start, 0) < np.minimum(end, 1)]
    return ~np.isin(np.arange(len(joins)), hit)


def _chain_strokes(count: int, joins: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    # Yield each path of the pen as a list of stroke ends; stroke n has the ends 2n and 2n + 1.
    onward, left = defaultdict[int, list[int]](list), set(range(count))
    for first, second in joins:
        onward[first].append(second)
        onward[second].append(first)
    for stroke in range(count):
        if stroke in left:
            directions = [2 * stroke, 2 * stroke + 1], [2 * stroke + 1, 2 * stroke]
            path = max((_extend_path(direction, onward, left) for direction in directions), key=len)
            left -= {end >> 1 for end in path}
            yield path


def _extend_path(
    path: list[int], onward: Mapping[int, Sequence[int]], left: Collection[int]
) -> list[int]:
    # Extend a path at its end, then at its start, while joins lead to strokes in ``left``.
    visited = {path[0] >> 1}
    for _ in range(2):
        while free := [e for e in onward[path[-1]] if e >> 1 in left and e >> 1 not in visited]:
            visited.add(free[0] >> 1)
            path += [free[0], free[0] ^ 1]
        path.reverse()
    return path
