"""A small chart: how the cells of an animation come to agree with its pictures."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation

# The curves' own units, which are stretched to the chart's size.
WIDTH, HEIGHT = 1000, 1000

# Seconds between two labels of the axis, and how many labels there may be.
STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600)
MOST_LABELS = 7

SHARES = (0, 0.5, 1)


def agreement_chart(animation: Animation, counts: NDArray[np.int64]) -> str:
    """An inline SVG: over the seconds of the film, the share of cells that agree with a picture.

    The last picture's curve is drawn strong (class ``last``), those of the others fine.  Holds are
    bands.  All lengths are shares of the element's size or pixels of text, so that it fits any
    width; the style sheet gives it its height, its margins for the labels, and its colours.
    """
    ends = np.cumsum(animation.durations())
    total = float(ends[-1])
    shares = counts / animation.board.cells
    curves = [_curve(share, ends) for share in shares]
    start, end = (f"{shares[-1, frame]:.0%}" for frame in (0, -1))
    parts = [
        f'<svg class="chart" role="img" aria-label="Cells that agree with the last picture: {start}'
        f' in the first frame, {end} in the last one.">',
        *(_hold(animation, frame, ends) for frame, _ in animation.holds),
        *(_share_label(share) for share in SHARES),
        *(_second_label(seconds, total) for seconds in _round_seconds(total)),
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" width="100%" '
        f'height="100%"><path class="area" d="{curves[-1]}V{HEIGHT}H0z"/>',
        *(f'<path class="other" d="{curve}"/>' for curve in curves[:-1]),
        f'<path class="last" d="{curves[-1]}"/></svg></svg>',
    ]
    return "".join(parts)


def _curve(shares: NDArray[np.float64], ends: NDArray[np.float64]) -> str:
    # What is shown at each of WIDTH moments: level, then a step, then level again.
    moments = (np.arange(WIDTH) + 0.5) * ends[-1] / WIDTH
    shown = np.minimum(np.searchsorted(ends, moments, side="right"), len(ends) - 1)
    heights = np.rint((1 - shares[shown]) * HEIGHT).astype(int)
    steps = np.diff(heights)
    places = [0, *(np.flatnonzero(steps) + 1).tolist()]
    level = "".join(f"h{place - before}v{steps[place - 1]}" for before, place in pairwise(places))
    return f"M0 {heights[0]}{level}H{WIDTH}"


def _hold(animation: Animation, frame: int, ends: NDArray[np.float64]) -> str:
    start, end, total = ends[frame] - animation.durations()[frame], ends[frame], ends[-1]
    return (
        f'<rect class="hold" x="{start / total:.2%}" width="{(end - start) / total:.2%}" y="0" '
        f'height="100%"/>'
    )


def _share_label(share: float) -> str:
    y = f"{1 - share:.0%}"
    return (
        f'<line x1="0" x2="100%" y1="{y}" y2="{y}"/>'
        f'<text x="0" y="{y}" dx="-.6em" dy=".35em" text-anchor="end">{share:.0%}</text>'
    )


def _second_label(seconds: float, total: float) -> str:
    unit = " s" if seconds else ""
    return (
        f'<text x="{seconds / total:.2%}" y="100%" dy="1.6em" text-anchor="middle">'
        f"{seconds:g}{unit}</text>"
    )


def _round_seconds(total: float) -> list[float]:
    """Round numbers of seconds for an axis.

    >>> _round_seconds(13.0)
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]
    """
    step = next((step for step in STEPS if total / step < MOST_LABELS), total)
    return [float(f"{n * step:g}") for n in range(int(total / step + 1e-9) + 1)]
