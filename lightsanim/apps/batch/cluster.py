"""Run tasks on the workers of a Dask cluster, on any number of machines.

A task contains its pictures as bytes, and its outcome contains the finished files.  So the machines
need the same version of lightsanim, but no shared file system.
"""

import warnings
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from multiprocessing.pool import ThreadPool
from pathlib import Path
from tempfile import TemporaryDirectory

from lightsanim.errors import ClusterError
from lightsanim.system.cores import limit_cores
from lightsanim.version import __version__
from .batch_folder import read_task_files
from .job import Outcome, Task
from .workers import MAX_TRIES, run_task_catching_errors

try:
    from distributed import Client, Future, KilledWorker, WorkerPlugin, as_completed, get_worker
except ImportError as error:
    advice = "install it with: pip install 'lightsanim[distributed]'"
    raise ClusterError(f"a cluster needs Dask; {advice}") from error

ANSWER_TIMEOUT = 8  # Seconds to wait for the scheduler's answer.
WORKERS_DIED = "every worker that tried it died; perhaps there was not enough memory"
TASKS_PER_THREAD = 2  # One runs while the next one is sent.


@dataclass
class _WorkerSetup(WorkerPlugin):  # type: ignore[misc]
    """Keep workers of another version out, and limit each thread of the others to one core."""

    version: str = __version__  # that of the machine that starts the batch
    name = "lightsanim"

    def setup(self, worker: object) -> None:
        if self.version != __version__:
            raise ClusterError(f"this batch needs lightsanim {self.version}, not {__version__}")
        limit_cores(1)


def run_tasks_on_cluster(
    address: str, tasks: Iterator[Task], *, worker_timeout: float = 60.0
) -> Generator[Outcome]:
    """Run tasks on a scheduler's workers, and yield their outcomes as they finish.

    Raises `ClusterError` if the scheduler does not answer, or has no worker for too long.
    """
    try:
        # In a thread, which may be left: `Client` would wait for ever for a silent program.
        with ThreadPool(1) as pool, warnings.catch_warnings(action="ignore"):
            client = pool.apply_async(_connect, [address]).get(ANSWER_TIMEOUT)
    except Exception as error:  # another program at this address can cause any error
        flaw = f"no Dask scheduler answers at {address} within {ANSWER_TIMEOUT} seconds"
        reason = " ".join((str(error) or type(error).__name__).split())
        raise ClusterError(f"{flaw} ({reason}); start one with: dask scheduler") from error
    try:
        _check_versions(client)
        client.register_plugin(_WorkerSetup())
        yield from _run_tasks(client, tasks, worker_timeout)
    except TimeoutError as error:
        flaw = f"the scheduler at {address} has had no worker for {worker_timeout:g} seconds"
        raise ClusterError(f"{flaw}; start one with: dask worker {address}") from error
    except (OSError, CancelledError) as error:
        raise ClusterError(
            f"lost the scheduler at {address}; finished animations are kept; run the batch again "
            "to make the others"
        ) from error
    finally:
        with suppress(Exception), closing(client):  # the scheduler may have gone
            client.unregister_worker_plugin(_WorkerSetup.name)


def _connect(address: str) -> Client:
    # Return a client, and close one that fails.  If the garbage collector closed it while Dask
    # starts another, Dask would wait for its own lock for ever.
    client = Client.__new__(Client)
    try:
        client.__init__(address, timeout=ANSWER_TIMEOUT, set_as_default=False)
    except Exception:
        with suppress(Exception):
            client.close()
        raise
    return client


def _run_tasks(client: Client, tasks: Iterator[Task], worker_timeout: float) -> Generator[Outcome]:
    running: dict[Future, Task] = {}
    losses: dict[str, int] = {}  # How often each suspect, by its id, was lost with its worker.
    results = as_completed(loop=client.loop, with_results=True, raise_errors=False)
    for finished in chain([[]], results.batches()):
        for future, result in finished:
            task = running.pop(future)
            if not isinstance(result, Outcome):
                error = result[1] if future.status == "error" else result
                if client.status != "running":  # the scheduler has gone
                    raise error
                # A worker that dies loses the data of its tasks, and so the tasks.
                is_lost = isinstance(error, CancelledError | KilledWorker)
                losses[task.id] = losses.get(task.id, 0) + 1
                if is_lost and losses[task.id] < MAX_TRIES:
                    tasks = chain([task], tasks)
                    continue
                reason = WORKERS_DIED if is_lost else f"{type(error).__name__}: {error}"
                result = Outcome(task=replace(task, pictures=()), error=reason)
            losses.pop(task.id, None)
            yield result
        # A task that kills its worker harms the tasks queued there, so suspects get no queue.
        limit = sum(client.nthreads().values()) * (1 if losses else TASKS_PER_THREAD)
        new_tasks = list(islice(tasks, max(0, max(1, limit) - len(running))))
        while new_tasks:
            with suppress(OSError):  # a worker has just died, or there is none
                # Dask's logs keep the tasks of the last 1,000 messages, but no scattered data.
                sent = client.scatter(new_tasks, hash=False, timeout=1)
                futures = client.map(run_sent_task, sent, pure=False, retries=MAX_TRIES - 1)
                running.update(zip(futures, new_tasks, strict=True))
                results.update(futures)
                break
            client.wait_for_workers(1, timeout=worker_timeout)


def run_sent_task(task: Task) -> Outcome:
    """Run a task in a Dask worker, and return its outcome with the contents of its files."""
    # If this worker is killed, the next one removes its folder, and with it the task's folder.
    with TemporaryDirectory(prefix="lightsanim-", dir=get_worker().local_directory) as folder:
        outcome = run_task_catching_errors(task, Path(folder))
        return replace(outcome, files=None if outcome.error else read_task_files(Path(folder)))


def _check_versions(client: Client) -> None:
    versions = client.get_versions(packages=["lightsanim"])
    workers = {f"the worker at {address}": info for address, info in versions["workers"].items()}
    for machine, info in {"the scheduler": versions["scheduler"], **workers}.items():
        for package in ("distributed", "lightsanim"):
            own, version = (about["packages"].get(package) for about in (versions["client"], info))
            if version != own:
                raise ClusterError(
                    f"{machine} has {package} {version}, but this machine has {own}; install the "
                    "same version on all machines"
                )
