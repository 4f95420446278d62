"""What `make` did: the facts that the command line prints and `--json` gives."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from lightsanim.solve.fewest import Fewest
from lightsanim.solve.nearest import Nearest
from lightsanim.solve.outcome import Status


@dataclass(frozen=True, kw_only=True)
class PictureReport:
    """One picture's way to its configuration; in colour, of all three boards together.

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
    def of(cls, path: str, boards: Sequence[Nearest]) -> Self:
        """The facts of the searches for each board."""
        chased = [board.chased_wrong for board in boards]
        return cls(
            path=path,
            chased_wrong=sum(c for c in chased if c is not None) if None not in chased else None,
            wrong=sum(board.wrong for board in boards),
            **_facts(boards),
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


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that `make` did.

    Attributes:
        outputs: the files written.
        board: rows, columns, rule, wrap and nullity.
        pictures, moves: one report for each.
        frames: how many the animation has.
        fps: frames a second.
        boards: 1, or in colour 3; clicks are counted on each of them.
        duration: seconds that the animation lasts.
        seed: give it again to get the same clicks in the same order.
        seconds: that each stage took.
        notes: what a format could not show as asked.
    """

    outputs: list[str] = field(default_factory=list)
    board: dict[str, Any]
    pictures: list[PictureReport]
    moves: list[MoveReport]
    frames: int
    fps: float
    boards: int
    duration: float
    seed: int | None
    seconds: dict[str, float]
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The report as the JSON object of ``--json``."""
        return asdict(self)


def _facts(boards: Sequence[Nearest] | Sequence[Fewest]) -> dict[str, Any]:
    optimal = all(board.status is Status.OPTIMAL for board in boards)
    return {
        "bound": sum(board.bound for board in boards),
        "status": Status.OPTIMAL if optimal else Status.FEASIBLE,
        "seconds": max(board.seconds for board in boards),
    }
