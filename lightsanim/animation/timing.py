"""How many clicks each frame adds, and how long it is shown."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lightsanim.options.checks import keyed
from lightsanim.options.choices import EASES
from lightsanim.options.stages import Timing

# The share of the clicks that is done at a share of the time; where a front has a pace of its own,
# the share of its way.
PACES: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = keyed(
    EASES,
    {
        "front": lambda time: time,
        "linear": lambda time: time,
        "in-out": lambda time: (1 - np.cos(np.pi * time)) / 2,
    },
)


def frames_of(timing: Timing) -> int:
    """How many frames a move has at most, one at least."""
    return max(1, round(timing.duration * timing.fps))


def shares_by_frame(timing: Timing, frames: int) -> NDArray[np.float64]:
    """The share of a move that is done at the end of each frame, rising to 1: float64 (frames,).

    >>> shares_by_frame(Timing(), 4).tolist()
    [0.25, 0.5, 0.75, 1.0]
    """
    return PACES[timing.ease](np.arange(1, frames + 1) / max(frames, 1))


def clicks_by_frame(
    clicks: int, timing: Timing, front: NDArray[np.float64] | None = None
) -> NDArray[np.int64]:
    """The clicks done at the end of each frame of a move.

    ``front``: float64 (clicks,), returns int64 (frames,).

    >>> clicks_by_frame(12, Timing(fps=25, duration=0.2)).tolist()
    [2, 4, 7, 9, 12]
    >>> clicks_by_frame(12, Timing(clicks_per_frame=5)).tolist()
    [5, 10, 12]
    >>> clicks_by_frame(4, Timing(fps=4, duration=1), np.array([0.1, 0.5, 0.8, 0.9])).tolist()
    [1, 2, 2, 4]
    """
    if timing.clicks_per_frame is not None:
        each = min(timing.clicks_per_frame, max(clicks, 1))
        return np.minimum(np.arange(1, -(-clicks // each) + 1) * each, clicks)
    share = shares_by_frame(timing, min(clicks, frames_of(timing)))
    if front is not None:
        return np.searchsorted(front, share + 1e-9, side="right").astype(np.int64)
    return np.floor(share * clicks + 1e-9).astype(np.int64)


def ticks(durations: NDArray[np.float64], rate: float) -> NDArray[np.int64]:
    """Durations in whole ticks of a clock, the rounding spread so that no sum is off by more.

    Frames that last a whole number of ticks get just that, wherever they stand: ends that fall
    between two ticks all go the same way, whatever floats make of them.

    >>> ticks(np.full(6, 1 / 30), 100).tolist()
    [3, 4, 3, 3, 4, 3]
    """
    ends = np.floor(np.cumsum(durations) * rate + 0.5 + 1e-6).astype(np.int64)
    return np.diff(ends, prepend=0)
