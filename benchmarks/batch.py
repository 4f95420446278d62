"""Benchmark of batches with one and two workers, and of galleries with many works."""

import json
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.measure import ROOT, in_child, medians, seconds_of
from benchmarks.tables import Bar, Findings, Row, Table, rounded
from lightsanim.apps.batch.manifest import load_manifest
from lightsanim.apps.batch.runner import run_batch
from lightsanim.apps.gallery.build import build_gallery

WORKERS = (1, 2)


def run(quick: bool) -> Findings:
    """Measure a batch of GIFs for numbers of workers, and a gallery for numbers of works."""
    jobs, repeats = (6, 1) if quick else (200, 3)
    last: dict[int, dict[str, Any]] = {}

    def run_in_child(workers: int) -> float:
        last[workers] = in_child(make_batch, jobs, workers).result
        return float(last[workers]["seconds"])

    found = medians({str(n): partial(run_in_child, n) for n in WORKERS}, repeats)
    rows: list[Row] = [
        {
            "workers": n,
            "seconds": found[str(n)],
            "speed relative to one": found["1"] / found[str(n)],
            "total seconds of the jobs": last[n]["job_seconds"],
            "overhead": f"{rounded(100 * overhead(last[n], n))} %",
        }
        for n in WORKERS
    ]
    table = Table(
        title=f"A batch of {jobs} GIFs of 60 x 60 cells, by the number of workers",
        note=(
            f"Medians of {repeats} interleaved runs, each in its own process with its own worker "
            "processes. Overhead: how much longer the last run took than the total seconds of its "
            "jobs divided by the number of workers."
        ),
        rows=rows,
    )
    return Findings(
        tables=[table, galleries((6,) if quick else (40, 500))],
        bars=[] if quick else bars(found, last),
    )


def galleries(counts: Sequence[int]) -> Table:
    """Measure galleries with these numbers of works."""
    return Table(
        title="A gallery of GIFs of 60 x 60 cells, by the number of works",
        note="With previews, a feed and the pictures. The second build finds nothing to write.",
        rows=[{"works": works, **in_child(make_gallery, works).result} for works in counts],
    )


def make_gallery(works: int) -> dict[str, float]:
    """Run a batch, and build its gallery twice."""
    with tempfile.TemporaryDirectory() as folder:
        manifest, out, site = (Path(folder) / name for name in ("manifest.toml", "out", "site"))
        manifest.write_text(manifest_of(works))
        run_batch(load_manifest(manifest), out, workers=max(WORKERS))
        build = partial(build_gallery, out, site, base_url="https://example.org/")
        seconds, again = seconds_of(build), seconds_of(build)
        index = (site / "index.html").stat().st_size
    return {
        "seconds": seconds,
        "milliseconds a work": 1000 * seconds / works,
        "seconds, second build": again,
        "index page, kB": index / 1000,
    }


def make_batch(jobs: int, workers: int) -> dict[str, float]:
    """Run a batch of pairs of sample pictures, with several click orders."""
    with tempfile.TemporaryDirectory() as folder:
        manifest = Path(folder) / "manifest.toml"
        manifest.write_text(manifest_of(jobs))
        began = time.perf_counter()
        report = run_batch(load_manifest(manifest), Path(folder) / "out", workers=workers)
        seconds = time.perf_counter() - began
    assert report.made == jobs
    return {"seconds": seconds, "job_seconds": report.job_seconds}


def manifest_of(jobs: int) -> str:
    """Return a manifest of this many animations, with varying pairs and click orders."""
    pictures = sorted(map(str, (ROOT / "samples").glob("*.png")))
    pairs = list(combinations(pictures, 2))
    tables = [
        f"[[animation]]\npictures = {json.dumps(pairs[n % len(pairs)])}\n"
        f'output = "{n}.gif"\norder = "{("radial", "sweep", "noise", "tone", "spiral")[n % 5]}"\n'
        for n in range(jobs)
    ]
    return "\n".join(["[defaults]\nsize = '60x60'\n", *tables])


def overhead(last: dict[str, float], workers: int) -> float:
    """Return by which share a run took longer than its jobs divided by the number of workers."""
    return last["seconds"] / (last["job_seconds"] / workers) - 1


def bars(found: dict[str, float], last: dict[int, dict[str, Any]]) -> list[Bar]:
    """Return the limits for two workers."""
    faster = found["1"] / found["2"]
    return [
        Bar(
            what="a batch of 200 GIFs on two workers",
            limit="at least 1.7 times as fast as on one",
            measured=f"{rounded(faster)} times",
            met=faster >= 1.7,
        ),
        Bar.below("overhead of this batch", 100 * overhead(last[2], 2), 10, "%"),
    ]
