"""How one configuration is turned into another: whether it can be, how often, how soon."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from lightsanim.algebra.linear import Bits
from lightsanim.board.board import Board
from lightsanim.board.levels import Lights
from lightsanim.deadline import Deadline
from lightsanim.errors import InaccessibleError, SolverError
from lightsanim.solve.cell_classes import classes_of
from lightsanim.solve.fewest import Fewest, add_patterns, fewest_clicks
from lightsanim.solve.nearest import Nearest, nearest_accessible

# Up to this nullity, all click sets are listed in the order of their sizes.
MAX_LISTED_NULLITY = 16


@dataclass(frozen=True, kw_only=True, eq=False)
class Solution:
    """How to turn one configuration into another.

    Attributes:
        board: the board.
        start: bool (rows, columns), or with more than two levels uint8, as all of them.
        goal: bool (rows, columns), what was asked for.
        accessible: whether clicks lead from the start to the goal.
        nearest: where they do not, the nearest to the goal that they lead to, if that was asked
            for; its ``wrong`` and ``bound`` count the cells that differ from the goal, ``bound``
            with more than two levels by how many levels they do.
        end: bool (rows, columns), what ``fewest`` leads to: the goal, or the nearest to it.
        fewest: the smallest click set; None if there is none.
    """

    board: Board
    start: Lights
    goal: Lights
    accessible: bool
    nearest: Nearest | None
    end: Lights
    fewest: Fewest | None


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
    """The fewest clicks from one configuration to another.

    Args:
        board: any board.
        start: bool (rows, columns), or with more than two levels uint8.
        goal: the same.
        nearest: if the goal cannot be reached, go to the nearest configuration that can be.
        margin: (rows, columns), how much it shows if a cell differs from the goal.
        in_levels: with more than two levels in its place: (rows, columns), the goal before it was
            rounded to levels.
        time_limit: seconds for each search.
        say: told in words what is known so far.

    Returns:
        The solution; a goal that cannot be reached is no error.

    Raises:
        OptionError: for a wrong shape, or a time limit that is not positive.
        SolverError: if a solver's result does not hold when its clicks are carried out.

    >>> solution = solve_board(Board(5, 5), np.ones((5, 5), bool), np.zeros((5, 5), bool))
    >>> solution.accessible, solution.fewest.count  # OEIS A075464
    (True, 15)
    """
    Deadline(time_limit)  # refuses a wrong one also where there is nothing to search
    start, goal = board.checked(start, "start"), board.checked(goal, "goal")
    solution = partial(Solution, board=board, start=start, goal=goal)
    near, end = None, goal
    try:
        clicks = board.clicks_between(start, goal)
    except InaccessibleError:
        difference = board.subtract(goal, start)
        if (
            board.can_list_patterns
            and not board.syndrome(board.add(board.reference, difference)).any()
        ):
            raise SolverError(
                "no clicks were found, but no parity check speaks against them; please report this"
            ) from None
        if not nearest:
            return solution(accessible=False, nearest=None, end=start, fewest=None)
        near = _nearest(board, start, goal, margin, in_levels, time_limit, say)
        clicks, end = near.clicks, near.configuration
    fewest = fewest_clicks(
        board,
        clicks,
        time_limit=time_limit,
        on_progress=lambda count, bound: say(f"{count} clicks, at least {bound}"),
    )
    if not np.array_equal(board.add(start, board.toggles(fewest.clicks)), end):
        raise SolverError("the clicks found do not lead where they should; please report this")
    return solution(accessible=near is None, nearest=near, end=end, fewest=fewest)


def _nearest(
    board: Board,
    start: Lights,
    goal: Lights,
    margin: NDArray[np.floating] | None,
    in_levels: NDArray[np.floating] | None,
    time_limit: float,
    say: Callable[[str], None],
) -> Nearest:
    what = "wrong cells" if board.levels == 2 else "levels wrong"
    near = nearest_accessible(
        board,
        goal,
        start=start,
        margin=margin,
        in_levels=in_levels,
        time_limit=time_limit,
        on_progress=lambda wrong, bound: say(f"{wrong} {what}, at least {bound}"),
    )
    if near.distance < np.abs(np.subtract(start, goal, dtype=np.int8)).sum(dtype=np.int64):
        return near
    # The start is as near as any, and takes no clicks.
    return replace(near, configuration=start, clicks=board.subtract(start, start))


def click_sets(board: Board, clicks: Bits) -> Iterator[Bits]:
    """All click sets that toggle the same cells as ``clicks``, the smallest first.

    Only ``clicks`` itself where there are more than 2**`MAX_LISTED_NULLITY`.

    Args:
        board: any board.
        clicks: bool (rows, columns).

    Yields:
        bool (rows, columns).

    >>> [int(x.sum()) for x in click_sets(Board(5, 5), np.eye(5, dtype=bool))]
    [5, 13, 13, 21]
    """
    if not 0 < board.nullity <= MAX_LISTED_NULLITY:
        yield clicks
        return
    packed, flat = board.packed_quiet_patterns(), clicks.ravel()
    classes = classes_of(packed, board.cells)
    sizes = classes.sums(classes.counts_of(flat))
    for combination in np.argsort(sizes, kind="stable").tolist():
        yield add_patterns(packed, flat, combination).reshape(board.shape)
