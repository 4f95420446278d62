"""How near each frame of an animation comes to a configuration."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.animate.animation import Animation, shades_of
from lightsanim.errors import OptionError


def agreement(animation: Animation, target: Bits) -> NDArray[np.int64]:
    """How many cells of each frame are as in ``target``; the cost grows with the clicks.

    Args:
        animation: whose frames.
        target: of the same shape as the animation's ``first``; in colour a cell agrees where all
            three boards do.

    Returns:
        int64 (frames,).

    Raises:
        OptionError: for a target of another shape.

    >>> from lightsanim.animate.animation import animate
    >>> from lightsanim.animate.timing import Timing
    >>> from lightsanim.board.board import Board
    >>> off, clicks = np.zeros((1, 4), bool), np.array([0, 3])
    >>> film = animate(Board(1, 4), off, [(clicks, None)], Timing())
    >>> agreement(film, np.ones((1, 4), bool)).tolist()  # cells 0 and 1, then 3 and 2
    [0, 2, 4]
    """
    counts: NDArray[np.int64] = agreements(animation, [target])[0]
    return counts


def agreements(animation: Animation, targets: Sequence[Bits]) -> NDArray[np.int64]:
    """The same for several targets at once: int64 (targets, frames)."""
    shape = animation.first.shape
    for target in targets:
        if target.shape != shape:
            raise OptionError(f"a target must have shape {shape}, not {target.shape}")
    wanted = np.array([shades_of(target.astype(bool)) for target in targets], np.uint8)
    wanted = wanted.reshape(len(targets), animation.board.cells)
    changes = animation.changes()
    shades, _ = next(changes)
    cells = shades.reshape(-1)  # a view: it changes with the frames
    agrees = cells == wanted
    counts = [agrees.sum(axis=1)]
    for _, touched in changes:
        flipped = np.unique(touched)
        now = cells[flipped] == wanted[:, flipped]
        counts.append(counts[-1] + now.sum(axis=1) - agrees[:, flipped].sum(axis=1))
        agrees[:, flipped] = now
    return np.stack(counts, axis=1)
