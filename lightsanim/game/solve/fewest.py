"""Find the smallest click set that toggles given cells.

Given one such click set, all others are its sums with the levels**nullity combinations of quiet
patterns.  Components of patterns that share no cell are searched separately.

The clicks of all combinations are counted block by block, if the time allows; with more than a
block, and where the board splits by parity, by `four_tables`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lightsanim.errors import SolverError
from lightsanim.game.algebra.digits import DigitPacking
from lightsanim.game.algebra.modular import mod_product
from lightsanim.game.board.board import Board
from lightsanim.game.board_view import BoardView
from lightsanim.game.levels import Lights
from lightsanim.system.deadline import Deadline
from .cell_classes import ColumnClasses, find_board_classes
from .four_tables import find_smallest_sum
from .min_weights import digits_per_block, min_weights, weighing_seconds
from .status import OnProgress, SearchResult, count_with_bound

# The search of random subspaces ends after this many in a row without improvement.
MAX_VAIN_SUBSPACES = 60
# Maximum number of combinations of quiet patterns to be counted; more would take months.
MAX_QUIET_COMBINATIONS = 2**50
# Maximum cells * flips per click for the integer program; SCIP makes no progress on larger boards.
MAX_PROGRAM_FLIPS = 25_000
# Work to solve one frame of a transition, in seconds on a slow computer.  It saves nine tenths of
# the clicks that a hundred times as much work would save.
FRAME_SEARCH_SECONDS = 0.01


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Fewest(SearchResult):
    """The smallest click set found, with the proven bound.

    Attributes:
        clicks: bool (rows, columns); with more than two levels uint8, the presses of each cell.
        count: number of clicks; each press of a cell counts.
        bound: no click set that toggles the same cells is smaller than this.
        status: OPTIMAL when ``bound`` equals ``count``.
        seconds: duration of the search.
        cut_short: whether the clock ended the search, so that another run may find other clicks.
    """

    @property
    def count(self) -> int:
        """Number of clicks; each press of a cell counts."""
        return self.value

    def _board_view(self) -> BoardView:
        caption = count_with_bound(self.count, "clicks", self.bound)
        return BoardView(caption, np.zeros_like(self.clicks), self.clicks)


def fewest_clicks(
    board: Board,
    clicks: Lights,
    *,
    time_limit: float | Deadline = 30.0,
    program: bool = True,
    on_progress: OnProgress = lambda best, bound: None,
) -> Fewest:
    """Find the smallest click set that toggles the same cells as ``clicks``, and a proven bound.

    If the time allows, the search counts the clicks of all combinations with quiet patterns, which
    proves the result.  Otherwise it tries random subspaces, and then the paper's basic program.

    Args:
        board: any board.
        clicks: bool (rows, columns), or with more than two levels uint8; any click set.
        time_limit: seconds, or a `Deadline` to share.
        program: whether SCIP may run the paper's program, which is limited by time, not by work.
        on_progress: called with the number of clicks of the best click set and the proven bound.

    Raises:
        OptionError: if the shape is wrong or the time limit is not positive.
        SolverError: if the elimination exceeds the time limit (see `Board.factor`), or a solver's
            result fails verification.

    >>> on, off = np.ones((5, 5), bool), np.zeros((5, 5), bool)
    >>> fewest_clicks(Board(5, 5), Board(5, 5).clicks_between(on, off)).count  # OEIS A075464
    15
    >>> fewest_clicks(Board(1, 2, levels=3), np.array([[2, 2]])).clicks.tolist()
    [[0, 1]]
    """
    deadline = Deadline.of(time_limit)
    clicks = board.checked(clicks, "clicks")
    difference = board.toggles(clicks)
    board.factor(deadline)
    if board.nullity == 0:
        best, bound = clicks, board.count(clicks)
    else:
        best, bound = _search_fewest(program, board, difference, clicks, deadline, on_progress)
    count = board.count(best)
    if not np.array_equal(board.toggles(best), difference) or bound > count:
        raise SolverError(f"wrong solver result: {count} clicks miss the goal or the bound {bound}")
    return Fewest(
        clicks=best,
        value=count,
        bound=bound,
        seconds=deadline.seconds_used(),
        cut_short=deadline.cut_short,
    )


def _search_fewest(
    program: bool,
    board: Board,
    difference: Lights,
    clicks: Lights,
    deadline: Deadline,
    on_progress: OnProgress,
) -> tuple[Lights, int]:
    # This bound holds because no click flips more than most_flips cells.
    bound = -(-board.count(difference) // max(1, board.most_flips))
    if not board.can_list_patterns:
        return clicks, bound
    parts, best = find_board_classes(board), clicks.ravel().copy()
    proven = board.count(np.delete(best, np.concatenate([part.component.cells for part in parts])))
    for part, until in deadline.shared(parts):
        cells = part.component.cells
        elsewhere = board.count(best) - board.count(best[cells])

        def report_count(count: int, elsewhere: int = elsewhere) -> None:
            on_progress(elsewhere + count, bound)

        best[cells], part_bound = _search_component(
            part, best[cells], board.columns, until, report_count
        )
        proven += part_bound
    bound = max(bound, proven)
    if bound == board.count(best):
        return best.reshape(board.shape), bound
    small = board.levels == 2 and board.cells * board.most_flips <= MAX_PROGRAM_FLIPS
    if program and small and not deadline.expired:
        from . import scip

        model = scip.clicks_program(board, difference, best.reshape(board.shape))
        solution = scip.solve_program(model, deadline, on_progress)
        best, bound = solution.values.astype(bool), max(bound, solution.bound)
    return best.reshape(board.shape), bound


def _search_component(
    part: ColumnClasses,
    clicks: Lights,
    width: int,
    deadline: Deadline,
    report: Callable[[int], None],
) -> tuple[Lights, int]:
    # Return the smallest click set found on a component's cells, and a proven bound on its size.
    q, count = part.levels, part.pattern_count
    low = min(count, digits_per_block(q))
    fixed = int(clicks[part.class_of < 0].sum(dtype=np.int64))
    if count > low:
        clicks = _search_subspaces(part, clicks, deadline, lambda n: report(fixed + n))
        if q == 2:
            result = find_smallest_sum(part.component, clicks, width, deadline.part(), report)
            if result is not None:
                return result
    if q**count > MAX_QUIET_COMBINATIONS:
        return clicks, fixed
    blocks, deadline = q ** (count - low), deadline.part()
    if blocks > 1 and not deadline.allows(weighing_seconds(q, len(part), blocks)):
        return clicks, fixed
    table, fewest, chosen, bound = part.build_press_table(clicks), int(clicks.sum()), None, fixed
    for done, (weight, combination) in enumerate(
        min_weights(part.columns, count, table, range(blocks)), start=1
    ):
        if weight + fixed < fewest:
            fewest, chosen = weight + fixed, combination
            report(fewest)
        if not deadline.allows_rest(done / blocks):
            break
    else:
        bound = fewest
    lightest = clicks if chosen is None else part.add_pattern_combination(clicks, chosen)
    if lightest.sum(dtype=np.int64) != fewest:
        raise SolverError(f"wrong solver result: the number of clicks is not {fewest}")
    return lightest, bound


def _search_subspaces(
    part: ColumnClasses, clicks: Lights, deadline: Deadline, report: Callable[[int], None]
) -> Lights:
    # Improve a click set by adding combinations of patterns from random subspaces.
    q, count, digits = part.levels, part.pattern_count, DigitPacking(part.levels)
    rng, vain, table = np.random.default_rng(0), 0, part.build_press_table(clicks)
    while vain < MAX_VAIN_SUBSPACES and not deadline.expired:
        deadline.spend(weighing_seconds(q, len(table), 1))
        mix = ((1 - rng.random((digits_per_block(q), count))) * q).astype(np.uint8) % q
        mixed = digits.multiply(part.columns, mix.T)
        weight, combination = next(min_weights(mixed, len(mix), table))
        vain += 1
        if weight < table[:, 0].sum():
            combination = mod_product(combination[None], mix, q)[0]
            clicks, vain = part.add_pattern_combination(clicks, combination), 0
            table = part.build_press_table(clicks)
            report(weight)
    return clicks
