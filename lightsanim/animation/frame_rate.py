"""The frames of an animation at another rate, or with rests in place of holds."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from lightsanim.animation.animation import Animation
from lightsanim.animation.steps import Steps
from lightsanim.animation.timing import ticks
from lightsanim.options.stages import MIN_FPS


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
