"""What people read on standard error: progress while it runs, a summary at the end."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

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


# Characters of a message, which may hold what a file says, and of its end.
LONGEST, END = 2000, 300


def say(text: str) -> None:
    """Print to standard error, if there is one that takes it."""
    if sys.stderr is not None:
        try:
            print(text, file=sys.stderr, flush=True)
        except OSError:  # nobody reads it, and what is done is done
            sys.stderr = None


def say_error(message: str) -> None:
    """Print one line that says what went wrong; the middle of a very long one is left out."""
    if len(message) > LONGEST:
        message = f"{message[: LONGEST - END]}...{message[-END:]}"
    say(f"lightsanim: {printable(message)}")


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
            bars.update(started[stage], note=printable(note))

    with bars:
        yield show


@contextmanager
def counting_bar(what: str, *, hidden: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error for something that is counted; told how many of how many."""
    console = Console(stderr=True)
    bars = Progress(console=console, transient=True, disable=hidden or not console.is_terminal)
    bar = bars.add_task(what, total=None)
    with bars:
        yield lambda done, total: bars.update(bar, completed=done, total=total)


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
        chased = f"{picture.chased_wrong} wrong cells by light chasing, {picture.wrong} now"
        wrong = f"{picture.wrong} wrong cells" if picture.chased_wrong is None else chased
        yield (
            f"  {printable(picture.path)}: {wrong}, at least {picture.bound} "
            f"({picture.seconds:.2f} s)"
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
