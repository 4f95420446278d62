"""The workers of a Dask cluster, on any number of machines.

A task carries its pictures and its outcome the finished files, all as bytes: the machines need no
file system in common, only the same lightsanim.  Dask gives the tasks of a lost worker to another.
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

# Seconds that a scheduler has to answer.
ANSWER_TIMEOUT = 8

# Seconds between two looks at whether there are workers.
POLL_INTERVAL = 1.0


def run_tasks_on_cluster(
    address: str, tasks: Iterator[Task], *, seconds_without_workers: float = 60.0
) -> Generator[Outcome]:
    """Run tasks on the workers of a Dask scheduler."""
    with _connect_to_scheduler(address) as client:
        tasks_by_future: dict[Promise, Task] = {}
        while True:
            threads = sum(client.nthreads().values())
            # No task waits beside another: if that one kills the worker, both are suspected.
            while len(tasks_by_future) < max(1, threads) and (task := next(tasks, None)):
                tasks_by_future[_submit_task(client, task)] = replace(task, pictures=())
            if not tasks_by_future:
                return
            try:
                finished = _wait_for_finished_tasks(
                    client, tasks_by_future, seconds_without_workers
                )
            except TimeoutError as error:
                raise ClusterError(
                    f"the scheduler at {address} has had no worker for "
                    f"{seconds_without_workers:g} seconds; start one with: dask worker {address}"
                ) from error
            for future in finished:
                yield _read_outcome(future, tasks_by_future.pop(future))


def run_pickled_task(payload: bytes, version: str) -> bytes:
    """On a worker: run a pickled task."""
    if version != __version__:
        raise ClusterError(
            f"a worker runs lightsanim {__version__}, not {version}; install the same there"
        )
    from distributed import get_worker

    limit_cores(1)  # Dask decides how many tasks run beside each other
    # A worker's own folder: where it is killed, the next worker there removes it.
    with TemporaryDirectory(prefix="lightsanim-", dir=get_worker().local_directory) as temporary:
        folder = Path(temporary) / "task"
        outcome = run_task_catching_errors(pickle.loads(payload), folder)
        files = None if outcome.error else read_task_files(folder)
        return pickle.dumps(replace(outcome, files=files))


def _submit_task(client: "Client", task: Task) -> "Promise":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Dask thinks that pictures are large for a graph of tasks
        return client.submit(
            run_pickled_task, pickle.dumps(task), __version__, pure=False, retries=MAX_TRIES - 1
        )


def _wait_for_finished_tasks(
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
        reason = "every worker that began it died; is there memory enough for it?"
    elif isinstance(error, ImportError):
        reason = f"a worker has no lightsanim ({error}); install it there"
    elif isinstance(error, LightsAnimError):
        reason = str(error)
    else:
        reason, trace = f"{type(error).__name__}: {error}", "".join(format_exception(error))
    return Outcome(task=task, error=reason, traceback=trace)


@contextmanager
def _connect_to_scheduler(address: str) -> Iterator["Client"]:
    # A client of a scheduler that answers and is of the same version.
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
    except Exception as error:  # any program may answer at that address
        # Distributed times twice, and which clock ends first is chance: only one is a TimeoutError.
        if isinstance(error, TimeoutError) or str(error).startswith("Timed out"):
            raise ClusterError(
                f"no Dask scheduler answers at {address} within {ANSWER_TIMEOUT} seconds; "
                "start one with: dask scheduler"
            ) from error
        raise ClusterError(
            f"no Dask scheduler answers at {address}: {_error_reason(error)}"
        ) from error
    try:
        yield client
    except (OSError, CancelledError) as error:
        raise ClusterError(
            f"lost the scheduler at {address} ({_error_reason(error)}); "
            "what is finished is kept, run it again for the rest"
        ) from error
    finally:
        with suppress(Exception):  # it may be gone
            client.close(timeout=1)


def _fetch_dask_versions(address: str) -> dict[str, Any]:
    # A client that is not asynchronous waits for ever for something that listens but is no
    # scheduler.  A notebook has a loop of its own in this thread.
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
            warnings.simplefilter("ignore")  # of other versions: they become our one line
            return executor.submit(lambda: asyncio.run(fetch_worker_versions())).result()
    finally:
        executor.shutdown(wait=False)


def _check_dask_versions(versions: dict[str, Any], address: str) -> None:
    # Of Dask, which speaks its own protocol; each task looks at that of lightsanim.
    import distributed

    own_version = distributed.__version__
    machines = {f"the scheduler at {address}": versions["scheduler"]}
    machines |= {f"the worker at {worker}": info for worker, info in versions["workers"].items()}
    for machine, info in machines.items():
        version = info["packages"]["distributed"]
        if version != own_version:
            raise ClusterError(
                f"{machine} runs distributed {version}, not {own_version} as here; "
                "install the same on all machines"
            )


def _error_reason(error: BaseException) -> str:
    return " ".join((str(error) or type(error).__name__).split())
