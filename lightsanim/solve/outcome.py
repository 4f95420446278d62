"""What every search shares: its time limit, its progress, and what its answer is worth."""

import sys
import time
from collections.abc import Callable
from enum import StrEnum

from lightsanim.errors import OptionError

OnProgress = Callable[[int, int], None]
"""Called with the best value so far and the proven bound, whenever one of them changes."""


class Status(StrEnum):
    """What an answer is worth."""

    OPTIMAL = "optimal"
    """Proven: no answer is better."""
    FEASIBLE = "feasible"
    """The best found in the time given; the bound says how much better one could be."""


def status_of(value: int, bound: int) -> Status:
    """OPTIMAL where the bound of a minimisation has reached its value.

    >>> status_of(3, 3), status_of(3, 1)
    (<Status.OPTIMAL: 'optimal'>, <Status.FEASIBLE: 'feasible'>)
    """
    return Status.OPTIMAL if bound >= value else Status.FEASIBLE


class Deadline:
    """A time limit that several searches may share; another thread may cancel it.

    Raises:
        OptionError: if ``seconds`` is not a positive number.
    """

    def __init__(self, seconds: float) -> None:
        real = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        too_long = isinstance(seconds, int) and seconds > sys.float_info.max  # for the clock
        if not real or not seconds > 0 or too_long:
            raise OptionError(f"the time limit must be more than 0 seconds, not {seconds!r}")
        self._start = time.monotonic()
        self._end = self._start + seconds
        self._cancelled = False
        self._whole: Deadline | None = None

    def part(self, share: float) -> "Deadline":
        """A limit of a share (0..1) of the time that is left; cancelled with this one."""
        part = Deadline(max(self.remaining * share, 1e-9))
        part._whole = self
        return part

    @property
    def cancelled(self) -> bool:
        """Has anybody said stop?"""
        return self._cancelled or (self._whole is not None and self._whole.cancelled)

    @property
    def remaining(self) -> float:
        """Seconds left, at least 0."""
        return 0.0 if self.cancelled else max(0.0, self._end - time.monotonic())

    @property
    def expired(self) -> bool:
        """Is there no time left?"""
        return self.remaining <= 0

    def seconds_used(self) -> float:
        """Seconds since this limit was set, to a tenth of a millisecond."""
        return round(time.monotonic() - self._start, 4)

    def cancel(self) -> None:
        """Let every search under this limit stop as soon as it looks."""
        self._cancelled = True
