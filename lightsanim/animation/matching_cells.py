"""How near each frame of an animation comes to some configurations."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.look.levels import Lights, shades_of


def matching_cells(animation: Animation, targets: Sequence[Lights]) -> NDArray[np.int64]:
    """Count the cells of each frame that are as in each target; the cost grows with the clicks.

    Returns int64 (targets, frames).

    >>> from lightsanim.animation.animate import animate
    >>> from lightsanim.options.stages import Timing
    >>> from lightsanim.board.board import Board
    >>> off, clicks = np.zeros((1, 4), bool), np.array([0, 3])
    >>> animation = animate(Board(1, 4), off, [(clicks, None)], Timing())
    >>> matching_cells(animation, [np.ones((1, 4), bool)]).tolist()  # cells 0 and 1, then 3 and 2
    [[0, 2, 4]]
    """
    wanted = np.array([shades_of(target, animation.board.levels) for target in targets], np.uint8)
    wanted = wanted.reshape(len(targets), animation.board.cells)
    changes = animation.changes()
    shades, _ = next(changes)
    cells = shades.reshape(-1)  # a view: it changes with the frames
    matches = cells == wanted
    counts = [matches.sum(axis=1)]
    for _, touched in changes:
        flipped = np.unique(touched)
        now = cells[flipped] == wanted[:, flipped]
        counts.append(counts[-1] + now.sum(axis=1) - matches[:, flipped].sum(axis=1))
        matches[:, flipped] = now
    return np.stack(counts, axis=1)
