"""What each transition gives, and the search for the nearest configurations that all begin with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TypeVar

from lightsanim.animation.clicks import Clicks, PackedSteps
from lightsanim.animation.film_reports import MoveReport
from lightsanim.board.board import Board
from lightsanim.errors import OptionError
from lightsanim.look.levels import Lights
from lightsanim.options.settings import Settings
from lightsanim.pictures.dither import Target
from lightsanim.solve.nearest import Nearest, nearest_accessible
from lightsanim.system.deadline import Deadline
from lightsanim.system.progress import ProgressReporter
from lightsanim.system.threads import search_in_parallel

# Bytes of memory for the steps of a film, or the search for them.
MAX_STEPS_BYTES = 2_000_000_000

Targets = Sequence[Target]
"""What a still, or a frame, asks for: one for each board."""

Item = TypeVar("Item")


@dataclass(frozen=True, kw_only=True, eq=False)
class Move:
    """What leads from one picture to the next."""

    clicks: Clicks | PackedSteps  # in order
    bound: int = 0  # no fewer clicks lead there
    seconds: float = 0.0  # that the search took
    cut_short: bool = False  # whether the time limit ended it

    def inverse(self, board: Board) -> "Move":
        """The way back; where there are quiet patterns nobody has looked for fewer clicks."""
        move = Move(clicks=self.clicks.inverse(board))
        min_bound = min(move.click_count, 1) if isinstance(move.clicks, Clicks) else 0
        return replace(move, bound=move.click_count if board.nullity == 0 else min_bound)

    @property
    def click_count(self) -> int:
        """How many clicks, on all boards together."""
        return int(self.clicks.press_counts.sum())

    @property
    def report(self) -> MoveReport:
        """Its facts."""
        return MoveReport.from_counts(self.click_count, self.bound, self.seconds)


@dataclass(frozen=True, kw_only=True, eq=False)
class Transition:
    """What leads from each picture to the next."""

    nearest: Sequence[Sequence[Nearest]]  # what each picture is shown as, on each of its boards
    moves: Sequence[Move]
    notes: Sequence[str] = ()  # what else there is to know, in a sentence each
    first: Sequence[Lights] | None = None  # what it begins with, if not with the first picture

    @property
    def ended_early(self) -> bool:
        """Whether the time limit ended a search."""
        search_cut = any(search_cut.cut_short for search_cut in chain(*self.nearest))
        return search_cut or any(move.cut_short for move in self.moves)


def pair_successive_pictures(stops: Sequence[Item], settings: Settings) -> list[tuple[Item, Item]]:
    """Each picture with the next; in a cycle, the last one with the first."""
    return list(pairwise([*stops, *stops[: settings.cycle]]))


def check_frames_fit_in_memory(
    size: int, frames: int, board: Board, film: str, remedy: str
) -> None:
    """Do the frames of a film fit in memory?"""
    if size > MAX_STEPS_BYTES:
        raise OptionError(
            f"{frames} frames of {board.columns}x{board.rows} cells are too many for {film}: "
            f"{size / 1e9:.1f} GB; take {remedy}",
            "size",
        )


def find_nearest_configurations(
    board: Board, targets: Sequence[Targets], settings: Settings, say: ProgressReporter
) -> list[list[Nearest]]:
    """The nearest accessible configuration of each picture on each of its boards.

    They are searched side by side, each with the settings' time limit for itself; before, the
    elimination that they share has the same.
    """
    board.factor(settings.time_limit)

    def find_nearest(target: Target, deadline: Deadline) -> Nearest:
        return nearest_accessible(
            board,
            target.configuration,
            **(target.tie_break if board.nullity else {}),
            ip=settings.ip,
            time_limit=deadline,
            on_progress=lambda wrong, bound: say(
                f"{target.name}: {wrong} wrong cells, at least {bound}"
            ),
        )

    results = iter(search_in_parallel(find_nearest, chain(*targets), settings.time_limit))
    return [[next(results) for _ in planes] for planes in targets]
