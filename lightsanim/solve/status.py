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


def status_from_bound(value: int, bound: int) -> Status:
    """OPTIMAL where the bound of a minimisation has reached its value."""
    return Status.OPTIMAL if bound >= value else Status.FEASIBLE


def count_with_bound(count: int, unit: str, bound: int, best: str = "fewest") -> str:
    """A number and whether it is proven to be the best.

    >>> count_with_bound(15, "clicks", 15), count_with_bound(1, "clicks", 0)
    ('15 clicks, proven the fewest', '1 click, 0 or more proven')
    """
    text = f"{count:,} {unit if count != 1 else unit.replace('s', '', 1)}"
    limit = f"{bound:,} or {'more' if bound < count else 'fewer'} proven"
    return f"{text}, {f'proven the {best}' if bound == count else limit}"
