"""Benchmark of the command line, from the start of a process to its end."""

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.measure import ROOT, medians, seconds_of
from benchmarks.tables import Bar, Findings, Table

PROGRAM = str(Path(sys.executable).with_name("lightsanim"))
# A minimal program of two commands, which shows the time that click itself takes.
TWO_COMMANDS = """
import click
@click.group()
def app():
    "Two commands."
@app.command()
@click.argument("name")
@click.option("--count", type=int, default=1)
def one(name, count):
    "One."
@app.command()
@click.argument("name")
def two(name):
    "Two."
app()
"""
SAMPLES = [str(ROOT / "samples" / name) for name in ("sun.png", "moon.png")]


def run(quick: bool) -> Findings:
    """Measure the seconds of a few commands, as whole processes."""
    repeats = 1 if quick else 5
    with tempfile.TemporaryDirectory() as folder:
        output = str(Path(folder) / "out.gif")
        commands = {
            "a minimal click program: --help": [sys.executable, "-c", TWO_COMMANDS, "--help"],
            "lightsanim --help": [PROGRAM, "--help"],
            "lightsanim board 30x30": [PROGRAM, "board", "30x30"],
            "lightsanim make sun.png moon.png --size 60 -o out.gif": [
                *(PROGRAM, "make", *SAMPLES, "--size", "60", "-o", output),
            ],
            "lightsanim make sun.png moon.png -o out.gif": [
                *(PROGRAM, "make", *SAMPLES, "-o", output),
            ],
        }
        calls = {
            shown: partial(seconds_of, partial(run_command, command))
            for shown, command in commands.items()
        }
        found = medians(calls, repeats)
    table = Table(
        title="The command line",
        note=f"Whole processes, medians of {repeats} interleaved runs; default size: 10,000 cells.",
        rows=[{"command": shown, "seconds": seconds} for shown, seconds in found.items()],
    )
    least, shown_help, board, made, usual = found.values()
    bars = [
        Bar.below("start: --help relative to minimal click", shown_help / least, 1.7, "times"),
        Bar.below("start: `lightsanim board 30x30`", board, 1.0, "s"),
        Bar.below("start: `lightsanim make` of 60 x 60 cells", made, 0.5, "s"),
        Bar.below("start: `lightsanim make` with default options", usual, 0.6, "s"),
    ]
    return Findings(tables=[table], bars=[] if quick else bars)


def run_command(command: list[str]) -> None:
    """Run a command, and discard its output.

    Raises:
        subprocess.CalledProcessError: if it fails.
    """
    subprocess.run(command, check=True, capture_output=True)
