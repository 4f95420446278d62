"""A moving picture as it was recorded, each frame at its own time, and cut to even times."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from lightsanim.errors import OptionError, PictureError
from lightsanim.pictures.pillow import check_pixels

Light: TypeAlias = npt.NDArray[np.float32]
MakeLight: TypeAlias = Callable[[int], Light]
"""Makes the linear light of a frame, in any thread, averaged over squares of so many pixels a side,
so that what is made small in any case is not first made large."""

# Frames of a clip, repeated ones counted each time: hours of it.
MAX_FRAMES = 1_000_000

# Pixels of a frame, of which several are in memory at a time; 8K has 33 million.
MAX_CLIP_PIXELS = 40_000_000

# Frames a second where nothing tells them.
DEFAULT_FPS = 25.0

# Frames of a clip in which its tones are found.
SAMPLES = 50

# Seconds by which a time may miss that of a frame: containers round to milliseconds.
TIME_TOLERANCE = 0.001


class TimedFrame(NamedTuple):
    """A frame, and when it is shown."""

    start: float  # seconds after the first frame
    end: float  # when it is over
    # Linear light, as of `lightsanim.pictures.picture.Picture`; made when it is called.
    light: MakeLight


@dataclass(frozen=True, kw_only=True, eq=False)
class Reel:
    """A moving picture from its first frame to its last."""

    fps: float  # frames a second; where they vary, enough to show about all of them
    seconds: float | None  # its length, where it is known without decoding all
    size: tuple[int, int]  # width and height as it is shown, turned, and with square pixels
    # The frames one after the other from that which is shown at a time, in seconds; opened anew
    # with each call.
    timed_frames: Callable[[float], Iterator[TimedFrame]]
    # Some frames from all over the part between two times, the first one first.
    sample_lights: Callable[[float, float | None], Iterator[MakeLight]]
    first_time: float = 0.0  # what a file calls the time of the first frame, in seconds
    is_moving: bool = True  # whether there is more than one frame
    has_times: bool = True  # whether the times are its own
    has_sound: bool = False  # whether there is sound with it


@dataclass(frozen=True, kw_only=True)
class TimeSpan:
    """The part of a reel that is taken."""

    start: float = 0.0  # seconds after the first frame
    end: float | None = None  # seconds after the first frame; None for the end of the reel
    option: str = "start"  # that says the start

    def duration_in_reel(self, reel: Reel) -> float | None:
        """Seconds of the part, where they are known without decoding all."""
        limits = [end for end in (reel.seconds, self.end) if end is not None]
        return max(0.0, min(limits) - self.start) if limits else None


def check_clip_pixels(width: int, height: int) -> None:
    """Are the pixels of a clip's frames few enough?"""
    check_pixels(width, height)
    if width * height > MAX_CLIP_PIXELS:
        raise PictureError(
            f"its frames have {width}x{height} pixels; those of a clip may have "
            f"{MAX_CLIP_PIXELS} in all: make it smaller"
        )


def resample_frames(
    frames: Iterator[TimedFrame], span: TimeSpan, fps: float
) -> Iterator[MakeLight]:
    """What makes the frames of a part at even times: the k-th is that shown at start + k / fps.

    Times are taken to within a millisecond, to which containers round those of their frames: a
    clip at its own rate gives each frame once.

    >>> frames = (TimedFrame(t, t + 0.1, lambda factor: np.float32(t)) for t in (0, 0.1, 0.2))
    >>> len(list(resample_frames(frames, TimeSpan(), 20)))
    6
    """
    tolerance, count, end = min(TIME_TOLERANCE, 0.25 / fps), 0, 0.0

    def next_frame_time() -> float:
        return span.start + count / fps + tolerance

    for frame in frames:
        end = frame.end
        if frame.end <= next_frame_time():
            continue
        while next_frame_time() < frame.end:
            if count and span.end is not None and next_frame_time() >= span.end:
                return
            if count == MAX_FRAMES:
                raise PictureError(f"it has more than {MAX_FRAMES} frames at {fps:g} a second")
            yield frame.light
            count += 1
    if not count:
        raise OptionError(f"{span.start:g} seconds lie beyond its end, after {end:g}", span.option)


def sample_times(start: float, end: float) -> list[float]:
    """Times from all over a part, in seconds, the first one its start.

    >>> sample_times(1, 6)[:3]
    [1.0, 1.1, 1.2]
    """
    return [round(time, 6) for time in np.linspace(start, end, SAMPLES, endpoint=False).tolist()]


def select_frames_at_times(
    frames: Iterable[TimedFrame], times: Iterable[float]
) -> Iterator[MakeLight]:
    """What makes the frames shown at some times, none of them twice.

    >>> frames = (TimedFrame(t, t + 1, lambda factor: np.float32(t)) for t in range(4))
    >>> [float(light(1)) for light in select_frames_at_times(frames, [0, 0.5, 2, 9])]
    [0.0, 2.0]
    """
    waiting = deque(times)
    for frame in frames:
        if not waiting:
            return
        if waiting[0] < frame.end:
            yield frame.light
        while waiting and waiting[0] < frame.end:
            waiting.popleft()
