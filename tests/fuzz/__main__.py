"""`make fuzz`: every target for some time under atheris.

    python -m fuzz [--seconds S] [TARGET ...]
    python -m fuzz TARGET --again FILE
    python -m fuzz seen [--count N] [--seed S] [SUFFIX ...]

What crashed is kept in .fuzz/found, one file each; with `--again` it is read again.  Bytes that
reach new code are kept in .fuzz/corpus, and the next run begins with them.  `seen` is another way,
without atheris: see `fuzz.seen`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

FUZZ_FOLDER = Path(__file__).parents[2] / ".fuzz"

# No reader needs more, for files as small as these.
MEGABYTES = 2048
SECONDS_EACH = 20


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz")
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seconds", type=int, default=10, help="for each target")
    parser.add_argument("--here", action="store_true", help="one target, in this process")
    parser.add_argument("--again", type=Path, help="read this file again")
    parser.add_argument("--count", type=int, default=2000, help="of changed films, for seen")
    parser.add_argument("--seed", type=int, default=0, help="of their changes")
    options = parser.parse_args()
    if options.targets[:1] == ["seen"]:
        from fuzz import seen

        return seen.main(options.targets[1:] or seen.SUFFIXES, options.count, options.seed)
    if options.here:
        fuzz_here(options.targets[0], options.seconds)
    from fuzz.targets import TARGETS  # `fuzz_here` imports them instrumented

    if unknown := set(options.targets) - set(TARGETS):
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(TARGETS)}")
    if options.again:
        TARGETS[options.targets[0]].try_(options.again.read_bytes())
        return 0
    names = options.targets or [*TARGETS]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        fates = [*pool.map(partial(fuzz_apart, seconds=options.seconds), names)]
    crashed = [name for name, is_well in zip(names, fates, strict=True) if not is_well]
    print(f"crashed: {', '.join(crashed) or 'nothing'}; found is kept in {FUZZ_FOLDER / 'found'}")
    return 1 if crashed else 0


def fuzz_apart(name: str, seconds: int) -> bool:
    """Fuzz a target in a process of its own, which libFuzzer ends; whether nothing crashed."""
    words = [sys.executable, "-m", "fuzz", name, "--here", "--seconds", str(seconds)]
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with tempfile.TemporaryDirectory() as scratch:  # libFuzzer tidies nothing up
        done = subprocess.run(words, env={**os.environ, "TMPDIR": scratch}, **output)
    print(f"--- {name}\n{done.stdout}", end="", flush=True)
    return done.returncode == 0


def fuzz_here(name: str, seconds: int) -> None:
    import atheris

    with atheris.instrument_imports(include=["lightsanim"]):
        from fuzz.targets import TARGETS

    target, slug = TARGETS[name], name.replace(" ", "-")
    corpus, crashes = FUZZ_FOLDER / "corpus" / slug, FUZZ_FOLDER / "found"
    words = FUZZ_FOLDER / f"{slug}.words"
    for folder in (corpus, crashes):
        folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    words.write_text("".join(f'"{escaped(word)}"\n' for word in (*target.words, "0")))

    def change(content: bytes, largest: int, seed: int) -> bytes:
        rng = Random(seed)
        if rng.random() < 0.4:
            return atheris.Mutate(content, largest)
        return target.changes(content, rng)[:largest]

    limits = [f"-max_total_time={seconds}", f"-timeout={SECONDS_EACH}"]
    limits += [f"-rss_limit_mb={MEGABYTES}", f"-max_len={target.largest}", "-len_control=0"]
    output_flags = [f"-artifact_prefix={crashes}/{slug}-", f"-dict={words}"]
    output_flags += ["-print_final_stats=1", "-verbosity=0"]
    atheris.Setup([name, *limits, *output_flags, str(corpus)], target.try_, custom_mutator=change)
    atheris.Fuzz()


def escaped(word: str) -> str:
    """A word as libFuzzer's dictionaries have it."""
    return "".join(f"\\x{byte:02x}" for byte in word.encode("utf-8", "surrogateescape"))


if __name__ == "__main__":
    sys.exit(main())
