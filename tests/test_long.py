"""Long films and many jobs: memory stays as it is, and nothing is left open or lying about."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.batches import write_batch
from tools.films import SUFFIXES

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not Path("/proc/self/status").exists(), reason="there is no /proc to read memory from"
    ),
]

# What 1,700 frames more may take: the animation itself, a few times over while it is read or
# written, and what the system's allocator loses.  Frames kept would take 24 MB at least, in WebM
# 36 MB; VP9 fills its own buffers bit by bit.
MAX_GROWTH = {".webm": 24e6}
DEFAULT_GROWTH = 5e6

MEASURE = """
import gc, json, os, re, resource, sys, threading

def usage():
    gc.collect()
    status = open("/proc/self/status").read()
    return {
        "peak": int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1]) * 1024,
        "peak of children": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
        "files": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
    }
"""

# A film of some frames, then one of ten times as many, written and proven in the same process.
FILMS = """
import numpy as np
import lightsanim as la

def film(frames, path):
    board, rng = la.Board(40, 40), np.random.default_rng(0)
    animation = la.Animation(
        board=board,
        first=np.zeros(board.shape, bool),
        clicks=rng.integers(board.cells, size=frames - 1),
        clicks_done=np.arange(frames),
        fps=25,
    )
    animation.save(path, cell=3, gap=0)
    assert la.verify(path).legal

folder, suffix = sys.argv[1:]
usages = []
for frames in (30, 300, 2000):
    film(frames, f"{folder}/{frames}{suffix}")
    usages.append(usage())
print(json.dumps(usages))
"""


# Batches one after the other, whose worker takes all jobs.
BATCHES = """
from lightsanim.batch.manifest import load_manifest
from lightsanim.batch.runner import run_batch

if __name__ == "__main__":
    usages = []
    for manifest in sys.argv[1:]:
        report = run_batch(load_manifest(manifest), manifest + ".out", workers=1)
        assert report.made == report.jobs
        usages.append(usage())
    print(json.dumps(usages))
"""


def measure(tmp_path, script, *words):
    """What a script's process holds after each of its tasks; it leaves no temporary files.

    One arena for all threads: glibc's own arenas, one for a thread, come by chance, and take
    more than what is measured here.
    """
    (tmp_path / "tmp").mkdir()
    program = tmp_path / "script.py"
    program.write_text(MEASURE + script)
    done = subprocess.run(
        [sys.executable, program, *words],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp"), "MALLOC_ARENA_MAX": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not os.listdir(tmp_path / "tmp")
    return json.loads(done.stdout)


def assert_no_more(before, after, peak, limit):
    assert after[peak] - before[peak] < limit
    assert [after[name] for name in ("files", "threads")] == [before["files"], before["threads"]]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_many_frames_take_constant_memory(tmp_path, suffix):
    films = tmp_path / "films"
    films.mkdir()
    _, before, after = measure(tmp_path, FILMS, films, suffix)
    assert_no_more(before, after, "peak", MAX_GROWTH.get(suffix, DEFAULT_GROWTH))
    assert len(os.listdir(films)) == 3


def test_many_jobs_take_constant_memory(tmp_path):
    manifests = [write_batch(tmp_path / str(jobs), jobs) for jobs in (6, 36)]
    before, after = measure(tmp_path, BATCHES, *manifests)
    for peak in ("peak", "peak of children"):
        assert_no_more(before, after, peak, 6e6)
