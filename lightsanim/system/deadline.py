"""A time limit that several searches can share and another thread can cancel."""

import math
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from lightsanim.options.checks import check_seconds

Item = TypeVar("Item")


class TimeUpError(Exception):
    """The time limit has expired within a step of a search."""


# Share of the remaining time in which `Deadline.allows_rest` is always true.
PACE_GRACE = 0.1
# Note for the user on the result of a search whose `Deadline.cut_short` is true.
CUT_SHORT_NOTE = "The time limit ended a search: another run may find other clicks."


class Deadline:
    """A time limit and a work budget for one or several searches.

    The budget of work is the same number of seconds as the time limit, but each step of a search
    spends the seconds that it would take on a slow computer.  A search that ends by its
    budget gives the same result in every run, on every computer and under any load.  The clock ends
    searches that are slower than expected or whose steps cannot be counted.

    Args:
        seconds: time limit from now on.
        within: a limit that contains this one, which ends and is cancelled with it.

    Attributes:
        cut_short: whether the clock or a cancellation has influenced a search under this limit, so
            that another run may find another result.

    Raises:
        OptionError: if ``seconds`` is not a positive number.
    """

    def __init__(self, seconds: float, *, within: "Deadline | None" = None) -> None:
        self._start = time.monotonic()
        self._work = check_seconds(seconds)
        self._end = self._start + self._work
        # This limit and those that contain it.
        self._limits: tuple[Deadline, ...] = (self, *(within._limits if within else ()))
        self.cut_short = False

    @classmethod
    def of(cls, time_limit: "float | Deadline") -> "Deadline":
        """Return a new limit of some seconds, or of all that remains of a `Deadline`."""
        return time_limit.part() if isinstance(time_limit, Deadline) else cls(time_limit)

    def part(self, share: float = 1, *, work: float = math.inf) -> "Deadline":
        """Return a limit within this one: a share (0..1) of the rest, at most ``work`` seconds."""
        part = Deadline(max(self.remaining * share, 1e-9), within=self)
        part._work = min(self.work_left * share, work)
        return part

    def shared(self, items: Sequence[Item]) -> Iterator[tuple[Item, "Deadline"]]:
        """Yield each item with a limit: its equal share of the time and work still left."""
        for waiting, item in zip(range(len(items), 0, -1), items, strict=True):
            yield item, self.part(1 / waiting)

    @property
    def cancelled(self) -> bool:
        """Whether this limit, or one that contains it, was cancelled."""
        return any(limit._end == -math.inf for limit in self._limits)

    @property
    def remaining(self) -> float:
        """The remaining time in seconds, at least 0."""
        return max(0.0, min(limit._end for limit in self._limits) - time.monotonic())

    @property
    def work_left(self) -> float:
        """The remaining work in seconds; negative if the last step spent more than was left."""
        return min(limit._work for limit in self._limits)

    def spend(self, seconds: float) -> None:
        """Subtract a step's work, in seconds on a slow computer, from the budget."""
        for limit in self._limits:
            limit._work -= seconds

    def allows(self, seconds: float) -> bool:
        """Spend a step's work if time and budget allow it; return whether they do."""
        allowed = seconds <= self.work_left and not self.expired
        if allowed:
            self.spend(seconds)
        return allowed

    @property
    def expired(self) -> bool:
        """Whether the time or the work is used up; for checks between steps of a search."""
        return self.work_left <= 0 or self._clock_ended()

    def look(self) -> None:
        """Raise `TimeUpError` if no time is left; for checks within a step of a search."""
        if self._clock_ended():
            raise TimeUpError

    def _clock_ended(self) -> bool:
        if self.remaining > 0:
            return False
        self.cut()
        return True

    def allows_rest(self, done: float) -> bool:
        """Return whether work will end in time at its pace; ``done`` is the finished share (0..1).

        At first the answer is always true, as the first steps say little about the pace.
        """
        used = time.monotonic() - self._start
        early = used < PACE_GRACE * self.remaining
        in_time = done >= 1 or early or used * (1 - done) <= self.remaining * done
        if not in_time:
            self.cut()
        return in_time

    def cut(self) -> None:
        """Set `cut_short` for this limit and those that contain it."""
        for limit in self._limits:
            limit.cut_short = True

    def seconds_used(self) -> float:
        """Return the seconds since this limit was set, rounded to 0.1 ms."""
        return round(time.monotonic() - self._start, 4)

    def cancel(self) -> None:
        """End the limit now: every search under it stops at its next check."""
        self._end = -math.inf
