"""Benchmark of clips: speed, memory, flicker, and the delay between picture and sound.

All clips are generated: a photograph with a moving camera, and flashes with beeps.
"""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import skimage.data
from PIL import Image

import lightsanim as la
from benchmarks.measure import in_child, medians
from benchmarks.tables import Bar, Findings, Row, Table, rounded
from lightsanim.options.outputs import Outputs
from lightsanim.options.settings import Settings
from lightsanim.output.formats.video import ENCODINGS
from lightsanim.pipeline import make_files

FPS, RATE = 30, 48_000
WIDE = (1920, 1080)
CELLS = "480x270"
SLOW = 0.2  # cells that the camera moves from frame to frame in a slow pan
NOISE = 4  # standard deviation of a camera's noise, in grey levels of 255
FLASH = 0.1  # duration of a flash and of a beep, in seconds

Frames = Iterable[np.ndarray]


def run(quick: bool) -> Findings:
    """Measure speed, length, flicker and sound."""
    with tempfile.TemporaryDirectory() as folder:
        parts = [part(Path(folder), quick) for part in (speed, length, flicker, sound)]
    tables = [table for table, _ in parts]
    return Findings(tables=tables, bars=[] if quick else [bar for _, bars in parts for bar in bars])


# Generated clips.


def write_clip(path: Path, frames: Frames, fps: int = FPS, samples: Any = None) -> None:
    """Write grey or colour frames, and sound, as a common MP4: H.264 with a crf of 23, and AAC."""
    with av.open(str(path), "w") as file:
        stream = file.add_stream("libx264", rate=fps, options={"crf": "23", "preset": "veryfast"})
        heard = None if samples is None else file.add_stream("aac", rate=RATE, layout="mono")
        for number, pixels in enumerate(frames):
            if not number:
                stream.height, stream.width = pixels.shape[:2]
                stream.pix_fmt = "yuv420p"
            kind = "gray" if pixels.ndim == 2 else "rgb24"
            frame = av.VideoFrame.from_ndarray(pixels, format=kind)
            frame.pts, frame.time_base = number, Fraction(1, fps)
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
        if heard is not None:
            sound = av.AudioFrame.from_ndarray(samples[None], "fltp", "mono")
            sound.sample_rate, sound.pts, sound.time_base = RATE, 0, Fraction(1, RATE)
            file.mux(heard.encode(sound))
            file.mux(heard.encode(None))


def moving(size: tuple[int, int], count: int) -> Iterator[np.ndarray]:
    """Yield frames of a photograph with a moving, zooming camera: uint8 (height, width, 3)."""
    photograph = Image.fromarray(skimage.data.astronaut())
    for share in np.linspace(0, 1, count):
        wide = 480 - 160 * share
        scale = wide / size[0]
        view = (scale, 0, 30 + 90 * share, 0, scale, 10 + 60 * share)
        kind, filter = Image.Transform.AFFINE, Image.Resampling.BICUBIC
        yield np.asarray(photograph.transform(size, kind, view, filter))


def panned(cells: int, count: int) -> Iterator[np.ndarray]:
    """Yield frames of a photograph that moves by `SLOW` cells per frame: uint8 (height, width)."""
    photograph, wide = Image.fromarray(skimage.data.astronaut()).convert("L"), 320
    for number in range(count):
        view = (300 / wide, 0, 40 + number * SLOW * 300 / cells, 0, 300 / wide, 60)
        kind, filter = Image.Transform.AFFINE, Image.Resampling.BICUBIC
        yield np.asarray(photograph.transform((wide, wide * 9 // 16), kind, view, filter))


def still(count: int, noise: float) -> Iterator[np.ndarray]:
    """Yield frames of a photograph without movement but with camera noise: uint8 (270, 480)."""
    rng = np.random.default_rng(0)
    photograph = Image.fromarray(skimage.data.astronaut()).convert("L").resize((480, 480))
    view = np.asarray(photograph, np.float32)[100:370]
    for _ in range(count):
        noisy = view + noise * rng.standard_normal(view.shape)
        yield np.clip(noisy, 0, 255).astype(np.uint8)


# Speed, compared with decoding and encoding the same frames alone.


def speed(folder: Path, quick: bool) -> tuple[Table, list[Bar]]:
    """Measure the time from clip to film, of decoding alone, and of encoding alone."""
    count, repeats = (10, 1) if quick else (300, 3)
    clip, film, frames = (str(folder / name) for name in ("clip.mp4", "film.mp4", "frames.npy"))
    write_clip(Path(clip), moving(WIDE, count))
    in_child(make_film, clip, film, CELLS, "1920x1080")
    in_child(keep_light, film, frames)

    def seconds(call: Callable[..., Row], *arguments: str) -> float:
        return float(in_child(call, *arguments).result["seconds"])

    calls = {
        "clip to film": partial(seconds, make_film, clip, film, CELLS, "1920x1080"),
        "decoding alone": partial(seconds, decode, clip),
        "encoding alone": partial(seconds, encode, frames),
    }
    found = medians(calls, repeats)
    Path(frames).unlink()
    ours, *others = found.values()
    table = Table(
        title=f"A clip of {count} frames, {WIDE[0]} x {WIDE[1]}, to {CELLS} cells and back",
        note=(
            f"A photograph with a moving camera. Medians of {repeats} interleaved runs, each in "
            "its own process, without imports. The encoder alone reads the film's prepared frames "
            "from a file. The remaining time is exact work on full-size frames: decoding to light, "
            "resizing, the unsharp mask. Also, encoding starts only when everything is solved, "
            "because the head of the file describes the whole film."
        ),
        rows=[
            {"what": what, "seconds": each, "frames a second": count / each}
            for what, each in found.items()
        ],
    )
    bars = [
        Bar(
            what=f"clip: time to film, {CELLS} cells, relative to decoding plus encoding alone",
            limit="at most 1.6 times",
            measured=f"{ours / sum(others):.2f} times",
            met=ours <= 1.6 * sum(others),
        ),
        Bar(
            what="clip: frames a second from clip to film",
            limit="at least 25",
            measured=rounded(count / ours),
            met=count >= 25 * ours,
        ),
    ]
    return table, bars


def make_film(clip: str, film: str, cells: str, canvas: str) -> Row:
    """Convert a clip to a film, end to end."""
    began = time.perf_counter()
    theme, outputs = la.Theme(canvas=canvas), Outputs(output=[film])
    report = make_files([clip], Settings(size=cells, seed=1), theme, outputs)
    return {"seconds": time.perf_counter() - began, "frames": report.frames}


def decode(path: str) -> Row:
    """Decode a film with PyAV's automatic number of threads."""
    began = time.perf_counter()
    frames = sum(1 for _ in decoded(path))
    return {"seconds": time.perf_counter() - began, "frames": frames}


def decoded(path: str) -> Iterator[av.VideoFrame]:
    """Yield the decoded frames of a film."""
    with av.open(path) as file:
        file.streams.video[0].thread_type = "AUTO"
        yield from file.decode(video=0)


def keep_light(film: str, path: str) -> None:
    """Write the luma planes of a film's frames: uint8 (frames, height, width)."""
    count = decode(film)["frames"]
    frames = np.lib.format.open_memmap(path, "w+", np.uint8, (count, *WIDE[::-1]))
    for place, frame in zip(frames, decoded(film), strict=True):
        place[:] = frame.to_ndarray()[: WIDE[1]]  # the chroma planes follow, and are all grey


def encode(path: str) -> Row:
    """Encode prepared frames with the settings of `lightsanim.output.formats.video`."""
    frames, encoding = np.load(path, mmap_mode="r"), ENCODINGS["mp4"]
    frames.max()  # reads the file first, so that the encoder does not wait for the disk
    grey = np.full((WIDE[1] // 2, WIDE[0] // 2), 128, np.uint8)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        options = dict(encoding.container_options)
        with av.open(f"{folder}/out.mp4", "w", options=options) as file:
            stream = file.add_stream(encoding.codec, rate=FPS, options=dict(encoding.options))
            (stream.width, stream.height), stream.pix_fmt = WIDE, "yuv420p"
            for pts, light in enumerate(frames):
                frame = av.VideoFrame(*WIDE, "yuv420p")
                for plane, pixels in zip(frame.planes, (light, grey, grey), strict=True):
                    plane.update(pixels)
                frame.pts, frame.time_base = pts, Fraction(1, FPS)
                file.mux(stream.encode(frame))
            file.mux(stream.encode(None))
        return {"seconds": time.perf_counter() - began, "frames": len(frames)}


# Length: constant memory, and the time for a clip of four minutes.


def length(folder: Path, quick: bool) -> tuple[Table, list[Bar]]:
    """Measure seconds and peak memory for clips of three lengths, at 160 x 120 cells."""
    short, long, longest = (10, 20, 30) if quick else (300, 3000, 7200)
    frames, rows = list(moving((640, 480), short)), list[Row]()
    for count in (short, long, longest):
        clip = folder / f"{count}.mp4"
        write_clip(clip, (frames[number % short] for number in range(count)))
        child = in_child(make_film, str(clip), str(folder / "long.mp4"), "160x120", "640x480")
        seconds = child.result["seconds"]
        rows.append({"frames": count, "seconds": seconds, "peak, MB": child.peak / 1e6})
    table = Table(
        title="Clips of 640 x 480 pixels to 160 x 120 cells, by length",
        note=f"{FPS} frames a second; one run each, in its own process.",
        rows=rows,
    )
    growth = rows[1]["peak, MB"] / rows[0]["peak, MB"]
    bars = [
        Bar(
            what=f"clip: peak memory of {long:,} frames relative to {short}",
            limit="at most 1.1 times",
            measured=f"{growth:.2f} times",
            met=growth <= 1.1,
        ),
        Bar.below("clip: time for four minutes, 160 x 120 cells", rows[2]["seconds"], 90, "s"),
    ]
    return table, bars


# Flicker: share of the cells that change although little moves.


def flicker(folder: Path, quick: bool) -> tuple[Table, list[Bar]]:
    """Measure the cells that change per frame, for blue noise and for error diffusion."""
    cells, count = (48, 5) if quick else (160, 60)
    pan, rest, noisy = (folder / f"{name}.mp4" for name in ("pan", "still", "noisy"))
    write_clip(pan, panned(cells, count))
    write_clip(rest, still(5 * count, 0))
    write_clip(noisy, still(count, NOISE))
    small, large = f"{cells}x{cells * 9 // 16}", "96x54" if quick else CELLS
    rows: list[Row] = [
        {
            "clip": what,
            "cells": size,
            "change, %": 100 * changed(clip, size),
            "with Floyd-Steinberg, %": 100 * changed(clip, size, dither="floyd-steinberg"),
        }
        for what, clip, size in (
            (f"moves by {SLOW} cells a frame", pan, small),
            ("still", rest, small),
            ("still", rest, large),
            ("still, with a camera's noise", noisy, small),
            ("still, with a camera's noise", noisy, large),
        )
    ]
    table = Table(
        title="Flicker",
        note=(
            "Mean share of the cells that change from frame to frame. The noise has a standard "
            f"deviation of {NOISE} grey levels of 255; on {large} cells, each cell is one pixel."
        ),
        rows=rows,
    )
    share = rows[0]["change, %"] / rows[0]["with Floyd-Steinberg, %"]
    most = max(row["change, %"] for row in rows[1:3])
    bars = [
        Bar(
            what="clip: cells that change in a slow pan, relative to Floyd-Steinberg",
            limit="at most 0.4 times",
            measured=f"{share:.2f} times",
            met=share <= 0.4,
        ),
        Bar(
            what="clip: cells that change per frame in a still clip",
            limit="at most 0.01 %",
            measured=f"{rounded(most)} %",
            met=most <= 0.01,
        ),
    ]
    return table, bars


def changed(clip: Path, size: str, **options: Any) -> float:
    """Return the mean share of the cells that change from frame to frame."""
    configurations = la.make([clip], size=size, seed=1, **options).configurations()
    pairs = pairwise(configuration.copy() for configuration in configurations)
    return float(np.mean([(one != other).mean() for one, other in pairs]))


# Sound: each second begins with a flash and a beep.


def sound(folder: Path, quick: bool) -> tuple[Table, list[Bar]]:
    """Measure the delay between the flashes and the beeps of a film."""
    seconds, fps = (3, 25) if quick else (600, 25)
    clip, film = folder / "flashes.mp4", folder / "flashes-film.mp4"
    write_clip(clip, flashes(seconds, fps), fps, beeps(seconds))
    in_child(make_film, str(clip), str(film), "32x24", "128x96")
    seen, heard = beginnings(*seen_of(film)), beginnings(*heard_of(film))
    late = heard - seen
    table = Table(
        title=f"Sound and picture of a film of {seconds} s",
        note="Each second begins with a flash and a beep; milliseconds from the flash to the beep.",
        rows=[
            {"second": number, "milliseconds": 1000 * float(late[number])}
            for number in (0, seconds // 2, seconds - 1)
        ],
    )
    bar = Bar.below(
        "clip: largest delay between picture and sound in ten minutes",
        1000 * float(np.abs(late).max()),
        1000 / fps,
        "ms",
    )
    return table, [bar]


def flashes(seconds: int, fps: int) -> Iterator[np.ndarray]:
    """Yield frames that are white at the beginning of each second, else black: uint8 (48, 64)."""
    for number in range(seconds * fps):
        yield np.full((48, 64), 255 * (number % fps < FLASH * fps), np.uint8)


def beeps(seconds: int) -> np.ndarray:
    """Return samples with a beep at the beginning of each second, float32."""
    times = np.arange(seconds * RATE) / RATE
    return np.where(times % 1 < FLASH, np.sin(2000 * np.pi * times), 0).astype(np.float32)


def seen_of(film: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the times of a film's frames, and whether each is bright."""
    frames = [(frame.time, frame.to_ndarray()[:96].mean() > 128) for frame in decoded(str(film))]
    times, bright = zip(*frames, strict=True)
    return np.array(times), np.array(bright)


def heard_of(film: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the times of a film's samples, and whether each is loud."""
    times, loud = [], []
    with av.open(str(film)) as file:
        for frame in file.decode(audio=0):
            samples = frame.to_ndarray()[0]
            times.append(frame.time + np.arange(len(samples)) / frame.sample_rate)
            loud.append(np.abs(samples) > 0.2)
    return np.concatenate(times), np.concatenate(loud)


def beginnings(times: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Return the times, in seconds, at which something appears after half a second of absence."""
    found = times[there]
    return found[np.diff(found, prepend=-1) > 0.5]
