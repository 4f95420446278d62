"""How many clicks each frame adds, and how long it is shown."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import OptionError

MIN_FPS, MAX_FPS = 0.01, 1000
MAX_SECONDS = 24 * 3600


@dataclass(frozen=True, kw_only=True)
class Timing:
    """When the frames of an animation are shown.

    Attributes:
        fps: frames a second.
        duration: seconds from each picture to the next, not counting the holds.
        hold_first: seconds that the first picture is shown before the first click.
        hold_last: seconds that every later picture stays when its last click is done.
        clicks_per_frame: clicks that each frame adds; None for one where that fits the duration,
            otherwise for spreading them evenly.

    Raises:
        OptionError: for a value out of range.
    """

    fps: float = 25.0
    duration: float = 10.0
    hold_first: float = 1.0
    hold_last: float = 2.0
    clicks_per_frame: int | None = None

    def __post_init__(self) -> None:
        _check("fps", self.fps, MIN_FPS, MAX_FPS)
        _check("duration", self.duration, 0, MAX_SECONDS, open_below=True)
        _check("hold_first", self.hold_first, 0, MAX_SECONDS)
        _check("hold_last", self.hold_last, 0, MAX_SECONDS)
        if self.clicks_per_frame is not None and self.clicks_per_frame < 1:
            raise OptionError(f"clicks_per_frame must be at least 1, not {self.clicks_per_frame}")

    def frames_of(self, clicks: int) -> NDArray[np.int64]:
        """The clicks done at the end of each frame of a move of ``clicks`` clicks.

        >>> Timing(fps=25, duration=0.2).frames_of(12).tolist()
        [2, 4, 7, 9, 12]
        >>> Timing(clicks_per_frame=5).frames_of(12).tolist()
        [5, 10, 12]
        """
        if self.clicks_per_frame is not None:
            ends = np.arange(1, -(-clicks // self.clicks_per_frame) + 1) * self.clicks_per_frame
            return np.minimum(ends, clicks)
        frames = min(clicks, max(1, round(self.duration * self.fps)))
        return np.arange(1, frames + 1) * clicks // max(frames, 1)


def _check(name: str, value: float, low: float, high: float, *, open_below: bool = False) -> None:
    if not math.isfinite(value) or value < low or value > high or (open_below and value == low):
        least = "more than" if open_below else "at least"
        raise OptionError(f"{name} must be {least} {low:g} and at most {high:g}, not {value:g}")
