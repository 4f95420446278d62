"""What `verify` found."""

from dataclasses import asdict, dataclass, field
from typing import Any

from lightsanim.errors import LightsAnimError


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What a file proved to be.

    Attributes:
        legal: whether every frame follows from the one before by clicks, as many as the file says,
            whether those that a frame shows beside it are such clicks, whether clicks lead from the
            all-on board to the first and the last of them, whether they are the frames that were
            written, and whether a page can play no others.
        rows, columns, rule, wrap, levels: the board.
        boards: how many lie on top of each other: 1, or in colour 3.
        frames: how many the file has; as many as were read, where it is not legal.
        clicks: how many lead from the first frame to the last, frame by frame, on all boards
            together; None where they are too many to count.
        most_clicks: the most that one frame takes.
        seconds: how long it plays; None for a folder.
        first_illegal: the first frame that is not legal, from 0; None where there is none, or no
            single one.
        reason: why it is not legal.
        wrong: for each picture that it was compared with the cells that differ, on all boards
            together; None if there were none.
        shown: in which frame each picture stands.
        notes: what else there is to know, in a sentence each.
    """

    legal: bool
    rows: int
    columns: int
    rule: str
    wrap: bool
    levels: int = 2
    boards: int
    frames: int
    clicks: int | None
    most_clicks: int | None
    seconds: float | None
    first_illegal: int | None = None
    reason: str | None = None
    wrong: list[int] | None = None
    shown: list[int] | None = None
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of ``--json``."""
        return asdict(self)


class FrameError(LightsAnimError):
    """A frame that no legal clicks make; or, where no single one is to blame, all of them."""

    def __init__(self, frame: int | None, reason: str) -> None:
        super().__init__(reason)
        self.frame = frame
