"""What people read of a batch on standard error: while it runs, and at the end."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Column, Table
from rich.text import Text

from lightsanim.batch.gallery import Gallery
from lightsanim.batch.job import Task
from lightsanim.batch.results import Result
from lightsanim.batch.runner import BatchReport, Listener
from lightsanim.commands.messages import printable, say
from lightsanim.commands.progress import STAGES


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
        if verbose and console.is_terminal:
            console.print(Text(_line_of(result)), soft_wrap=True)
        elif verbose:
            say(_line_of(result))

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
    plural = "animation" if report.made == 1 else "animations"
    parts = [f"{report.made} {plural} made in {report.seconds:.1f} s"]
    if report.skipped:
        parts.append(f"{report.skipped} were there already")
    if report.failed:
        parts.append(f"{len(report.failed)} failed")
    return "; ".join(parts) + "."


def gallery_summary(built: Gallery, site: Path) -> str:
    """What a gallery shows, and where it begins."""
    parts = [f"{built.animations} animations; {built.written} files written"]
    parts += [f"{built.unchanged} as they were"] if built.unchanged else []
    parts += [f"{built.removed} removed"] if built.removed else []
    left_out = [
        f"{printable(name)} is left out: {printable(reason)}" for name, reason in built.left_out
    ]
    index = printable(str(site / "index.html"))
    return "\n".join(["; ".join(parts) + ".", *left_out, f"Open {index}"])


def say_failures(failed: Sequence[Result]) -> None:
    """A table of the jobs that failed, and why, on standard error."""
    console = Console(stderr=True)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("failed", overflow="fold")
    table.add_column("why", overflow="fold")
    for result in failed:
        table.add_row(Text(printable(result.files[0])), Text(printable(result.error or "")))
    if not console.is_terminal:
        console.width = 1000  # a line each, for whoever searches a log
    with console.capture() as drawn:
        console.print(table)
    say(drawn.get().rstrip("\n"))
