"""Benchmark of `make` at video size against the encoder alone."""

import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import av
import numpy as np

from benchmarks.measure import ROOT, in_child, medians
from benchmarks.tables import Bar, Findings, Row, Table, rounded
from lightsanim import Outputs, Settings, Theme, make
from lightsanim.options.records import non_default_values
from lightsanim.pipeline import make_files

PICTURES = [str(ROOT / "samples" / name) for name in ("face.png", "skull.png")]
FPS = 25
GREYS = np.array([25, 242], np.uint8)  # unlit and lit
QUALITY = {"crf": "18", "preset": "veryfast"}  # as in `lightsanim.output.formats.video`
THEME = Theme(cell=1, gap=0)  # the default at this size


def run(quick: bool) -> Findings:
    """Measure seconds and peak memory from pictures to MP4, and of the encoder alone."""
    size, duration, repeats = ("320x180", 2.0, 1) if quick else ("1920x1080", 10.0, 3)
    with tempfile.TemporaryDirectory() as folder:
        frames = str(Path(folder) / "frames.npy")
        in_child(paint_to_file, size, duration, frames)
        rows = compare(size, duration, frames, repeats)
    table = Table(
        title=f"Two pictures to an MP4 of {duration:g} s, {size} cells of 1 px",
        note=(
            f"Medians of {repeats} interleaved runs, each in its own process, without the imports. "
            "The encoder alone reads the same prepared frames from a file."
        ),
        rows=rows,
    )
    return Findings(tables=[table], bars=[] if quick else bars(rows))


def compare(size: str, duration: float, frames: str, repeats: int) -> list[Row]:
    """Return a row for `make`, with its stages, and one for the encoder."""
    last: dict[str, Any] = {}

    def run_in_child(name: str, call: Any, *arguments: Any) -> float:
        child = in_child(call, *arguments)
        last[name] = {**child.result, "peak": child.peak}
        return float(child.result["seconds"])

    calls = {
        "make": partial(run_in_child, "make", make_mp4, size, duration),
        "encoder alone": partial(run_in_child, "encoder alone", encode_file, frames),
    }
    found = medians(calls, repeats)
    stages = ", ".join(f"{name} {rounded(s)}" for name, s in last["make"]["stages"].items())
    return [
        {
            "what": name,
            "seconds": found[name],
            "times the encoder": found[name] / found["encoder alone"],
            "frames": last[name]["frames"],
            # The encoder alone holds the file with the frames in its memory, which says nothing.
            "peak, MB": last[name]["peak"] / 1e6 if name == "make" else None,
            "stages, s": stages if name == "make" else "",
        }
        for name in calls
    ]


def settings(size: str, duration: float) -> Settings:
    """Return settings for exactly ``duration`` seconds of video, including the last frame."""
    return Settings(
        size=size,
        duration=duration - 1 / FPS,
        ease="linear",
        hold_first=1 / FPS,
        hold_last=0,
        fps=FPS,
        seed=1,
    )


def make_mp4(size: str, duration: float) -> Row:
    """Make an MP4 from pictures, end to end."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        path = str(Path(folder) / "out.mp4")
        report = make_files(PICTURES, settings(size, duration), THEME, Outputs(output=[path]))
        seconds = time.perf_counter() - began
    return {"seconds": seconds, "frames": report.frames, "stages": report.seconds}


def paint_to_file(size: str, duration: float, path: str) -> None:
    """Write the frames of the same animation as one grey array: uint8 (frames, height, width)."""
    animation = make(PICTURES, **non_default_values(settings(size, duration)))
    shape = (len(animation), *animation.board.shape)
    frames = np.lib.format.open_memmap(path, "w+", np.uint8, shape)
    for frame, configuration in zip(frames, animation.configurations(), strict=True):
        frame[:] = GREYS[configuration.view(np.uint8)]


def encode_file(path: str) -> Row:
    """Encode prepared frames with the settings of `lightsanim.output.formats.video`."""
    frames = np.load(path, mmap_mode="r")
    frames.max()  # reads the file first, so that the encoder does not wait for the disk
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        _encode(frames, Path(folder) / "out.mp4")
        return {"seconds": time.perf_counter() - began, "frames": len(frames)}


def _encode(frames: np.ndarray, path: Path) -> None:
    with av.open(path, "w", options={"movflags": "faststart"}) as file:
        stream = file.add_stream("libx264", rate=FPS, options=QUALITY)
        stream.pix_fmt = "yuv420p"
        stream.height, stream.width = frames.shape[1:]
        for pts, pixels in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(pixels, format="gray")
            frame.pts = pts
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))


def bars(rows: list[Row]) -> list[Bar]:
    """Return the limits on the time relative to the encoder, and on memory."""
    ours = rows[0]
    return [
        Bar(
            what="make: 1920 x 1080 cells to MP4, time relative to the encoder alone",
            limit="at most 1.3 times",
            measured=f"{ours['times the encoder']:.2f} times ({rounded(ours['seconds'])} s)",
            met=ours["times the encoder"] <= 1.3,
        ),
        Bar.below("make: peak memory", ours["peak, MB"], 700, "MB"),
    ]
