"""The command line: try mutants, keep what became of them, and say how many were noticed.

    python -m mutation                  # all; an hour or more, and build/mutants.jsonl
    python -m mutation animate/order    # those whose path has this in it
    python -m mutation --again          # what survived, now with more of the tests
    python -m mutation --list           # what survived so far

A mutant that was noticed stays so until the code around it changes.
"""

import argparse
import json
import os
import pickle
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

# Before numpy is imported.
os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

# Imported once, for all forks.
import av  # noqa: F401
import numpy as np  # noqa: F401
import PIL.Image  # noqa: F401
import pyscipopt  # noqa: F401

from mutation.forks import forked
from mutation.mutants import Mutant, mutants_of
from mutation.tests import NEAR
from mutation.trials import Trials, collect, try_anew

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lightsanim"
RESULTS = ROOT / "build" / "mutants.jsonl"

# Seconds of tests for each mutant, and of the slowest test: at first, and again.
FIRST, AGAIN = (2.5, 2.0), (10.0, 6.0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Try mutants and report."""
    given = parse(arguments)
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    RESULTS.parent.mkdir(exist_ok=True)
    verdicts = known()
    mutants = [mutant for room in NEAR for path in files_of(room) for mutant in mutants_of(*path)]
    if not given.list:
        picked = [
            mutant
            for mutant in mutants
            if verdicts.get(mutant.key) == ("survived" if given.again else None)
            and any(part in mutant.path for part in given.parts or [""])
        ]
        # In an order of chance: whatever part of them is tried is a fair sample.
        random.Random(0).shuffle(picked)
        print(f"{len(picked)} of {len(mutants)} mutants to try", flush=True)
        # The forks leave their temporary files behind, and others' pytest is not to clear them.
        with tempfile.TemporaryDirectory() as folder:
            os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
            run(picked, given.jobs, *(AGAIN if given.again else FIRST))
        verdicts = known()
    report(mutants, verdicts, given.list)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="mutation", description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", help="of paths, such as solve/search")
    parser.add_argument("--again", action="store_true", help="those that survived")
    parser.add_argument("--list", action="store_true", help="only say what survived")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time")
    return parser.parse_args(arguments)


def files_of(room: str) -> list[tuple[Path, str]]:
    """The package's folder and the paths of a room's files in it."""
    files = sorted((PACKAGE / room).glob("*.py"))
    return [(PACKAGE, path.relative_to(PACKAGE).as_posix()) for path in files]


def known() -> dict[str, str]:
    """The verdicts that are kept."""
    lines = RESULTS.read_text().splitlines() if RESULTS.exists() else []
    return {entry["key"]: entry["verdict"] for entry in map(json.loads, lines)}


def run(mutants: Sequence[Mutant], jobs: int, seconds: float, slowest: float) -> None:
    """Try mutants."""

    def note(mutant: Mutant, verdict: str, by: str) -> None:
        entry = {"key": mutant.key, "path": mutant.path, "verdict": verdict, "by": by}
        with RESULTS.open("a") as results:
            print(json.dumps(entry), file=results)

    def exchange() -> bytes:
        # What this imports and says stays in the fork: `try_anew` imports for itself.
        with RESULTS.with_suffix(".log").open("w") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            trials = Trials(
                mutants,
                package=PACKAGE,
                kept=RESULTS.with_name("mutants-tests.pickle"),
                jobs=jobs,
                seconds=seconds,
                slowest=slowest,
                note=note,
            )
            collect(trials)
            return pickle.dumps((trials.tests, trials.left))

    tests, left = pickle.loads(forked(exchange))
    try_anew(left, tests, package=PACKAGE, jobs=jobs, seconds=seconds, note=note)


def report(mutants: Sequence[Mutant], verdicts: dict[str, str], listed: bool) -> None:
    """Say how many were noticed, and which were not."""
    for mutant in mutants if listed else ():
        if verdicts.get(mutant.key) == "survived":
            before, after = (" ".join(text.split()) for text in (mutant.before, mutant.after))
            print(f"{mutant.path}:{mutant.line}: {before}\n    {after}")
    print(f"{'room':8} mutants  killed  out of time  survived  not tried  noticed")
    for room in [*NEAR, ""]:
        counts = Counter(
            verdicts.get(mutant.key, "?") for mutant in mutants if mutant.path.startswith(room)
        )
        tried = max(1, counts.total() - counts["?"])
        print(
            f"{room or 'all':8} {counts.total():7} {counts['killed']:7} {counts['out of time']:12} "
            f"{counts['survived']:9} {counts['?']:10} {1 - counts['survived'] / tried:8.1%}"
        )


if __name__ == "__main__":
    main()
