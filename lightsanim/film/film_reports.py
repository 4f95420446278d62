"""Reports on the searches for a film: one for each picture and one for each move."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

from lightsanim.game.solve.nearest import Nearest
from lightsanim.game.solve.status import Status, status_from_bound


@dataclass(frozen=True, kw_only=True)
class PictureReport:
    """Result of the search for the configuration nearest to a picture, summed over planes."""

    path: str
    chased_wrong: int | None  # Number of wrong cells after light chasing; None without it.
    wrong: int  # Number of wrong cells, which differ from the target.
    distance: int  # Sum of the differences of wrong cells, in levels.
    bound: int  # Proven lower bound on ``distance``.
    status: Status
    seconds: float

    @classmethod
    def from_searches(cls, path: str, planes: Sequence[Nearest]) -> Self:
        """Combine the results of all colour planes into one report."""
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
    """Report on the frames of a clip; ``wrong`` and ``distance`` are maxima over its frames."""

    frames: int
    mean_wrong: float

    @classmethod
    def from_frames(cls, path: str, wrong: Sequence[tuple[int, int]], seconds: float) -> Self:
        """Return the report; ``wrong`` is each frame's number of wrong cells and distance."""
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
    """Result of the search for the clicks between two pictures, summed over planes."""

    clicks: int
    bound: int
    status: Status
    seconds: float

    @classmethod
    def from_counts(cls, clicks: int, bound: int, seconds: float) -> Self:
        """Return the report on a number of clicks with a proven lower bound."""
        status = status_from_bound(clicks, bound)
        return cls(clicks=clicks, bound=bound, status=status, seconds=seconds)


@dataclass(frozen=True, kw_only=True)
class SketchReport(MoveReport):
    """Report on a sketch from one picture to the next, whose clicks are not proven minimal."""

    fade: int  # Number of clicks in the fade.
    ends: int | None  # Number of clicks in both wipes; None without wipes.
    # Mean and maximum error of a frame: the root mean square difference between its cells and its
    # ideal greys, both blurred by one cell.
    mean_error: float
    worst_error: float


@dataclass(kw_only=True, eq=False)
class FilmReports:
    """Reports on all pictures and moves of a film, and remarks for the user."""

    pictures: list[PictureReport] = field(default_factory=list)
    moves: list[MoveReport] = field(default_factory=list)  # one report per transition and clip
    notes: list[str] = field(default_factory=list)
    cut_short: bool = False  # whether the time limit ended a search

    def add_notes(self, notes: Iterable[str]) -> None:
        """Add remarks, each only once."""
        self.notes += [note for note in notes if note not in self.notes]
