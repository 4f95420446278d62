"""How many clicks each frame adds, and how long it is shown."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lightsanim.values import check_choice, check_number, check_whole

MIN_FPS, MAX_FPS = 0.01, 1000
MAX_LOOP = 65_535

# The share of the clicks that is done at a share of the time.
EASES: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "linear": lambda time: time,
    "in-out": lambda time: (1 - np.cos(np.pi * time)) / 2,
}

MIN_SECONDS, MAX_SECONDS = 0.001, 24 * 3600


@dataclass(frozen=True, kw_only=True)
class Timing:
    """When the frames of an animation are shown.

    Attributes:
        fps: frames a second.
        duration: seconds from each picture to the next, not counting the holds; less where there
            are fewer clicks than frames.
        hold_first: seconds that the first picture is shown before the first click.
        hold_last: seconds that every later picture stays when its last click is done.
        clicks_per_frame: clicks that each frame adds; None for one where that fits the duration,
            otherwise for spreading them evenly.
        ease: ``linear``, or ``in-out`` for slow, fast, slow.
        loop: how often the animation is played; 0 for ever.

    Raises:
        OptionError: for a value out of range.
    """

    fps: float = 25.0
    duration: float = 10.0
    hold_first: float = 1.0
    hold_last: float = 2.0
    clicks_per_frame: int | None = None
    ease: str = "linear"
    loop: int = 0

    def __post_init__(self) -> None:
        check_number("fps", self.fps, MIN_FPS, MAX_FPS)
        check_number("duration", self.duration, MIN_SECONDS, MAX_SECONDS)
        check_number("hold_first", self.hold_first, 0, MAX_SECONDS)
        check_number("hold_last", self.hold_last, 0, MAX_SECONDS)
        check_choice("ease", self.ease, EASES)
        check_whole("loop", self.loop, 0, MAX_LOOP)
        if self.clicks_per_frame is not None:
            check_whole("clicks_per_frame", self.clicks_per_frame, 1)

    def frames_of(self, clicks: int) -> NDArray[np.int64]:
        """The clicks done at the end of each frame of a move of ``clicks`` clicks.

        >>> Timing(fps=25, duration=0.2).frames_of(12).tolist()
        [2, 4, 7, 9, 12]
        >>> Timing(clicks_per_frame=5).frames_of(12).tolist()
        [5, 10, 12]
        """
        if self.clicks_per_frame is not None:
            each = min(self.clicks_per_frame, max(clicks, 1))
            return np.minimum(np.arange(1, -(-clicks // each) + 1) * each, clicks)
        frames = min(clicks, max(1, round(self.duration * self.fps)))
        share = EASES[self.ease](np.arange(1, frames + 1) / max(frames, 1))
        return np.floor(share * clicks + 1e-9).astype(np.int64)


def ticks(durations: NDArray[np.float64], rate: float) -> NDArray[np.int64]:
    """Durations in whole ticks of a clock, the rounding spread so that no sum is off by more.

    Frames that last a whole number of ticks get just that, wherever they stand: ends that fall
    between two ticks all go the same way, whatever floats make of them.

    Args:
        durations: seconds, float64 (frames,).
        rate: ticks a second.

    >>> ticks(np.full(6, 1 / 30), 100).tolist()
    [3, 4, 3, 3, 4, 3]
    """
    ends = np.floor(np.cumsum(durations) * rate + 0.5 + 1e-6).astype(np.int64)
    return np.diff(ends, prepend=0)
