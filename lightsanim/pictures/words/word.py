"""What a word in place of a path can answer; an ordinary path has no answers of its own.

The modules of words import NumPy and Pillow late: completion and the studio's server do not draw.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from lightsanim.system.deadline import Deadline

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Bits: TypeAlias = "npt.NDArray[np.bool_]"


@dataclass(frozen=True)
class Word:
    """The path of a file; the subclasses are the kinds of words that take the place of a path.

    Attributes:
        path: the path or the word, as the user gave it.
        is_file: whether the path is that of a file.
        is_puzzle: whether the picture is the answer to a puzzle.
        is_drawn: whether the picture is drawn cell by cell for each board.
        needs_contrast: whether cameras shall read the picture.
    """

    path: str = ""
    is_file: ClassVar[bool] = True
    is_puzzle: ClassVar[bool] = False
    is_drawn: ClassVar[bool] = False
    needs_contrast: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The path without folder and suffix, or what a word says.

        >>> Word("samples/sun.png").name
        'sun'
        """
        return PurePath(self.path).stem

    @property
    def title(self) -> str:
        """The picture's name in the title of a film."""
        return self.name

    @property
    def content(self) -> bytes | None:
        """The bytes that stand for the picture; None for a path or a puzzle.

        Raises:
            OptionError: for an unknown sample.
        """
        return None

    @property
    def sha256(self) -> str | None:
        """The hexadecimal digest of the content; None without content."""
        return None

    def check(self, own: Iterable[str] = ()) -> None:
        """Raise OptionError for an invalid word, or for an option that does not apply to it."""

    def options(self, transition: str) -> dict[str, Any]:
        """Return the options of the picture that replace those for all pictures."""
        return {}

    def draw(self, rows: int, columns: int) -> "Bits | None":
        """Draw the picture on a board: bool (rows, columns), True = lit; None if it is not drawn.

        Raises:
            OptionError: for a board with too few cells.
        """
        return None

    def draw_without_board(self) -> "Bits | None":
        """Check and draw the picture: bool (height, width), True = lit; None if it is not drawn."""
        return None

    def solve(self, time_limit: float | Deadline) -> "Bits | None":
        """Solve the puzzle: bool (rows, columns), True = lit; None if it is not a puzzle."""
        return None
