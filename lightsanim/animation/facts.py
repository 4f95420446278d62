"""What the searches for a film found, picture by picture and move by move."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from lightsanim.board.board import Board
from lightsanim.solve.fewest import Fewest
from lightsanim.solve.nearest import Nearest
from lightsanim.solve.status import Status, status_of


@dataclass(frozen=True, kw_only=True)
class PictureReport:
    """One picture's way to its configuration; in colour, of all three boards together."""

    path: str  # as it was given
    chased_wrong: int | None  # the wrong cells that the heuristic left
    wrong: int  # the cells of the picture's frame that differ from its target
    distance: int  # by how many levels in all; with two levels as many as ``wrong``
    bound: int  # no accessible configuration differs by fewer levels
    status: Status  # ``optimal`` when ``distance`` is proven to be the least
    seconds: float  # that the search took

    @classmethod
    def of(cls, path: str, boards: Sequence[Nearest]) -> Self:
        """The facts of the searches for each board."""
        chased = [board.chased_wrong for board in boards]
        return cls(
            path=path,
            chased_wrong=sum(c for c in chased if c is not None) if None not in chased else None,
            wrong=sum(board.wrong for board in boards),
            distance=sum(board.distance for board in boards),
            **_facts(boards),
        )


@dataclass(frozen=True, kw_only=True)
class ClipReport(PictureReport):
    """A clip's way to its configurations; ``wrong`` and ``distance`` are the worst frame's."""

    frames: int  # how many it has
    mean_wrong: float  # wrong cells of a frame, on average

    @classmethod
    def of_frames(cls, path: str, wrong: Sequence[tuple[int, int]], seconds: float) -> Self:
        """The facts of its frames."""
        cells, distances = zip(*wrong, strict=True)
        worst = max(distances)
        return cls(
            path=path,
            chased_wrong=None,
            wrong=max(cells),
            distance=worst,
            bound=min(worst, 1),
            status=status_of(worst, min(worst, 1)),
            seconds=seconds,
            frames=len(wrong),
            mean_wrong=round(sum(cells) / len(cells), 3),
        )


@dataclass(frozen=True, kw_only=True)
class MoveReport:
    """The clicks from one picture to the next; in colour, on all three boards together."""

    clicks: int
    bound: int
    status: Status
    seconds: float

    @classmethod
    def of(cls, boards: Sequence[Fewest]) -> Self:
        """The facts of the searches for each board."""
        return cls(clicks=sum(board.count for board in boards), **_facts(boards))

    @classmethod
    def of_way_back(cls, boards: Sequence[Fewest], board: Board) -> Self:
        """The facts of the same move backwards, where the levels are more than two.

        Every cell is pressed as often as is missing; where there are quiet patterns nobody has
        looked whether others press less.
        """
        presses = [board.subtract(np.zeros_like(each.clicks), each.clicks) for each in boards]
        count = sum(int(each.sum()) for each in presses)
        proven = board.nullity == 0 or count == 0
        status = Status.OPTIMAL if proven else Status.FEASIBLE
        return cls(clicks=count, bound=count if proven else 1, status=status, seconds=0.0)


@dataclass(frozen=True, kw_only=True)
class SketchReport(MoveReport):
    """The clicks of a sketch from one picture to the next; nothing is proven of them."""

    fade: int  # the clicks of the fade
    # Those of the wipes from and to the exact pictures; None where they are left out.
    ends: int | None
    # The root mean square by which a frame of the fade differs from the greys that it should show,
    # both blurred by one cell, on average.
    mean_error: float
    worst_error: float  # that of the worst frame

    @classmethod
    def of_fade(
        cls, fade: int, ends: int | None, errors: NDArray[np.float64], seconds: float = 0.0
    ) -> Self:
        """The facts of a move."""
        return cls(
            clicks=fade + (ends or 0),
            bound=0,
            status=Status.FEASIBLE,
            seconds=seconds,
            fade=fade,
            ends=ends,
            mean_error=round(float(errors.mean()), 4),
            worst_error=round(float(errors.max()), 4),
        )


def _facts(boards: Sequence[Nearest] | Sequence[Fewest]) -> dict[str, Any]:
    optimal = all(board.status is Status.OPTIMAL for board in boards)
    return {
        "bound": sum(board.bound for board in boards),
        "status": Status.OPTIMAL if optimal else Status.FEASIBLE,
        "seconds": max(board.seconds for board in boards),
    }
