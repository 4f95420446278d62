"""What a file carries that holds an animation itself, not the frames of one."""

from dataclasses import dataclass
from typing import Any

from lightsanim.animation.animation import Animation
from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.look.theme import Theme
from lightsanim.options.values import MAX_SIDE


@dataclass(frozen=True, kw_only=True, eq=False)
class SavedFile:
    """A file that carries an animation."""

    animation: Animation  # what it carries
    # The look that it is shown in; None for a file that shows nothing by itself, or whose look is
    # not known.
    theme: Theme | None = None
    # Puzzles that a page of puzzles has beside it, each with its solution.
    series: tuple[Animation, ...] = ()
    flaw: str | None = None  # why the file may show something else; None if it cannot


def board_of_file(**members: Any) -> Board:
    """The board that an untrusted file names.

    >>> board_of_file(rows=2, columns=3, rule="king")
    Board(rows=2, columns=3, rule='king', wrap=False, levels=2)
    """
    board = Board(**members)
    if max(board.shape) > MAX_SIDE:
        raise OptionError(
            f"a board of {board.columns}x{board.rows} is too large: at most {MAX_SIDE} cells a side"
        )
    return board
