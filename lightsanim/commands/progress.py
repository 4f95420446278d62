"""Bars on standard error that show how far the work is.

Rich's bars are loaded when one is shown: help needs none.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from lightsanim.reports.in_words import printable

OnProgress = Callable[[str, float, str], None]
"""Called with a stage, the share of it that is done (0..1), and what is known so far."""

# What is said of each stage while it runs.
STAGES = {
    "read": "reading the pictures",
    "nearest": "nearest accessible",
    "sketch": "sketch",
    "fewest": "fewest clicks",
    "clip": "clicks for each frame",
    "order": "click order",
    "write": "writing",
}


@contextmanager
def progress_bars(*, hidden: bool) -> Iterator[OnProgress]:
    """A bar for each stage; nothing where standard error is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description:<22}"),
        BarColumn(bar_width=24),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}", style="dim", markup=False),
    )
    bars = Progress(
        *columns, console=console, transient=True, disable=hidden or not console.is_terminal
    )
    started: dict[str, TaskID] = {}

    def show(stage: str, share: float, note: str) -> None:
        if stage not in started:
            started[stage] = bars.add_task(STAGES[stage], total=None, note="")
        # A stage that cannot say how far it is moves its bar to and fro until it is done.
        bars.update(started[stage], completed=share, total=1.0 if share else None)
        if note:
            bar = next(task for task in bars.tasks if task.id == started[stage])
            left = bar.time_remaining if share else None
            more = "" if left is None else f", {timedelta(seconds=round(left))} left"
            bars.update(bar.id, note=printable(note) + more)

    with bars:
        yield show


@contextmanager
def counting_bar(what: str, *, hidden: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar for something that is counted; told how many of how many."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    bars = Progress(console=console, transient=True, disable=hidden or not console.is_terminal)
    bar = bars.add_task(what, total=None)
    with bars:
        yield lambda done, total: bars.update(bar, completed=done, total=total)
