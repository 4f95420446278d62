"""Callbacks of a batch run, and a progress bar made of them."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from lightsanim.batch.results import Result


@dataclass(frozen=True, kw_only=True)
class BatchListener:
    """Callbacks of a batch run: for the number of jobs at the start, new results, and notes."""

    begin: Callable[[int, int], None] = lambda jobs, done: None
    on_result: Callable[[Result], None] = lambda result: None
    on_note: Callable[[str], None] = lambda note: None  # a message for the user


NO_LISTENER = BatchListener()


class _Bar:
    """A progress bar: HTML in a notebook, and a line of text in a terminal."""

    def __init__(self) -> None:
        self.jobs = self.done = self.failed = 0

    def __repr__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.done} of {self.jobs} animations done{failed}"

    def _repr_html_(self) -> str:
        return f'<progress max="{self.jobs}" value="{self.done}"></progress> {self!r}'


def listener_with_bar(listener: BatchListener) -> BatchListener:
    """Return the listener with a progress bar for a notebook or a terminal."""
    bar, is_notebook = _Bar(), "ipykernel" in sys.modules
    if is_notebook:
        display: Any = import_module("IPython.display").display
        update = display(bar, display_id=True).update
    else:

        def update(bar: _Bar) -> None:
            print(f"\r{bar}", end="\n" * (bar.done == bar.jobs), file=sys.stderr, flush=True)

    def begin(jobs: int, done: int) -> None:
        bar.jobs, bar.done = jobs, done
        update(bar)
        listener.begin(jobs, done)

    def on_result(result: Result) -> None:
        bar.done += 1
        bar.failed += result.error is not None
        update(bar)
        listener.on_result(result)

    return replace(listener, begin=begin, on_result=on_result)
