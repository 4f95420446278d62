"""Run tasks on the workers of a Dask cluster, on any number of machines.

A task contains its pictures as bytes, and its outcome contains the finished files.  So the machines
need the same version of lightsanim, but no shared file system.
"""

import asyncio
import warnings
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lightsanim.batch.batch_folder import read_task_files
from lightsanim.batch.job import Outcome, Task
from lightsanim.batch.workers import MAX_TRIES, run_task_catching_errors
from lightsanim.errors import ClusterError
from lightsanim.pictures.source import Source
from lightsanim.system.cores import limit_cores
from lightsanim.version import __version__

try:
    from distributed import Client, Future, KilledWorker, WorkerPlugin, as_completed, get_worker
    from distributed.comm import connect
except ImportError as error:
    advice = "install it with: pip install 'lightsanim[distributed]'"
    raise ClusterError(f"a cluster needs Dask; {advice}") from error

ANSWER_TIMEOUT = 8  # Seconds to wait for the scheduler's answer.
LARGE_PICTURE = 1_000_000  # Bytes; larger pictures are sent to a worker ahead of their task.
WORKERS_DIED = "every worker that tried it died; perhaps there was not enough memory"
TASKS_PER_THREAD = 2  # One runs while the next one is sent.


class WorkerSetup(WorkerPlugin):  # type: ignore[misc]
    """The set-up of present and future workers; a worker of another version cannot join."""

    name = "lightsanim"

    def __init__(self) -> None:
        self.version = __version__  # that of the machine that starts the batch

    def setup(self, worker: Any) -> None:
        """Check the version, and limit each of the worker's threads to one core."""
        if self.version != __version__:
            raise ClusterError(f"this batch needs lightsanim {self.version}, not {__version__}")
        limit_cores(1)


def run_tasks_on_cluster(
    address: str, tasks: Iterator[Task], *, seconds_without_workers: float = 60.0
) -> Generator[Outcome]:
    """Run tasks on a scheduler's workers, and yield their outcomes as they finish.

    Raises `ClusterError` if the scheduler does not answer, or has no worker for too long.
    """
    with _connect_to_scheduler(address, seconds_without_workers) as client:
        running: dict[Future, Task] = {}
        suspects: set[str] = set()  # Ids of tasks lost with their workers, which are tried again.
        while True:
            # A task that kills its worker harms the tasks queued there, so suspects get no queue.
            limit = sum(client.nthreads().values()) * (1 if suspects else TASKS_PER_THREAD)
            while len(running) < max(1, limit) and (task := next(tasks, None)):
                running[_submit_task(client, task)] = task
            if not running:
                return
            try:
                waiting = as_completed(running, client.loop, timeout=seconds_without_workers)
                finished = waiting.next_batch()
            except TimeoutError:  # perhaps a task takes this long
                client.wait_for_workers(1, timeout=seconds_without_workers)
                continue
            for future in finished:
                task = running.pop(future)
                outcome = _read_outcome(client, future, task)
                if outcome is None and task.id not in suspects:
                    suspects.add(task.id)
                    tasks = chain([task], tasks)
                    continue
                suspects.discard(task.id)
                yield outcome or Outcome(task=replace(task, pictures=()), error=WORKERS_DIED)


def run_sent_task(task: Task, pictures: list[Source]) -> Outcome:
    """Run a task in a Dask worker, and return its outcome with the contents of its files."""
    # If this worker is killed, the next one removes its folder, and with it the task's folder.
    with TemporaryDirectory(prefix="lightsanim-", dir=get_worker().local_directory) as temporary:
        folder = Path(temporary) / "task"
        outcome = run_task_catching_errors(replace(task, pictures=tuple(pictures)), folder)
        return replace(outcome, files=None if outcome.error else read_task_files(folder))


def _submit_task(client: Client, task: Task) -> Future:
    def send(source: Source) -> Any:
        is_large = len(getattr(source.picture, "content", b"")) > LARGE_PICTURE
        return client.scatter(source) if is_large else source

    sent, pictures = replace(task, pictures=()), [send(source) for source in task.pictures]
    return client.submit(run_sent_task, sent, pictures, pure=False, retries=MAX_TRIES - 1)


def _read_outcome(client: Client, future: Future, task: Task) -> Outcome | None:
    # Return None if the task, or a picture sent ahead of it, was lost with its workers.
    try:
        return future.result()  # type: ignore[no-any-return]
    except Exception as error:
        if client.status != "running":  # the scheduler has gone, and nothing is known of the task
            raise
        if isinstance(error, CancelledError | KilledWorker):
            return None
        return Outcome(task=replace(task, pictures=()), error=f"{type(error).__name__}: {error}")


@contextmanager
def _connect_to_scheduler(address: str, seconds_without_workers: float) -> Iterator[Client]:
    async def shake_hands() -> None:
        await (await asyncio.wait_for(connect(address), ANSWER_TIMEOUT)).close()

    try:
        # `Client` would wait for ever for a silent program; a notebook's thread has a loop already.
        with ThreadPoolExecutor(1) as pool, warnings.catch_warnings(action="ignore"):
            pool.submit(asyncio.run, shake_hands()).result()
            client = Client(address, timeout=ANSWER_TIMEOUT, set_as_default=False)
    except Exception as error:  # another program at this address can cause any error
        reason = _error_reason(error)
        if reason.startswith(("Timed out", "TimeoutError")):
            reason = f"within {ANSWER_TIMEOUT} seconds; start a scheduler with: dask scheduler"
        raise ClusterError(f"no Dask scheduler answers at {address}: {reason}") from error
    try:
        _check_versions(client, address)
        client.register_plugin(WorkerSetup())
        yield client
    except TimeoutError as error:
        state = f"has had no worker for {seconds_without_workers:g} seconds"
        advice = f"start one with: dask worker {address}"
        raise ClusterError(f"the scheduler at {address} {state}; {advice}") from error
    except (OSError, CancelledError) as error:
        advice = "finished animations are kept; run the batch again to make the others"
        reason = f"lost the scheduler at {address} ({_error_reason(error)})"
        raise ClusterError(f"{reason}; {advice}") from error
    finally:
        with suppress(Exception):  # the scheduler may have gone
            client.unregister_worker_plugin(WorkerSetup.name)
        with suppress(Exception):
            client.close(timeout=1)


def _check_versions(client: Client, address: str) -> None:
    versions = client.get_versions(packages=["lightsanim"])
    machines = {f"the worker at {at}": info for at, info in versions["workers"].items()}
    machines[f"the scheduler at {address}"] = versions["scheduler"]
    for machine, package in product(machines, ("distributed", "lightsanim")):
        infos = versions["client"], machines[machine]
        own, other = (info["packages"].get(package) for info in infos)
        if other != own:
            flaw = f"{machine} has {package} {other}, but this machine has {own}"
            raise ClusterError(f"{flaw}; install the same version on all machines")


def _error_reason(error: BaseException) -> str:
    return " ".join((str(error) or type(error).__name__).split())
