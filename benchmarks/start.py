"""The command line, from pressing Enter to the end."""

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.measure import ROOT, medians, seconds_of
from benchmarks.tables import Bar, Findings, Table

PROGRAM = str(Path(sys.executable).with_name("lightsanim"))
SAMPLES = [str(ROOT / "samples" / name) for name in ("sun.png", "moon.png")]


def run(quick: bool) -> Findings:
    """Whole-process seconds of two commands."""
    repeats = 1 if quick else 5
    with tempfile.TemporaryDirectory() as folder:
        output = str(Path(folder) / "out.gif")
        commands = {
            "lightsanim --help": [PROGRAM, "--help"],
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
        note=f"Whole processes, medians of {repeats} interleaved runs; 60 x 60 cells, 251 frames.",
        rows=[{"command": shown, "seconds": seconds} for shown, seconds in found.items()],
    )
    limits = dict(zip(found, (0.3, 3.0), strict=True))
    bars = [Bar.below(f"start, `{shown}`", found[shown], limits[shown], "s") for shown in found]
    return Findings(tables=[table], bars=[] if quick else bars)


def run_command(command: list[str]) -> None:
    """Run a command whose output nobody reads.

    Raises:
        subprocess.CalledProcessError: if it fails.
    """
    subprocess.run(command, check=True, capture_output=True)
