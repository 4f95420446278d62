"""What the searches for a film found, picture by picture and move by move."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from lightsanim.solve.nearest import Nearest
from lightsanim.solve.status import Status, status_from_bound


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
    def from_searches(cls, path: str, planes: Sequence[Nearest]) -> Self:
        """The facts of the searches for each board."""
        chased = [plane.chased_wrong for plane in planes]
        distance = sum(plane.distance for plane in planes)
        bound = sum(plane.bound for plane in planes)
        return cls(
            path=path,
            chased_wrong=sum(c for c in chased if c is not None) if None not in chased else None,
            wrong=sum(plane.wrong for plane in planes),
            distance=distance,
            bound=bound,
            status=status_from_bound(distance, bound),
            seconds=max(plane.seconds for plane in planes),
        )


@dataclass(frozen=True, kw_only=True)
class ClipReport(PictureReport):
    """A clip's way to its configurations; ``wrong`` and ``distance`` are the worst frame's."""

    frames: int  # how many it has
    mean_wrong: float  # wrong cells of a frame, on average

    @classmethod
    def from_frames(cls, path: str, wrong: Sequence[tuple[int, int]], seconds: float) -> Self:
        """The facts of its frames."""
        cells, distances = zip(*wrong, strict=True)
        worst = max(distances)
        return cls(
            path=path,
            chased_wrong=None,
            wrong=max(cells),
            distance=worst,
            bound=min(worst, 1),
            status=status_from_bound(worst, min(worst, 1)),
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
    def from_counts(cls, clicks: int, bound: int, seconds: float) -> Self:
        """The facts of clicks that are at least so many."""
        return cls(
            clicks=clicks, bound=bound, status=status_from_bound(clicks, bound), seconds=seconds
        )


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


@dataclass(kw_only=True, eq=False)
class FilmReports:
    """What was found on the way to a film."""

    pictures: list[PictureReport] = field(default_factory=list)  # a report for each
    # A report for each transition and each clip.
    moves: list[MoveReport] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what else there is to know, each once
    cut_short: bool = False  # whether the time limit ended a search
