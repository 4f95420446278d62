"""A small chart: how the cells of an animation come to agree with its pictures."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.web.templating import load_templates

# The curves' own units, which are stretched to the chart's size.
WIDTH, HEIGHT = 1000, 1000

# Seconds between two labels of the axis, and how many labels there may be.
LABEL_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600)
MAX_LABELS = 7


def draw_agreement_chart(animation: Animation, counts: NDArray[np.int64]) -> str:
    """An inline SVG: over the seconds of the film, the share of cells that agree with a picture.

    The last picture's curve is drawn strong (class ``last``), those of the others fine.  Holds are
    bands.  ``counts``: int (pictures, frames).
    """
    stops = np.cumsum(animation.durations())
    starts, total = stops - animation.durations(), float(stops[-1])
    shares = counts / animation.board.cells
    template = load_templates("lightsanim.gallery").get_template("chart.svg.j2")
    return template.render(
        width=WIDTH,
        height=HEIGHT,
        first=f"{shares[-1, 0]:.0%}",
        last=f"{shares[-1, -1]:.0%}",
        holds=[
            (f"{starts[frame] / total:.2%}", f"{(stops[frame] - starts[frame]) / total:.2%}")
            for frame, _ in animation.holds
        ],
        seconds=[
            (f"{seconds / total:.2%}", f"{seconds:g}{' s' if seconds else ''}")
            for seconds in _choose_label_seconds(total)
        ],
        curves=[_build_curve_path(share, stops) for share in shares],
    )


def _build_curve_path(shares: NDArray[np.float64], stops: NDArray[np.float64]) -> str:
    # What is shown at each of WIDTH moments: level, then a step, then level again.
    moments = (np.arange(WIDTH) + 0.5) * stops[-1] / WIDTH
    frames = np.minimum(np.searchsorted(stops, moments, side="right"), len(stops) - 1)
    heights = np.rint((1 - shares[frames]) * HEIGHT).astype(int)
    steps = np.diff(heights)
    columns = [0, *(np.flatnonzero(steps) + 1).tolist()]
    level = "".join(f"h{column - last}v{steps[column - 1]}" for last, column in pairwise(columns))
    return f"M0 {heights[0]}{level}H{WIDTH}"


def _choose_label_seconds(total: float) -> list[float]:
    # For the labels of an axis.
    step = next((step for step in LABEL_STEPS if total / step < MAX_LABELS), total)
    return [float(f"{n * step:g}") for n in range(int(total / step + 1e-9) + 1)]
