"""Small batches, and what becomes of their processes: shared by the tests of batches."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from PIL import Image

from lightsanim.batch.results import RESULTS

PROGRAM = [sys.executable, "-m", "lightsanim"]


def lightsanim(*words, cwd=None):
    return subprocess.run(
        [*PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=120
    )


def draw(path, seed, shape=(24, 36)):
    noise = np.random.default_rng(seed).random(shape)
    Image.fromarray((noise * 255).astype(np.uint8)).save(path)


def write_batch(folder, count=4, *, more="", size=12):
    """A manifest with so many animations of pictures that take no time."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = []
    for number in range(count + 1):
        draw(folder / f"p{number}.png", number)
    for number in range(count):
        tables.append(
            f'[[animation]]\npictures = ["p{number}.png", "p{number + 1}.png"]\n'
            f'output = "{number}.gif"\n{more}'
        )
    manifest = folder / "manifest.toml"
    manifest.write_text(f"[defaults]\nsize = {size!r}\nduration = 1\n\n" + "\n".join(tables))
    return manifest


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in (RESULTS, "lock", "placed")
    }


def children_of(pid):
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdecimal() and parent_of(entry) == pid
    ]


def parent_of(entry):
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError):
        return None


def is_alive(pid):
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class KillsItsWorker:
    """Unpickled in a worker, it ends the worker, but for the first so many times."""

    def __init__(self, job, marks, times):
        self.job, self.marks, self.times = job, marks, times

    def __reduce__(self):
        return kill_worker, (self.job, self.marks, self.times)


def kill_worker(job, marks, times):
    if len(list(Path(marks).iterdir())) < times and os.getppid() != 1:
        (Path(marks) / f"{time.monotonic_ns()}").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return job
