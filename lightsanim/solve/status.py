"""What every search reports: its progress, and what its result is worth, also in words."""

from collections.abc import Callable
from enum import StrEnum

OnProgress = Callable[[int, int], None]
"""Called with the best value so far and the proven bound, whenever one of them changes."""


class Status(StrEnum):
    """What a result is worth."""

    OPTIMAL = "optimal"
    """Proven: no other is better."""
    FEASIBLE = "feasible"
    """The best found in the time given; the bound says how much better another could be."""


def status_of(value: int, bound: int) -> Status:
    """OPTIMAL where the bound of a minimisation has reached its value."""
    return Status.OPTIMAL if bound >= value else Status.FEASIBLE


def told_count(count: int, what: str, bound: int, best: str = "fewest") -> str:
    """A number and whether it is proven to be the best.

    >>> told_count(15, "clicks", 15), told_count(1, "clicks", 0)
    ('15 clicks, proven the fewest', '1 click, 0 or more proven')
    """
    told = f"{count:,} {what if count != 1 else what.replace('s', '', 1)}"
    limit = f"{bound:,} or {'more' if bound < count else 'fewer'} proven"
    return f"{told}, {f'proven the {best}' if bound == count else limit}"
