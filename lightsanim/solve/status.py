"""What every search reports: its progress, and what its result is worth."""

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
    """OPTIMAL where the bound of a minimisation has reached its value.

    >>> status_of(3, 3), status_of(3, 1)
    (<Status.OPTIMAL: 'optimal'>, <Status.FEASIBLE: 'feasible'>)
    """
    return Status.OPTIMAL if bound >= value else Status.FEASIBLE
