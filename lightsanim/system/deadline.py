"""A time limit that several searches share and another thread may cancel."""

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from lightsanim.options.checks import check_seconds

Item = TypeVar("Item")


class TimeUpError(Exception):
    """The clock has ended within a step of a search."""


# Share of the time left in which a pace is not judged yet.
PACE_GRACE = 0.1

# What is said where a search was cut short.
CUT_SHORT_NOTE = "The time limit ended a search: another run may find other clicks."


class Deadline:
    """A time limit that several searches may share; another thread may cancel it.

    Beside the clock there is a budget of work: the same number of seconds, counted as steps take
    them on a slow computer.  What ends by its budget ends alike in every run, on any computer and
    however many searches run beside it; the clock is the ceiling for what is slower than expected,
    and for searches whose steps cannot be counted.

    Args:
        seconds: from now on.
        within: another limit; this one ends with it at the latest, and is cancelled with it.

    Attributes:
        cut_short: whether the clock has ended or turned a search under this limit, or it was
            cancelled: another run may find something else.

    Raises:
        OptionError: if ``seconds`` is not a positive number.
    """

    def __init__(self, seconds: float, *, within: "Deadline | None" = None) -> None:
        self._start = time.monotonic()
        self._work = check_seconds(seconds)
        self._end = self._start + self._work
        self._cancelled = False
        self._within = within
        self.cut_short = False

    @classmethod
    def of(cls, time_limit: "float | Deadline") -> "Deadline":
        """A limit of some seconds from now on, or of all that a `Deadline` leaves.

        Raises:
            OptionError: if ``time_limit`` is neither a `Deadline` nor a positive number.
        """
        return time_limit.part(1) if isinstance(time_limit, Deadline) else cls(time_limit)

    def part(self, share: float) -> "Deadline":
        """A limit of a share (0..1) of the time and the work left; cancelled with this one."""
        part = Deadline(max(self.remaining * share, 1e-9), within=self)
        part._work = self.work_left * share
        return part

    def part_of_work(self, share: float) -> "Deadline":
        """A limit of a share (0..1) of the work left, for searches whose steps are counted."""
        return self.of_work(self.work_left * share)

    def of_work(self, seconds: float) -> "Deadline":
        """A limit of so much work at most, in all the time left."""
        part = self.part(1)
        part._work = min(part._work, seconds)
        return part

    def shared(self, items: Sequence[Item]) -> Iterator[tuple[Item, "Deadline"]]:
        """Each item with an equal share of the time and the work left when its turn comes."""
        for waiting, item in zip(range(len(items), 0, -1), items, strict=True):
            yield item, self.part(1 / waiting)

    @property
    def cancelled(self) -> bool:
        """Whether this limit, or the one that it is part of, was cancelled."""
        return self._cancelled or (self._within is not None and self._within.cancelled)

    @property
    def remaining(self) -> float:
        """Seconds left on the clock, at least 0."""
        if self.cancelled:
            return 0.0
        left = max(0.0, self._end - time.monotonic())
        return left if self._within is None else min(left, self._within.remaining)

    @property
    def work_left(self) -> float:
        """Seconds left of the budget; negative where the last step took more."""
        return self._work if self._within is None else min(self._work, self._within.work_left)

    def spend(self, seconds: float) -> None:
        """Take a step's work, in seconds on a slow computer, off the budget."""
        self._work -= seconds
        if self._within is not None:
            self._within.spend(seconds)

    def allows(self, seconds: float) -> bool:
        """Whether the budget holds work that is to be done whole; it is spent, if so."""
        allowed = seconds <= self.work_left and not self.expired
        if allowed:
            self.spend(seconds)
        return allowed

    @property
    def expired(self) -> bool:
        """Whether no work or no time is left; to be asked where a search would go on."""
        return self.work_left <= 0 or self._clock_ended()

    def look(self) -> None:
        """Look at the clock alone; to be called within a step, whose work is spent as a whole.

        Raises:
            TimeUpError: if no time is left.
        """
        if self._clock_ended():
            raise TimeUpError

    def _clock_ended(self) -> bool:
        if self.remaining > 0:
            return False
        self.cut()
        return True

    def allows_rest(self, done: float) -> bool:
        """Whether work of which a share (0..1) is done since the start ends in time at this pace.

        The first steps say little about the pace: it is not judged in a tenth of the time left.
        """
        used = time.monotonic() - self._start
        early = used < PACE_GRACE * self.remaining
        in_time = done >= 1 or early or used * (1 - done) <= self.remaining * done
        if not in_time:
            self.cut()
        return in_time

    def cut(self) -> None:
        """Note that the clock has ended or turned a search."""
        self.cut_short = True
        if self._within is not None:
            self._within.cut()

    def seconds_used(self) -> float:
        """Seconds since this limit was set, to a tenth of a millisecond."""
        return round(time.monotonic() - self._start, 4)

    def cancel(self) -> None:
        """Let every search under this limit stop as soon as it looks."""
        self._cancelled = True
