"""Batches on a real Dask cluster: a scheduler and workers, each a process of this machine."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from batches import KillsItsWorker, children_of, contents, lightsanim, write_batch

from lightsanim.batch import cluster, runner
from lightsanim.batch.manifest import load_manifest
from lightsanim.batch.results import RESULTS, read_results
from lightsanim.batch.runner import Listener, run_batch
from lightsanim.errors import ClusterError

pytest.importorskip("distributed")

# The tests' own classes are known there, too.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}


@contextmanager
def started(folder, *words, count=1):
    command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
    with open(folder / f"{words[0]}.log", "ab") as log:
        processes = [
            subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env=ENVIRONMENT)
            for _ in range(count)
        ]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


@contextmanager
def a_scheduler(folder):
    file = folder / "scheduler.json"
    words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    with started(folder, "scheduler", *words, "--scheduler-file", str(file)) as (process,):
        deadline = time.monotonic() + 30
        while not file.exists() or not file.read_text():
            assert time.monotonic() < deadline, (folder / "scheduler.log").read_text()
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], process


def workers(folder, address, count):
    words = ["--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]
    return started(folder, "worker", address, *words, count=count)


@pytest.fixture
def scheduler(tmp_path):
    with a_scheduler(tmp_path) as (address, _):
        yield address


def run(manifest, folder, address, **more):
    return run_batch(load_manifest(manifest), folder, dask=address, **more)


def test_a_cluster_makes_what_this_machine_makes_though_a_worker_is_killed(tmp_path, scheduler):
    manifest = write_batch(tmp_path / "in", 12, size=40)
    run_batch(load_manifest(manifest), tmp_path / "here")
    with workers(tmp_path, scheduler, 2) as (first, _):
        told = []

        def hear(result):
            told.append(result)
            if len(told) == 2:
                first.send_signal(signal.SIGKILL)  # the nanny; its worker goes with it
                for child in children_of(first.pid):
                    os.kill(child, signal.SIGKILL)

        report = run(manifest, tmp_path / "there", scheduler, listener=Listener(on_result=hear))
        assert (report.made, report.failed) == (12, ())
        assert contents(tmp_path / "there") == contents(tmp_path / "here")
        again = lightsanim("batch", manifest, "-o", tmp_path / "there", "--dask", scheduler)
        assert "nothing to do" in again.stderr


def test_a_job_that_kills_workers_is_given_up(tmp_path, scheduler, monkeypatch):
    manifest = write_batch(tmp_path / "in", 3)
    (tmp_path / "marks").mkdir()
    real = runner.with_pictures

    def deadly(task, folder):
        task = real(task, folder)
        if task.job.outputs == ("1.gif",):
            return replace(task, pictures=KillsItsWorker(task.pictures, tmp_path / "marks", 99))
        return task

    monkeypatch.setattr(runner, "with_pictures", deadly)
    with workers(tmp_path, scheduler, 2):
        report = run(manifest, tmp_path / "out", scheduler)
    assert report.made == 2
    (failed,) = report.failed
    assert failed.error == "3 workers died of it; is there memory enough for it?"
    assert (failed.files, failed.tries) == (["1.gif"], 3)
    assert len(list((tmp_path / "marks").iterdir())) == 3


def test_a_job_that_fails_there_is_reported_as_here(tmp_path, scheduler):
    manifest = write_batch(tmp_path / "in", 3)
    (tmp_path / "in/p1.png").write_bytes(b"no picture")
    with workers(tmp_path, scheduler, 1):
        out = lightsanim("batch", manifest, "-o", tmp_path / "out", "--dask", scheduler, "--json")
    assert out.returncode == 1
    errors = {failure["error"] for failure in json.loads(out.stdout)["failed"]}
    assert len(errors) == 1
    assert "cannot read p1.png: it is not a picture" in errors.pop()
    assert len(read_results(tmp_path / "out")) == 3


def test_a_scheduler_that_goes_is_one_line_and_what_is_done_is_kept(tmp_path):
    manifest = write_batch(tmp_path / "in", 8, size=40)
    with a_scheduler(tmp_path) as (address, scheduler), workers(tmp_path, address, 1):
        command = [sys.executable, "-m", "lightsanim", "batch", str(manifest), "--dask", address]
        process = subprocess.Popen(
            [*command, "-o", str(tmp_path / "out")], stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 30
        while not read_results(tmp_path / "out") and time.monotonic() < deadline:
            time.sleep(0.05)
        scheduler.kill()
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert said.startswith(f"lightsanim: lost the scheduler at {address}")
    assert said.count("\n") == 1
    assert read_results(tmp_path / "out")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "tcp://", "127.0.0.1:x"])
def test_a_scheduler_that_is_not_there_is_an_error_soon(tmp_path, address):
    manifest = write_batch(tmp_path / "in", 1)
    out = lightsanim("batch", manifest, "-o", tmp_path / "out", "--dask", address)
    assert out.returncode == 1
    assert out.stderr.startswith(f"lightsanim: no Dask scheduler answers at {address}")
    assert out.stderr.count("\n") == 1


def test_one_that_hears_and_does_not_answer_is_an_error_soon(tmp_path):
    manifest = write_batch(tmp_path / "in", 1)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        address = f"tcp://127.0.0.1:{deaf.getsockname()[1]}"
        start = time.monotonic()
        with pytest.raises(ClusterError, match="no Dask scheduler"):
            run(manifest, tmp_path / "out", address)
        assert time.monotonic() - start < 60  # eight; no bar on a noisy machine


def test_a_scheduler_of_another_version_is_said(tmp_path, scheduler, monkeypatch):
    import distributed

    manifest = write_batch(tmp_path / "in", 1)
    monkeypatch.setattr(distributed, "__version__", "1999.9.9")
    with pytest.raises(ClusterError, match=r"runs distributed .*, not 1999\.9\.9 as here"):
        run(manifest, tmp_path / "out", scheduler)


def test_a_worker_with_another_lightsanim_is_said(tmp_path, monkeypatch):
    (job,) = load_manifest(write_batch(tmp_path / "in", 1)).jobs
    task = runner.with_pictures(
        runner.task_of(job, [runner.digest_of(tmp_path / "in" / path) for path in job.pictures]),
        tmp_path / "in",
    )
    payload = cluster.pickle.dumps(task)
    outcome = cluster.pickle.loads(cluster.carry_out_there(payload, "0.0.9"))
    assert "not 0.0.9; install the same there" in outcome.error


def test_a_cluster_without_workers_is_not_waited_for_for_ever(tmp_path, scheduler, monkeypatch):
    monkeypatch.setattr(cluster, "LONELY", 1.0)
    manifest = write_batch(tmp_path / "in", 1)
    with pytest.raises(ClusterError, match="has had no worker for 1 seconds; start one with"):
        run(manifest, tmp_path / "out", scheduler)
    assert not (tmp_path / "out" / RESULTS).exists()


def test_without_dask_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    manifest = write_batch(tmp_path / "in", 1)
    with pytest.raises(ClusterError, match=r"pip install 'lightsanim\[distributed\]'"):
        run(manifest, tmp_path / "out", "tcp://127.0.0.1:1")
