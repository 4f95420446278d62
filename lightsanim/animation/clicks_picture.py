"""The wipe whose clicks draw a third picture: a search chooses both configurations and the clicks.

A dither leaves much of its freedom unused: many configurations look like the same picture.  Two
configurations that look like the first and the second picture therefore exist whose click set, the
solution of their difference, looks like a third.
"""

from collections.abc import Sequence

import numpy as np

from lightsanim.animation.searched_ends import (
    build_searched_wipe,
    require_perfect_board,
    search_pictures,
)
from lightsanim.animation.transition import Targets, Transition
from lightsanim.board.board import Board
from lightsanim.errors import SolverError
from lightsanim.options.settings import Settings
from lightsanim.solve.halftone import Effects
from lightsanim.system.progress import StageTimer

# Weights of the errors of the two pictures and of the clicks.
WEIGHTS = (1.0, 1.0, 1.2)


def build_clicks_picture(
    drawn: Sequence[Targets],
    board: Board,
    targets: Sequence[Targets],
    settings: Settings,
    clock: StageTimer,
) -> Transition:
    """Build the wipe between two pictures whose clicks look like a third one, in ``drawn``."""
    require_perfect_board(board, "clicks_picture")
    pictures, kinds = [*targets, *drawn], list_effects(board)
    search = search_pictures(board, pictures, kinds, WEIGHTS, settings, clock, clicks=1)
    *ends, clicks = search.cells.swapaxes(0, 1)
    transition = build_searched_wipe(board, targets, ends, search, settings, clock, clicks=1)
    made = transition.moves[0].clicks
    if not np.array_equal(made.count_presses(board, 0, len(made)), clicks):
        raise SolverError("the clicks found do not draw their picture; please report this")
    return transition


def list_effects(board: Board) -> list[Effects]:
    """Return the effects of the cells of the first picture, and of the clicks to the second."""
    flips = [(1, *offset) for offset in board.offsets()]
    changes = [(0, 0, 0), (1, 0, 0)], [*flips, (2, 0, 0)]
    return [Effects.from_offsets(board.shape, cells, wrap=board.wrap) for cells in changes]
