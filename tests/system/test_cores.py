"""How many cores a run keeps busy, and what depends on them: nothing but the clock."""

import json
import math
import os
from pathlib import Path

import numpy as np
import pytest
from tools.batches import draw_all

import lightsanim as la
from lightsanim.proof.animation_file import ExpectedBoard, open_animation_file
from lightsanim.system.cores import cgroup_core_quota, max_cores


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no CPU affinity here")
def test_files_are_equal_on_one_core():
    picture, cores = np.add.outer(np.arange(40), np.arange(50)) % 7 / 6, os.sched_getaffinity(0)
    pictures, contents = [picture, picture[::-1], picture[:, ::-1]], []
    try:
        for cpus in (cores, {min(cores)}):
            os.sched_setaffinity(0, cpus)
            film = la.make(pictures, size="19x19", seed=1)
            contents.append([film.to_bytes(format) for format in ("gif", "json")])
        assert max_cores() == 1
    finally:
        os.sched_setaffinity(0, cores)
    assert contents[0] == contents[1]
    assert film.origin.cut_short is False


@pytest.mark.parametrize(
    "words",
    [
        ["a.png", "b.png", "--size", "24x24", "--ip", "paper"],
        ["puzzle:abbott:9", "puzzle:abbott:4", "--size", "9x9"],
    ],
    ids=["a search", "a puzzle"],
)
def test_film_records_ended_search(run, words):
    draw_all(Path(), "a.png", "b.png")
    files = [Path("out.gif"), Path("out.html"), Path("out.json")]
    words += [*(f"-o{file}" for file in files), "--json", "--duration", "0.2", "--cell", 2]
    status, out, err = run("make", *words, "--time-limit", "1e-9")
    [note] = [line for line in err.splitlines() if "time limit" in line]
    report = json.loads(out)
    assert (status, report["cut_short"], note in report["notes"]) == (0, True, True)
    for file in files:
        with open_animation_file(file, ExpectedBoard()) as film:
            assert film.origin.cut_short is True


def test_solve_reports_ended_search(run):
    _, out, _ = run("solve", "on", "off", "--size", "65x65", "--time-limit", "1e-9")
    assert "time limit" in out


def of_version_1(folder, quota):
    return {f"{folder}/cpu.cfs_quota_us": quota, f"{folder}/cpu.cfs_period_us": "100000\n"}


@pytest.mark.parametrize(
    ("groups", "files", "quota"),
    [
        ("0::/\n", {"cpu.max": "150000 100000\n"}, 1.5),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000\n", "a/cpu.max": "300000 100000\n"}, 3),
        ("0::/a\n", {"a/cpu.max": "max 100000\n"}, math.inf),
        ("4:memory:/a\n1:cpu,cpuacct:/a\n0::/\n", of_version_1("cpu/a", "50000"), 0.5),
        ("1:cpu:/\n", of_version_1("cpu", "-1"), math.inf),
        ("", {}, math.inf),
    ],
    ids=["version 2", "of a parent", "no limit", "version 1", "version 1, no limit", "no groups"],
)
def test_cgroup_quota_of_both_versions(tmp_path, groups, files, quota):
    # Their format: https://docs.kernel.org/admin-guide/cgroup-v2.html
    (tmp_path / "own").write_text(groups)
    for name, text in files.items():
        path = tmp_path / "mount" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert cgroup_core_quota(tmp_path / "mount", tmp_path / "own") == quota
