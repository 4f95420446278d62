"""Moving pictures: frames with their recorded times, and resampling to an even frame rate."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from lightsanim.errors import OptionError, PictureError
from .light import Light as Light
from .pillow import check_pixels, prefix_errors

MakeLight: TypeAlias = Callable[[int], Light]
"""Function that takes a block size in pixels and returns a frame's linear light, averaged over
square blocks of that side; safe to call in any thread."""

# Limit of the number of frames of a clip, repeated ones included: hours of film.
MAX_FRAMES = 1_000_000
# Limit of a frame's pixels, as several frames are in memory at a time; 8K has 33 million.
MAX_CLIP_PIXELS = 40_000_000
# Frames per second of a clip that does not declare a rate.
DEFAULT_FPS = 25.0
# Number of frames from which a clip's tone range is measured.
SAMPLES = 50
# Number of first frames of an iterator that are kept, to measure its tone range.
SAMPLED_FRAMES = 100
# Rounding error, in frames, allowed when a time is converted to a frame number.
FRAME_TOLERANCE = 1e-6
# Allowed error of a frame's time in seconds: containers round times to milliseconds.
TIME_TOLERANCE = 0.001


DecodeFrames: TypeAlias = Callable[[float, bool], Iterator[tuple[float, Any]]]
"""Function that decodes anew the frames from a time in seconds on, or with True, if it is quicker,
fewer of them.  It yields the end of each, as in `TimedFrame`, and the frame."""


class TimedFrame(NamedTuple):
    """A frame and the end of its display, in seconds after the start of the first frame."""

    end: float
    light: MakeLight  # Decodes the frame when it is called.


def sample_evenly(reel: "Reel", start: float, end: float | None) -> Iterator[MakeLight]:
    """Yield frames spread up to an end time; the first ones if the duration is not known."""
    if reel.seconds is not None:
        times = sample_times(start, reel.seconds if end is None else end)
        return select_frames_at_times(reel.timed_frames(start), times)
    after = (shot for shot in reel.timed_frames(start) if shot.end > start + FRAME_TOLERANCE)
    return (shot.light for shot in islice(after, SAMPLED_FRAMES))


@dataclass(frozen=True, kw_only=True, eq=False)
class Reel:
    """A moving picture from its first frame to its last."""

    path: str  # Path as the user gave it, which errors include.
    fps: float  # Frames per second; if they vary, enough to show nearly all frames.
    seconds: float | None  # Duration in seconds; None if it is known only after decoding.
    size: tuple[int, int]  # Displayed width and height, after rotation, in square pixels.
    decode_frames: DecodeFrames
    # Returns a frame's light, averaged over blocks of a side in pixels; safe in any thread.
    convert_to_light: Callable[[Any, int], Light]
    # Returns the first frame after a time, and then some frames spread up to an end time.
    sample_lights: Callable[["Reel", float, float | None], Iterator[MakeLight]] = sample_evenly
    first_time: float = 0.0  # Time stamp of the first frame in its file, in seconds.
    is_moving: bool = True  # False if there is only one frame.
    has_times: bool = True  # False if the frames' times are computed from the option ``fps``.
    has_sound: bool = False
    remark: str | None = None  # What the user should know about the end; follows the path.

    def load_light(self, frame: Any, factor: int) -> Light:
        """Return a frame's light, averaged over blocks of ``factor`` pixels a side."""
        with prefix_errors(self.path):
            return self.convert_to_light(frame, factor)

    def timed_frames(self, start: float, *, quickly: bool = False) -> Iterator[TimedFrame]:
        """Yield the frames from a time in seconds on; each call decodes anew."""
        for end, frame in self.decode_frames(start, quickly):
            yield TimedFrame(end, partial(self.load_light, frame))


@dataclass(frozen=True, kw_only=True)
class TimeSpan:
    """The part of a reel between two times, in seconds after its first frame."""

    start: float = 0.0
    end: float | None = None  # End in seconds; None for the end of the reel.
    option: str = "start"  # Option that sets the start, to be named in errors.

    def duration_in_reel(self, reel: Reel) -> float | None:
        """Return the part's duration in seconds, or None if it is known only after decoding."""
        limits = [end for end in (reel.seconds, self.end) if end is not None]
        return max(0.0, min(limits) - self.start) if limits else None


def check_clip_pixels(width: int, height: int) -> None:
    """Raise `PictureError` if a clip's frames have no pixels or more than `MAX_CLIP_PIXELS`."""
    check_pixels(width, height)
    if width * height > MAX_CLIP_PIXELS:
        flaw = f"each frame has {width}x{height} pixels, more than {MAX_CLIP_PIXELS} in total"
        raise PictureError(f"{flaw}; make the clip smaller")


def resample_frames(
    frames: Iterator[TimedFrame], span: TimeSpan, fps: float
) -> Iterator[MakeLight]:
    """Resample a part of a reel: yield ``fps`` frames for each second.

    >>> frames = (TimedFrame(t, lambda factor: np.float32(t)) for t in (0.1, 0.2, 0.3))
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
                raise PictureError(f"more than {MAX_FRAMES} frames at {fps:g} fps; shorten it")
            yield frame.light
            count += 1
    if not count:
        raise OptionError(f"time {span.start:g} s is after the end at {end:g} s", span.option)


def sample_times(start: float, end: float) -> list[float]:
    """Return `SAMPLES` evenly spaced times from ``start`` on and before ``end``, in seconds.

    >>> sample_times(1, 6)[:3]
    [1.0, 1.1, 1.2]
    """
    return [round(time, 6) for time in np.linspace(start, end, SAMPLES, endpoint=False).tolist()]


def select_frames_at_times(
    frames: Iterable[TimedFrame], times: Iterable[float]
) -> Iterator[MakeLight]:
    """Yield the frames shown at some times, which must ascend; each frame is yielded only once.

    >>> frames = (TimedFrame(t + 1, lambda factor: np.float32(t)) for t in range(4))
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
