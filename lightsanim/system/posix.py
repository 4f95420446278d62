"""Services that only POSIX systems have; on Windows these functions do without them."""

import os
from typing import IO, Any

try:
    import fcntl
except ImportError:  # on Windows
    CAN_LOCK = False
else:
    CAN_LOCK = True


def lock_file(file: IO[Any]) -> None:
    """Lock an open file until it is closed; raise `BlockingIOError` if another process has."""
    if CAN_LOCK:  # the system releases the lock even if this process is killed
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # After `open`, the process that had the lock may have removed the file with its folder.
        if not os.path.samestat(os.fstat(file.fileno()), os.stat(file.name)):
            raise BlockingIOError


def lower_priority(niceness: int) -> None:
    """Add to the niceness of this process, so that others have priority."""
    if hasattr(os, "nice"):
        os.nice(niceness)


def is_user(*ids: int) -> bool:
    """Return whether this process has one of some effective user ids."""
    return not hasattr(os, "geteuid") or os.geteuid() in ids
