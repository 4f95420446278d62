"""A picture that the studio holds."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Held(os.PathLike[str]):
    """A picture file that was dropped: its name is the user's, its place is ours.

    >>> held = Held(id="1", name="dance.mp4", file=Path("1.picture"), sha256="")
    >>> str(held), os.fspath(held)
    ('dance.mp4', '1.picture')
    """

    id: str  # in addresses
    name: str  # what the user calls it; a label, never a path of this machine that is opened
    file: Path  # where its bytes are
    sha256: str  # of them
    moves: bool = False  # whether it is a clip

    def __str__(self) -> str:
        return self.name

    def __fspath__(self) -> str:
        return str(self.file)
