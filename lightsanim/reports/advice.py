"""What a user might try next."""

from collections.abc import Sequence

from lightsanim.animation.film_reports import PictureReport
from lightsanim.board.board import Board
from lightsanim.board.perfect import nearest_perfect
from lightsanim.errors import OptionError, SolverError

# Seconds to see whether another size is perfect, where nobody asked for it.
ADVICE_SECONDS = 0.5


def advice_on(board: Board, pictures: Sequence[PictureReport], cut_short: bool) -> list[str]:
    """A sentence on what `perfect` would give, where that helps and is known at once."""
    wrong = any(picture.wrong for picture in pictures)
    if board.nullity == 0 or not (wrong or cut_short):
        return []
    try:
        better = nearest_perfect(board, time_limit=ADVICE_SECONDS)
    except (OptionError, SolverError):
        return []
    return [f"--perfect would give {better.columns}x{better.rows} cells, every picture exactly."]
