"""Small batches, and what becomes of their processes: shared by the tests of batches."""

import os
import subprocess
from pathlib import Path

import numpy as np
from faults import SITE
from PIL import Image
from program import PROGRAM

from lightsanim.batch.results import RESULTS


def lightsanim(*words, cwd=None):
    return subprocess.run(
        [*PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=120
    )


def draw(path, seed, shape=(24, 36)):
    noise = np.random.default_rng(seed).random(shape)
    Image.fromarray((noise * 255).astype(np.uint8)).save(path)


def write_batch(folder, count=4, *, more="", size=12):
    """A manifest with ``count`` animations of pictures that take no time."""
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


def deadly(folder, monkeypatch, output, times):
    """Workers that begin a job with this output are killed, but not more often than ``times``.

    Returns the folder with a mark for each death.
    """
    marks = folder / "marks"
    marks.mkdir()
    (folder / "sitecustomize.py").write_text(
        SITE.format(
            code=f"""
            real = pipeline.make_files
            def make_files(pictures, settings, theme, outputs, **more):
                marks = {str(marks)!r}
                if outputs.output[0].name == {output!r} and len(os.listdir(marks)) < {times}:
                    open(os.path.join(marks, str(os.getpid())), "w").close()
                    os.kill(os.getpid(), 9)
                return real(pictures, settings, theme, outputs, **more)
            pipeline.make_files = make_files
"""
        )
    )
    known = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), known]))
    return marks
