"""What `make` did: the facts that the command line prints and `--json` gives."""

from dataclasses import asdict, dataclass, field
from typing import Any, Self

from lightsanim.solve.fewest import Fewest
from lightsanim.solve.nearest import Nearest
from lightsanim.solve.outcome import Status


@dataclass(frozen=True, kw_only=True)
class PictureReport:
    """One picture's way to its configuration.

    Attributes:
        path: as it was given.
        chased_wrong: the wrong cells that the heuristic left.
        wrong: the cells of the picture's frame that differ from its target.
        bound: no accessible configuration has fewer wrong cells.
        status: ``optimal`` when ``wrong`` is proven to be the fewest.
        seconds: that the search took.
    """

    path: str
    chased_wrong: int | None
    wrong: int
    bound: int
    status: Status
    seconds: float

    @classmethod
    def of(cls, path: str, nearest: Nearest) -> Self:
        """The facts of one search."""
        facts = _facts(nearest, "chased_wrong", "wrong", "bound", "status", "seconds")
        return cls(path=path, **facts)


@dataclass(frozen=True, kw_only=True)
class MoveReport:
    """The clicks from one picture to the next; attributes as above."""

    clicks: int
    bound: int
    status: Status
    seconds: float

    @classmethod
    def of(cls, fewest: Fewest) -> Self:
        """The facts of one search."""
        return cls(clicks=fewest.count, **_facts(fewest, "bound", "status", "seconds"))


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that `make` did.

    Attributes:
        outputs: the files written.
        board: rows, columns, rule, wrap and nullity.
        pictures, moves: one report for each.
        frames: how many the animation has.
        fps: frames a second.
        duration: seconds that the animation lasts.
        seed: give it again to get the same clicks in the same order.
        seconds: that each stage took.
    """

    outputs: list[str] = field(default_factory=list)
    board: dict[str, Any]
    pictures: list[PictureReport]
    moves: list[MoveReport]
    frames: int
    fps: float
    duration: float
    seed: int | None
    seconds: dict[str, float]

    def as_dict(self) -> dict[str, Any]:
        """The report as the JSON object of ``--json``."""
        return asdict(self)


def _facts(found: Nearest | Fewest, *names: str) -> dict[str, Any]:
    return {name: getattr(found, name) for name in names}
