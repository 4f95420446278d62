"""Benchmark of `lightsanim verify`, which reads files back and proves every frame."""

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.measure import ROOT, in_child, medians, seconds_of
from benchmarks.tables import Bar, Findings, Row, Table
from lightsanim import Animation, Board, Clicks, Outputs, Theme, order_clicks, render_files, verify

# Board, number of clicks or frames, and look: of a film with one click per frame, and of a video.
SMALL, CLICKS, SMALL_LOOK = (60, 60), 1800, {}
LARGE, FRAMES, LARGE_LOOK = (1080, 1920), 300, {"cell": 1, "gap": 0}
FPS = 25


def run(quick: bool) -> Findings:
    """Measure whole-process seconds and peak memory for every format."""
    small = one_click_per_frame(SMALL, 200 if quick else CLICKS)
    large = half_of_all(LARGE if not quick else (270, 480), FRAMES if not quick else 30)
    repeats = 1 if quick else 3
    rows = [
        *compare(small, SMALL_LOOK, (".gif", ".webp", ".apng", "", ".html", ".json"), repeats),
        *compare(large, LARGE_LOOK, (".mp4", ".gif", ".html", ".json"), repeats),
    ]
    table = Table(
        title="Reading files back and proving every frame",
        note=(
            "`lightsanim verify`: seconds of whole processes, medians of "
            f"{repeats} runs; peak memory includes Python, numpy and FFmpeg. On the large board, "
            "half of the cells are clicked, in random order."
        ),
        rows=rows,
    )
    return Findings(tables=[table], bars=[] if quick else bars(rows))


def compare(
    animation: Animation, look: dict[str, int], suffixes: tuple[str, ...], repeats: int
) -> list[Row]:
    """Return a row for each format."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {suffix or "folder": Path(folder) / f"film{suffix}" for suffix in suffixes}
        for path in paths.values():
            render_files(animation, Theme(**look), Outputs(output=path))
        calls = {
            name: partial(seconds_of, partial(verify_in_process, path))
            for name, path in paths.items()
        }
        seconds = medians(calls, repeats)
        peaks = {
            name: in_child(verify_in_child, str(path)).peak / 1e6 for name, path in paths.items()
        }
    board = animation.board
    return [
        {
            "cells": f"{board.columns} x {board.rows}",
            "frames": len(animation),
            "clicks": len(animation.clicks),
            "format": name,
            "seconds": seconds[name],
            "peak, MB": peaks[name],
        }
        for name in paths
    ]


def one_click_per_frame(shape: tuple[int, int], clicks: int) -> Animation:
    """Return an animation that clicks cells one by one, from the middle outwards."""
    rng, board = np.random.default_rng(0), Board(*shape)
    chosen = np.zeros(shape, bool)
    chosen.flat[rng.choice(board.cells, clicks, replace=False)] = True
    return Animation(
        board=board,
        first=rng.random(shape) < 0.5,
        history=Clicks(order_clicks(chosen, "radial", rng)),
        clicks_done=np.arange(clicks + 1),
        fps=FPS,
    )


def half_of_all(shape: tuple[int, int], frames: int) -> Animation:
    """Return an animation that clicks half of all cells in random order."""
    rng, board = np.random.default_rng(0), Board(*shape)
    clicks = order_clicks(rng.random(shape) < 0.5, "random", rng)
    return Animation(
        board=board,
        first=rng.random(shape) < 0.5,
        history=Clicks(clicks),
        clicks_done=np.linspace(0, len(clicks), frames).astype(np.int64),
        fps=FPS,
    )


def verify_in_process(path: Path) -> None:
    """Verify a file with the command.

    Raises:
        subprocess.CalledProcessError: if the file is not legal.
    """
    command = [sys.executable, "-m", "lightsanim", "verify", str(path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def verify_in_child(path: str) -> bool:
    """Verify a file in this process, to measure its memory."""
    return verify(path).legal


def bars(rows: list[Row]) -> list[Bar]:
    """Return the limits on time."""
    seconds = {(row["cells"], row["format"]): row["seconds"] for row in rows}
    return [
        Bar.below(
            "verify: GIF of 60 x 60 cells with 1,800 frames of one click, whole process",
            seconds["60 x 60", ".gif"],
            2,
            "s",
        ),
        Bar.below("verify: this film as a folder of PNGs", seconds["60 x 60", "folder"], 5, "s"),
        Bar.below(
            "verify: MP4 of 1920 x 1080 cells with 300 frames",
            seconds["1920 x 1080", ".mp4"],
            6,
            "s",
        ),
    ]
