"""Error diffusion: the kernels, and two routines that apply them.

A cell's error is the difference between its value and the value of its level.  A kernel gives the
share of the error that each later cell receives.  One routine visits all rows in the same direction
(as wavefronts, which is fast); the other alternates the direction (serpentine).
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.options.checks import require_keys
from lightsanim.options.choices import DIFFUSIONS
from .light import decode_srgb

Float64Array: TypeAlias = npt.NDArray[np.float64]

# Position of the threshold between two levels: half-way, which rounds to the nearest level.
THRESHOLD = 0.5
# Boards with fewer rows do not drop errors at the bottom edge (see `error_gains`).
SHALLOW_ROWS = 8
# Values this near to 0 or 1 count as pure black or white: rounding encodes white as 0.9999999.
PURE_TOLERANCE = 1e-6
# Offset of the values in pure areas: larger than all errors together, so that no cell changes.
FIXED_OFFSET = 1e9


@dataclass(frozen=True, kw_only=True)
class DiffusionKernel:
    """An error-diffusion kernel: the shares of a cell's error that later cells receive."""

    # Row offset, column offset and weight of each receiver, last row first, from right to left.
    # So both routines add errors in the order of their senders, and the sums are equal bit for bit.
    shares: tuple[tuple[int, int, float], ...]
    # A receiver gets weight / divisor of the error; the weights may sum to less than the divisor.
    divisor: float

    @classmethod
    def from_rows(cls, *rows: Sequence[float], divisor: float) -> "DiffusionKernel":
        """Build a kernel from rows of weights; the sender is in the middle of the first row."""
        shares = [
            (down, right - len(row) // 2, weight)
            for down, row in enumerate(rows)
            for right, weight in enumerate(row)
            if weight
        ]
        return cls(shares=tuple(reversed(shares)), divisor=divisor)


# Burkes, Sierra and Atkinson never published their kernels; L. D. Crocker, P. Boulay and M. Morra
# collected those of Burkes and Sierra from CompuServe in DHALF.TXT (1991).
KERNELS: Mapping[str, DiffusionKernel] = require_keys(
    DIFFUSIONS,
    {
        # R. W. Floyd and L. Steinberg, "An adaptive algorithm for spatial greyscale",
        # Proceedings of the SID 17 (1976) 75-77.
        "floyd-steinberg": DiffusionKernel.from_rows(
            (0, 0, 7),
            (3, 5, 1),
            divisor=16,
        ),
        # B. Atkinson, for the Macintosh (1984).  Two eighths of the error are dropped on purpose:
        # shadows and highlights lose detail, and midtones gain contrast.
        "atkinson": DiffusionKernel.from_rows(
            (0, 0, 0, 1, 1),
            (0, 1, 1, 1, 0),
            (0, 0, 1, 0, 0),
            divisor=8,
        ),
        # J. F. Jarvis, C. N. Judice and W. H. Ninke, "A survey of techniques for the display of
        # continuous tone pictures on bilevel displays", Computer Graphics and Image Processing
        # 5 (1976) 13-40.
        "jarvis": DiffusionKernel.from_rows(
            (0, 0, 0, 7, 5),
            (3, 5, 7, 5, 3),
            (1, 3, 5, 3, 1),
            divisor=48,
        ),
        # P. Stucki, "MECCA - a multiple-error correcting computation algorithm for bilevel image
        # hardcopy reproduction", IBM Research Report RZ1060, Zurich (1981).
        "stucki": DiffusionKernel.from_rows(
            (0, 0, 0, 8, 4),
            (2, 4, 8, 4, 2),
            (1, 2, 4, 2, 1),
            divisor=42,
        ),
        # D. Burkes, "Presentation of the Burkes error filter for use in preparing continuous-tone
        # images for presentation on bi-level devices" (1988): Stucki's kernel without the last row.
        "burkes": DiffusionKernel.from_rows(
            (0, 0, 0, 8, 4),
            (2, 4, 8, 4, 2),
            divisor=32,
        ),
        # F. Sierra's three-row kernel (1989), also known as Sierra3.
        "sierra": DiffusionKernel.from_rows(
            (0, 0, 0, 5, 3),
            (2, 4, 5, 4, 2),
            (0, 2, 3, 2, 0),
            divisor=32,
        ),
    },
)


def grey_values_for_levels(levels: int, tone: str = "srgb") -> Float64Array:
    """Return the grey value of each level: even steps in sRGB, or with "linear" their light."""
    even = np.arange(levels) / (levels - 1)
    return np.asarray(decode_srgb(even), np.float64) if tone == "linear" else even


def thresholds_between_values(
    level_values: Float64Array, share: Float64Array | float
) -> list[Float64Array]:
    """Return the thresholds between levels; ``share`` is 0 at the lower level, 1 at the upper."""
    return [low + np.asarray(share) * (high - low) for low, high in pairwise(level_values)]


def diffuse_errors(
    values: Float64Array, kernel: DiffusionKernel, level_values: Float64Array
) -> Float64Array:
    """Return grey values with the errors of earlier cells added, except in pure areas."""
    thresholds = np.array(thresholds_between_values(level_values, THRESHOLD))

    def nearest_values(grey: Float64Array) -> Float64Array:
        return level_values.take(thresholds.searchsorted(grey, "right"))

    board, is_fixed = _fix_pure_areas(values)
    gains = error_gains(kernel, *values.shape)
    diffused = diffuse_by_wavefronts(board, np.where(is_fixed, 0, gains), kernel, nearest_values)
    np.copyto(diffused, board, where=is_fixed)
    return diffused


def diffuse_by_wavefronts(
    values: Float64Array,
    gains: Float64Array,
    kernel: DiffusionKernel,
    nearest_values: Callable[[Float64Array], Float64Array],
) -> Float64Array:
    """Return values with the errors of earlier cells, times their gains, added; or with channels.

    Wavefront s is the set of cells with column + skew * row = s.  They receive errors only from
    earlier wavefronts, so all of them are computed at once.  In the board a wavefront is a slice
    with a constant step; in the table of errors it is one line, with an entry for each row.
    """
    rows, columns, *channels = values.shape
    # The smallest skew that puts every receiver on a later wavefront than its sender.
    skew = max([1, *(math.ceil((1 - column) / row) for row, column, _ in kernel.shares if row)])
    # Narrow boards are padded so that the slices of wavefronts have a positive step.
    wider = [(0, 0), (0, max(0, skew + 1 - columns)), *([(0, 0)] * len(channels))]
    board = np.pad(values, wider)
    values_flat = board.reshape(-1, *channels)
    gains = gains if board.shape == values.shape else np.pad(gains, wider)
    gains_flat = gains.reshape(-1, *gains.shape[2:])
    # Cells from which a cell receives errors: wavefronts back, rows up, and share of the error.
    senders = [
        (column + skew * row, row, weight / kernel.divisor) for row, column, weight in kernel.shares
    ]
    depth = 1 + max(back for back, _, _ in senders)
    pad = max(up for _, up, _ in senders)
    # Ring buffer with the errors of the last wavefronts; cells off the board have error 0.
    errors = np.zeros((depth, pad + rows, *channels))

    for s, low, high, cells in _iter_wavefronts(rows, columns, board.shape[1], skew):
        line = errors[s % depth]
        line.fill(0.0)
        error = line[pad + low : pad + high]
        error[:] = values_flat[cells]
        for back, up, share in senders:
            error += errors[(s - back) % depth, pad + low - up : pad + high - up] * share
        values_flat[cells] = error
        error -= nearest_values(error)
        error *= gains_flat[cells]
    return board[:, :columns]


def _iter_wavefronts(
    rows: int, columns: int, width: int, skew: int
) -> Iterator[tuple[int, int, int, slice]]:
    # Yields each wavefront: its number, its first row, the row after its last, and its cells.
    step = width - skew
    for s in range(columns + skew * (rows - 1)):
        low = max(0, -((columns - 1 - s) // skew))
        high = max(low, min(rows, s // skew + 1))
        start = s + low * step
        yield s, low, high, slice(start, start + (high - low) * step, step)


def diffuse_serpentine(
    values: Float64Array, kernel: DiffusionKernel, level_values: Float64Array
) -> Float64Array:
    """Diffuse errors cell by cell, odd rows from right to left with the mirrored kernel.

    R. Ulichney, Digital Halftoning, MIT Press (1987), chapter 8.
    """
    rows, columns = values.shape
    reach = max(abs(column) for _, column, _ in kernel.shares)
    depth = max(row for row, _, _ in kernel.shares)
    # Receivers off the board lie in a border that is discarded.
    fixed, is_fixed = _fix_pure_areas(values)
    gains = error_gains(kernel, rows, columns)
    board = np.pad(fixed, ((0, depth), (reach, reach)))
    shares = [(row, column, weight / kernel.divisor) for row, column, weight in kernel.shares]
    row_shares = {column: share for row, column, share in shares if row == 0}
    below = [(row, column, share) for row, column, share in shares if row > 0]
    thresholds = list(map(float, thresholds_between_values(level_values, THRESHOLD)))
    levels = level_values.tolist(), thresholds
    for i in range(rows):
        direction = -1 if i % 2 else 1
        running = board[i:, ::direction]
        line = running[0, reach : reach + columns]
        row_gains = np.where(is_fixed[i, ::direction], 0, gains[i])
        line[:], errors = _diffuse_row(line, row_gains, row_shares, *levels)
        for row, column, share in below:
            running[row, reach + column :][:columns] += errors * share
    return np.where(is_fixed, fixed, board[:rows, reach : reach + columns])


def _diffuse_row(
    line: Float64Array,
    gains: Float64Array,
    row_shares: Mapping[int, float],
    level_values: Sequence[float],
    thresholds: Sequence[float],
) -> tuple[Float64Array, Float64Array]:
    """Return a row's values with errors added, and the errors that its cells pass on."""
    values, errors = [], []
    to_next, to_second = row_shares.get(1, 0.0), row_shares.get(2, 0.0)
    error = before = 0.0
    for value, gain in zip(line.tolist(), gains.tolist(), strict=True):
        value += before * to_second  # added first, as in `diffuse_errors`
        value += error * to_next
        before = error
        error = (value - level_values[bisect_right(thresholds, value)]) * gain
        values.append(value)
        errors.append(error)
    return np.array(values), np.array(errors)


def _find_interior_cells(area: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return the cells of an area that have no neighbour outside it, diagonals included."""
    wide = np.pad(area, 1, constant_values=True)
    rows = wide[:-2] & wide[1:-1] & wide[2:]
    return np.asarray(rows[:, :-2] & rows[:, 1:-1] & rows[:, 2:])


def _fix_pure_areas(values: Float64Array) -> tuple[Float64Array, npt.NDArray[np.bool_]]:
    """Return the values, offset by `FIXED_OFFSET` in pure areas, and which cells these are.

    Errors in the pixels of a black area would add up to a lone lit cell, which looks like a
    mistake; so black cells among black ones, and white among white, drop errors.  Passing these on
    to grey cells would fray outlines, and fixing every pure cell would lose thin lines and mouths.
    """
    black, white = values <= PURE_TOLERANCE, values >= 1 - PURE_TOLERANCE
    in_black, in_white = _find_interior_cells(black), _find_interior_cells(white)
    board = np.where(in_black, -FIXED_OFFSET, np.where(in_white, 1 + FIXED_OFFSET, values))
    return board, in_black | in_white


def error_gains(kernel: DiffusionKernel, rows: int, columns: int) -> Float64Array:
    """Return a factor for each cell's error: the sum of all weights over that of its receivers.

    Dropping the error at the sides, as is usual, draws a stripe along the left edge of mid greys
    and shifts the tone of narrow boards.  At the bottom of boards with at least `SHALLOW_ROWS` it
    is dropped: what accumulates in large areas would appear there as a dotted line.
    """
    height = rows if rows < SHALLOW_ROWS else 1  # all rows have equal factors, so one is enough
    below = height if rows < SHALLOW_ROWS else height + max(row for row, _, _ in kernel.shares)
    sums = np.zeros((below, columns))
    for row, column, weight in kernel.shares:
        sums[: max(0, below - row), max(0, -column) : max(0, columns - max(0, column))] += weight
    sums = sums[:height]
    total = sum(weight for *_, weight in kernel.shares)
    np.divide(total, sums, out=sums, where=sums > 0)
    return np.broadcast_to(sums, (rows, columns))
