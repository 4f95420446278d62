"""What all searches return, whether they have proven it, and how proven bounds are worded."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from lightsanim.game.board_view import BoardViewMixin
from lightsanim.game.levels import Lights

OnProgress = Callable[[int, int], None]
"""A function that a search calls with its best value so far and its proven bound."""


class Status(StrEnum):
    """Whether a result is proven to be the best."""

    OPTIMAL = "optimal"
    """No better result exists."""
    FEASIBLE = "feasible"
    """A better result may exist, but none beyond the proven bound."""


def status_from_bound(value: int | None, bound: int | None) -> Status:
    """Return OPTIMAL if the value found equals the proven bound on all values, else FEASIBLE."""
    return Status.OPTIMAL if value == bound else Status.FEASIBLE


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SearchResult(BoardViewMixin):
    """The best value that a search has found, and what it has proven.

    Attributes:
        clicks: the click set found, bool (rows, columns); with more than two levels uint8.
        value: the number that the search makes as small, or as large, as it can.
        bound: proven: no value is better than this.
        seconds: duration of the search.
        cut_short: whether the clock ended the search, so that another run may find another result.
    """

    clicks: Lights
    value: int
    bound: int
    seconds: float
    cut_short: bool

    @property
    def status(self) -> Status:
        """OPTIMAL when ``bound`` equals ``value``."""
        return status_from_bound(self.value, self.bound)


def count_with_bound(count: int, unit: str, bound: int, best: str = "fewest") -> str:
    """Format a search result as a number with its unit and proven bound."""
    text = f"{count:,} {unit if count != 1 else unit.replace('s', '', 1)}"
    limit = f"{bound:,} or {'more' if bound < count else 'fewer'} proven"
    return f"{text}, {f'proven the {best}' if bound == count else limit}"
