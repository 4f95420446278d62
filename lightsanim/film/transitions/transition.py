"""Moves and transitions between pictures, and the search for nearest configurations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TypeVar

from lightsanim.errors import OptionError
from lightsanim.film.clicks import History
from lightsanim.film.film_reports import MoveReport
from lightsanim.game.board.board import Board
from lightsanim.game.levels import Lights
from lightsanim.game.solve.nearest import Nearest, build_nearest, nearest_accessible
from lightsanim.options.settings import Settings
from lightsanim.pictures.dither import Target
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import ProgressReporter
from lightsanim.system.threads import search_in_parallel

# Maximum memory for the steps of a film and for their search, in bytes.
MAX_STEPS_BYTES = 2_000_000_000

Targets = Sequence[Target]
"""Targets (dithered pictures) of a still or a frame, one for each colour plane."""

Item = TypeVar("Item")


@dataclass(frozen=True, kw_only=True, eq=False)
class Move:
    """Clicks from one picture to the next."""

    clicks: History
    bound: int = 0  # proven lower bound on the number of clicks
    seconds: float = 0.0
    cut_short: bool = False

    def inverse(self, board: Board) -> "Move":
        """Return the opposite move; its lower bound is trivial if there are quiet patterns."""
        move = Move(clicks=self.clicks.inverse(board))
        is_least = board.nullity == 0
        return replace(move, bound=move.click_count if is_least else min(move.click_count, 1))

    @property
    def click_count(self) -> int:
        """Number of clicks, summed over all colour planes."""
        return int(self.clicks.press_counts.sum())

    @property
    def report(self) -> MoveReport:
        """Report on the search for the move."""
        return MoveReport.from_counts(self.click_count, self.bound, self.seconds)


@dataclass(frozen=True, kw_only=True, eq=False)
class Transition:
    """Moves from each picture to the next, and the configurations of the pictures."""

    nearest: Sequence[Sequence[Nearest]]  # for each picture, a result for each colour plane
    moves: Sequence[Move]
    notes: Sequence[str] = ()
    first: Sequence[Lights] | None = None  # first configuration, unless it is the first picture's
    has_searched_ends: bool = False  # whether a search chose the pictures, instead of dithering
    cut_short: bool = False  # whether the time limit ended the search for these

    @property
    def ended_early(self) -> bool:
        """Whether the time limit ended a search."""
        search_ended = any(nearest.cut_short for nearest in chain(*self.nearest))
        return self.cut_short or search_ended or any(move.cut_short for move in self.moves)


def pair_successive_pictures(stops: Sequence[Item], settings: Settings) -> list[tuple[Item, Item]]:
    """Return pairs of each picture and the next; in a cycle also the last and the first."""
    return list(pairwise([*stops, *stops[: settings.is_cycle]]))


def build_exact_nearest(
    board: Board, configurations: Iterable[Iterable[Lights]]
) -> list[list[Nearest]]:
    """Return the `Nearest` of accessible configurations, which are their own targets."""
    return [[build_nearest(board, b, b) for b in planes] for planes in configurations]


def check_frames_fit_in_memory(
    size: int, frames: int, board: Board, film: str, remedy: str
) -> None:
    """Raise an `OptionError` with a remedy if the frames of a film do not fit in memory."""
    if size > MAX_STEPS_BYTES:
        raise OptionError(
            f"{frames} frames of {board.columns}x{board.rows} cells are too many for {film}: they "
            f"take {size / 1e9:.1f} GB of memory; choose {remedy}",
            "size",
        )


def find_nearest_configurations(
    board: Board, targets: Sequence[Targets], settings: Settings, say: ProgressReporter
) -> list[list[Nearest]]:
    """Find the accessible configuration nearest to each target, with a time limit for each."""
    board.factor(settings.time_limit)

    def find_nearest(target: Target, deadline: Deadline) -> Nearest:
        return nearest_accessible(
            board,
            target.configuration,
            **(target.tie_break if board.nullity else {}),
            ip=settings.ip,
            time_limit=deadline,
            on_progress=lambda wrong, bound: say(
                f"{target.name}: {wrong} wrong cells, lower bound {bound}"
            ),
        )

    results = iter(search_in_parallel(find_nearest, chain(*targets), settings.time_limit))
    return [[next(results) for _ in planes] for planes in targets]
