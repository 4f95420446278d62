"""The signals that ask a program to stop."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

# Windows has no SIGHUP.
STOP_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def signals_deferred() -> Iterator[None]:
    """Defer `STOP_SIGNALS` while the block runs; after it, raise the first signal that arrived."""
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
    """Replace the handlers of `STOP_SIGNALS` with ``handler`` while the block runs."""
    handlers = {number: old for number in STOP_SIGNALS if callable(old := signal.getsignal(number))}
    for number in handlers:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in handlers.items():
            signal.signal(number, old)
