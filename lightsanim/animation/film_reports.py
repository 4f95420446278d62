"""Results of the searches for a film, for each picture and each move."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from lightsanim.solve.nearest import Nearest
from lightsanim.solve.status import Status, status_from_bound


@dataclass(frozen=True, kw_only=True)
class PictureReport:
    """Search for the configuration nearest to a picture; colour planes are added up."""

    path: str
    chased_wrong: int | None  # wrong cells after light chasing
    wrong: int  # cells that differ from the target
    distance: int  # sum of the differences in levels; with two levels equal to ``wrong``
    bound: int  # proven lower bound on ``distance``
    status: Status  # ``optimal`` if ``distance`` is proven minimal
    seconds: float  # longest search of a plane

    @classmethod
    def from_searches(cls, path: str, planes: Sequence[Nearest]) -> Self:
        """Return the report on the searches for all colour planes."""
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
    """Searches for the frames of a clip; ``wrong`` and ``distance`` are the worst frame's."""

    frames: int  # number of frames
    mean_wrong: float  # average number of wrong cells in a frame

    @classmethod
    def from_frames(cls, path: str, wrong: Sequence[tuple[int, int]], seconds: float) -> Self:
        """Return the report on frames, given their numbers of wrong cells and distances."""
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
    """Search for the clicks from one picture to the next; colour planes are added up."""

    clicks: int
    bound: int  # proven lower bound on ``clicks``
    status: Status
    seconds: float

    @classmethod
    def from_counts(cls, clicks: int, bound: int, seconds: float) -> Self:
        """Return the report on clicks with a proven lower bound."""
        status = status_from_bound(clicks, bound)
        return cls(clicks=clicks, bound=bound, status=status, seconds=seconds)


@dataclass(frozen=True, kw_only=True)
class SketchReport(MoveReport):
    """Search for a sketch from one picture to the next; nothing is proven about its clicks."""

    fade: int  # clicks of the fade
    ends: int | None  # clicks of the wipes from and to the exact pictures; None without wipes
    # Root mean square difference of a frame of the fade from its ideal greys, both blurred by one
    # cell, averaged over the frames.
    mean_error: float
    worst_error: float  # that difference for the worst frame


@dataclass(kw_only=True, eq=False)
class FilmReports:
    """Results of all searches for a film."""

    pictures: list[PictureReport] = field(default_factory=list)
    moves: list[MoveReport] = field(default_factory=list)  # one for each transition and clip
    notes: list[str] = field(default_factory=list)  # remarks for the user, without duplicates
    cut_short: bool = False  # whether the time limit ended a search
