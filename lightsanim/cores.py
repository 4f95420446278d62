"""How many cores one run may keep busy: all of them, unless it has neighbours."""

import os

_limit: int | None = None


def limit_cores(most: int) -> None:
    """From now on let this process use ``most`` cores; its neighbours use the others."""
    global _limit
    _limit = most


def core_limit() -> int | None:
    """The limit that was set, if one was."""
    return _limit


def cores() -> int:
    """How many cores this process may use, at least 1.

    >>> cores() >= 1
    True
    """
    return _limit or os.cpu_count() or 1
