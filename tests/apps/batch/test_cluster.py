"""Batches on a real Dask cluster: a scheduler and workers, each a process of this machine."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import pytest
from tools import batches
from tools.batches import contents, run_manifest, until, write_batch
from tools.program import PROGRAM, run
from tools.refusals import assert_refused

import lightsanim as la
from lightsanim.apps.batch.job_table import RESULTS
from lightsanim.apps.batch.results import read_results
from lightsanim.apps.batch.runner import BatchListener
from lightsanim.errors import ClusterError
from lightsanim.system.cores import core_limit, limit_cores


@pytest.fixture(scope="module", autouse=True)
def distributed():
    """Dask's package, which takes a second to import: not while tests are collected."""
    package = pytest.importorskip("distributed")
    import dask

    # Its profiler lists the frames of all threads, which can deadlock with Python's collection of
    # garbage while another thread starts (https://github.com/python/cpython/issues/106883).
    with dask.config.set({"distributed.worker.profile.enabled": False}):
        yield package


@pytest.fixture(autouse=True)
def all_cores():
    """A worker in this process limits it to one core; the tests that follow get all again."""
    limit = core_limit()
    yield
    limit_cores(limit)


def versions_with(real, package):
    """What a machine answers that has another version of one package."""

    def versions(packages):
        info = real(packages=packages)
        return {**info, "packages": {**info["packages"], package: "0.8"}}

    return versions


def run_tasks_on_cluster(*arguments, **options):
    from lightsanim.apps.batch.cluster import run_tasks_on_cluster

    return run_tasks_on_cluster(*arguments, **options)


@contextmanager
def started(folder, kind, *words, count=1):
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words]
    with open(folder / f"{kind}.log", "ab") as log:
        streams = {"stdout": log, "stderr": log}
        processes = [subprocess.Popen(command, cwd=folder, **streams) for _ in range(count)]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


@contextmanager
def a_scheduler(folder):
    file = folder / "scheduler.json"
    words = ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", ":0", "--no-show"]
    with started(folder, "scheduler", *words, "--scheduler-file", str(file)) as (process,):
        until(lambda: file.exists() and file.read_text())
        assert file.exists(), (folder / "scheduler.log").read_text()
        yield json.loads(file.read_text())["address"], process


def workers(folder, address, count):
    words = ["--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]
    return started(folder, "worker", address, *words, count=count)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    with a_scheduler(tmp_path_factory.mktemp("scheduler")) as (address, _):
        yield address


@pytest.mark.long
def test_cluster_killed_worker_is_replaced(tmp_path, scheduler):
    manifest = write_batch(tmp_path / "in", 12, size=40)
    with workers(tmp_path, scheduler, 2) as (first, _):
        results = []

        def hear(result):
            results.append(result)
            if len(results) == 2:
                first.send_signal(signal.SIGKILL)  # the nanny; its worker goes with it
                for child in batches.children_of(first.pid):
                    os.kill(child, signal.SIGKILL)

        listener = BatchListener(on_result=hear)
        report = run_manifest(manifest, tmp_path / "out", dask=scheduler, listener=listener)
        assert (report.made, report.failed) == (12, ())
        again = run("batch", manifest, "-o", tmp_path / "out", "--dask", scheduler)
        assert "nothing to do" in again.stderr


@pytest.mark.long
@pytest.mark.parametrize("times", [1, 99])
def test_cluster_job_that_kills_workers_is_retried(tmp_path, scheduler, monkeypatch, times):
    manifest, temporary = write_batch(tmp_path / "in", 3), tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    marks = batches.deadly(tmp_path, monkeypatch, "1.gif", times)
    # Nannies start another worker when one dies.
    with workers(tmp_path, scheduler, min(times, 2)):
        report = run_manifest(manifest, tmp_path / "out", dask=scheduler)
        assert times > 1 or not [*temporary.rglob("lightsanim-*")]
    failed = [(["1.gif"], True)] if times > 1 else []
    assert [(result.files, "memory" in result.error) for result in report.failed] == failed
    assert report.made == 3 - len(failed)
    assert len([*marks.iterdir()]) in (range(2, 10) if times > 1 else [1])


@pytest.mark.long
def test_cluster_lost_scheduler_is_one_line_and_keeps_results(tmp_path):
    manifest = write_batch(tmp_path / "in", 8, size=40)
    with a_scheduler(tmp_path) as (address, scheduler), workers(tmp_path, address, 1):
        words = ["batch", str(manifest), "--dask", address, "-o", str(tmp_path / "out")]
        process = subprocess.Popen([*PROGRAM, *words], stderr=subprocess.PIPE, text=True)
        until(lambda: read_results(tmp_path / "out"))
        scheduler.kill()
        message = process.communicate(timeout=60)[1]
    ours = [line for line in message.splitlines() if line.startswith("lightsanim: ")]
    assert process.returncode == 1
    assert len(ours) == 1  # Dask's own log may say more
    assert address in ours[0]
    assert read_results(tmp_path / "out")


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:x"])
def test_cluster_invalid_address_fails_at_once(address):
    assert_refused(lambda: next(run_tasks_on_cluster(address, iter(()))), address, ClusterError)
    # A client that is left to the garbage collector can make Dask wait for its own lock.
    assert "IO loop" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.long
@pytest.mark.parametrize("listens", [True, False])
def test_cluster_silent_scheduler_times_out(tmp_path, listens):
    manifest = write_batch(tmp_path / "in", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1] if listens else 1}"
        out = run("batch", manifest, "-o", tmp_path / "out", "--dask", address)
    assert (out.returncode, out.stderr.count("\n")) == (1, 1)
    assert all(fact in out.stderr for fact in (address, "8 seconds", "dask scheduler"))


def test_cluster_tasks_return_files_or_errors(tmp_path, monkeypatch, distributed):
    manifest = write_batch(tmp_path / "in", 4)
    (tmp_path / "in/p4.png").write_bytes(b"no picture")
    tasks = [batches.task_for(job, tmp_path / "in") for job in la.load_manifest(manifest).jobs]
    running, outcomes, deaths = [], {}, iter([OSError])

    def begin():
        for number, task in enumerate(tasks):
            running.append(number - len(outcomes))
            yield task

    with distributed.LocalCluster(1, 2, processes=False, dashboard_address=":0") as cluster:
        address, scatter = cluster.scheduler_address, cluster.scheduler.handlers["scatter"]

        async def scatter_to_dying_worker(**message):
            for error in deaths:
                raise error
            return await scatter(**message)

        monkeypatch.setitem(cluster.scheduler.handlers, "scatter", scatter_to_dying_worker)
        # Tasks that take longer than these seconds are awaited as long as there are workers.
        for outcome in run_tasks_on_cluster(address, begin(), worker_timeout=0.01):
            outcomes[outcome.task.job.files[0]] = outcome
        report = run_manifest(manifest, tmp_path / "there", dask=address)
        manifest.write_text(manifest.read_text().rpartition("[[animation]]")[0])

        def ask():
            next(run_tasks_on_cluster(address, iter(())))

        for server, facts in (
            (cluster.workers[1], "worker distributed 0.8"),
            (cluster.scheduler, "scheduler lightsanim 0.8 install"),
        ):
            real, package = server.handlers["versions"], facts.split()[1]
            with monkeypatch.context() as patch:
                patch.setitem(server.handlers, "versions", versions_with(real, package))
                assert_refused(ask, facts, ClusterError)
        # Workers that come later check it themselves, here in this process.
        monkeypatch.setattr("lightsanim.apps.batch.cluster.__version__", "0.8")
        assert_refused(ask, f"lightsanim {la.__version__} 0.8", ClusterError)
    assert core_limit() == 1  # Dask decides how many run beside each other
    assert (report.made, len(report.failed)) == (3, 1)
    assert run_manifest(manifest, tmp_path / "there", dask="nonsense").skipped == 3  # not needed
    batches.run_here(manifest, tmp_path / "here")
    files = contents(tmp_path / "there", but=(RESULTS, "lock", "placed", "labels"))
    assert files == contents(tmp_path / "here", but=(RESULTS, "lock", "placed", "labels"))
    assert max(running) == 3  # two running, and two on their way
    assert [*sorted(outcomes)] == ["0.gif", "1.gif", "2.gif", "3.gif"]
    assert "cannot read p4.png: it is not a picture" in outcomes["3.gif"].error
    assert outcomes["3.gif"].files is None
    assert {"files/0.gif", "kept/animation.json"} < {*outcomes["0.gif"].files}
    assert not any(outcome.task.pictures for outcome in outcomes.values())


def test_cluster_failures_of_workers_name_reason(tmp_path, monkeypatch, distributed):
    manifest = write_batch(tmp_path / "in", 2)
    tasks = [batches.task_for(job, tmp_path / "in") for job in la.load_manifest(manifest).jobs]
    killed = distributed.KilledWorker("task", SimpleNamespace(address="w"), 3)
    failures = {
        "0.gif": (killed, "memory"),
        "1.gif": (ValueError("odd"), "ValueError: odd"),
    }

    def fail(task):
        with calls.open("a") as marks:
            marks.write(".")
        raise failures[task.job.files[0]][0]

    def lose():
        raise CancelledError("scheduler-gone")
        yield

    calls = tmp_path / "begun"
    monkeypatch.setattr("lightsanim.apps.batch.cluster.run_sent_task", fail)
    with distributed.LocalCluster(
        n_workers=0, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as cluster:
        address = cluster.scheduler_address
        waiting = run_tasks_on_cluster(address, iter(tasks), worker_timeout=0.1)
        assert_refused(lambda: next(waiting), "worker 0.1 dask", ClusterError)
        lost = run_tasks_on_cluster(address, lose())
        assert_refused(lambda: next(lost), "lost again", ClusterError)
        cluster.scale(1)
        outcomes = {o.task.job.files[0]: o for o in run_tasks_on_cluster(address, iter(tasks))}
    assert outcomes.keys() == failures.keys()
    assert all(facts in outcomes[output].error for output, (_, facts) in failures.items())
    assert len(calls.read_text()) == 3 * 3 + 3  # the first task is lost three times


def test_cluster_without_dask_names_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "lightsanim.apps.batch.cluster", raising=False)
    manifest = write_batch(tmp_path / "in", 1)
    dask = partial(run_manifest, manifest, tmp_path / "out", dask="tcp://127.0.0.1:1")
    assert_refused(dask, "'lightsanim[distributed]'", ClusterError)
    assert not (tmp_path / "out" / RESULTS).exists()
