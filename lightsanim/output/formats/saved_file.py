"""Files that store an animation: what they hold, and the board that they describe."""

from dataclasses import dataclass
from typing import Any

from lightsanim.errors import AnimationError, OptionError
from lightsanim.film.animation import Animation
from lightsanim.game.board.board import Board
from lightsanim.options.values import MAX_SIDE
from lightsanim.output.look.theme import Theme


@dataclass(frozen=True, kw_only=True, eq=False)
class SavedFile:
    """The content of a file that stores an animation instead of frames."""

    animation: Animation
    theme: Theme | None = None  # Look of the page or of the JSON file; None if unknown.
    puzzles: tuple[Animation, ...] = ()  # If the page is one of puzzles, each with its solution.
    flaw: AnimationError | None = None  # Reason why the page may not show ``animation``, or None.


def build_untrusted_board(**members: Any) -> Board:
    """Build the board that an untrusted file describes.

    >>> build_untrusted_board(rows=2, columns=3, rule="king")
    Board(rows=2, columns=3, rule='king', wrap=False, levels=2)
    """
    board = Board(**members)
    if max(board.shape) > MAX_SIDE:
        raise OptionError(
            f"a board must have at most {MAX_SIDE} cells a side, not {board.columns}x{board.rows}"
        )
    return board
