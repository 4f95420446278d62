"""Small batches, and what becomes of their processes: shared by the tests of batches."""

import os
import time
from pathlib import Path

import numpy as np
from faults import SITE
from PIL import Image

from lightsanim.batch.results import RESULTS


def draw(path, seed, shape=(24, 36)):
    noise = np.random.default_rng(seed).random(shape)
    Image.fromarray((noise * 255).astype(np.uint8)).save(path)


def table(**more):
    """An animation as a manifest tells it."""
    return {"pictures": ["a.png", "b.png"], "output": "ab.gif", **more}


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


def parent_of(pid):
    """The process that started one; None where it is over."""
    try:
        state, parent, *_ = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else int(parent)


def children_of(pid):
    names = (entry.name for entry in Path("/proc").iterdir())
    return [int(name) for name in names if name.isdecimal() and parent_of(name) == pid]


def until(condition):
    """Wait; what never comes is for the test to notice."""
    deadline = time.monotonic() + 30
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)


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
