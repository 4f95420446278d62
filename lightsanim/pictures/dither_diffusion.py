"""Error diffusion: kernels as data, and the two routines that run them.

A kernel says who gets how much of a cell's error, the difference between its value and that which
it is shown as.  One routine runs all kernels row by row in one direction, as wavefronts; another
those whose rows alternate in direction.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lightsanim.options.checks import require_keys
from lightsanim.options.choices import DIFFUSIONS
from lightsanim.pictures.level_values import (
    Float64Array,
    grey_values_for_levels,
    thresholds_between_values,
)

# How far a value must be on the way from one level to the next to become the next: half way, so
# that each becomes the nearest level.
THRESHOLD = 0.5

BLACK_AND_WHITE = grey_values_for_levels(2)


# Boards of fewer rows keep all error, see `_error_gains`.
SHALLOW_ROWS = 8

# Pure black and white to within rounding: sRGB's curve ends at 0.9999999 or so.
PURE_TOLERANCE = 1e-6

# Cells of pure areas are decided this far below black or above white: further than the errors of
# all cells together, so none tips them, and no wrong cell costs more than one of theirs.
FIXED_OFFSET = 1e9


@dataclass(frozen=True, kw_only=True)
class DiffusionKernel:
    """An error-diffusion kernel: who receives which share of a cell's error."""

    # (row offset, column offset, weight) for each receiver, all of them later in reading order:
    # below, or one or two cells to the right in the same row.  The last one comes first: so a cell
    # receives errors in the order in which they are made, and the sums are equal bit for bit.
    shares: tuple[tuple[int, int, float], ...]
    # A receiver gets weight / divisor of the error; the weights may sum to less than the divisor
    # (Atkinson's do).
    divisor: float

    @classmethod
    def from_rows(cls, *rows: Sequence[float], divisor: float) -> "DiffusionKernel":
        """The kernel as the literature draws it: the cell is in the middle of the first row."""
        shares = [
            (down, right - len(row) // 2, weight)
            for down, row in enumerate(rows)
            for right, weight in enumerate(row)
            if weight
        ]
        return cls(shares=tuple(reversed(shares)), divisor=divisor)

    @property
    def wavefront_skew(self) -> int:
        """Columns by which each row runs behind the row above it, in a wavefront.

        The least one for which every receiver lies on a later wavefront: a share to
        (row, column) takes column + skew * row >= 1.
        """
        return max([1, *(math.ceil((1 - column) / row) for row, column, _ in self.shares if row)])


# Burkes, Sierra and Atkinson never published theirs.  The first two put them on CompuServe, and
# L. D. Crocker, P. Boulay and M. Morra wrote them down in DHALF.TXT (1991).
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
        # B. Atkinson, for the Macintosh (1984).  Two eighths of the error are lost on purpose:
        # shadows close and lights burn out, and what is between gains contrast.
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
        # images for presentation on bi-level devices" (1988): Stucki's without the last row.
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


def diffuse_errors(
    values: Float64Array, kernel: DiffusionKernel, level_values: Float64Array = BLACK_AND_WHITE
) -> Float64Array:
    """Diffuse the errors of a table of grey values.

    The loop over rows and columns is turned into one over wavefronts.  Wavefront s holds the
    cells with column + skew * row = s; all that such a cell receives comes from earlier
    wavefronts, so a wavefront is decided at once.  In the board it is a slice with a constant
    step; in the table of errors, where wavefront s is one line, it is a run of rows.

    Pure areas stay pure, see `find_pure_areas`.

    ``values``: float64 (rows, columns), ``level_values``: float64 (levels,).
    """
    (rows, columns), skew = values.shape, kernel.wavefront_skew
    thresholds = np.array(thresholds_between_values(level_values, THRESHOLD))
    # Neighbouring cells of a wavefront must be at least one cell apart in memory.
    wider = (0, 0), (0, max(0, skew + 1 - columns))
    board, gains = (np.pad(table, wider) for table in _fix_pure_areas(values, kernel))
    values_flat, gains_flat = board.reshape(-1), gains.reshape(-1)
    # The cells that each receives errors from: how many wavefronts back, and rows up.
    senders = [
        (column + skew * row, row, weight / kernel.divisor) for row, column, weight in kernel.shares
    ]
    depth = 1 + max(back for back, _, _ in senders)
    pad = max(up for _, up, _ in senders)
    # Only the last few wavefronts' errors are kept, in a ring.  Cells outside the board have
    # error 0: above it through the padding, beside it because a line is cleared for reuse.
    errors = np.zeros((depth, pad + rows))

    for s, low, high, cells in _iter_wavefronts(rows, columns, board.shape[1], skew):
        line = errors[s % depth]
        line.fill(0.0)
        error = line[pad + low : pad + high]
        error[:] = values_flat[cells]
        for back, up, share in senders:
            error += errors[(s - back) % depth, pad + low - up : pad + high - up] * share
        values_flat[cells] = error
        error -= level_values.take(thresholds.searchsorted(error, "right"))
        error *= gains_flat[cells]
    return _restore_pure_areas(board[:, :columns])


def _iter_wavefronts(
    rows: int, columns: int, width: int, skew: int
) -> Iterator[tuple[int, int, int, slice]]:
    """Each wavefront s: its rows from low to below high, and its cells in a table of this width.

    On boards narrower than the skew some have no cells.
    """
    step = width - skew
    for s in range(columns + skew * (rows - 1)):
        low = max(0, -((columns - 1 - s) // skew))
        high = max(low, min(rows, s // skew + 1))
        start = s + low * step
        yield s, low, high, slice(start, start + (high - low) * step, step)


def diffuse_serpentine(
    values: Float64Array, kernel: DiffusionKernel, level_values: Float64Array = BLACK_AND_WHITE
) -> Float64Array:
    """As `diffuse_errors`, but odd rows run from right to left, under the mirrored kernel.

    The last cell of a row reaches the first of the next, so there are no wavefronts: within a row
    the cells are decided one by one.  What they hand to the rows below is added a row at a time.

    R. Ulichney, Digital Halftoning, MIT Press (1987), chapter 8.

    ``values``: float64 (rows, columns), ``level_values``: float64 (levels,).
    """
    rows, columns = values.shape
    reach = max(abs(column) for _, column, _ in kernel.shares)
    depth = max(row for row, _, _ in kernel.shares)
    # Receivers outside the board fall into a border that is thrown away.
    fixed, gains = _fix_pure_areas(values, kernel, serpentine=True)
    board = np.pad(fixed, ((0, depth), (reach, reach)))
    shares = [(row, column, weight / kernel.divisor) for row, column, weight in kernel.shares]
    row_shares = {column: share for row, column, share in shares if row == 0}
    below = [(row, column, share) for row, column, share in shares if row > 0]
    levels = (
        level_values.tolist(),
        list(map(float, thresholds_between_values(level_values, THRESHOLD))),
    )

    for i in range(rows):
        direction = -1 if i % 2 else 1
        running = board[i:, ::direction]
        line = running[0, reach : reach + columns]
        line[:], errors = _diffuse_row(line, gains[i, ::direction], row_shares, *levels)
        for row, column, share in below:
            running[row, reach + column :][:columns] += errors * share
    return _restore_pure_areas(board[:rows, reach : reach + columns])


def _diffuse_row(
    line: Float64Array,
    gains: Float64Array,
    row_shares: Mapping[int, float],
    level_values: Sequence[float],
    thresholds: Sequence[float],
) -> tuple[Float64Array, Float64Array]:
    """The cells of a row decided one by one: their values at that moment, what they hand on."""
    values, errors = [], []
    to_next, to_second = row_shares.get(1, 0.0), row_shares.get(2, 0.0)  # the latter is added first
    error = before = 0.0
    for value, gain in zip(line.tolist(), gains.tolist(), strict=True):
        value += before * to_second
        value += error * to_next
        before = error
        error = (value - level_values[bisect_right(thresholds, value)]) * gain
        values.append(value)
        errors.append(error)
    return np.array(values), np.array(errors)


def find_pure_areas(values: Float64Array) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """The cells that are pure black, and whose neighbours all are; and the same of white.

    Bool (rows, columns) each; of the eight neighbours those count that are on the board.

    In such an area a lone lit cell, or an unlit one, looks like a mistake, but the errors of the
    cells around it, carried on from cell to cell, sooner or later add up to one.  So these cells
    are what they are, and the error that reaches them ends there.  To hand it to the grey cells
    beside them instead, as at the sides of the board, frays their outlines; to end it at every
    pure cell loses thin lines, mouths and eyebrows.
    """
    return _find_interior_cells(values <= PURE_TOLERANCE), _find_interior_cells(
        values >= 1 - PURE_TOLERANCE
    )


def _find_interior_cells(area: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The cells of an area whose neighbours are in it, too."""
    within = area.copy()
    within[1:] &= area[:-1]
    within[:-1] &= area[1:]
    inner = within.copy()
    inner[:, 1:] &= within[:, :-1]
    inner[:, :-1] &= within[:, 1:]
    return inner


def _fix_pure_areas(
    values: Float64Array, kernel: DiffusionKernel, *, serpentine: bool = False
) -> tuple[Float64Array, Float64Array]:
    """The values, far out in pure areas; and the kept shares, which are 0 there."""
    board, gains = values.copy(), _error_gains(kernel, *values.shape)
    if serpentine:
        gains[1::2] = gains[1::2, ::-1].copy()
    for area, value in zip(find_pure_areas(values), (-FIXED_OFFSET, 1 + FIXED_OFFSET), strict=True):
        np.putmask(board, area, value)
        np.putmask(gains, area, 0)
    return board, gains


def _restore_pure_areas(values: Float64Array) -> Float64Array:
    """The values with pure areas as they were held, whatever error has reached them."""
    np.putmask(values, values > FIXED_OFFSET / 2, 1 + FIXED_OFFSET)
    np.putmask(values, values < -FIXED_OFFSET / 2, -FIXED_OFFSET)
    return values


def _error_gains(kernel: DiffusionKernel, rows: int, columns: int) -> Float64Array:
    """What each cell multiplies its error by so that none falls off the sides of the board.

    Float64 (rows, columns): the sum of all weights over the sum of those whose receivers exist,
    and 0 where there is no receiver at all.  Dropping that error instead is usual, but it draws a
    stripe along the left edge of mid greys and loses the tone of narrow boards; on boards of 40
    to 60 cells a side, where the edges are a tenth of all cells, that shows.  At the bottom it is
    dropped: what plain dark and light areas have carried down would else all light there, a
    dotted line.  On boards of only a few rows nothing is carried far, and it is kept there too.
    """
    height = rows if rows < SHALLOW_ROWS else 1  # of one row that stands for all
    below = height if rows < SHALLOW_ROWS else height + max(row for row, _, _ in kernel.shares)
    sums = np.zeros((below, columns))
    for row, column, weight in kernel.shares:
        sums[: max(0, below - row), max(0, -column) : max(0, columns - max(0, column))] += weight
    sums = sums[:height]
    total = sum(weight for *_, weight in kernel.shares)
    np.divide(total, sums, out=sums, where=sums > 0)
    return np.broadcast_to(sums, (rows, columns)).copy()
