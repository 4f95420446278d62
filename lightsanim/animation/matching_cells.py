"""How near each frame of an animation comes to some configurations."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Animation
from lightsanim.look.levels import Lights, pack_levels


def count_matching_cells(animation: Animation, targets: Sequence[Lights]) -> NDArray[np.int64]:
    """Count the cells of each frame that are as in each target; the cost grows with the clicks.

    Returns int64 (targets, frames).
    """
    target_shades = np.array(
        [pack_levels(target, animation.board.levels) for target in targets], np.uint8
    )
    target_shades = target_shades.reshape(len(targets), animation.board.cells)
    changes = animation.changes()
    shades, _ = next(changes)
    cells = shades.reshape(-1)  # a view: it changes with the frames
    matches = cells == target_shades
    counts = [matches.sum(axis=1)]
    for _, touched in changes:
        flipped = np.unique(touched)
        matching = cells[flipped] == target_shades[:, flipped]
        counts.append(counts[-1] + matching.sum(axis=1) - matches[:, flipped].sum(axis=1))
        matches[:, flipped] = matching
    return np.stack(counts, axis=1)
