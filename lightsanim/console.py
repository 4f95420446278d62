"""What people read on standard error: progress while it runs, a summary at the end."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from lightsanim.pipeline import Progress as OnProgress
from lightsanim.report import Report
from lightsanim.solve.outcome import Status

# What is said of each stage while it runs.
STAGES = {
    "read": "reading the pictures",
    "nearest": "nearest accessible",
    "fewest": "fewest clicks",
    "order": "click order",
    "write": "writing",
}


def say(text: str) -> None:
    """Print to standard error."""
    print(text, file=sys.stderr)


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


def summary_of(report: Report, *, verbose: bool = False) -> str:
    """One paragraph on what was made; with ``verbose`` a line for each picture and move."""
    board, moves = report.board, report.moves
    clicks = sum(move.clicks for move in moves)
    proven = "the fewest" if all(m.status is Status.OPTIMAL for m in moves) else "not proven fewest"
    parts = [
        f"{board['columns']}x{board['rows']} cells, nullity {board['nullity']}; {_wrong(report)}; "
        f"{clicks} clicks ({proven}) in {report.frames} frames, {report.duration:g} s; "
        f"seed {report.seed}."
    ]
    if verbose:
        parts += _details(report)
    parts += [f"{path} ({_size(Path(path).stat().st_size)})" for path in report.outputs]
    return "\n".join(parts)


def _wrong(report: Report) -> str:
    counts = [str(picture.wrong) for picture in report.pictures]
    if set(counts) == {"0"}:
        return "every picture is accessible"
    optimal = all(picture.status is Status.OPTIMAL for picture in report.pictures)
    return f"{' and '.join(counts)} wrong cells ({'proven best' if optimal else 'best found'})"


def _details(report: Report) -> Iterator[str]:
    for picture in report.pictures:
        yield (
            f"  {picture.path}: {picture.chased_wrong} wrong cells by light chasing, "
            f"{picture.wrong} now, at least {picture.bound} ({picture.seconds:.2f} s)"
        )
    for move in report.moves:
        yield f"  {move.clicks} clicks, at least {move.bound} ({move.seconds:.2f} s)"
    yield "  " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in report.seconds.items())


def _size(octets: int) -> str:
    return f"{octets / 1000:.0f} kB" if octets < 1_000_000 else f"{octets / 1e6:.1f} MB"
