"""What people read on standard error: progress while it runs, a summary at the end."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Column, Table
from rich.text import Text

from lightsanim.batch.job import Task
from lightsanim.batch.results import Result
from lightsanim.batch.runner import BatchReport, Listener
from lightsanim.report import Report
from lightsanim.solve.outcome import Status
from lightsanim.stages import Progress as OnProgress

# What is said of each stage while it runs.
STAGES = {
    "read": "reading the pictures",
    "nearest": "nearest accessible",
    "fewest": "fewest clicks",
    "order": "click order",
    "write": "writing",
}


def say(text: str) -> None:
    """Print to standard error, if there is one."""
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def printable(text: str) -> str:
    r"""Text on one line, in which nothing can steer a terminal.

    >>> printable("a\nb \x1b[31m")
    'a\\nb \\x1b[31m'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


@contextmanager
def progress_bars(*, hidden: bool) -> Iterator[OnProgress]:
    """A bar for each stage on standard error; nothing where that is not a terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description:<22}"),
        BarColumn(bar_width=24),
        TimeElapsedColumn(),
        TextColumn("[dim]{task.fields[note]}"),
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
            bars.update(started[stage], note=note)

    with bars:
        yield show


@contextmanager
def batch_bars(*, hidden: bool, verbose: bool) -> Iterator[Listener]:
    """A bar for the whole batch and one for each running job, where there is a terminal.

    With ``verbose`` each result is said in a line that stays.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, ratio=2)),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[note]}", style="dim", markup=False),
        TimeElapsedColumn(),
    )
    bars = Progress(
        *columns, console=console, transient=True, disable=hidden or not console.is_terminal
    )
    whole, failures = bars.add_task("waiting", total=None, note=""), 0
    running: dict[str, TaskID] = {}

    def begin(jobs: int, done: int) -> None:
        bars.update(whole, total=jobs, completed=done, description=f"{done} of {jobs} done")

    def on_task(task: Task, stage: str, share: float, note: str) -> None:
        if task.id not in running:
            running[task.id] = bars.add_task(printable(task.job.outputs[0]), total=1.0, note="")
        note = f"{STAGES[stage]}  {printable(note)}".rstrip()
        bars.update(running[task.id], completed=_reached(stage, share), note=note)

    def on_result(result: Result) -> None:
        nonlocal failures
        if result.id in running:
            bars.remove_task(running.pop(result.id))
        failures += result.error is not None
        state = bars.tasks[0]
        bars.advance(whole)
        bars.update(
            whole,
            description=f"{state.completed:.0f} of {state.total:.0f} done",
            note=f"{failures} failed" if failures else "",
        )
        if verbose:
            console.print(Text(_line_of(result)), soft_wrap=True)

    with bars:
        yield Listener(begin=begin, on_task=on_task, on_result=on_result)


def _reached(stage: str, share: float) -> float:
    # How far a job is: writing takes the longest, and is the last.
    return 0.5 + share / 2 if stage == "write" else 0.1 * list(STAGES).index(stage)


def _line_of(result: Result) -> str:
    name = printable(result.files[0])
    if result.error is not None:
        return f"{name}: {printable(result.error)}"
    return f"{name}: done in {result.seconds:.1f} s"


def batch_summary(report: BatchReport) -> str:
    """What a run of a batch did, in a line or two."""
    if report.skipped == report.jobs:
        return f"All {report.jobs} animations are there already; nothing to do."
    parts = [f"{report.made} animations made in {report.seconds:.1f} s"]
    if report.skipped:
        parts.append(f"{report.skipped} were there already")
    if report.failed:
        parts.append(f"{len(report.failed)} failed")
    return "; ".join(parts) + "."


def say_failures(failed: Sequence[Result]) -> None:
    """A table of the jobs that failed, and why, on standard error."""
    console = Console(stderr=True)
    table = Table("failed", "why", box=None, pad_edge=False, header_style="bold")
    for result in failed:
        table.add_row(Text(printable(result.files[0])), Text(printable(result.error or "")))
    if not console.is_terminal:
        console.width = 1000  # a line each, for whoever searches a log
    console.print(table)


def summary_of(report: Report, *, verbose: bool = False) -> str:
    """One paragraph on what was made; with ``verbose`` a line for each picture and move."""
    board, moves = report.board, report.moves
    on = " on three boards" if report.boards == 3 else ""
    clicks, proven = sum(m.clicks for m in moves), all(m.status is Status.OPTIMAL for m in moves)
    parts = [
        f"{board['columns']}x{board['rows']} cells; {_wrong(report)}; {clicks} clicks{on}, "
        f"{'the fewest possible' if proven else 'the fewest found'}; {report.frames} "
        f"{'frame' if report.frames == 1 else 'frames'}, "
        f"{report.duration:g} s; seed {report.seed}."
    ]
    if not clicks:
        parts += ["There is nothing to click: at this size the pictures come out the same."]
    if verbose:
        parts += _details(report)
    parts += [printable(note) for note in report.notes]
    return "\n".join([*parts, *file_facts(report.outputs)])


def file_facts(paths: Sequence[str]) -> list[str]:
    """A line for each file written: its name and size."""
    return [f"{printable(path)} ({_size(Path(path))})" for path in paths]


def _wrong(report: Report) -> str:
    counts = [str(picture.wrong) for picture in report.pictures]
    if set(counts) == {"0"}:
        return "every picture can be reached exactly"
    optimal = all(picture.status is Status.OPTIMAL for picture in report.pictures)
    few = "the fewest possible" if optimal else "the fewest found"
    return f"{' and '.join(counts)} cells differ from the pictures, {few}"


def _details(report: Report) -> Iterator[str]:
    for picture in report.pictures:
        yield (
            f"  {printable(picture.path)}: {picture.chased_wrong} wrong cells by light chasing, "
            f"{picture.wrong} now, at least {picture.bound} ({picture.seconds:.2f} s)"
        )
    for move in report.moves:
        yield f"  {move.clicks} clicks, at least {move.bound} ({move.seconds:.2f} s)"
    yield f"  nullity {report.board['nullity']}"
    yield "  " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in report.seconds.items())


def _size(path: Path) -> str:
    if path.is_dir():
        return f"{len(list(path.iterdir()))} files"
    octets = path.stat().st_size
    return f"{octets / 1000:.0f} kB" if octets < 1_000_000 else f"{octets / 1e6:.1f} MB"
