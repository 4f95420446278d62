"""Worker processes: what a task returns, raises and reports, and the end of a worker."""

import os
import threading

import pytest

from lightsanim.system.processes import (
    Worker,
    WorkerDiedError,
    report_to_parent,
    stop_workers,
)


@pytest.fixture
def worker():
    worker = Worker(int)
    yield worker
    stop_workers([worker])


def test_worker_returns_raises_and_reports(worker):
    reports = []
    worker.on_report = reports.append
    worker.submit(report_to_parent, ("sum", 0.5)).result(20)
    assert worker.submit(divmod, 7, 2).result(20) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        worker.submit(divmod, 7, 0).result(20)
    with pytest.raises(SystemExit):
        worker.submit(exit, 3).result(20)
    assert worker.submit(os.getpid).result(20) == worker.pid
    assert reports == [("sum", 0.5)]


@pytest.mark.parametrize(("task", "status"), [(threading.Lock, 1), (os.abort, -6)])
def test_worker_that_dies_fails_its_task(worker, task, status):
    assert isinstance(worker.submit(task).exception(20), WorkerDiedError)  # a lock has no pickle
    stop_workers([worker])
    assert (worker.exitcode, worker.is_alive()) == (status, False)


def test_worker_whose_start_fails_fails_its_tasks():
    worker = Worker(divmod, 1, 0)
    assert isinstance(worker.submit(int).exception(20), WorkerDiedError)
    stop_workers([worker])
    assert worker.exitcode == 1
