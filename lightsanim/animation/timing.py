"""How many clicks each frame adds, and how long it is shown; the same at another rate."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.animation.clicks import Clicks, Steps
from lightsanim.options.checks import require_keys
from lightsanim.options.choices import EASES
from lightsanim.options.stages import MIN_FPS, Timing

# The share of the clicks that is done at a share of the time; where a front has a pace of its own,
# the share of its way.
PACES: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = require_keys(
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
    """The share of a move that is done at the end of each frame, rising to 1: float64 (frames,)."""
    return PACES[timing.ease](np.arange(1, frames + 1) / max(frames, 1))


def clicks_by_frame(
    clicks: int, timing: Timing, front: NDArray[np.float64] | None = None
) -> NDArray[np.int64]:
    """The clicks done at the end of each frame of a move.

    ``front``: float64 (clicks,), returns int64 (frames,).

    >>> clicks_by_frame(12, Timing(fps=25, duration=0.2)).tolist()
    [2, 4, 7, 9, 12]
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


def done_by_frame(clicks: Clicks | Steps, timing: Timing) -> NDArray[np.int64]:
    """How many clicks are done at the end of each frame of a move; of steps each is a frame."""
    if isinstance(clicks, Steps):
        return np.arange(1, len(clicks) + 1)
    return clicks_by_frame(len(clicks), timing, clicks.front)


def ticks(durations: NDArray[np.float64], rate: float) -> NDArray[np.int64]:
    """Durations in whole ticks of a clock, the rounding spread so that no sum is off by more.

    Frames that last a whole number of ticks get just that, wherever they stand: ends that fall
    between two ticks all go the same way, whatever floats make of them.

    >>> ticks(np.full(6, 1 / 30), 100).tolist()
    [3, 4, 3, 3, 4, 3]
    """
    ends = np.floor(np.cumsum(durations) * rate + 0.5 + 1e-6).astype(np.int64)
    return np.diff(ends, prepend=0)


def thinned(animation: Animation, fps: float) -> Animation:
    """The same animation in at most ``fps`` frames a second: several frames' clicks become one's.

    Frames keep their places on a clock of ``fps`` ticks a second; those that get no tick are not
    shown.  The first and the last frame always are, and so is every frame that is held.
    """
    if animation.fps <= fps:
        return animation
    shown = ticks(animation.durations(), fps)
    shown[[0, -1]] = np.maximum(shown[[0, -1]], 1)
    kept = shown > 0
    return replace(
        animation,
        clicks_done=animation.clicks_done[kept],
        fps=fps,
        holds=tuple((n, (t - 1) / fps) for n, t in enumerate(shown[kept].tolist()) if t > 1),
    )


def rested(animation: Animation) -> Animation:
    """The same with frames of their own for holds, in which nothing is clicked.

    A frame that is made by clicks is shown as long as the others, and then held without them.

    >>> from lightsanim.animation.animate import animate
    >>> from lightsanim.board.board import Board
    >>> from lightsanim.options.stages import Timing
    >>> board, off = Board(1, 3), np.zeros((1, 3), bool)
    >>> held = rested(animate(board, off, [(np.array([0, 2]), None)], Timing(fps=10)))
    >>> held.clicks_done.tolist(), held.durations().round(3).tolist()
    ([0, 1, 2, 2], [1.0, 0.1, 0.1, 3.0])
    """
    each = 1 / animation.fps
    longer = animation.durations() - each
    rests = (np.diff(animation.clicks_done, prepend=0) > 0) & (longer >= each)
    longer[rests] -= each
    last = np.cumsum(1 + rests) - 1
    return replace(
        animation,
        clicks_done=np.repeat(animation.clicks_done, 1 + rests),
        holds=tuple((int(last[n]), float(longer[n])) for n in np.flatnonzero(longer > 0)),
    )


def in_fewer_frames(animation: Animation, most: int) -> Animation:
    """The same in so few frames that its steps have about so many bytes: several become one.

    It is as legal, and about as long; of the frames those stay that `thinned` keeps.

    >>> from lightsanim.animation.animate import animate
    >>> from lightsanim.options.stages import Timing
    >>> from lightsanim.board.board import Board
    >>> off, corner = np.zeros((1, 8), bool), np.arange(8).reshape(1, 8) < 1
    >>> steps = Steps.of((1, 1, 8), 2, [corner] * 9)
    >>> long = animate(Board(1, 8), off, [steps], Timing(fps=10, hold_first=0, hold_last=0))
    >>> short = in_fewer_frames(long, 5)
    >>> len(long), len(short), round(float(short.durations().sum()), 3)
    (10, 6, 1.08)
    >>> np.array_equal([*long.configurations()][-1], [*short.configurations()][-1])
    True
    """
    steps, board = animation.steps, animation.board
    if steps is None or steps.packed.nbytes <= most:
        return animation
    slow = thinned(animation, max(MIN_FPS, animation.fps * most / steps.packed.nbytes))
    between = pairwise(slow.clicks_done.tolist())
    sets = (steps.pressed(board, *ends) for ends in between)
    fewer = Steps.of(steps.shape, steps.levels, sets)
    return replace(slow, steps=fewer, clicks_done=np.arange(len(slow), dtype=np.int64))
