"""A time limit that several searches share and another thread may cancel."""

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from lightsanim.checks import check_seconds

Item = TypeVar("Item")


class Deadline:
    """A time limit that several searches may share; another thread may cancel it.

    Args:
        seconds: from now on.
        within: another limit; this one ends with it at the latest, and is cancelled with it.

    Raises:
        OptionError: if ``seconds`` is not a positive number.

    >>> whole = Deadline(60)
    >>> part = whole.part(0.5)
    >>> whole.cancel()
    >>> part.expired
    True
    """

    def __init__(self, seconds: float, *, within: "Deadline | None" = None) -> None:
        self._start = time.monotonic()
        self._end = self._start + check_seconds(seconds)
        self._cancelled = False
        self._within = within

    @classmethod
    def of(cls, time_limit: "float | Deadline") -> "Deadline":
        """A limit of some seconds from now on; a `Deadline` is returned as it is.

        Raises:
            OptionError: if ``time_limit`` is neither a `Deadline` nor a positive number.
        """
        return time_limit if isinstance(time_limit, Deadline) else cls(time_limit)

    def part(self, share: float) -> "Deadline":
        """A limit of a share (0..1) of the time that is left; cancelled with this one."""
        return Deadline(max(self.remaining * share, 1e-9), within=self)

    def shared(self, items: Sequence[Item]) -> Iterator[tuple[Item, "Deadline"]]:
        """Each item with an equal share of the time that is left when its turn comes."""
        for waiting, item in zip(range(len(items), 0, -1), items, strict=True):
            yield item, self.part(1 / waiting)

    @property
    def cancelled(self) -> bool:
        """Whether this limit, or the one that it is part of, was cancelled."""
        return self._cancelled or (self._within is not None and self._within.cancelled)

    @property
    def remaining(self) -> float:
        """Seconds left, at least 0."""
        if self.cancelled:
            return 0.0
        left = max(0.0, self._end - time.monotonic())
        return left if self._within is None else min(left, self._within.remaining)

    @property
    def expired(self) -> bool:
        """Whether no time is left."""
        return self.remaining <= 0

    def allows_rest(self, done: float) -> bool:
        """Whether work of which a share (0..1) is done since the start ends in time at this pace.

        >>> Deadline(60).allows_rest(0.5), Deadline(1e-9).allows_rest(0.999)
        (True, False)
        """
        used = time.monotonic() - self._start
        return done >= 1 or (not self.expired and used * (1 - done) <= self.remaining * done)

    def seconds_used(self) -> float:
        """Seconds since this limit was set, to a tenth of a millisecond."""
        return round(time.monotonic() - self._start, 4)

    def cancel(self) -> None:
        """Let every search under this limit stop as soon as it looks."""
        self._cancelled = True
