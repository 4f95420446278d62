"""A film of stills: a transition leads from each picture to the next."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lightsanim.animation.animate import animate
from lightsanim.animation.animation import Animation
from lightsanim.animation.boards import stacked
from lightsanim.animation.facts import MoveReport, PictureReport
from lightsanim.animation.transition import Transition
from lightsanim.board.board import Board
from lightsanim.options.table import Settings
from lightsanim.pictures.dither import Target
from lightsanim.system.progress import Clock

Targets = Sequence[Target]
"""What a still, or a frame, asks for: one for each board."""

Way = Callable[[Board, Sequence[Targets], Settings, Clock], Transition]


@dataclass(frozen=True, kw_only=True, eq=False)
class Film:
    """An animation, and the facts of its making."""

    animation: Animation  # still without its origin
    pictures: list[PictureReport]  # a report for each
    moves: list[MoveReport]  # a report for each transition and each clip
    notes: Sequence[str]  # what else there is to know, in a sentence each
    cut_short: bool  # whether the time limit ended a search


def film_of_stills(
    board: Board,
    pictures: Sequence[tuple[str, Targets]],
    settings: Settings,
    way: Way,
    clock: Clock,
) -> Film:
    """The film of stills."""
    paths, targets = zip(*pictures, strict=True)
    transition = way(board, targets, settings, clock)
    animation = animate(
        board,
        stacked([nearest.configuration for nearest in transition.reached[0]]),
        transition.moves,
        settings,
        fronts=transition.fronts,
        returns=settings.cycle or settings.boomerang,
        pictures=tuple(target.name for target, *_ in targets),
        targets=tuple(stacked([t.configuration for t in boards]) for boards in targets),
        seed=settings.seed,
    )
    return Film(
        animation=animation,
        pictures=list(map(PictureReport.of, paths, transition.reached)),
        moves=list(transition.reports),
        notes=transition.notes,
        cut_short=transition.cut_short,
    )
