"""Messages of `batch` and `gallery` on standard error, while they run and at the end."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from lightsanim.apps.batch.results import Result
from lightsanim.apps.batch.runner import BatchListener, BatchReport
from lightsanim.apps.gallery.build import Gallery
from lightsanim.options.checks import format_names, pluralize
from lightsanim.output.reports.in_words import to_printable_line
from .messages import build_progress_bars, print_message


@contextmanager
def batch_listener(*, hidden: bool) -> Iterator[BatchListener]:
    """Show a progress bar for the whole batch, if standard error is a terminal."""
    bars = build_progress_bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[note]}", style="dim", markup=False),
        TimeElapsedColumn(),
        hidden=hidden,
    )
    task, failures = bars.add_task("waiting", total=None, note=""), 0

    def show_job_count(jobs: int, done: int) -> None:
        bars.update(task, total=jobs, completed=done, description=f"{done} of {jobs} done")

    def on_result(result: Result) -> None:
        nonlocal failures
        failures += result.error is not None
        bars.advance(task)
        bars.update(
            task,
            description=f"{bars.tasks[0].completed:.0f} of {bars.tasks[0].total:.0f} done",
            note=f"{failures} failed" if failures else "",
        )

    def on_note(note: str) -> None:
        if not hidden:
            print_message(to_printable_line(note))

    with bars:
        yield BatchListener(begin=show_job_count, on_result=on_result, on_note=on_note)


def batch_summary(report: BatchReport) -> str:
    """Summarize the run of a batch."""
    renewed = f"titles or credits updated in {pluralize(report.renewed, 'animation')}"
    if report.skipped == report.jobs:
        subject = (
            "The animation exists" if report.jobs == 1 else f"All {report.jobs} animations exist"
        )
        return f"{subject} already; {renewed if report.renewed else 'nothing to do'}."
    parts = [f"{pluralize(report.made, 'animation')} made in {report.seconds:.1f} s"]
    parts += [f"{report.skipped} skipped (already made)"] if report.skipped else []
    parts += [renewed] if report.renewed else []
    parts += [f"{len(report.failed)} failed"] if report.failed else []
    return "; ".join(parts) + "."


def gallery_summary(built: Gallery, site: Path) -> str:
    """Summarize the build of a gallery, with the path of its first page."""
    parts = [
        pluralize(built.animations, "animation"),
        f"{pluralize(built.written, 'file')} written",
    ]
    parts += [f"{built.unchanged} unchanged"] if built.unchanged else []
    parts += [f"{built.removed} removed"] if built.removed else []
    left_out = [
        f"{to_printable_line(name)} is left out: {to_printable_line(reason)}"
        for name, reason in built.left_out
    ]
    if built.outdated:
        files = to_printable_line(format_names(built.outdated))
        flaw = f"outdated titles or credits in the files of {files}"
        left_out.append(f"{flaw}; run the batch again to update them")
    index = to_printable_line(str(site / "index.html"))
    return "\n".join(["; ".join(parts) + ".", *left_out, f"Open {index}"])


def print_failures(failed: Sequence[Result]) -> None:
    """Print a table of the failed jobs and the reasons on standard error."""
    console = Console(stderr=True)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("failed", overflow="fold")
    table.add_column("reason", overflow="fold")
    for result in failed:
        table.add_row(*map(Text, map(to_printable_line, (result.files[0], result.error or ""))))
    if not console.is_terminal:
        console.width = 1000  # keep each job on one line, so that logs can be searched
    with console.capture() as captured:
        console.print(table)
    print_message(captured.get().rstrip("\n"))
