"""A picture that the studio holds."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Held:
    """A picture file that was dropped.

    Attributes:
        id: in addresses.
        name: what the user calls it; a label, never a path of this machine that is opened.
        file: where its bytes are.
        sha256: of them.
    """

    id: str
    name: str
    file: Path
    sha256: str
