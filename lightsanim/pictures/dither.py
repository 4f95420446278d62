"""Dithering: grey values become lit and unlit cells.

An error-diffusion dither visits the cells row by row, lights each cell whose value is at least
0.5, and hands the difference between value and light on to cells that are still to come.  The
kernels that say who gets how much are data; one routine runs them all.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from lightsanim.errors import OptionError

THRESHOLD = 0.5


@dataclass(frozen=True, kw_only=True)
class Kernel:
    """An error-diffusion kernel: who receives which share of a cell's error.

    ``shares`` holds (row offset, column offset, weight) for each receiver, all of them later in
    reading order (below, or to the right in the same row).  A receiver gets weight / ``divisor``
    of the error; the weights may sum to less than the divisor (Atkinson's do).

    Raises ``OptionError`` for a receiver that is not later, or weights that are not positive.
    """

    shares: tuple[tuple[int, int, float], ...]
    divisor: float

    def __post_init__(self) -> None:
        for row, column, weight in self.shares:
            if (row, column) <= (0, 0) or not weight > 0:
                raise OptionError(
                    f"a kernel hands positive weights to later cells, not ({row}, {column}, "
                    f"{weight}): use row offsets from 0, and in row 0 column offsets from 1"
                )
        if not 0 < self.total <= self.divisor < math.inf:
            raise OptionError(
                f"a kernel's divisor must be at least the sum of its weights, {self.total:g}, "
                f"which is above 0, not {self.divisor:g}"
            )

    @property
    def total(self) -> float:
        """The sum of the weights."""
        return sum(weight for *_, weight in self.shares)

    @property
    def skew(self) -> int:
        """Columns by which each row runs behind the row above it, in a wavefront.

        The least one for which every receiver lies on a later wavefront: a share to
        (row, column) takes column + skew * row >= 1.
        """
        return max([1, *(math.ceil((1 - column) / row) for row, column, _ in self.shares if row)])


KERNELS: Mapping[str, Kernel] = MappingProxyType(
    {
        # R. W. Floyd and L. Steinberg, "An adaptive algorithm for spatial greyscale",
        # Proceedings of the SID 17 (1976) 75-77.
        "floyd-steinberg": Kernel(shares=((0, 1, 7), (1, -1, 3), (1, 0, 5), (1, 1, 1)), divisor=16),
    }
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Target:
    """A dithered picture: the configuration that an animation should show.

    ``configuration`` is bool (rows, columns), True = lit = white.  ``margin`` is float32 (rows,
    columns): how far the cell's value was from the threshold when it was decided.  A cell with
    a small margin might as well have gone the other way, so changing it shows least.

    Raises ``OptionError`` when the arrays are of other types, or not of one shape.
    """

    name: str
    configuration: npt.NDArray[np.bool_]
    margin: npt.NDArray[np.float32]

    def __post_init__(self) -> None:
        kinds = f"{self.configuration.dtype}, {self.margin.dtype}"
        if kinds != "bool, float32":
            raise OptionError(f"a target is made of bool, float32 arrays, not {kinds}")
        shapes = (self.configuration.shape, self.margin.shape)
        if shapes[0] != shapes[1] or len(shapes[0]) != 2 or 0 in shapes[0]:
            raise OptionError(
                f"a target's arrays share one shape of at least 1x1, not {shapes[0]}, {shapes[1]}"
            )


def dither(values: npt.ArrayLike, kernel: str = "floyd-steinberg", name: str = "picture") -> Target:
    """Dither grey values, real (rows, columns) in 0..1, to lit and unlit cells.

    ``kernel`` is a key of ``KERNELS``.  A cell is lit when its value, with the errors handed to
    it, is at least 0.5.  At the edges a cell's error is shared among the receivers that exist, so
    that the number of lit cells is the sum of the values, to within a cell or so.  The result is
    the same, bit for bit, as that of the plain loop over rows and columns in float64.

    Raises ``OptionError`` for an unknown kernel and for values that are not a non-empty table of
    finite numbers in 0..1.

    >>> dither([[0.25, 0.25, 0.25, 0.25]]).configuration.astype(int)
    array([[0, 1, 0, 0]])
    """
    if kernel not in KERNELS:
        raise OptionError(f"dither must be one of {', '.join(KERNELS)}, not {kernel!r}")
    decided = diffuse(_checked(values), KERNELS[kernel])
    return Target(
        name=name,
        configuration=decided >= THRESHOLD,
        margin=np.abs(decided - THRESHOLD).astype(np.float32),
    )


def _checked(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The values as float64 (rows, columns), or OptionError."""
    try:
        table = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OptionError(f"values to dither must be real numbers: {error}") from None
    if table.ndim != 2 or table.size == 0:
        raise OptionError(
            f"values to dither must have a shape (rows, columns) of at least 1x1, not {table.shape}"
        )
    low, high = table.min(), table.max()
    if not (low >= 0 and high <= 1):  # written so that NaN, which min and max keep, fails too
        raise OptionError(f"values to dither must lie in 0..1, not {low:g}..{high:g}")
    return table


def diffuse(values: npt.NDArray[np.float64], kernel: Kernel) -> npt.NDArray[np.float64]:
    """Each cell's value at the moment of its decision, float64 (rows, columns).

    The loop over rows and columns is turned into one over wavefronts.  Wavefront s holds the
    cells with column + skew * row = s; all that such a cell receives comes from earlier
    wavefronts, so a wavefront is decided at once.  In the board it is a slice with a constant
    step; in the table of errors, where wavefront s is one line, it is a run of rows.
    """
    rows, columns = values.shape
    skew = kernel.skew
    # Neighbouring cells of a wavefront must be at least one cell apart in memory: boards
    # narrower than the skew are stored wider than they are.
    width = max(columns, skew + 1)
    board, keep = np.zeros((rows, width)), np.ones((rows, width))
    board[:, :columns] = values
    keep[:, :columns] = _kept_shares(kernel, rows, columns)
    values_of, keep_of, step = board.reshape(-1), keep.reshape(-1), width - skew

    # (wavefronts back, rows up, share), in the order in which the plain loop would have added
    # them: the giver first in reading order comes first.  That makes the sums equal bit for bit.
    gifts = [(c + skew * r, r, w / kernel.divisor) for r, c, w in sorted(kernel.shares)[::-1]]
    depth = 1 + max(back for back, _, _ in gifts)
    pad = max(up for _, up, _ in gifts)
    # Only the last few wavefronts' errors are kept, in a ring.  Cells outside the board have
    # error 0: above it through the padding, beside it because a line is cleared for reuse.
    errors = np.zeros((depth, pad + rows))
    gift, lit = np.empty(rows), np.empty(rows, dtype=np.bool_)

    for s in range(columns + skew * (rows - 1)):
        low, high = max(0, -((columns - 1 - s) // skew)), min(rows, s // skew + 1)
        line = errors[s % depth]
        line.fill(0.0)
        if low >= high:
            continue
        count = high - low
        start = s + low * step
        cells = slice(start, start + (count - 1) * step + 1, step)
        error, share, on = line[pad + low : pad + high], gift[:count], lit[:count]
        error[:] = values_of[cells]
        for back, up, weight in gifts:
            giver = errors[(s - back) % depth, pad + low - up : pad + high - up]
            np.multiply(giver, weight, out=share)
            np.add(error, share, out=error)
        values_of[cells] = error
        np.greater_equal(error, THRESHOLD, out=on)
        np.subtract(error, on, out=error)
        np.multiply(error, keep_of[cells], out=error)
    return board[:, :columns]


def _kept_shares(kernel: Kernel, rows: int, columns: int) -> npt.NDArray[np.float64]:
    """What each cell multiplies its error by so that none falls off the board.

    Float64 (rows, columns): the sum of all weights over the sum of those whose receivers exist,
    and 0 where there is no receiver at all.  Dropping that error instead is usual, but it draws a
    stripe along the left edge of mid greys and loses the tone of boards of one row or column;
    on boards of 40 to 60 cells a side, where the edges are a tenth of all cells, that shows.
    """
    kept = np.zeros((rows, columns))
    for row, column, weight in kernel.shares:
        kept[: max(0, rows - row), max(0, -column) : max(0, columns - max(0, column))] += weight
    return np.divide(kernel.total, kept, out=np.zeros_like(kept), where=kept > 0)
