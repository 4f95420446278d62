"""`make fuzz`: every target for some time under atheris, a table of what was run, and what crashed.

    python -m fuzz [--seconds S | --runs N] [TARGET ...]

What crashed is kept in .fuzz/found, one file each; `python -m fuzz TARGET --again FILE` reads it
again. Interesting octets are kept in .fuzz/corpus, and the next run begins with them.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

PLACE = Path(__file__).parents[2] / ".fuzz"
CORPUS, FOUND = PLACE / "corpus", PLACE / "found"

# No reader needs more, for files as small as these.
MEGABYTES = 2048
SECONDS_EACH = 20


def main() -> int:
    """Fuzz the targets that are named, or all."""
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seconds", type=int, default=10, help="for each target")
    parser.add_argument("--runs", type=int, default=-1, help="of each target, whatever comes first")
    parser.add_argument("--here", action="store_true", help="one target, in this process")
    parser.add_argument("--again", type=Path, help="read this file again")
    options = parser.parse_args()
    if options.again:
        from fuzz.targets import TARGETS  # not before they are instrumented

        TARGETS[options.targets[0]].try_(options.again.read_bytes())
        return 0
    try:
        import atheris  # noqa: F401
    except ImportError:
        print("atheris is not here: it has no build for this Python; try another", file=sys.stderr)
        return 1
    if options.here:
        fuzz_here(options.targets[0], options.seconds, options.runs)
        return 0
    return fuzz_all(options)


def fuzz_all(options: argparse.Namespace) -> int:
    """Each target in a process of its own; a table of what they did."""
    from fuzz.targets import TARGETS

    if unknown := set(options.targets) - set(TARGETS):
        print(f"unknown: {', '.join(unknown)}; known: {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    total, crashed = 0, False
    print(f"{'target':<16}{'executions':>12}{'seconds':>9}", flush=True)
    for name in options.targets or TARGETS:
        began = time.monotonic()
        runs, failed = fuzz_one(name, options.seconds, options.runs)
        note = f"  crashed; see {FOUND}" if failed else ""
        print(f"{name:<16}{runs:>12,}{time.monotonic() - began:>9.0f}{note}", flush=True)
        total, crashed = total + runs, crashed or failed
    print(f"{'all':<16}{total:>12,}", flush=True)
    return 1 if crashed else 0


def fuzz_one(name: str, seconds: int, runs: int) -> tuple[int, bool]:
    """How many executions it came to, and did it crash?"""
    words = [name, "--here", "--seconds", str(seconds), "--runs", str(runs)]
    log = PLACE / "logs" / f"{name.replace(' ', '-')}.txt"
    log.parent.mkdir(parents=True, exist_ok=True)
    memory = Path("/dev/shm")
    folder = memory if memory.is_dir() else None
    # libFuzzer ends the process without any tidying up.
    with log.open("w", errors="replace") as file, tempfile.TemporaryDirectory(dir=folder) as place:
        done = subprocess.run(
            [sys.executable, "-m", "fuzz", *words],
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": place},
        )
    said = re.findall(r"number_of_executed_units: (\d+)|^#(\d+)\s", log.read_text(), re.M)
    return max((int(one or other) for one, other in said), default=0), done.returncode != 0


def fuzz_here(name: str, seconds: int, runs: int) -> None:
    """Fuzz a target in this process, which libFuzzer ends."""
    import atheris

    with atheris.instrument_imports(include=["lightsanim"]):
        from fuzz.targets import TARGETS

    target, slug = TARGETS[name], name.replace(" ", "-")
    corpus, found = CORPUS / slug, FOUND / f"{slug}-"
    for folder in (corpus, FOUND):
        folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    words = PLACE / f"{slug}.words"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in (*target.words, "0")))

    def change(octets: bytes, largest: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.4:
            return atheris.Mutate(octets, largest)
        return target.changes(octets, rng)[:largest]

    limits = [f"-max_total_time={seconds}", f"-runs={runs}", f"-timeout={SECONDS_EACH}"]
    limits += [f"-rss_limit_mb={MEGABYTES}", f"-max_len={target.largest}", "-len_control=0"]
    kept = [f"-artifact_prefix={found}", f"-dict={words}", "-print_final_stats=1", "-verbosity=1"]
    atheris.Setup([name, *limits, *kept, str(corpus)], target.try_, custom_mutator=change)
    atheris.Fuzz()


def _escaped(word: str) -> str:
    return "".join(f"\\x{octet:02x}" for octet in word.encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    sys.exit(main())
