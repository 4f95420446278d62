"""Run tasks on the workers of a Dask cluster, on any number of machines.

A task contains its pictures as bytes, and its outcome contains the finished files.  So the machines
need the same version of lightsanim, but no shared file system.  Dask reassigns the tasks of a lost
worker.
"""

import asyncio
import pickle
import warnings
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import format_exception
from typing import TYPE_CHECKING, Any

from lightsanim.batch.batch_folder import read_task_files
from lightsanim.batch.job import Outcome, Task
from lightsanim.batch.workers import MAX_TRIES, run_task_catching_errors
from lightsanim.errors import ClusterError, LightsAnimError
from lightsanim.system.cores import limit_cores
from lightsanim.version import __version__

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as Promise

ANSWER_TIMEOUT = 8  # Seconds to wait for the scheduler's answer.
POLL_INTERVAL = 1.0  # Seconds between checks whether the scheduler has workers.


def run_tasks_on_cluster(
    address: str, tasks: Iterator[Task], *, seconds_without_workers: float = 60.0
) -> Generator[Outcome]:
    """Run tasks on a scheduler's workers, and yield their outcomes as they finish.

    Raises `ClusterError` if the scheduler does not answer, or has no worker for too long.
    """
    with _connect_to_scheduler(address) as client:
        tasks_by_future: dict[Promise, Task] = {}
        while True:
            threads = sum(client.nthreads().values())
            # Submit one task per thread, so that a task that kills its worker harms no queued task.
            while len(tasks_by_future) < max(1, threads) and (task := next(tasks, None)):
                tasks_by_future[_submit_task(client, task)] = replace(task, pictures=())
            if not tasks_by_future:
                return
            try:
                finished = _wait_for_tasks(client, tasks_by_future, seconds_without_workers)
            except TimeoutError as error:
                raise ClusterError(
                    f"the scheduler at {address} has had no worker for "
                    f"{seconds_without_workers:g} seconds; start one with: dask worker {address}"
                ) from error
            for future in finished:
                yield _read_outcome(future, tasks_by_future.pop(future))


def run_pickled_task(payload: bytes, version: str) -> bytes:
    """Run a pickled task in a Dask worker, and return its pickled outcome."""
    if version != __version__:
        message = f"a worker has lightsanim {__version__}, but this batch needs {version}"
        raise ClusterError(f"{message}; install this version on the worker")
    from distributed import get_worker

    limit_cores(1)  # Dask runs one task on each of the worker's threads.
    # If this worker is killed, the next one removes its folder, and with it the task's folder.
    with TemporaryDirectory(prefix="lightsanim-", dir=get_worker().local_directory) as temporary:
        folder = Path(temporary) / "task"
        outcome = run_task_catching_errors(pickle.loads(payload), folder)
        files = None if outcome.error else read_task_files(folder)
        return pickle.dumps(replace(outcome, files=files))


def _submit_task(client: "Client", task: Task) -> "Promise":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Dask warns that tasks with pictures are large
        return client.submit(
            run_pickled_task, pickle.dumps(task), __version__, pure=False, retries=MAX_TRIES - 1
        )


def _wait_for_tasks(
    client: "Client", futures: Iterable["Promise"], seconds_without_workers: float
) -> set["Promise"]:
    from distributed import wait

    try:
        with client.as_current():
            answer = wait(list(futures), timeout=POLL_INTERVAL, return_when="FIRST_COMPLETED")
            return set(answer.done)
    except TimeoutError:
        client.wait_for_workers(1, timeout=seconds_without_workers)
        return set()


def _read_outcome(future: "Promise", task: Task) -> Outcome:
    from distributed import KilledWorker

    if future.status == "finished":
        outcome: Outcome = pickle.loads(future.result())
        return outcome
    error, trace = future.exception(), None
    if isinstance(error, KilledWorker):
        reason = "every worker that tried it died; perhaps there was not enough memory"
    elif isinstance(error, ImportError):
        reason = f"a worker cannot import lightsanim ({error}); install it on the worker"
    elif isinstance(error, LightsAnimError):
        reason = str(error)
    else:
        reason, trace = f"{type(error).__name__}: {error}", "".join(format_exception(error))
    return Outcome(task=task, error=reason, traceback=trace)


@contextmanager
def _connect_to_scheduler(address: str) -> Iterator["Client"]:
    # Checks first that the scheduler answers and that all machines have the same version of Dask.
    try:
        from distributed import Client
    except ImportError as error:
        raise ClusterError(
            "a cluster needs Dask; install it with: pip install 'lightsanim[distributed]'"
        ) from error
    try:
        _check_dask_versions(_fetch_dask_versions(address), address)
        client = Client(address, timeout=ANSWER_TIMEOUT, set_as_default=False)
    except ClusterError:
        raise
    except Exception as error:  # another program at this address can cause any error
        # Of the two timeouts of `distributed`, only one raises a TimeoutError.
        if isinstance(error, TimeoutError) or str(error).startswith("Timed out"):
            reason = f"within {ANSWER_TIMEOUT} seconds; start a scheduler with: dask scheduler"
            raise ClusterError(f"no Dask scheduler answers at {address} {reason}") from error
        reason = _error_reason(error)
        raise ClusterError(f"no Dask scheduler answers at {address}: {reason}") from error
    try:
        yield client
    except (OSError, CancelledError) as error:
        raise ClusterError(
            f"lost the scheduler at {address} ({_error_reason(error)}); finished animations "
            "are kept; run the batch again to make the others"
        ) from error
    finally:
        with suppress(Exception):  # the scheduler may have stopped
            client.close(timeout=1)


def _fetch_dask_versions(address: str) -> dict[str, Any]:
    # A synchronous client would wait for ever if the program at this address is not a scheduler, so
    # this client is asynchronous.  It runs in a new thread: a notebook's thread has a loop already.
    from distributed import Client

    async def fetch_worker_versions() -> dict[str, Any]:
        client = Client(address, asynchronous=True, timeout=ANSWER_TIMEOUT, set_as_default=False)
        try:
            await asyncio.wait_for(client, ANSWER_TIMEOUT)
            answer: dict[str, Any] = await client.get_versions()
            return answer
        finally:
            await client.close(timeout=1)

    executor = ThreadPoolExecutor(1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `_check_dask_versions` reports wrong versions
            return executor.submit(lambda: asyncio.run(fetch_worker_versions())).result()
    finally:
        executor.shutdown(wait=False)


def _check_dask_versions(versions: dict[str, Any], address: str) -> None:
    # Dask needs the same `distributed` on all machines; `run_pickled_task` checks lightsanim.
    import distributed

    own_version = distributed.__version__
    machines = {f"the scheduler at {address}": versions["scheduler"]}
    machines |= {f"the worker at {worker}": info for worker, info in versions["workers"].items()}
    for machine, info in machines.items():
        version = info["packages"]["distributed"]
        if version != own_version:
            raise ClusterError(
                f"{machine} has distributed {version}, but this machine has {own_version}; "
                "install the same version on all machines"
            )


def _error_reason(error: BaseException) -> str:
    return " ".join((str(error) or type(error).__name__).split())
