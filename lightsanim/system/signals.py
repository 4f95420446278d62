"""The signals that ask a program to stop."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

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
    before = {number: signal.getsignal(number) for number in STOPS}
    before = {number: handler for number, handler in before.items() if callable(handler)}
    for number in before:
        signal.signal(number, lambda number, frame: pending.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if pending:
            signal.raise_signal(pending[0])
