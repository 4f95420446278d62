"""Report the progress of the work's stages, and measure their times."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

Progress = Callable[[str, float, str], None]
"""A function that is called with a stage's name, the share done (0..1) and a note."""

# Seconds between two progress reports on a job in another process.
REPORT_INTERVAL = 0.05


class ProgressReporter(Protocol):
    """A function that reports the progress of one stage: a note and the share done (0..1)."""

    def __call__(self, note: str, share: float = 0.0) -> None:
        """Report a note and the share done."""


def no_progress(stage: str, share: float, note: str) -> None:
    """Ignore all reports; the default `Progress`."""


class StageTimer:
    """A timer for stages, which also reports their beginnings and ends.

    A film that takes less than ``draft_seconds`` is a draft: it leaves out refinements.
    """

    def __init__(self, progress: Progress, draft_seconds: float = 0.0) -> None:
        self.seconds: dict[str, float] = {}  # Times of equal stages add up.
        self.progress = progress
        self.draft_seconds, self.is_draft = draft_seconds, False

    @contextmanager
    def time_stage(self, name: str) -> Iterator[ProgressReporter]:
        """Time the block, less the stages within it; yield a function that reports its progress."""
        start = time.perf_counter() - sum(self.seconds.values())
        self.progress(name, 0.0, "")
        yield lambda note, share=0.0: self.progress(name, share, note)
        self.progress(name, 1.0, "")
        seconds = time.perf_counter() - start - sum(self.seconds.values())
        self.seconds[name] = round(self.seconds.get(name, 0.0) + max(0.0, seconds), 4)

    def leave_out_refinement(self) -> bool:
        """Return whether a refinement is left out, which makes the film a draft."""
        is_left_out = sum(self.seconds.values()) < self.draft_seconds
        self.is_draft |= is_left_out
        return is_left_out
