"""Run some or all benchmarks, and write their results as JSON, a page and a plot.

Results are stored in results.json, with one entry per benchmark: running one benchmark again keeps
the results of the others.  The page results.md and plot.svg are made from all entries.
"""

import argparse
import importlib
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.results import Results, load, machine, markdown, rows_of

NAMES = (
    "algebra",
    "picture",
    "nearest",
    "fewest",
    "sketch",
    "halftone",
    "automaton",
    "clip",
    "gif",
    "make",
    "choices",
    "verify",
    "large",
    "batch",
    "studio",
    "maker",
    "start",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmarks named on the command line, or all, and write the results."""
    options = parse(arguments)
    folder: Path = options.output or default_folder(quick=options.quick)
    folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or NAMES:
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        began = time.perf_counter()
        findings = importlib.import_module(f"benchmarks.{name}").run(options.quick)
        seconds = time.perf_counter() - began
        print(f"{seconds:.0f} s", file=sys.stderr)
        facts = {"seconds": seconds, "machine": machine()}
        keep(folder / "results.json", name, {**asdict(findings), **facts})
    write_up(folder)
    print(f"written to {folder}", file=sys.stderr)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--quick", action="store_true", help="only small sizes, as a test")
    parser.add_argument("--output", type=Path, help="folder for results.json, .md and plot.svg")
    return parser.parse_args(arguments)


def default_folder(*, quick: bool) -> Path:
    """Return the folder of this module, or a temporary one for quick runs."""
    return Path(tempfile.mkdtemp(prefix="benchmarks-")) if quick else Path(__file__).parent


def keep(path: Path, name: str, findings: dict[str, Any]) -> None:
    """Replace the entry of one benchmark in results.json."""
    found = json.loads(path.read_text()) if path.exists() else {}
    found[name] = findings
    ordered = {known: found[known] for known in NAMES if known in found}
    path.write_text(json.dumps(ordered, indent=1) + "\n")


def write_up(folder: Path) -> None:
    """Write results.md and, if its benchmarks were run, plot.svg."""
    from benchmarks.plot import draw

    results: Results = load(folder / "results.json")
    (folder / "results.md").write_text(markdown(results))
    if {"algebra", "nearest"} <= set(results):
        draw(rows_of(results, "algebra"), rows_of(results, "nearest"), folder / "plot.svg")


if __name__ == "__main__":
    main()
