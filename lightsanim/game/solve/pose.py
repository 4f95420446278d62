"""Generate new puzzles: starts that need a given number of clicks.

Every subset of a smallest click set is a smallest click set itself: if fewer clicks could replace
the subset, they could replace it in the whole set, too.  So one large smallest click set gives
puzzles for all smaller numbers of clicks.  With more than two levels the same holds for presses; a
subset then presses no cell more often than the whole set does.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import product

import numpy as np

from lightsanim.errors import OptionError, SolverError
from lightsanim.game.board.board import Board
from lightsanim.game.board_view import BoardView, BoardViewMixin
from lightsanim.game.levels import Lights
from lightsanim.game.puzzle_link import make_link
from lightsanim.options.checks import check_whole_number, levels_in_words, pluralize
from lightsanim.options.stencils import abbreviate_name
from lightsanim.options.values import Span
from lightsanim.system.deadline import Deadline
from .components import find_components
from .fewest import fewest_clicks
from .hardest_start import most_clicks
from .status import Status, count_with_bound

# Maximum combinations of a component's quiet patterns, for two levels and for more levels:
# `min_weights` counts the clicks of this many in a few seconds.
MAX_COUNTED_PATTERNS = 2**28, 40_000_000
# The climb to many presses ends after this many steps in a row without improvement.
MAX_VAIN_CLIMB_STEPS = 3000
# Share of the time left for finding how many clicks are possible, which the error then says.
REFUSAL_SHARE = 0.2
# Maximum attempts to draw a new start of a series, and extra attempts for each earlier start.
MAX_ATTEMPTS, EXTRA_ATTEMPTS = 100, 40
# Number of clicks that the first and the last puzzle of a default series need.
DEFAULT_RANGE = Span(3, 12)
# Number of random starts that are solved to see how many clicks a small board needs.
DEFAULT_DRAWS = 3
# Maximum cells * flips per click; larger boards are not searched for disjoint clicks.
MAX_DISJOINT_FLIPS = 5_000_000


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PosedPuzzle(BoardViewMixin):
    """A puzzle: turn off all lights of the start."""

    board: Board
    start: Lights  # Lights to turn off, bool (rows, columns); with more than two levels uint8.
    clicks: Lights  # A smallest click set that solves the puzzle; an array like ``start``.
    count: int  # Number of clicks, proven to be the fewest.
    seconds: float
    cut_short: bool  # Whether the clock ended a search, so that another run may differ.
    bound: int | None = None  # Upper bound for all starts; set for the hardest start only.

    @property
    def link(self) -> str | None:
        """The part of a puzzle link after the page's address; None if the board is too large."""
        return make_link(self.board, self.start)

    def _board_view(self) -> BoardView:
        caption = count_with_bound(self.count, "clicks", self.count)
        return BoardView(caption, self.start, self.clicks, levels=self.board.levels)


def pose(
    board: Board,
    clicks: int | None,
    rng: np.random.Generator | None = None,
    *,
    seed: int | None = None,
    time_limit: float | Deadline = 30.0,
) -> PosedPuzzle:
    """Generate a puzzle that needs exactly the given number of clicks.

    Args:
        board: any board.
        clicks: number of clicks, at least 1; None for the hardest start that the search finds.
        rng: random generator that draws the start; None for a new one.
        seed: seed of the generator, instead of ``rng``; the same seed gives the same start.
        time_limit: seconds, or a `Deadline` to share.

    Raises:
        OptionError: if no start of the board needs that many clicks, the time limit is not
            positive, or both ``rng`` and ``seed`` are given.
        SolverError: if no such start was found in time.

    >>> posed = pose(Board(5, 5), 15, seed=0)
    >>> fewest_clicks(posed.board, posed.clicks).count
    15
    """
    if clicks is not None:
        check_whole_number("clicks", clicks, 1)
    rng, deadline = _choose_generator(rng, seed), Deadline.of(time_limit)
    board.factor(deadline)
    if not board.rank:  # every click changes nothing
        raise OptionError(_too_many_clicks_message(board, clicks or 1, 0, deadline))
    if clicks is None:
        large, bound = _find_hardest_start(board, rng, deadline)
        clicks = board.count(large)
    else:
        large, bound = _find_large_smallest_set(board, clicks, rng, deadline), None
    presses = np.repeat(np.arange(board.cells), large.ravel())
    chosen = np.bincount(rng.choice(presses, clicks, replace=False), minlength=board.cells)
    smallest = chosen.astype(large.dtype).reshape(board.shape)
    return PosedPuzzle(
        board=board,
        # The start that the clicks turn off; with two levels, the cells that they toggle.
        start=board.subtract(np.zeros_like(smallest), board.toggles(smallest)),
        clicks=smallest,
        count=clicks,
        seconds=deadline.seconds_used(),
        cut_short=deadline.cut_short,
        bound=bound,
    )


def _choose_generator(rng: np.random.Generator | None, seed: int | None) -> np.random.Generator:
    if rng is None:
        return np.random.default_rng(None if seed is None else check_whole_number("seed", seed, 0))
    if seed is not None:
        raise OptionError("rng and seed exclude each other; leave one out")
    return rng


def pose_series(
    board: Board,
    counts: Sequence[int],
    rng: np.random.Generator | None = None,
    *,
    time_limit: float | Deadline = 30.0,
) -> tuple[PosedPuzzle, ...]:
    """Generate a series of different puzzles, one for each given number of clicks.

    No start is a rotation or reflection of another, unless no others are found.

    Args:
        board: any board.
        counts: number of clicks of each puzzle, at least 1; not empty.
        rng: random generator that draws the starts; None for a new one.
        time_limit: seconds for all puzzles, or a `Deadline` to share.

    Raises:
        OptionError: if no start, or too few starts, need that many clicks, or ``counts`` is empty.
        SolverError: if a start was not found in time.

    >>> [posed.count for posed in pose_series(Board(5, 5), [3, 3, 15], np.random.default_rng(0))]
    [3, 3, 15]
    """
    if not counts:
        raise OptionError("counts must not be empty; give a number of clicks for each puzzle")
    rng = np.random.default_rng() if rng is None else rng
    series, forms = list[PosedPuzzle](), set[bytes]()
    for count, share in Deadline.of(time_limit).shared(counts):
        series.append(_pose_distinct_starts(series, forms, board, count, rng, share))
        forms.add(_form_up_to_symmetry(series[-1].start))
    return tuple(series)


def default_click_range(board: Board, *, time_limit: float | Deadline = 10.0) -> Span:
    """Return the default range of clicks for a series: 3..12, or less on small boards.

    >>> str(default_click_range(Board(5, 5))), str(default_click_range(Board(2, 2)))
    ('3..12', '3')
    """
    deadline, rng = Deadline.of(time_limit), np.random.default_rng(0)
    board.factor(deadline)
    counts = [
        board.count(_draw_smallest_click_set(board, rng, deadline)) for _ in range(DEFAULT_DRAWS)
    ]
    # Counts are 0 if proofs would take too long; such boards are large and can need many clicks.
    last = min(DEFAULT_RANGE.last, max(counts) or DEFAULT_RANGE.last)
    return Span(min(DEFAULT_RANGE.first, last), last)


def _pose_distinct_starts(
    series: Sequence[PosedPuzzle],
    forms: Set[bytes],
    board: Board,
    count: int,
    rng: np.random.Generator,
    deadline: Deadline,
) -> PosedPuzzle:
    # Draw a start that is no rotation or reflection of an earlier one, else a different start.
    fallback = None
    for draw in range(MAX_ATTEMPTS + EXTRA_ATTEMPTS * len(series)):
        posed = pose(board, count, rng, time_limit=deadline)
        if _form_up_to_symmetry(posed.start) not in forms:
            return posed
        if not any(np.array_equal(posed.start, earlier.start) for earlier in series):
            fallback = posed
        if fallback is not None and (draw >= MAX_ATTEMPTS or deadline.expired):
            return fallback
        if deadline.expired:
            message = f"{_too_few_starts_message(series, board, count)} in time"
            raise SolverError(f"{message}; allow more time, or ask for fewer puzzles")
    raise OptionError(
        f"{_too_few_starts_message(series, board, count)}; ask for fewer puzzles, or a larger board"
    )


def _too_few_starts_message(series: Sequence[PosedPuzzle], board: Board, count: int) -> str:
    matching = sum(posed.count == count for posed in series)
    return (
        f"only {pluralize(matching, 'start')} of {board.columns}x{board.rows} cells requiring "
        f"{pluralize(count, 'click')} could be found"
    )


def _form_up_to_symmetry(start: Lights) -> bytes:
    # Return a key that is equal for all rotations and reflections of a start.
    square = start.shape[0] == start.shape[1]
    return min(
        image[::down, ::right].tobytes()
        for image in ((start, start.T) if square else (start,))
        for down, right in product((1, -1), repeat=2)
    )


def _draw_smallest_click_set(board: Board, rng: np.random.Generator, deadline: Deadline) -> Lights:
    # Return the smallest equivalent of a random click set, or no clicks if a proof takes too long.
    if board.levels == 2:
        clicks: Lights = rng.random(board.shape) < 0.5
    else:
        clicks = rng.integers(board.levels, size=board.shape, dtype=np.uint8)
    if _is_quick_to_weigh(board):
        fewest = fewest_clicks(board, clicks, time_limit=deadline.part(0.7))
        if fewest.status is Status.OPTIMAL:
            return fewest.clicks
    return np.zeros_like(clicks)


def _is_quick_to_weigh(board: Board) -> bool:
    # Return whether the clicks of all combinations can be counted within a few seconds.
    limit = MAX_COUNTED_PATTERNS[board.levels > 2]
    return board.can_list_patterns and all(
        board.levels ** len(component) <= limit for component in find_components(board)
    )


def _find_large_smallest_set(
    board: Board, target: int, rng: np.random.Generator, deadline: Deadline
) -> Lights:
    # Find a click set of at least ``target`` clicks that no smaller one can replace.
    start = _draw_smallest_click_set(board, rng, deadline)
    if board.count(start) >= target:
        return start
    if board.levels == 2:
        worst = most_clicks(board, wanted=target, rng=rng, time_limit=deadline)
        candidate, bound = worst.clicks, worst.bound
    else:
        candidate, bound = _climb_to_many_presses(board, target, start, rng, deadline)
    if bound < target:
        raise OptionError(_too_many_clicks_message(board, target, bound, deadline))
    large = max(start, candidate, _disjoint_clicks(board, target, rng), key=board.count)
    count = board.count(large)
    if count < target:
        when = f" in {deadline.seconds_used():.0f} s" if deadline.expired else ""
        raise SolverError(
            f"no start that needs {target} clicks was found{when}; the hardest found needs {count},"
            f" and none needs more than {bound}"
        )
    return large


def _find_hardest_start(
    board: Board, rng: np.random.Generator, deadline: Deadline
) -> tuple[Lights, int]:
    # Return the largest click set found that no smaller one can replace, and an upper bound.
    worst = most_clicks(board, rng=rng, time_limit=deadline)
    if 2 * board.count(worst.clicks) < worst.bound:  # too many patterns to search
        raise SolverError(
            f"{board.nullity} independent quiet patterns are too many to search for the hardest "
            "start; give a number of clicks instead"
        )
    return worst.clicks, worst.bound


def _climb_to_many_presses(
    board: Board, target: int, start: Lights, rng: np.random.Generator, deadline: Deadline
) -> tuple[Lights, int]:
    """Search for many presses that no fewer can replace, on boards with more than two levels.

    A smallest click set can have levels - 1 presses on every cell that lies on no quiet pattern.
    On every other cell, the sums with all combinations have 0 to levels - 1 presses equally often,
    so the smallest sum has at most the mean; hence the bound.  Each step of the climb adds a press
    and replaces the result by its smallest equivalent, unless that has fewer presses than before.
    """
    top = board.levels - 1
    if not board.can_list_patterns:
        return start, top * board.cells
    covered = board.quiet_patterns().any(axis=0)
    inside = int(np.count_nonzero(covered))
    bound = top * (board.cells - inside) + top * inside // 2
    best, vain = np.where(covered, start, np.uint8(top)), 0
    if not _is_quick_to_weigh(board):
        return best, bound
    while (
        board.count(best) < target <= bound and vain < MAX_VAIN_CLIMB_STEPS and not deadline.expired
    ):
        trial = best.copy()
        trial.flat[rng.choice(np.flatnonzero(best < top))] += 1
        fewest = fewest_clicks(board, trial, time_limit=deadline)
        if fewest.status is not Status.OPTIMAL:
            break
        vain = 0 if fewest.count > board.count(best) else vain + 1
        if fewest.count >= board.count(best):
            best = fewest.clicks
    return best, bound


def _too_many_clicks_message(board: Board, target: int, bound: int, deadline: Deadline) -> str:
    limit = f"none needs more than {bound}"
    if board.levels == 2:
        worst = most_clicks(board, time_limit=deadline.part(REFUSAL_SHARE))
        proven = worst.status is Status.OPTIMAL
        limit = f"the maximum is {worst.count}" if proven else f"none needs more than {worst.bound}"
    rule = "" if board.rule == "plus" else f" of rule {abbreviate_name(board.rule)}"
    wrapped = " with wrapped edges" if board.wrap else ""
    size, levels = f"{board.columns}x{board.rows}", levels_in_words(board.levels)
    return f"no start on a {size} board{levels}{rule}{wrapped} needs {target} clicks; {limit}"


def _disjoint_clicks(board: Board, target: int, rng: np.random.Generator) -> Lights:
    """Draw up to ``target`` clicks that flip disjoint cells, so that no fewer can replace them.

    Each flips as many cells as any click can, and no two flip the same cell; so fewer clicks cannot
    flip as many cells, or with more than two levels raise them by as much.
    """
    clicks, flipped = np.zeros_like(board.reference).ravel(), np.zeros(board.cells, bool)
    if board.cells * board.most_flips > MAX_DISJOINT_FLIPS:
        return clicks.reshape(board.shape)
    # On a wrapped board a click may raise a cell by more than one level, so press cells once.
    times = 1 if board.wrap else board.levels - 1
    flips = board.mirrored.neighbours()
    for cell in rng.permutation(board.cells):
        if len(flips[cell]) == board.most_flips and not flipped[flips[cell]].any():
            clicks[cell], flipped[flips[cell]] = min(times, target - board.count(clicks)), True
            if board.count(clicks) == target:
                break
    return clicks.reshape(board.shape)
