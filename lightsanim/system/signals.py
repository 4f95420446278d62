"""The signals that ask a program to stop."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

# Windows has no SIGHUP.
STOPS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Hold back the signals of `STOPS` while the block runs, and deliver them after it."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python delivers signals to the main thread only
        return
    pending: list[int] = []
    try:
        with signals_handled(lambda number, frame: pending.append(number)):
            yield
    finally:
        if pending:
            signal.raise_signal(pending[0])


@contextmanager
def signals_handled(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Call this in place of what handles the signals of `STOPS` while the block runs."""
    before = {number: known for number in STOPS if callable(known := signal.getsignal(number))}
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, known in before.items():
            signal.signal(number, known)
