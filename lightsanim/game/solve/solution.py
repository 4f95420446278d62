"""Solve one board: find the fewest clicks from a start to a goal, or list all click sets."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lightsanim.errors import InaccessibleError
from lightsanim.game.algebra.linear import Bits
from lightsanim.game.board.board import Board
from lightsanim.game.board_view import BoardView, BoardViewMixin
from lightsanim.game.levels import Lights
from .cell_classes import find_cell_classes
from .components import quiet_patterns_of_board
from .fewest import Fewest, fewest_clicks
from .nearest import Nearest, build_nearest, nearest_accessible
from .status import OnProgress, count_with_bound

# Maximum nullity for which `click_sets` lists all 2**nullity click sets.
MAX_LISTED_NULLITY = 16


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Solution(BoardViewMixin):
    """The result of `solve_board`: the fewest clicks from a start to a goal, if any lead there.

    Attributes:
        board: the board.
        start: first configuration, bool (rows, columns); with more than two levels uint8.
        goal: configuration to be reached; an array like ``start``.
        accessible: whether clicks lead from the start to the goal.
        nearest: the result nearest to an inaccessible goal, if requested.
        end: configuration that ``fewest`` leads to: the goal or ``nearest``.
        fewest: the smallest click set found; None if no clicks lead to the goal.
    """

    board: Board
    start: Lights
    goal: Lights
    nearest: Nearest | None
    fewest: Fewest | None

    def _board_view(self) -> BoardView:
        if self.fewest is None:
            return BoardView("no clicks lead to the goal", self.start, levels=self.board.levels)
        caption = count_with_bound(self.fewest.count, "clicks", self.fewest.bound)
        wrong = self.end != self.goal
        if self.nearest is not None:
            caption = f"{self.nearest._board_view().caption}; {caption}"
        return BoardView(caption, self.start, self.fewest.clicks, wrong, self.board.levels)

    @property
    def accessible(self) -> bool:
        """Whether clicks lead from the start to the goal."""
        return self.fewest is not None and self.nearest is None

    @property
    def end(self) -> Lights:
        """Configuration that ``fewest`` leads to: the goal or ``nearest``, without it the start."""
        if self.fewest is None:
            return self.start
        return self.goal if self.nearest is None else self.nearest.configuration

    @property
    def cut_short(self) -> bool:
        """Whether the clock ended a search, so that another run may find other clicks."""
        return any(result.cut_short for result in (self.nearest, self.fewest) if result is not None)


def solve_board(
    board: Board,
    start: Lights,
    goal: Lights,
    *,
    nearest: bool = False,
    margin: NDArray[np.floating] | None = None,
    in_levels: NDArray[np.floating] | None = None,
    time_limit: float = 30.0,
    say: Callable[[str], None] = lambda note: None,
) -> Solution:
    """Find the fewest clicks from a start to a goal; an inaccessible goal raises no error.

    Args:
        board: any board.
        start: bool (rows, columns), or with more than two levels uint8.
        goal: like ``start``.
        nearest: whether an inaccessible goal is replaced by the nearest accessible configuration.
        margin: (rows, columns), how visible a wrong cell is (see `nearest_accessible`).
        in_levels: (rows, columns), the goal before it was rounded to levels; replaces ``margin``
            on boards with more than two levels.
        time_limit: seconds for each search.
        say: called with messages about the progress.

    Raises:
        OptionError: if the shape is wrong or the time limit is not positive.
        SolverError: if the elimination exceeds the time limit (see `Board.factor`), or a solver's
            result fails verification.

    >>> solution = solve_board(Board(5, 5), np.ones((5, 5), bool), np.zeros((5, 5), bool))
    >>> solution.accessible, solution.fewest.count  # OEIS A075464
    (True, 15)
    """
    start, goal = board.checked(start, "start"), board.checked(goal, "goal")
    board.factor(time_limit)
    near = None
    try:
        clicks = board.clicks_between(start, goal)
    except InaccessibleError:
        if not nearest:
            return Solution(board=board, start=start, goal=goal, nearest=None, fewest=None)
        near = _find_nearest(board, start, goal, margin, in_levels, time_limit, say)
        clicks = near.clicks
    progress = _progress_in_words("clicks", say)
    fewest = fewest_clicks(board, clicks, time_limit=time_limit, on_progress=progress)
    return Solution(board=board, start=start, goal=goal, nearest=near, fewest=fewest)


def _find_nearest(
    board: Board,
    start: Lights,
    goal: Lights,
    margin: NDArray[np.floating] | None,
    in_levels: NDArray[np.floating] | None,
    time_limit: float,
    say: Callable[[str], None],
) -> Nearest:
    near = nearest_accessible(
        board,
        goal,
        start=start,
        margin=margin,
        time_limit=time_limit,
        in_levels=in_levels,
        on_progress=_progress_in_words("wrong cells" if board.levels == 2 else "levels off", say),
    )
    # Return the start instead if it is as near to the goal: it needs no clicks.
    result = build_nearest(board, goal, start, near.bound, start=start)
    if near.distance < result.distance:
        return near
    return replace(
        result, chased_wrong=near.chased_wrong, seconds=near.seconds, cut_short=near.cut_short
    )


def _progress_in_words(unit: str, say: Callable[[str], None]) -> OnProgress:
    return lambda best, bound: say(f"{best} {unit} so far, proven minimum {bound}")


def click_sets(board: Board, clicks: Bits) -> Iterator[Bits]:
    """Yield all click sets that toggle the same cells as ``clicks``, smallest first.

    The board has two levels; all click sets are bool (rows, columns).  If there are more than
    2**`MAX_LISTED_NULLITY`, only ``clicks`` itself is yielded.
    """
    if not 0 < board.nullity <= MAX_LISTED_NULLITY:
        yield clicks
        return
    classes = find_cell_classes(quiet_patterns_of_board(board))
    sizes = classes.compute_sum_sizes(classes.count_clicks(clicks.ravel()))
    patterns, bits = board.quiet_patterns(), np.arange(board.nullity)
    for combination in np.argsort(sizes, kind="stable"):
        yield clicks ^ np.bitwise_xor.reduce(patterns[combination >> bits & 1 == 1], axis=0)
