"""How many cores a run keeps busy, and what depends on them: nothing but the clock."""

import json
import math
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import lightsanim as la
from lightsanim.proof.animation_file import ExpectedBoard, open_animation_file
from lightsanim.system.cores import cgroup_quota, max_cores


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no CPU affinity here")
def test_files_are_equal_on_one_core(tmp_path):
    board = np.add.outer(np.arange(40), np.arange(50)) % 7 / 6
    before, outputs = os.sched_getaffinity(0), []
    try:
        for cpus in (before, {min(before)}):
            os.sched_setaffinity(0, cpus)
            animation = la.make([board, board[::-1], board[:, ::-1]], size="19x19", seed=1)
            animation.save(tmp_path / "a.gif")
            animation.save(tmp_path / "a.json")
            outputs.append([(tmp_path / name).read_bytes() for name in ("a.gif", "a.json")])
        assert max_cores() == 1
    finally:
        os.sched_setaffinity(0, before)
    assert outputs[0] == outputs[1]
    assert la.load_animation(tmp_path / "a.json").origin.cut_short is False


@pytest.mark.parametrize(
    "words",
    [
        ["a.png", "b.png", "--size", "24x24", "--ip", "paper", "--time-limit", "1e-9"],
        ["puzzle:abbott:9", "puzzle:abbott:4", "--size", "9x9", "--time-limit", "1e-9"],
    ],
    ids=["a search", "a puzzle"],
)
def test_film_records_ended_search(run, words):
    for number, name in enumerate(["a.png", "b.png"]):
        noise = np.random.default_rng(number).random((24, 24))
        Image.fromarray((noise * 255).astype(np.uint8)).save(name)
    files = ["out.gif", "out.html", "out.json"]
    outputs = [f"-o{file}" for file in files]
    status, out, err = run("make", *words, *outputs, "--json", "--duration", "0.2", "--cell", 2)
    said = "The time limit ended a search: another run may find other clicks."
    assert (status, said in err.splitlines()) == (0, True)
    report = json.loads(out)
    assert (report["cut_short"], said in report["notes"]) == (True, True)
    for file in files:
        with open_animation_file(Path(file), ExpectedBoard()) as opened:
            assert opened.origin.cut_short is True


def test_solve_reports_ended_search(run):
    _, out, _ = run("solve", "on", "off", "--size", "65x65", "--time-limit", "1e-9")
    assert out.startswith("The time limit ended a search", out.index("click sets do.") + 15)


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
    assert cgroup_quota(tmp_path / "mount", tmp_path / "own") == quota
