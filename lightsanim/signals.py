"""The signals that ask a program to stop."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def signals_later() -> Iterator[None]:
    """What must not be interrupted: a signal that comes meanwhile is heard after it."""
    if threading.current_thread() is not threading.main_thread():
        yield  # they are heard elsewhere
        return
    heard: list[int] = []
    before = {number: signal.getsignal(number) for number in STOPS}
    before = {number: listener for number, listener in before.items() if callable(listener)}
    for number in before:
        signal.signal(number, lambda number, frame: heard.append(number))
    try:
        yield
    finally:
        for number, listener in before.items():
            signal.signal(number, listener)
        if heard:
            signal.raise_signal(heard[0])
