"""The command line: run some or all benchmarks, save what they found, write it up.

Findings are kept in results.json, one entry for each benchmark, so that running one again leaves
the others as they were; results.md and plot.svg are made from all of them.
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

from benchmarks.results import Results, load, markdown, rows_of

NAMES = (
    "algebra",
    "picture",
    "nearest",
    "fewest",
    "sketch",
    "automaton",
    "clip",
    "gif",
    "make",
    "verify",
    "large",
    "batch",
    "studio",
    "maker",
    "start",
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmarks that are named."""
    options = parse(arguments)
    folder: Path = options.output or default_folder(quick=options.quick)
    folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or NAMES:
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        began = time.perf_counter()
        findings = importlib.import_module(f"benchmarks.{name}").run(options.quick)
        seconds = time.perf_counter() - began
        print(f"{seconds:.0f} s", file=sys.stderr)
        keep(folder / "results.json", name, {**asdict(findings), "seconds": seconds})
    write_up(folder)
    print(f"written to {folder}", file=sys.stderr)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    parser.add_argument("--output", type=Path, help="folder for results.json, .md and plot.svg")
    return parser.parse_args(arguments)


def default_folder(*, quick: bool) -> Path:
    """Where this module lies; for a quick run a folder that nobody takes for results."""
    return Path(tempfile.mkdtemp(prefix="benchmarks-")) if quick else Path(__file__).parent


def keep(path: Path, name: str, findings: dict[str, Any]) -> None:
    """Put one benchmark's findings among those of the others."""
    found = json.loads(path.read_text()) if path.exists() else {}
    found[name] = findings
    ordered = {known: found[known] for known in NAMES if known in found}
    path.write_text(json.dumps(ordered, indent=1) + "\n")


def write_up(folder: Path) -> None:
    """results.md and, where the figures for it are there, plot.svg."""
    from benchmarks.plot import draw

    results: Results = load(folder / "results.json")
    (folder / "results.md").write_text(markdown(results))
    if {"algebra", "nearest"} <= set(results):
        draw(rows_of(results, "algebra"), rows_of(results, "nearest"), folder / "plot.svg")


if __name__ == "__main__":
    main()
