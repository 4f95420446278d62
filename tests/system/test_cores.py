"""How many cores a run keeps busy, what depends on them (the clock alone), and maps in threads."""

import json
import math
import os
import threading
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from tools.batches import draw_all

import lightsanim as la
from lightsanim.proof.animation_file import ExpectedBoard, open_animation_file
from lightsanim.system.cores import cgroup_core_quota, max_cores
from lightsanim.system.threads import map_in_order


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
def test_film_and_answer_record_ended_search(run, words):
    draw_all(Path(), "a.png", "b.png")
    files = [Path("out.gif"), Path("out.html"), Path("out.json")]
    words += [*(f"-o{file}" for file in files), "--json", "--duration", "0.2", "--canvas", 96]
    status, out, err = run("make", *words, "--time-limit", "1e-9")
    [note] = [line for line in err.splitlines() if "time limit" in line]
    report = json.loads(out)
    assert (status, report["cut_short"], note in report["notes"]) == (0, True, True)
    for file in files:
        with open_animation_file(file, ExpectedBoard()) as film:
            assert film.origin.cut_short is True
    assert "time limit" in run("solve", "on", "off", "--size", "65x65", "--time-limit", "1e-9")[1]


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


def test_map_in_order_keeps_order_of_items():
    second_done = threading.Event()

    def work(item):
        if item == 0:
            assert second_done.wait(10)  # only passes where two run side by side
        if item == 1:
            second_done.set()
        return item * item

    assert list(map_in_order(work, range(20), workers=2)) == [n * n for n in range(20)]
    assert list(map_in_order(work, [], workers=2)) == []


@pytest.mark.parametrize("workers", [1, 3])
def test_map_in_order_takes_items_lazily(workers):
    items = count()
    results = map_in_order(lambda item: item, items, workers=workers)
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    results.close()
    assert next(items) == 5 + workers


def test_map_in_order_error_cancels_rest_and_leaves_no_thread():
    items, threads = [], threading.active_count()

    def work(item):
        items.append(item)
        return 1 // item

    with pytest.raises(ZeroDivisionError):
        list(map_in_order(work, range(1000), workers=1))
    assert len(items) <= 2
    with pytest.raises(ZeroDivisionError):  # also one in the items
        list(map_in_order(abs, (1 // n for n in (2, 1, 0)), workers=2))
    assert threading.active_count() == threads
