"""Benchmark of large boards, long films and many jobs: time, memory, and growth of memory."""

import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.batch import manifest_of
from benchmarks.measure import ROOT, in_child
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Animation, Board, Clicks, Outputs, Theme, make, render_files, verify
from lightsanim.apps.batch.manifest import load_manifest
from lightsanim.apps.batch.runner import run_batch

FILMS = (".gif", ".webp", ".apng", ".mp4")
FRAMES, JOBS = (10_000, 100_000), (100, 1_000)
BOARD = (60, 60)
LOOK = {"cell": 2, "gap": 0}

# Bytes of memory allowed per additional frame or job: clicks, times and results are kept, and
# libwebp keeps a whole file while reading it.  For comparison, a frame has 14,400 pixels.
A_FRAME, A_JOB = 1000, 30_000


def run(quick: bool) -> Findings:
    """Measure seconds and peak memory, each in its own process."""
    frames, jobs = ((100, 1_000), (4, 12)) if quick else (FRAMES, JOBS)
    films = {
        (suffix, count): in_child(write_and_prove, suffix, count)
        for suffix in FILMS
        for count in frames
    }
    batches = {count: in_child(make_batch, count) for count in jobs}
    boards = large(quick)
    tables = [
        Table(
            title="Large boards and chains",
            note="Two or twenty sample pictures; seconds exclude the import of lightsanim.",
            rows=boards,
        ),
        Table(
            title=f"Films of one click per frame, {BOARD[1]} x {BOARD[0]} cells of 2 px",
            note="One process writes a film, reads it back and proves it; peak is its memory.",
            rows=[
                {
                    "format": suffix,
                    "frames": count,
                    "written, s": child.result["write"],
                    "proven, s": child.result["prove"],
                    "peak, MB": child.peak / 1e6,
                }
                for (suffix, count), child in films.items()
            ],
        ),
        Table(
            title="Batches of many GIFs, two workers",
            note="60 x 60 cells. Open files: those that the main process has open after the batch.",
            rows=[
                {
                    "jobs": count,
                    "seconds": child.result["seconds"],
                    "peak, MB": child.peak / 1e6,
                    "peak of a worker, MB": child.result["worker"] / 1e6,
                    "open files": child.result["files"],
                }
                for count, child in batches.items()
            ],
        ),
    ]
    bars = [
        Bar.below("large: memory of a 4000 x 4000 page", boards[-1]["peak, MB"], 1000, "MB"),
        Bar.below(
            "large: memory per additional frame, from 10,000 to 100,000",
            max(growth({n: films[suffix, n].peak for n in frames}) for suffix in FILMS),
            A_FRAME,
            "bytes",
        ),
        Bar.below(
            "large: memory per additional job, from 100 to 1,000",
            growth({n: child.peak for n, child in batches.items()}),
            A_JOB,
            "bytes",
        ),
        Bar.below(
            "large: memory of a worker per additional job",
            growth({n: child.result["worker"] for n, child in batches.items()}),
            A_JOB,
            "bytes",
        ),
    ]
    return Findings(tables=tables, bars=[] if quick else bars)


def growth(peaks: dict[int, int]) -> float:
    """Return the bytes of memory per additional frame or job.

    >>> growth({10: 2000, 110: 2500})
    5.0
    """
    (few, before), (many, after) = peaks.items()
    return (after - before) / (many - few)


def large(quick: bool) -> list[Row]:
    """Measure a chain of 20 pictures, a film of 8 million cells and a page of 16 million cells."""
    sizes = ("20x20", "384x216", "400x400") if quick else ("200x200", "3840x2160", "4000x4000")
    tasks = [
        (20, sizes[0], ".gif", {}),
        (2, sizes[1], ".mp4", {"cell": 1, "gap": 0}),
        (2, sizes[2], ".html", {}),
    ]
    rows: list[Row] = []
    for pictures, size, suffix, look in tasks:
        child = in_child(make_chain, pictures, size, suffix, look)
        rows.append(
            {
                "pictures": pictures,
                "cells": size,
                "format": suffix,
                "frames": child.result["frames"],
                "clicks": child.result["clicks"],
                "seconds": child.result["seconds"],
                "peak, MB": child.peak / 1e6,
            }
        )
    return rows


def make_chain(pictures: int, size: str, suffix: str, look: dict[str, int]) -> dict[str, float]:
    """Make an animation of this many sample pictures, which repeat if there are too few."""
    samples = sorted((ROOT / "samples").glob("*.png"))
    began = time.perf_counter()
    animation = make([samples[n % len(samples)] for n in range(pictures)], size=size, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        outputs = Outputs(output=Path(folder) / f"out{suffix}")
        render_files(animation, Theme(**look), outputs)
    seconds = time.perf_counter() - began
    return {"seconds": seconds, "frames": len(animation), "clicks": len(animation.clicks)}


def write_and_prove(suffix: str, frames: int) -> dict[str, float]:
    """Write a film of random clicks and verify it."""
    board, rng = Board(*BOARD), np.random.default_rng(0)
    animation = Animation(
        board=board,
        first=np.zeros(BOARD, bool),
        history=Clicks(rng.integers(board.cells, size=frames - 1)),
        clicks_done=np.arange(frames),
        fps=25,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"film{suffix}"
        began = time.perf_counter()
        render_files(animation, Theme(**LOOK), Outputs(output=path))
        written = time.perf_counter()
        assert verify(path).legal
        proven = time.perf_counter()
    return {"write": written - began, "prove": proven - written}


def make_batch(jobs: int) -> dict[str, Any]:
    """Run a batch, and return its seconds, the peak memory of a worker, and the open files."""
    with tempfile.TemporaryDirectory() as folder:
        manifest = Path(folder) / "manifest.toml"
        manifest.write_text(manifest_of(jobs))
        report = run_batch(load_manifest(manifest), Path(folder) / "out", workers=2)
    assert report.made == jobs
    return {
        "seconds": report.seconds,
        "worker": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
        "files": len(list(Path("/proc/self/fd").iterdir())),
    }
