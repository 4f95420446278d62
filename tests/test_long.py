"""Long films and many jobs: memory stays as it is, and nothing is left open or lying about."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.batches import write_batch
from tools.films import SUFFIXES

has_proc = Path("/proc/self/status").exists()
pytestmark = [pytest.mark.long, pytest.mark.skipif(not has_proc, reason="memory is not told here")]

# Bytes that 900 more frames may take: the animation itself, a few times over while it is read or
# written, and what the system's allocator loses.  Kept frames would take 13 MB at least, in WebM
# 19 MB more than the 15 MB of VP9's own buffers, which it fills bit by bit.
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
        "open": (len(os.listdir("/proc/self/fd")), threading.active_count()),
    }
"""

# A film of some frames, then one of four times as many, written and proven in the same process.
FILMS = """
import numpy as np
import lightsanim as la

for path in sys.argv[1:]:
    board, frames = la.Board(40, 40), int(re.findall(r"\\d+", path)[-1])
    clicks = la.Clicks(np.random.default_rng(0).integers(board.cells, size=frames - 1))
    done, dark = np.arange(frames), np.zeros(board.shape, bool)
    film = la.Animation(board=board, first=dark, history=clicks, clicks_done=done, fps=25)
    own = {} if path.endswith(".json") else {"cell": 3}
    film.save(path, gap=0, **own)
    assert la.verify(path).legal
    print(json.dumps(usage()))
"""

# Batches one after the other, whose worker takes all jobs.
BATCHES = """
import lightsanim as la

if __name__ == "__main__":
    for manifest in sys.argv[1:]:
        report = la.run_batch(la.load_manifest(manifest), manifest + ".out", workers=1)
        assert report.made == report.jobs
        print(json.dumps(usage()))
"""


def measure(tmp_path, script, *words):
    """What a script's process uses after each of its tasks; it leaves no temporary files.

    One arena for all threads: glibc's own arenas, one for a thread, come by chance, and take
    more than what is measured here.
    """
    (tmp_path / "tmp").mkdir()
    program = tmp_path / "script.py"
    program.write_text(MEASURE + script)
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp"), "MALLOC_ARENA_MAX": "1"}
    words = [sys.executable, program, *words]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert not os.listdir(tmp_path / "tmp")
    *_, before, after = map(json.loads, done.stdout.splitlines())
    assert after["open"] == before["open"]
    return before, after


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_many_frames_take_constant_memory(tmp_path, suffix):
    paths = [tmp_path / f"{frames}{suffix}" for frames in (300, 1200)]
    before, after = measure(tmp_path, FILMS, *paths)
    assert after["peak"] - before["peak"] < MAX_GROWTH.get(suffix, DEFAULT_GROWTH)
    assert all(path.exists() for path in paths)


def test_many_jobs_take_constant_memory(tmp_path):
    manifests = [write_batch(tmp_path / str(jobs), jobs) for jobs in (6, 36)]
    before, after = measure(tmp_path, BATCHES, *manifests)
    for peak in ("peak", "peak of children"):
        assert after[peak] - before[peak] < 6e6
