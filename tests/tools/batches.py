"""Small batches, and what becomes of their processes: shared by the tests of batches."""

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
from PIL import Image

import lightsanim as la
from lightsanim.apps.batch.batch_folder import STATE_FOLDER, move_outputs
from lightsanim.apps.batch.job import (
    Outcome,
    create_task,
    load_pictures,
    run_task,
    sha256_of_source,
)
from lightsanim.apps.batch.job_table import RESULTS
from lightsanim.apps.batch.results import append_result, make_result
from tools.faults import in_workers


def draw(path, seed, shape=(24, 36)):
    noise = np.random.default_rng(seed).random(shape)
    Image.fromarray((noise * 255).astype(np.uint8)).save(path)


def draw_all(folder, *names, shape=(24, 36)):
    for seed, name in enumerate(names):
        draw(folder / name, seed, shape)


def table(**members):
    return {"pictures": ["a.png", "b.png"], "output": "ab.gif", **members}


def write_batch(folder, count=4, *, more="", size=12):
    """A manifest with ``count`` animations of pictures that take no time."""
    folder.mkdir(parents=True, exist_ok=True)
    draw_all(folder, *(f"p{number}.png" for number in range(count + 1)))
    tables = [
        f'[[animation]]\npictures = ["p{n}.png", "p{n + 1}.png"]\noutput = "{n}.gif"\n{more}'
        for n in range(count)
    ]
    manifest = folder / "manifest.toml"
    manifest.write_text(f"[defaults]\nsize = {size!r}\nduration = 1\n\n" + "\n".join(tables))
    return manifest


def task_for(job, folder):
    """A job's task, with its pictures from a folder."""
    digests = [sha256_of_source(picture.path, folder) for picture in job.pictures]
    return load_pictures(create_task(job, digests), folder)


def add_job(out, pictures, job, own=None):
    """Do what a runner does for one job, in this process: a worker takes half a second to start."""
    task = task_for(job, pictures)
    work = out / STATE_FOLDER / "work" / task.id
    work.mkdir(parents=True)
    report = run_task(task, work)
    written = move_outputs(work, out, task, set(task.job.files) if own is None else own)
    shutil.rmtree(work.parent)
    append_result(out, make_result(Outcome(task=task, report=report), written))


def run_here(path, out):
    """Run a batch that does not fail, in this process; what is there is made again."""
    manifest = la.load_manifest(path)
    for job in manifest.jobs:
        add_job(out, manifest.folder, job)
    assert la.run_batch(manifest, out).skipped == len(manifest.jobs)


def run_manifest(path, out, **options):
    defaults = {} if options.keys() & {"dask", "workers"} else {"workers": 1}
    return la.run_batch(la.load_manifest(path), out, **defaults, **options)


def contents(folder, but=(RESULTS, "lock", "placed")):
    """The files in a folder and what they hold, but for those of some names."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in but
    }


def is_alive(pid):
    """A process that has ended and is not yet taken note of is not."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def children_of(pid):
    children = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended meanwhile
            children += [int(child) for child in path.read_text().split()]
    return children


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
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    code = f"""
            real = pipeline.make_files
            def make_files(pictures, settings, theme, outputs, **more):
                marks = {str(marks)!r}
                if outputs.paths[0].name == {output!r} and len(os.listdir(marks)) < {times}:
                    open(os.path.join(marks, str(os.getpid())), "w").close()
                    os.kill(os.getpid(), 9)
                return real(pictures, settings, theme, outputs, **more)
            pipeline.make_files = make_files
"""
    in_workers(str(folder), code)
    return marks
