"""The pace of a move: how many of its clicks are made by the end of each frame."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lightsanim.options.checks import require_keys
from lightsanim.options.choices import EASES
from lightsanim.options.stages import Timing

# Functions from the share of a move's time to the share of its clicks, or of its front's path.
PACES: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = require_keys(
    EASES,
    {
        **dict.fromkeys(("auto", "even", "front", "linear"), lambda time: time),
        "in-out": lambda time: (1 - np.cos(np.pi * time)) / 2,
    },
)


def max_frames(timing: Timing) -> int:
    """Return the maximum number of frames of a move, at least 1."""
    return max(1, round(timing.duration * timing.fps))


def move_progress_by_frame(timing: Timing, frames: int) -> NDArray[np.float64]:
    """Return the progress of a move, 0 to 1, at the end of each frame: float64 (frames,)."""
    return PACES[timing.ease](np.arange(1, frames + 1) / max(frames, 1))


def pace_clicks(
    clicks: int, timing: Timing, front: NDArray[np.float64] | None = None
) -> NDArray[np.int64]:
    """Return how many clicks of a move, evenly or at a front, are made by the end of each frame."""
    if timing.clicks_per_frame is not None:
        per_frame = min(timing.clicks_per_frame, max(clicks, 1))
        return np.minimum(np.arange(1, -(-clicks // per_frame) + 1) * per_frame, clicks)
    share = move_progress_by_frame(timing, min(clicks, max_frames(timing)))
    if front is not None:
        return np.searchsorted(front, share + 1e-9, side="right").astype(np.int64)
    return np.floor(share * clicks + 1e-9).astype(np.int64)
