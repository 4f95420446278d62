"""What each transition gives, and the search for the nearest configurations that all begin with."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from lightsanim.animation.animation import Move
from lightsanim.animation.facts import MoveReport
from lightsanim.animation.steps import Steps
from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.options.table import Settings
from lightsanim.pictures.dither import Target
from lightsanim.solve.nearest import Nearest, nearest_accessible
from lightsanim.solve.parallel import search_in_parallel
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import Say

# Bytes of memory for the steps of a film, or the search for them.
MAX_BYTES = 2_000_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Transition:
    """What leads from each picture to the next."""

    reached: Sequence[Sequence[Nearest]]  # what each picture is shown as, on each of its boards
    moves: Sequence[Move | Steps]  # the clicks, or the steps, of each move, in order
    # For each move when each click is made, see `lightsanim.animation.animate.animate`; None where
    # they are made evenly.
    fronts: Sequence[NDArray[np.float64] | None]
    # Of each move, and where another number of clicks leads back, of the ways back.
    reports: Sequence[MoveReport]
    cut_short: bool  # whether the time limit ended a search
    notes: Sequence[str] = ()  # what else there is to know, in a sentence each


def check_memory(size: int, frames: int, board: Board, film: str, less: str) -> None:
    """Do the frames of a film fit in memory?"""
    if size > MAX_BYTES:
        raise OptionError(
            f"{frames} frames of {board.columns}x{board.rows} cells are too many for {film}: "
            f"{size / 1e9:.1f} GB; take {less}",
            "size",
        )


def find_nearest(
    board: Board, targets: Sequence[Sequence[Target]], settings: Settings, say: Say
) -> list[list[Nearest]]:
    """The nearest accessible configuration of each picture on each of its boards.

    They are searched side by side, each with the settings' time limit for itself; before, the
    elimination that they share has the same.
    """
    board.factor(settings.time_limit)

    def search(target: Target, deadline: Deadline) -> Nearest:
        return nearest_accessible(
            board,
            target.configuration,
            margin=target.margin,
            in_levels=None if target.margin is not None else target.in_levels,
            ip=settings.ip,
            time_limit=deadline,
            on_progress=lambda wrong, bound: say(
                f"{target.name}: {wrong} wrong cells, at least {bound}"
            ),
        )

    found = iter(search_in_parallel(search, chain(*targets), settings.time_limit))
    return [[next(found) for _ in boards] for boards in targets]
