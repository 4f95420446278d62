"""Long films in fewer frames, for a place that has room for so much of them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from lightsanim.animation.animation import Animation
from lightsanim.animation.apply_clicks import pressed_in
from lightsanim.animation.frame_rate import thinned
from lightsanim.animation.steps import Steps
from lightsanim.options.table import MIN_FPS


def in_fewer_frames(animation: Animation, most: int) -> Animation:
    """The same in so few frames that its steps have about so many bytes: several become one.

    It is as legal, and about as long; of the frames those stay that `thinned` keeps.

    >>> from lightsanim.animation.animate import animate
    >>> from lightsanim.animation.timing import Timing
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
    if steps is None or steps.nbytes <= most:
        return animation
    slow = thinned(animation, max(MIN_FPS, animation.fps * most / steps.nbytes))
    between = pairwise(slow.clicks_done.tolist())
    sets = (np.stack([*pressed_in(board, steps, *ends)]) for ends in between)
    fewer = Steps.of(steps.shape, steps.levels, sets)
    return replace(slow, steps=fewer, clicks_done=np.arange(len(slow), dtype=np.int64))
