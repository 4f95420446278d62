"""Messages of the commands: results on standard output, all others on standard error.

Rich is imported only when a progress bar is shown, so that `--help` starts faster.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from lightsanim.options.checks import format_names
from lightsanim.options.outputs import MessageOptions, Outputs
from lightsanim.output.reports.in_words import to_printable_line
from lightsanim.system.progress import Progress as OnProgress
from lightsanim.system.progress import no_progress

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


MAX_MESSAGE = 2000  # Maximum length of an error message, in characters; it may quote a file.
MAX_MESSAGE_END = 300  # Characters kept at the end of a shortened message.

# Labels of the progress bars of the stages.
STAGES = {
    "read": "reading the pictures",
    "nearest": "matching the pictures",
    "halftone": "searching for all pictures",
    "sketch": "sketching the film",
    "fewest": "finding the clicks",
    "clip": "clicks for each frame",
    "order": "ordering the clicks",
    "write": "writing the files",
}


def print_message(text: str) -> None:
    """Print to standard error, unless it is closed."""
    if sys.stderr is not None:
        try:
            print(text, file=sys.stderr, flush=True)
        except OSError:  # for example a broken pipe
            sys.stderr = None


def print_log_lines(messages: MessageOptions, *lines: str) -> None:
    """Print lines to standard error, unless ``--quiet`` is given."""
    if lines and not messages.quiet:
        print_message("\n".join(lines))


def print_texts_missing_on_pages(
    messages: MessageOptions, outputs: Outputs, page: str = "player"
) -> None:
    """Print the names of the texts that a kind of page shows in English, if there are any."""
    for file in outputs.output:
        shown = "exhibit" if file.own.get("visitor_clicks") else page
        if (words := file.own.get("language")) is not None:
            print_missing_names(messages, words.missing_on(shown))


def print_missing_names(messages: MessageOptions, missing: Sequence[str]) -> None:
    """Print the names of texts that stay English, if there are any."""
    if missing:
        names = format_names(missing)
        print_log_lines(messages, f"language: texts without translation stay English: {names}")


def print_error(message: str) -> None:
    """Print an error as one line on standard error, without the middle if it is very long."""
    if len(message) > MAX_MESSAGE:
        message = f"{message[: MAX_MESSAGE - MAX_MESSAGE_END]}...{message[-MAX_MESSAGE_END:]}"
    print_message(f"lightsanim: {to_printable_line(message)}")


def print_json(facts: dict[str, Any]) -> None:
    """Print a JSON object to standard output."""
    print(json.dumps(facts, allow_nan=False), flush=True)


def build_progress_bars(*columns: str | ProgressColumn, hidden: bool) -> Progress:
    """Build progress bars that disappear at the end, by default with the columns of Rich."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    return Progress(
        *columns, console=console, transient=True, disable=hidden or not console.is_terminal
    )


@contextmanager
def show_stage_bars(*, hidden: bool) -> Iterator[OnProgress]:
    """Show a progress bar for each stage, if standard error is a terminal."""
    # Rich makes the same test, but importing it takes 20 ms.
    forcing = {"FORCE_COLOR", "TTY_COMPATIBLE"} & os.environ.keys()
    if hidden or not (forcing or (sys.stderr is not None and sys.stderr.isatty())):
        yield no_progress
        return
    from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn

    note = TextColumn("{task.fields[note]}", style="dim", markup=False)
    stages = "{task.description:<22}", BarColumn(bar_width=24), TimeElapsedColumn(), note
    bars = build_progress_bars(*stages, hidden=hidden)
    started: dict[str, TaskID] = {}

    def show_stage(stage: str, share: float, note: str) -> None:
        if stage not in started:
            started[stage] = bars.add_task(STAGES[stage], total=None, note="")
        # Without a total, Rich shows a pulsing bar.
        bars.update(started[stage], completed=share, total=1.0 if share else None)
        if note:
            left = bars.tasks[started[stage]].time_remaining if share else None
            end = "" if left is None else f", {timedelta(seconds=round(left))} left"
            bars.update(started[stage], note=to_printable_line(note) + end)

    with bars:
        yield show_stage


@contextmanager
def show_counting_bar(noun: str, *, hidden: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar; yield a function that sets the number done and the total number."""
    bars = build_progress_bars(hidden=hidden)
    bar = bars.add_task(noun, total=None)
    with bars:
        yield lambda done, total: bars.update(bar, completed=done, total=total)
