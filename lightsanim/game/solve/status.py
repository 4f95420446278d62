"""Whether a search has proven its result, and how results and proven bounds are worded."""

from collections.abc import Callable
from enum import StrEnum

OnProgress = Callable[[int, int], None]
"""A function that a search calls with its best value so far and its proven bound."""


class Status(StrEnum):
    """Whether a result is proven to be the best."""

    OPTIMAL = "optimal"
    """No better result exists."""
    FEASIBLE = "feasible"
    """A better result may exist, but none beyond the proven bound."""


def status_from_bound(value: int, bound: int) -> Status:
    """Return OPTIMAL if a proven lower bound has reached the value found, else FEASIBLE."""
    return Status.OPTIMAL if bound >= value else Status.FEASIBLE


def count_with_bound(count: int, unit: str, bound: int, best: str = "fewest") -> str:
    """Format a search result as a number with its unit and proven bound."""
    text = f"{count:,} {unit if count != 1 else unit.replace('s', '', 1)}"
    limit = f"{bound:,} or {'more' if bound < count else 'fewer'} proven"
    return f"{text}, {f'proven the {best}' if bound == count else limit}"
