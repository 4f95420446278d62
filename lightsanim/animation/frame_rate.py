"""The frames of an animation at another rate, or with rests in place of holds."""

from dataclasses import replace

import numpy as np

from lightsanim.animation.animation import Animation
from lightsanim.animation.timing import ticks


def thinned(animation: Animation, fps: float) -> Animation:
    """The same animation in at most ``fps`` frames a second: several frames' clicks become one's.

    Frames keep their places on a clock of ``fps`` ticks a second; those that get no tick are not
    shown.  The first and the last frame always are, and so is every frame that is held.

    >>> from lightsanim.animation.animate import animate
    >>> from lightsanim.board.board import Board
    >>> from lightsanim.options.table import Timing
    >>> board, off = Board(1, 4), np.zeros((1, 4), bool)
    >>> fast = animate(board, off, [(np.arange(4), None)], Timing(fps=100, hold_first=0))
    >>> slow = thinned(fast, 50)
    >>> slow.clicks_done.tolist(), round(float(slow.durations().sum()), 3)
    ([0, 2, 4], 2.06)
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
    >>> from lightsanim.options.table import Timing
    >>> board, off = Board(1, 3), np.zeros((1, 3), bool)
    >>> held = rested(animate(board, off, [(np.array([0, 2]), None)], Timing(fps=10)))
    >>> held.clicks_done.tolist(), held.durations().round(3).tolist()
    ([0, 1, 2, 2], [1.0, 0.1, 0.1, 2.0])
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
