"""How far the work is: its stages, timed, and told to whoever watches."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

Progress = Callable[[str, float, str], None]
"""Called with a stage, the share of it that is done (0..1), and what is known so far."""

# Seconds between two reports on a job in another process.
REPORT_INTERVAL = 0.05


class ProgressReporter(Protocol):
    """Tells what is known so far of a stage, and which share of it is done, where that is known."""

    def __call__(self, note: str, share: float = 0.0) -> None:
        """Tell them."""


def no_progress(stage: str, share: float, note: str) -> None:
    """The `Progress` of a run that nobody watches."""


class StageTimer:
    """Times the stages and tells of them."""

    def __init__(self, progress: Progress) -> None:
        self.seconds: dict[str, float] = {}
        self.progress = progress

    @contextmanager
    def time_stage(self, name: str) -> Iterator[ProgressReporter]:
        """A stage; what it yields tells what is known so far."""
        start = time.perf_counter()
        self.progress(name, 0.0, "")
        yield lambda note, share=0.0: self.progress(name, share, note)
        self.progress(name, 1.0, "")
        seconds = self.seconds.get(name, 0.0) + time.perf_counter() - start
        self.seconds[name] = round(seconds, 4)
