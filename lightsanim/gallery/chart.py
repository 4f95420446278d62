"""Draw a chart of the share of cells that agree with each picture, for an animation's page."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.web.templating import load_templates

WIDTH, HEIGHT = 1000, 1000  # range of the curves' coordinates, which are stretched to the chart
# Possible distances between labels on the time axis, in seconds.
LABEL_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600)
MAX_LABELS = 7


def draw_agreement_chart(animation: Animation, counts: NDArray[np.int64]) -> str:
    """Return an inline SVG of the share of cells that agree with each picture, over time.

    The curve of the last picture is thick (class ``last``), the others are thin; bands mark holds.
    ``counts`` is an int array (pictures, frames) with the numbers of cells that agree.
    """
    stops = np.cumsum(animation.durations())
    starts, total = stops - animation.durations(), float(stops[-1])
    shares = counts / animation.board.cells
    step = next((step for step in LABEL_STEPS if total / step < MAX_LABELS), total)
    labels = [float(f"{n * step:g}") for n in range(int(total / step + 1e-9) + 1)]
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
        seconds=[(f"{t / total:.2%}", f"{t:g}{' s' if t else ''}") for t in labels],
        curves=[_build_curve_path(share, stops) for share in shares],
    )


def _build_curve_path(shares: NDArray[np.float64], stops: NDArray[np.float64]) -> str:
    # The path samples the curve at WIDTH moments, and draws each change as a step.
    moments = (np.arange(WIDTH) + 0.5) * stops[-1] / WIDTH
    frames = np.minimum(np.searchsorted(stops, moments, side="right"), len(stops) - 1)
    heights = np.rint((1 - shares[frames]) * HEIGHT).astype(int)
    steps = np.diff(heights)
    columns = [0, *(np.flatnonzero(steps) + 1).tolist()]
    level = "".join(f"h{column - last}v{steps[column - 1]}" for last, column in pairwise(columns))
    return f"M0 {heights[0]}{level}H{WIDTH}"
