"""New puzzles: a start that needs a given number of clicks.

Every part of a smallest click set is a smallest click set itself: if fewer clicks could replace the
part, they could replace it in the whole.  So one click set that needs many clicks gives puzzles of
all smaller numbers.  With more than two levels the same holds of presses: a part presses no cell
more often than the whole does.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np

from lightsanim.board.board import Board
from lightsanim.board.link import make_link
from lightsanim.errors import OptionError, SolverError
from lightsanim.look.board_image import BoardView, BoardViewMixin
from lightsanim.look.levels import Lights
from lightsanim.options.checks import check_whole_number, pluralize
from lightsanim.options.stencils import abbreviate_name
from lightsanim.options.values import Span
from lightsanim.solve.components import find_components
from lightsanim.solve.covering_radius import most_clicks
from lightsanim.solve.fewest import fewest_clicks
from lightsanim.solve.status import Status, count_with_bound
from lightsanim.solve.symmetry import symmetric_images
from lightsanim.system.deadline import Deadline

# Combinations of a component's quiet patterns that are weighed in a few seconds: with two levels,
# and with more.
MAX_COMBINATIONS = 2**28, 40_000_000

# Presses that the climb adds in vain before it gives up.
MAX_VAIN_STEPS = 3000

# Share of the time limit spent proving a refusal.
REFUSAL_SHARE = 0.2

# Draws of a start that looks unlike the others of its series, and for each of those before one that
# is not the same as any.
MAX_ATTEMPTS, EXTRA_ATTEMPTS = 100, 40

# A series from easy to hard, unless something else is asked for; and random starts that are tried
# for what small boards need.
DEFAULT_RANGE = Span(3, 12)
DEFAULT_DRAWS = 3

# Largest board, in cells times flips of a click, on which clicks that do not meet are looked for.
MAX_DISJOINT_FLIPS = 5_000_000


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PosedPuzzle(BoardViewMixin):
    """A puzzle: turn the start all off."""

    board: Board  # the board
    start: Lights  # bool (rows, columns), or with more than two levels uint8
    clicks: Lights  # the same, a smallest click set that does it
    count: int  # how many clicks; proven to be the fewest
    seconds: float  # how long the search took
    cut_short: bool  # whether the clock ended a search, so that another run may find another puzzle
    bound: int | None = None  # of the hardest start found: proven that none needs more

    @property
    def link(self) -> str | None:
        """What opens it, after the address of a page of puzzles; None where it is too large."""
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
    """A start that needs a given number of clicks to be turned all off, and no fewer.

    Args:
        board: any board.
        clicks: how many, at least 1; None for the hardest start that is found.
        rng: decides between all such starts; None for one that is drawn.
        seed: for the same start again, in place of ``rng``.
        time_limit: seconds, or a `Deadline` to share.

    Raises:
        OptionError: if no start of the board needs as many, the time limit is not positive, or
            both a generator and a seed are given.
        SolverError: if none was found in time.

    >>> posed = pose(Board(5, 5), 15, seed=0)
    >>> fewest_clicks(posed.board, posed.clicks).count
    15
    """
    if clicks is not None:
        check_whole_number("clicks", clicks, 1)
    if rng is None:
        rng = np.random.default_rng(None if seed is None else check_whole_number("seed", seed, 0))
    elif seed is not None:
        raise OptionError("rng and seed exclude each other; leave one out")
    deadline = Deadline.of(time_limit)
    board.factor(deadline)
    bound = None
    if clicks is None:
        large, bound = _find_hardest_start(board, rng, deadline)
        clicks = board.count(large)
    else:
        large = _draw_smallest_click_set(board, rng, deadline)
    if board.count(large) < clicks:
        large = _find_large_smallest_set(board, clicks, large, rng, deadline)
    presses = np.repeat(np.arange(board.cells), large.ravel())
    chosen = np.bincount(rng.choice(presses, clicks, replace=False), minlength=board.cells)
    smallest = chosen.astype(large.dtype).reshape(board.shape)
    return PosedPuzzle(
        board=board,
        # What the clicks turn off: with two levels what they turn on.
        start=board.subtract(np.zeros_like(smallest), board.toggles(smallest)),
        clicks=smallest,
        count=clicks,
        seconds=deadline.seconds_used(),
        cut_short=deadline.cut_short,
        bound=bound,
    )


def pose_series(
    board: Board,
    counts: Sequence[int],
    rng: np.random.Generator | None = None,
    *,
    time_limit: float | Deadline = 30.0,
) -> tuple[PosedPuzzle, ...]:
    """A start for each number of clicks, all of them different.

    None is another one turned or in a mirror, unless there seem to be no others.

    Args:
        board: any board.
        counts: how many clicks each start is to need, at least 1; one number or more.
        rng: decides between all such starts; None for one that is drawn.
        time_limit: seconds for all, or a `Deadline` to share.

    Raises:
        OptionError: if no start of the board needs as many, or too few do, or none is asked for.
        SolverError: if none was found in time.

    >>> [posed.count for posed in pose_series(Board(5, 5), [3, 3, 15], np.random.default_rng(0))]
    [3, 3, 15]
    """
    if not counts:
        raise OptionError("counts must have a number of clicks for each puzzle, not none")
    rng = np.random.default_rng() if rng is None else rng
    series, forms = list[PosedPuzzle](), set[bytes]()
    for count, share in Deadline.of(time_limit).shared(counts):
        series.append(_pose_distinct_starts(series, forms, board, count, rng, share))
        forms.add(_canonical_form(series[-1].start))
    return tuple(series)


def default_click_range(board: Board, *, time_limit: float | Deadline = 10.0) -> Span:
    """The numbers of clicks of a series from easy to hard: 3..12, or less where starts need less.

    >>> str(default_click_range(Board(5, 5))), str(default_click_range(Board(2, 2)))
    ('3..12', '3')
    """
    deadline, rng = Deadline.of(time_limit), np.random.default_rng(0)
    board.factor(deadline)
    counts = [
        board.count(_draw_smallest_click_set(board, rng, deadline)) for _ in range(DEFAULT_DRAWS)
    ]
    # None is found where it would take too long: on large boards, which need many.
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
    # A start that looks unlike those of the series, or at least is none of them.
    fallback = None
    for draw in range(MAX_ATTEMPTS + EXTRA_ATTEMPTS * len(series)):
        posed = pose(board, count, rng, time_limit=deadline)
        if _canonical_form(posed.start) not in forms:
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
        f"only {pluralize(matching, 'start')} of {board.columns}x{board.rows} cells for "
        f"{pluralize(count, 'click')} could be found"
    )


def _canonical_form(start: Lights) -> bytes:
    # The same for starts that are turns or mirror images of each other.
    return min(image.tobytes() for image in symmetric_images(start))


def _draw_smallest_click_set(board: Board, rng: np.random.Generator, deadline: Deadline) -> Lights:
    # The smallest click set that toggles the same cells as a random one; empty where that takes too
    # long to prove.
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
    # Do the combinations of quiet patterns take a few seconds at most?
    if not board.can_list_patterns:
        return False
    limit = MAX_COMBINATIONS[board.levels > 2]
    return all(board.levels ** len(component) <= limit for component in find_components(board))


def _find_large_smallest_set(
    board: Board, target: int, start: Lights, rng: np.random.Generator, deadline: Deadline
) -> Lights:
    # A smallest click set of at least as many clicks as are wanted.
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
            f"no start that needs {target} clicks was found{when}; the most reached is {count}, "
            f"and none needs more than {bound}"
        )
    return large


def _find_hardest_start(
    board: Board, rng: np.random.Generator, deadline: Deadline
) -> tuple[Lights, int]:
    # A smallest click set of as many clicks as are found, and a bound on all of them.
    worst = most_clicks(board, rng=rng, time_limit=deadline)
    if 2 * board.count(worst.clicks) < worst.bound:  # where there was no search
        raise SolverError(
            f"{board.nullity} independent quiet patterns are too many to look for the hardest "
            "start; ask for a number of clicks"
        )
    return worst.clicks, worst.bound


def _climb_to_many_presses(
    board: Board, target: int, start: Lights, rng: np.random.Generator, deadline: Deadline
) -> tuple[Lights, int]:
    """With more than two levels, a smallest click set of many presses, and a bound on all of them.

    Presses on cells of no quiet pattern can never be saved.  On every other cell the sums with all
    combinations of patterns press equally often none to levels - 1 times, so that the smallest has
    at most the mean.  The climb presses a cell once more, goes to the smallest click set that does
    the same, and stays where it is only where that has fewer presses.
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
    while board.count(best) < target <= bound and vain < MAX_VAIN_STEPS and not deadline.expired:
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
    limit = f"at most {bound}"
    if board.levels == 2:
        worst = most_clicks(board, time_limit=deadline.part(REFUSAL_SHARE))
        proven = worst.status is Status.OPTIMAL
        limit = f"the most that any needs is {worst.count}" if proven else f"at most {worst.bound}"
    rule = "" if board.rule == "plus" else f" of rule {abbreviate_name(board.rule)}"
    wrapped = " wrapped" if board.wrap else ""
    levels = "" if board.levels == 2 else f" of {board.levels} levels"
    size = f"{board.columns}x{board.rows}"
    return f"no {size} board{levels}{rule}{wrapped} needs {target} clicks; {limit}"


def _disjoint_clicks(board: Board, target: int, rng: np.random.Generator) -> Lights:
    """Clicks that do not meet: bool (rows, columns), or with more than two levels uint8.

    Each flips as many cells as any click can, and no two flip the same cell; so fewer clicks cannot
    flip as many cells, or raise all cells by as much.
    """
    clicks, flipped = np.zeros_like(board.reference).ravel(), np.zeros(board.cells, bool)
    if board.cells * board.most_flips > MAX_DISJOINT_FLIPS:
        return clicks.reshape(board.shape)
    # Round a torus a click may raise a cell by more than one.
    times = 1 if board.wrap else board.levels - 1
    flips = board.mirrored.neighbours()
    for cell in rng.permutation(board.cells):
        if len(flips[cell]) == board.most_flips and not flipped[flips[cell]].any():
            clicks[cell], flipped[flips[cell]] = min(times, target - board.count(clicks)), True
            if board.count(clicks) == target:
                break
    return clicks.reshape(board.shape)
